import { sandboxClockSecondsMax, type SandboxClock } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { countMoves, insertMove, lockSettings, selectClock } from './sandbox-clock.sql.js'
import { openSettings } from './sandbox.sql.js'

/** Each is looked at where the age of a row is asked for. A suite that moves the clock more often resets its sandbox now and then. */
const movesMax = 1_000

/** What the clock decides is looked at again at once where somebody waits to be told; the rest with the next look of a worker. */
export async function advanceClock(tx: Tx, advanceSeconds: number, source: ChangeSource): Promise<void> {
  await tx.run(openSettings(tx.tenant))
  await tx.run(lockSettings(tx.tenant))
  const [row] = await tx.run(countMoves(tx.tenant))
  const { moves, aheadSeconds } = row ?? { moves: 0, aheadSeconds: 0 }
  if (aheadSeconds + advanceSeconds > sandboxClockSecondsMax)
    throw refuse.conflict(
      'sandbox_clock_at_end',
      'The clock cannot be more than 400 days ahead: reset the sandbox',
    )
  if (moves >= movesMax)
    throw refuse.conflict('sandbox_clock_at_end', 'The clock was moved 1000 times: reset the sandbox')
  await tx.run(insertMove(tx.tenant, aheadSeconds + advanceSeconds))
  await recordChange(tx, { ...source, operation: 'sandbox.advanceClock', subjects: [tx.tenant.tenantId] })
  tx.announce('casenote_webhooks')
}

export async function readClock(db: Database, tenant: TenantScope): Promise<SandboxClock> {
  const [row] = await db.read(tenant, selectClock(tenant))
  if (row === undefined) throw new Error('there is no time')
  const { now, realNow } = row
  return {
    now: now.toISOString(),
    realNow: realNow.toISOString(),
    aheadSeconds: Math.round((now.getTime() - realNow.getTime()) / 1_000),
  }
}
