import type { Clock } from '../../../kernel/clock.js'
import type { Database } from '../../../kernel/db/database.js'
import type { TenantKeys } from '../../../kernel/secrets/tenant-keys.js'
import type { LifetimeHours } from './widget-sessions.sql.js'

/** What the operator decided about browser sessions. */
export interface WidgetRules {
  /** Without any input for so long the frame covers what it shows. */
  idleMinutes: number
  lifetimeHours: LifetimeHours
}

export interface TokenParts {
  db: Database
  keys: TenantKeys
  /** For a tenant that nobody has proved to be of. */
  keysFor: (address: string) => TenantKeys
  clock: Clock
  widget: WidgetRules
  /** Whether the configuration names a language model, as far as this process can tell. */
  hasModel: boolean
  /** What may be spoken in a session here. */
  languages: readonly string[]
}
