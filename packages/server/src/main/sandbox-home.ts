import { settleSandbox, type HomeOnlyPartner } from '../features/partners/index.js'
import type { Config } from '../kernel/config.js'
import type { Database } from '../kernel/db/database.js'
import type { DirectoryWatch } from '../kernel/directory-cache.js'
import { tolerateFailure, type Log } from '../kernel/log.js'

interface Parts {
  config: Pick<Config, 'isSandboxHome' | 'isSandboxNamed' | 'host'>
  db: Database
  log: Log
}

/** Before anything is done by what was true of an earlier run. */
export const settleHome = ({ config, db }: Omit<Parts, 'log'>): Promise<HomeOnlyPartner[]> =>
  db.throughDoor(settleSandbox(config.isSandboxHome))

/**
 * What a process that listens says about the sandbox, to all that share its database (decision 0021): it is at home where only
 * this machine is listened to, or where the operator says so by name.
 */
export async function tellSandbox({ config, db, log }: Parts): Promise<void> {
  const { isSandboxHome: isHome, isSandboxNamed: isNamed, host } = config
  for (const { partnerId, isBesideProduction } of await settleHome({ config, db })) {
    if (!isHome) {
      log.warn(
        { partnerId, host, CASENOTE_SANDBOX: isNamed ? 'off' : 'not set' },
        'the sandbox partner and /demo are not served, and its data stays: set CASENOTE_SANDBOX=on, or listen on localhost without it',
      )
    } else if (isBesideProduction && !isNamed) {
      log.warn(
        { partnerId },
        'the sandbox partner and /demo are served beside production partners: set CASENOTE_SANDBOX=off, or on if that is meant',
      )
    }
  }
}

/**
 * Of several processes the strictest decides: one where the sandbox is not at home says so again whenever another one has
 * said otherwise, until it is heard.
 */
export function keepTellingSandbox(watch: DirectoryWatch, parts: Parts): void {
  const { config, log } = parts
  let isTelling = false
  const tell = async (): Promise<void> => {
    isTelling = true
    await tolerateFailure(log, 'the next poll asks for it again', () => tellSandbox(parts))
    isTelling = false
  }
  watch.onSandbox((isHome, hasTurned) => {
    if (isHome === config.isSandboxHome) return
    if (isHome && !isTelling) void tell()
    if (!isHome && hasTurned)
      log.warn('the sandbox is no longer served: another process listens where it is not at home')
  })
}
