import { EngineError } from '../engine.js'
import type { AuthorizedFetch } from '../authorized-fetch.js'
import { backOffMs, onOnline, waitUpTo } from '../wait.js'
import { discardSession } from './send-recording.js'

/** Until the service has heard of it, was asked in vain, or `isWanted` says that nobody is there any more. */
export async function discardLater(
  authorizedFetch: AuthorizedFetch,
  sessionId: string,
  isWanted: () => boolean,
): Promise<void> {
  for (let failures = 0; isWanted(); failures += 1) {
    try {
      return await discardSession({ authorizedFetch }, sessionId)
    } catch (error) {
      if (!(error instanceof EngineError) || (error.status !== 0 && error.status !== 401)) return
      await waitUpTo(backOffMs(failures), onOnline)
    }
  }
}
