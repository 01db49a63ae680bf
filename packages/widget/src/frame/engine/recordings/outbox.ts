import { engineTexts } from '../../texts/texts.js'
import { EngineError } from '../engine.js'
import { toEngineError } from '../to-engine-error.js'
import { lockInTurn } from './lock-recording.js'
import type { RecordingStore } from './recording-store.js'
import { sendRecording, type Sending, type SendingParts } from './send-recording.js'
import type { Vault } from './vault.js'

interface Parts {
  recordings: RecordingStore
  getVault(): Vault | null
  describeSending(vault: Vault): SendingParts
  onSent(sessionId: string): void
  onProblem(recordingId: string, problem: EngineError): void
  /** Something was sent, or gave up. */
  onChange(): void
}

/** Ended recordings on their way: sent without being asked, by whichever tab gets to them. */
export class Outbox {
  readonly #parts: Parts
  readonly #going = new Map<string, { stop(): void }>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async sendEnded(): Promise<void> {
    const vault = this.#parts.getVault()
    if (vault === null) return
    for (const { recordingId, isEnded } of await this.#parts.recordings.list(vault.clinicianId)) {
      // Its failure is told to `onProblem`.
      if (isEnded && !this.#going.has(recordingId)) this.send(vault, recordingId).catch(() => {})
    }
  }

  /** Resolves with the session as soon as it is known; the rest goes on. */
  async send(vault: Vault, recordingId: string): Promise<string> {
    const stopping = new AbortController()
    this.#going.get(recordingId)?.stop()
    this.#going.set(recordingId, { stop: () => stopping.abort() })
    const release = await lockInTurn(recordingId, stopping.signal)
    if (release === null) throw new EngineError(engineTexts.openElsewhere, 0)
    const sending = sendRecording(this.#parts.describeSending(vault), recordingId)
    this.goOn(recordingId, sending, release)
    return sending.session
  }

  /** For one whose sending began while it was recorded. */
  goOn(recordingId: string, sending: Sending, release: () => void): void {
    this.#going.set(recordingId, sending)
    sending.wake()
    void this.#follow(recordingId, sending, release)
  }

  async #follow(recordingId: string, sending: Sending, release: () => void): Promise<void> {
    try {
      const session = await sending.done
      if (session !== null) this.#parts.onSent(session.sessionId)
      if (this.#going.get(recordingId) === sending) this.#going.delete(recordingId)
    } catch (error) {
      // It stays among those going: the next sign-in tries again, not the next piece of news.
      this.#parts.onProblem(recordingId, toEngineError(error))
    } finally {
      release()
      this.#parts.onChange()
    }
  }

  stop(): void {
    for (const going of this.#going.values()) going.stop()
    this.#going.clear()
  }
}
