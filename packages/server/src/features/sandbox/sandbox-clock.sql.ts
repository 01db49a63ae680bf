import type { Statement } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** Locked until the move commits: each adds to the one before. */
export const lockSettings = (tenant: TenantScope): Statement => ({
  name: 'lock_sandbox_settings',
  text: 'select 1 as locked from casenote.sandbox_settings where tenant_id = $1 for update',
  values: [tenant.tenantId],
})

export interface MovesRow {
  moves: number
  aheadSeconds: number
}

export const countMoves = (tenant: TenantScope): Statement<MovesRow> => ({
  name: 'count_sandbox_clock_moves',
  text: `select count(*)::int as moves, coalesce(max(ahead_seconds), 0) as "aheadSeconds"
    from casenote.sandbox_clock_moves where tenant_id = $1`,
  values: [tenant.tenantId],
})

export const insertMove = (tenant: TenantScope, aheadSeconds: number): Statement => ({
  name: 'insert_sandbox_clock_move',
  text: 'insert into casenote.sandbox_clock_moves (tenant_id, ahead_seconds) values ($1, $2)',
  values: [tenant.tenantId, aheadSeconds],
})

export interface ClockRow {
  now: Date
  realNow: Date
}

export const selectClock = (tenant: TenantScope): Statement<ClockRow> => ({
  name: 'select_sandbox_clock',
  text: 'select casenote.tenant_now($1) as now, now() as "realNow"',
  values: [tenant.tenantId],
})
