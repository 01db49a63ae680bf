import { tolerateFailure, type Log } from '../kernel/log.js'
import type { MasterKeys } from '../kernel/secrets/master-keys.js'

/** A minute more or less in which a process could derive the key of a client who is gone matters to nobody. */
const everyMs = 60_000

/** Other processes change the key store. What is known stays where it cannot be read. A store that is slow is asked by one look at a time. */
export function watchKeyStore(
  { clientKeys }: Pick<MasterKeys, 'clientKeys'>,
  log: Log,
): { stop(): void } | null {
  if (clientKeys === null) return null
  let isLooking = false
  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    await tolerateFailure(log, 'the keys of clients that are known stay', () => clientKeys.refresh())
    isLooking = false
  }
  const timer = setInterval(() => void look(), everyMs).unref()
  return { stop: () => clearInterval(timer) }
}
