import type { Config } from '../kernel/config.js'
import type { Log } from '../kernel/log.js'
import type { MasterKeys } from '../kernel/secrets/master-keys.js'

/** Files cost nothing to read; a vault is asked seldom, and at once by SIGHUP or for a key that is not known. */
const lookEveryMs = { files: 5_000, 'data folder': 5_000, command: 60_000 } as const

/** In a terminal SIGHUP says that the terminal is gone, and ends the process. */
export const hearsHangUp = (): boolean => !process.stdin.isTTY && !process.stdout.isTTY

/** So that a master key can be rotated while the service runs: its source is looked at again and again, and on SIGHUP. */
export function watchMasterKeys(
  masterKeys: MasterKeys,
  { config, log }: { config: Config; log: Log },
): { stop(): void } {
  const { from } = config.masterKey
  let problem: string | null = null
  // Compared with what was told, not with a moment ago: a row may have made it known in between.
  let told = masterKeys.currentId
  const look = async (): Promise<void> => {
    if (from === 'environment') {
      log.info({}, 'the master key is in the environment: a new one is taken by a restart')
      return
    }
    try {
      await masterKeys.refresh()
      problem = null
    } catch (error) {
      // Those that are known go on. The text of such an error is ours and holds nothing of a key. It is told once, not every 5 s.
      if ((error as Error).message !== problem)
        log.error({ err: error }, 'no other master key was taken: the ones that are known stay')
      problem = (error as Error).message
    }
    const { currentId } = masterKeys
    if (currentId !== told) log.info({ masterKeyId: currentId }, 'the master key is another one now')
    told = currentId
  }
  const lookSoon = (): void => void look()
  const timer = from === 'environment' ? null : setInterval(lookSoon, lookEveryMs[from]).unref()
  if (hearsHangUp()) process.on('SIGHUP', lookSoon)
  return {
    stop: () => {
      if (timer !== null) clearInterval(timer)
      process.off('SIGHUP', lookSoon)
    },
  }
}
