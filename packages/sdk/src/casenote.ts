import { NoteUnchangedError, SessionFailedError, TimeoutError } from './errors.js'
import { Resources } from './generated/resources.js'
import type { ProgressNote } from './generated/types.js'
import { pause } from './pause.js'
import { Transport, type CasenoteOptions } from './transport.js'

export interface WaitOptions {
  /** For the whole wait; ten minutes if not given. An hour of speech takes some minutes. */
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
  /**
   * After a magic edit or a regeneration: the `progressNoteId` from before it. The note that is there when nothing is written
   * any more must be another one.
   */
  after?: string | undefined
}

/** From one second to ten, half as long again each time: soon for a short text, seldom for an hour of speech. */
const firstLookMs = 1_000
const lookMsMax = 10_000
const lookGrowth = 1.5

/** One partner in one environment. Make one and keep it: it holds the token. Server-side only, since it holds the secrets. */
export class Casenote extends Resources {
  constructor(options: CasenoteOptions) {
    super(new Transport(options))
  }

  /**
   * The session's note, once it is written. After a magic edit or a regeneration give `after`: where that fails, the note from
   * before stays, and this throws `NoteUnchangedError` instead of giving it as the new one. Throws `SessionFailedError` when no
   * note will come and `TimeoutError` when none did in time. Where you can, take the webhook instead.
   */
  async waitForNote(
    sessionId: string,
    { timeoutMs = 600_000, signal, after }: WaitOptions = {},
  ): Promise<ProgressNote> {
    const endMs = performance.now() + timeoutMs
    const late = `the note of session ${sessionId} was not written within ${timeoutMs} ms`
    const inTime = AbortSignal.timeout(timeoutMs)
    const either = signal === undefined ? inTime : AbortSignal.any([signal, inTime])
    const look = async <Value>(read: Promise<Value>): Promise<Value> =>
      read.catch((error: unknown) => {
        signal?.throwIfAborted()
        throw inTime.aborted ? new TimeoutError(late, { cause: error }) : error
      })
    for (let lookMs = firstLookMs; ; lookMs = Math.min(lookMs * lookGrowth, lookMsMax)) {
      const note = await look(this.sessions.readProgressNote(sessionId, { signal: either }))
      if (note.status === 'failed') {
        const { failure } = await look(this.sessions.read(sessionId, { signal: either }))
        throw new SessionFailedError(sessionId, failure)
      }
      if (!note.isLoading) {
        if (after !== undefined && note.progressNoteId === after) throw new NoteUnchangedError(sessionId)
        return note
      }
      // A tenth more or less: what was begun together is not asked for together.
      const waitMs = lookMs * (0.9 + 0.2 * Math.random())
      if (performance.now() + waitMs > endMs) throw new TimeoutError(late)
      await pause(waitMs, signal)
    }
  }
}
