import type { Actor } from '../kernel/audit/index.js'
import type { ClientId } from '../kernel/ids.js'
import type { TenantScope } from '../kernel/tenant.js'

/** Whom a refusal concerns, and in whose log it stands. */
export interface Suspect {
  tenant: TenantScope
  actor: Pick<Actor, 'kind' | 'id'>
  subjects?: readonly string[]
  /** The operation, where it says more than what was asked for. */
  operation?: string
  /** Whose link or page it was: their address is sealed for them alone. */
  clientId?: ClientId
}
