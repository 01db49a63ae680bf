/**
 * What time it is for the tenant of a statement, whose id is the statement's first value (`$1`): the database's time, except in a
 * sandbox whose clock was moved ahead (docs/sandbox.md). For what expires, is tried again or is kept for so long; never for leases, signatures, audit
 * entries or when something happened. Asked once a statement.
 */
export const tenantNow = '(select casenote.tenant_now($1))'
