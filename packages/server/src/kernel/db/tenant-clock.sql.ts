/**
 * What the clock of a statement's tenant shows, who is its first value: the database's time, but for a sandbox whose clock was
 * moved ahead (docs/sandbox.md). For what expires, is tried again or is kept for so long; never for leases, signatures, audit
 * entries or when something happened. Asked once a statement.
 */
export const tenantNow = '(select casenote.tenant_now($1))'
