import { markersMax, padLengthMax, type SessionPad } from '@casenote/contract'
import { signal, type Signal } from '@preact/signals'
import { waitUpTo } from '../wait.js'
import type { RecordingRow } from './recording-row.js'
import type { RecordingStore } from './recording-store.js'
import type { Vault } from './vault.js'

const placeOf = (recordingId: string): string => `${recordingId}/pad`

export const emptyPad: SessionPad = { text: '', markers: [] }

/** What lies on this device of a recording's pad. */
export async function readPad(vault: Vault, { recordingId, pad }: RecordingRow): Promise<SessionPad> {
  if (pad === undefined) return emptyPad
  const plain = await vault.unseal(placeOf(recordingId), pad.sealed)
  return JSON.parse(new TextDecoder().decode(plain)) as SessionPad
}

/** What the clinician jots down and marks while it records: sealed on the disk with every key, sent with the recording. */
export class Pad {
  readonly value: Signal<SessionPad>
  readonly #parts: { recordings: RecordingStore; vault: Vault; recordingId: string }
  #queue: Promise<unknown> = Promise.resolve()
  #isWaiting = false

  constructor(parts: { recordings: RecordingStore; vault: Vault; recordingId: string }, kept: SessionPad) {
    this.#parts = parts
    this.value = signal(kept)
  }

  jot(text: string): void {
    // Half a character, or none, the service would refuse, and with it every other word of the pad.
    const whole = text
      .replaceAll('\0', '')
      .slice(0, padLengthMax)
      .replaceAll(/\p{Surrogate}/gu, '')
    this.#set({ ...this.value.value, text: whole })
  }

  mark(atSeconds: number): void {
    const { markers } = this.value.value
    if (markers.length >= markersMax) return
    const marker = { id: crypto.randomUUID(), atSeconds: Math.floor(atSeconds) }
    this.#set({ ...this.value.value, markers: [...markers, marker] })
  }

  unmark(id: string): void {
    const { markers } = this.value.value
    this.#set({ ...this.value.value, markers: markers.filter((one) => one.id !== id) })
  }

  /** Everything that was typed is stored when it resolves. */
  settled(): Promise<unknown> {
    return this.#queue
  }

  #set(pad: SessionPad): void {
    this.value.value = pad
    // One that has not begun stores what there is by then.
    if (this.#isWaiting) return
    this.#isWaiting = true
    this.#queue = this.#queue.then(() => this.#store())
  }

  async #store(): Promise<void> {
    const { recordings, vault, recordingId } = this.#parts
    for (;;) {
      try {
        this.#isWaiting = false
        const plain = new TextEncoder().encode(JSON.stringify(this.value.value))
        const sealed = await vault.seal(placeOf(recordingId), plain)
        await recordings.change(recordingId, (row) => {
          const { revision = 0, sentRevision = 0 } = row.pad ?? {}
          row.pad = { sealed, revision: revision + 1, sentRevision }
        })
        return
      } catch {
        // As a slice: tried until it is taken, if only into memory.
        await waitUpTo(1_000)
      }
    }
  }
}
