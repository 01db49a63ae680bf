import type { BlobId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import { noGuard, type BlobGuard, type BlobParts } from './blob-parts.js'
import { deletePartsAfter, lockBlob } from './blobs.sql.js'
import { listPartsWith } from './list-parts.js'

/** How far a blob is that somebody else began. */
export interface ResumedBlob {
  blobId: BlobId
  isComplete: boolean
  partCount: number
  sizeBytes: number
}

/**
 * For whoever goes on with a blob: what is there from its beginning on without a gap. Parts behind a gap are removed,
 * because the next writer may cut the same bytes elsewhere. Null: it is deleted, or about to be.
 */
export async function resumeBlob(
  { db, store }: Pick<BlobParts, 'db' | 'store'>,
  tenant: TenantScope,
  blobId: BlobId,
  guard: BlobGuard = noGuard,
): Promise<ResumedBlob | null> {
  const { resumed, removed } = await db.write(tenant, async (tx) => {
    await guard(tx)
    const [blob] = await tx.run(lockBlob(tenant, blobId))
    if (blob?.status !== 'open' && blob?.status !== 'complete') return { resumed: null, removed: [] }
    const rows = await listPartsWith(tx, blobId)
    const whole = rows.filter(({ partNumber }, index) => partNumber === index + 1)
    const beyond = deletePartsAfter(tenant, blobId, whole.length)
    const sizeBytes = whole.reduce((sum, row) => sum + row.sizeBytes, 0)
    return {
      resumed: { blobId, isComplete: blob.status === 'complete', partCount: whole.length, sizeBytes },
      removed: whole.length < rows.length ? await tx.run(beyond) : [],
    }
  })
  // A kill before this leaves them to the sweep.
  for (const { storedName } of removed) await store.delete(storedName)
  return resumed
}
