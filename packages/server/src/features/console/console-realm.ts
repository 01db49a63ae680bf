import type { Database } from '../../kernel/db/database.js'
import type { Clock } from '../../kernel/clock.js'
import type { ConsoleUserId } from '../../kernel/ids.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'

export type ConsoleKind = 'operator' | 'partner'

/** One of the two consoles: a partner's, on the public port, or the operator's, on the admin port, as the owner. */
export interface ConsoleRealm {
  kind: ConsoleKind
  db: Database
  masterKeys: MasterKeys
  clock: Clock
}

/** The operator's people are of no tenant; the tables have the column all the same, and so the rules of every table. */
export const operatorScope: TenantScope = { tenantId: '00000000-0000-0000-0000-000000000000' }

/** Who uses the console, once it is known. */
export interface ConsoleUser {
  kind: ConsoleKind
  /** Whose rows these are: an operator's are of `operatorScope`. */
  scope: TenantScope
  userId: ConsoleUserId
  userName: string
}
