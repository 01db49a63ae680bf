import { recordChange } from '../audit/index.js'
import type { Tx } from '../db/database.js'
import type { BlobId, TenantId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import type { PassOptions } from '../try-each.js'
import { noGuard, type BlobGuard, type BlobParts } from './blob-parts.js'
import {
  beginDeletion,
  deleteParts,
  finishDeletion,
  keepUnderHold,
  listTenantsWithDueBlobs,
  postponeBlobsUnderHold,
  postponeKeptAudio,
  putDeletionBehind,
  selectBlob,
  selectDueBlobs,
  type DeletionReason,
} from './blobs.sql.js'
import { DeletionPass } from './deletion-pass.js'
import { listParts } from './list-parts.js'

/** Blobs of one turn of a tenant. */
const deletedMost = 100

/** Tenants of one round, in no order: a round of more would hardly end within the pass. */
const tenantsMost = 1_000

/**
 * Removes a blob's bytes for good; its row stays as the record. Quiet about one that is deleted, and one that a legal hold keeps. The
 * intention commits first: after a crash at any line a second call, or the purge, finishes.
 */
export async function deleteBlob(
  { db, store }: Pick<BlobParts, 'db' | 'store'>,
  tenant: TenantScope,
  blobId: BlobId,
  reason: DeletionReason,
  guard: BlobGuard = noGuard,
): Promise<void> {
  const isKept = await db.write(tenant, async (tx) => {
    await guard(tx)
    await intendDeletion(tx, blobId, reason)
    const [blob] = await tx.run(selectBlob(tenant, blobId))
    return blob?.status === 'open' || blob?.status === 'complete'
  })
  if (isKept) return
  const rows = await listParts({ db }, tenant, blobId)
  for (const { storedName } of rows) await store.delete(storedName)
  // The parts last: with them the counts of what is stored change, behind which nothing is locked.
  await db.writeAtOnce(tenant, finishDeletion(tenant, blobId), deleteParts(tenant, blobId))
}

/**
 * Commits with whatever makes the blob useless; `deleteBlob`, or else the next purge, removes the bytes. Those of a client under a legal
 * hold stay, and go with the first purge after it.
 */
export async function intendDeletion(tx: Tx, blobId: BlobId, reason: DeletionReason): Promise<void> {
  const [begun] = await tx.run(beginDeletion(tx.tenant, blobId, reason))
  if (begun === undefined) {
    await tx.run(keepUnderHold(tx.tenant, blobId))
    return
  }
  const actor = { kind: 'system', id: null } as const
  await recordChange(tx, { operation: 'blob.delete', actor, requestId: null, subjects: [blobId] })
}

/** So long one pass goes on while it finds something: what is due then comes with the next one. */
const passMs = 480_000

interface PurgeOptions extends PassOptions {
  list?: typeof listTenantsWithDueBlobs
  /** No turn begins after so long. */
  mostMs?: number
}

/**
 * Deletes what has reached its end, and finishes deletions that a crash cut short, for all tenants: in turns of a hundred, until nothing
 * is due. What cannot be deleted comes again after an hour, behind all that is due by then, and is told at the end.
 */
export async function purgeBlobs(
  parts: Pick<BlobParts, 'db' | 'store' | 'keepDays' | 'endedDays'>,
  { list = listTenantsWithDueBlobs, mostMs = passMs, signal }: PurgeOptions = {},
): Promise<number> {
  const pass = new DeletionPass(parts.store)
  const until = performance.now() + mostMs
  const isOver = (): boolean => performance.now() >= until || signal?.aborted === true
  /** Whose last turn left nothing, or was in vain: the next pass looks at them again. */
  const done = new Set<TenantId>()
  let deleted = 0
  for (let found = true; found && !isOver();) {
    found = false
    for (const tenant of await parts.db.throughDoor(list(tenantsMost))) {
      if (done.has(tenant.tenantId) || isOver()) continue
      const turn = await purgeTurn(parts, tenant, pass, signal)
      deleted += turn.deleted
      if (turn.isLast) done.add(tenant.tenantId)
      else found = true
    }
  }
  pass.end()
  return deleted
}

async function purgeTurn(
  parts: Pick<BlobParts, 'db' | 'store' | 'keepDays' | 'endedDays'>,
  tenant: TenantScope,
  pass: DeletionPass,
  signal: AbortSignal | undefined,
): Promise<{ deleted: number; isLast: boolean }> {
  let deleted = 0
  let due: { blobId: BlobId }[] = []
  await pass.attempt(async () => {
    const days = { endedDays: parts.endedDays, unsignedDays: parts.keepDays }
    await parts.db.writeAtOnce(tenant, postponeBlobsUnderHold(tenant), postponeKeptAudio(tenant, days))
    due = await parts.db.read(tenant, selectDueBlobs(tenant, deletedMost))
  })
  for (const { blobId } of due) {
    if (signal?.aborted === true) break
    const remove = async (): Promise<void> => {
      await deleteBlob(parts, tenant, blobId, 'expired')
      deleted += 1
    }
    await pass.attempt(remove, () => parts.db.writeAtOnce(tenant, putDeletionBehind(tenant, blobId)))
  }
  return { deleted, isLast: due.length < deletedMost || deleted === 0 }
}
