import type { Database } from '../../kernel/db/database.js'
import { pause } from '../../kernel/pause.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { leaseErasure, renewLease } from './erasure.sql.js'

/** One whose worker was killed is gone on with after this; a client of years takes longer, and renews it. */
const leaseSeconds = 120
const renewEveryMs = 30_000

/** Null: another process has it, or it has ended. What is left undone is anybody's at once. */
export async function whileLeased<Result>(
  db: Database,
  tenant: TenantScope,
  erasureId: string,
  work: () => Promise<Result>,
): Promise<{ result: Result } | null> {
  const [[taken]] = (await db.writeAtOnce(tenant, leaseErasure(tenant, erasureId, leaseSeconds))) as [
    object[],
  ]
  if (taken === undefined) return null
  const finished = new AbortController()
  const renew = async (): Promise<void> => {
    for (;;) {
      await pause(renewEveryMs, finished.signal)
      if (finished.signal.aborted) return
      await db.writeAtOnce(tenant, renewLease(tenant, erasureId, leaseSeconds))
    }
  }
  // A lease that was not renewed is taken by another: both end with one receipt.
  const renewing = renew().catch(() => {})
  try {
    return { result: await work() }
  } finally {
    finished.abort()
    await renewing
    await db.writeAtOnce(tenant, renewLease(tenant, erasureId, 0))
  }
}
