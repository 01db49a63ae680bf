import { SessionFailedError, TimeoutError } from './errors.js'
import { Resources } from './generated/resources.js'
import type { ProgressNote } from './generated/types.js'
import { pause } from './pause.js'
import { Transport, type CasenoteOptions } from './transport.js'

export interface WaitOptions {
  /** For the whole wait; ten minutes if not given. An hour of speech takes some minutes. */
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
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
   * The session's note, once it is written; also after a magic edit or a regeneration. Throws `SessionFailedError` when it
   * will not come and `TimeoutError` when it did not in time. Where you can, take the webhook instead.
   */
  async waitForNote(
    sessionId: string,
    { timeoutMs = 600_000, signal }: WaitOptions = {},
  ): Promise<ProgressNote> {
    const endMs = performance.now() + timeoutMs
    for (let lookMs = firstLookMs; ; lookMs = Math.min(lookMs * lookGrowth, lookMsMax)) {
      const note = await this.sessions.readProgressNote(sessionId, { signal })
      if (note.status === 'failed') {
        const { failure } = await this.sessions.read(sessionId, { signal })
        throw new SessionFailedError(sessionId, failure)
      }
      if (!note.isLoading) return note
      // A tenth more or less: what was begun together is not asked for together.
      const waitMs = lookMs * (0.9 + 0.2 * Math.random())
      if (performance.now() + waitMs > endMs) {
        throw new TimeoutError(`the note of session ${sessionId} was not written within ${timeoutMs} ms`)
      }
      await pause(waitMs, signal)
    }
  }
}
