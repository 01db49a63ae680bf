import { fill } from '../../texts/fill.js'
import { engineTexts } from '../../texts/texts.js'
import { EngineError, FileRefusal, type NewRecording } from '../engine.js'
import { copyFile, requireFit } from './copy-file.js'
import { lockRecording } from './lock-recording.js'
import { emptyPad, Pad } from './pad.js'
import type { Ready } from './recorder-parts.js'
import type { RecordingStore } from './recording-store.js'
import type { Sending } from './send-recording.js'
import type { Vault } from './vault.js'

interface Parts {
  recordings: RecordingStore | null
  /** Refuses where nothing can be kept, or nobody is signed in. */
  require(): Ready
  beginSending(recordingId: string): Sending
  /** Rises with each sign-out. */
  getEra(): number
  throwAway(recordingId: string): Promise<void>
}

export interface FileUploads {
  upload(recording: NewRecording, file: File, despiteDoubt: boolean): Promise<{ sessionId: string }>
  /** A page that closes now loses half a copy. */
  isCopying(): boolean
  /** A tab that closed while it copied a file left a half of it, which is of no use to anybody. */
  dropHalfCopies(vault: Vault): Promise<void>
  stop(): void
}

/** Loaded with the first file. Where it cannot be, without a network, the service's own look has to do. */
async function look(file: File): Promise<void> {
  const loaded = await import('./look-at-file.js').catch(() => null)
  const fault = await loaded?.lookAtFile(file)
  if (fault == null) return
  const { text, kind = '', isDoubt } = fault
  throw new FileRefusal(fill(engineTexts[text], { name: file.name, kind }), isDoubt)
}

/** Recordings that come as a file: looked at, copied and sealed, then sent like any other. */
export function makeFileUploads(parts: Parts): FileUploads {
  const copied = new Set<Sending>()

  async function upload(
    recording: NewRecording,
    file: File,
    despiteDoubt: boolean,
  ): Promise<{ sessionId: string }> {
    // Whose file it is, is settled before anything is waited for: a look takes seconds, and somebody else may be here by then.
    const { recordings, vault, outbox } = parts.require()
    const era = parts.getEra()
    const requireEra = (): void => {
      if (era !== parts.getEra()) throw new EngineError(engineTexts.signedOut, 401)
    }
    await requireFit(file)
    if (!despiteDoubt) await look(file)
    requireEra()
    const { deviceId: _, jotted = '', ...details } = recording
    const row = await recordings.create(vault, details, 'file')
    const { recordingId } = row
    const release = (await lockRecording(recordingId)) ?? (() => {})
    // Before the first byte is sent: a recording that is complete takes no more words.
    const pad = new Pad({ recordings, vault, recordingId }, emptyPad)
    if (jotted.trim() !== '') pad.jot(jotted)
    await pad.settled()
    if (era !== parts.getEra()) {
      // Nothing is copied yet: the next sign-in of whose it was drops it.
      release()
      requireEra()
    }
    const sending = parts.beginSending(recordingId)
    const copying = copyFile(recordings, vault, row, file)
    copied.add(sending)
    try {
      const [sessionId] = await Promise.all([sending.session, copying])
      requireEra()
      outbox.goOn(recordingId, sending, release)
      return { sessionId }
    } catch (error) {
      sending.stop()
      if (era !== parts.getEra()) {
        // The copy is sealed: it is sent at the next sign-in of who made it.
        copying.catch(() => {}).finally(release)
        throw error
      }
      release()
      await parts.throwAway(recordingId)
      throw error
    } finally {
      copied.delete(sending)
    }
  }

  async function dropHalfCopies(vault: Vault): Promise<void> {
    const rows = (await parts.recordings?.list(vault.clinicianId)) ?? []
    for (const { recordingId, source, isEnded } of rows) {
      if (source !== 'file' || isEnded) continue
      const release = await lockRecording(recordingId)
      if (release === null) continue
      await parts.throwAway(recordingId)
      release()
    }
  }

  return {
    upload,
    isCopying: () => copied.size > 0,
    dropHalfCopies,
    stop: () => {
      for (const sending of copied) sending.stop()
    },
  }
}
