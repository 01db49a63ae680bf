import type { Statement } from '../../kernel/db/database.js'
import { newId, type ErasureId } from '../../kernel/ids.js'
import { pause } from '../../kernel/pause.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { leaseErasure, releaseLease, renewLease } from './erasure.sql.js'

/** One whose worker was killed is gone on with after this; a client of years takes longer, and renews it. */
const leaseSeconds = 120
/** Three may fail before it lapses. */
const renewEveryMs = 30_000

interface LeasedErasure {
  tenant: TenantScope
  erasureId: ErasureId
  renewEveryMs?: number
}

/**
 * Null: another process has it, or it has ended. What is left undone is anybody's at once. Whoever was kept waiting so long that the lease lapsed
 * neither prolongs nor ends another's: both end with one receipt.
 */
export async function whileLeased<Result>(
  db: { writeAtOnce<Row>(tenant: TenantScope, statement: Statement<Row>): Promise<Row[]> },
  { tenant, erasureId, renewEveryMs: everyMs = renewEveryMs }: LeasedErasure,
  work: () => Promise<Result>,
): Promise<{ result: Result } | null> {
  const lease = { erasureId, leaseId: newId() }
  const [taken] = await db.writeAtOnce(tenant, leaseErasure(tenant, lease, leaseSeconds))
  if (taken === undefined) return null
  const finished = new AbortController()
  const renew = async (): Promise<void> => {
    for (;;) {
      await pause(everyMs, finished.signal)
      if (finished.signal.aborted) return
      // One that fails is tried again with the next.
      await db.writeAtOnce(tenant, renewLease(tenant, lease, leaseSeconds)).catch(() => {})
    }
  }
  const renewing = renew()
  try {
    return { result: await work() }
  } finally {
    finished.abort()
    await renewing
    // It lapses by itself: what was done is done.
    await db.writeAtOnce(tenant, releaseLease(tenant, lease)).catch(() => {})
  }
}
