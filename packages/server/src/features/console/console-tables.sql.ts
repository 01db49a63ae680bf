import type { ConsoleKind } from './console-realm.js'

type Part = 'users' | 'links' | 'sessions' | 'passkeys'

/** The table of a kind of user. There are two with the same columns: only the owner may touch the operator's. */
export const table = (kind: ConsoleKind, part: Part): string =>
  `casenote.${kind === 'operator' ? 'operator' : 'console'}_${part}`

/** A suspended partner's people are let in as little as its key. */
export const isServed = (kind: ConsoleKind): string =>
  kind === 'operator'
    ? 'true'
    : 'exists (select from casenote.tenants t where t.tenant_id = u.tenant_id and t.suspended_at is null)'
