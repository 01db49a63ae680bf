import { randomBytes } from 'node:crypto'
import type { Tx } from '../db/database.js'
import { newId, type BlobId, type ClinicianId } from '../ids.js'
import { Refusal } from '../refuse.js'
import type { TenantScope } from '../tenant.js'
import {
  BlobStateFault,
  noGuard,
  partPlace,
  partSizeBytesMax,
  type BlobGuard,
  type BlobParts,
} from './blob-parts.js'
import type { BlobStore } from './blob-store.js'
import {
  completeOpenBlob,
  insertBlob,
  insertPart,
  lockBlob,
  lockOpenBlob,
  selectPart,
  type BlobKind,
  type BlobPartRow,
} from './blobs.sql.js'
import { listPartsWith } from './list-parts.js'

/** An empty blob that takes parts, in any order and from any instance, until it is completed. */
export async function createBlob(
  { db, keepDays }: BlobParts,
  tenant: TenantScope,
  kind: BlobKind,
  { guard = noGuard, clinicianId = null, onCreate }: BlobCreation = {},
): Promise<string> {
  const blobId = newId()
  await db.write(tenant, async (tx) => {
    await guard(tx)
    await tx.run(insertBlob(tenant, { blobId, kind, keepDays, clinicianId }))
    await onCreate?.(tx, blobId)
  })
  return blobId
}

export interface BlobCreation {
  guard?: BlobGuard
  /** Whose quota it counts for; null: the tenant's alone. */
  clinicianId?: ClinicianId | null
  onCreate?: CreationNote
}

/** In the transaction that makes the blob: whoever goes on with it later must find it. */
export type CreationNote = (tx: Tx, blobId: BlobId) => Promise<void>

/**
 * Part `partNumber` (from 1) of an open blob. Once this returns, the part is durable. Safe to call again with the same
 * number, at once or later: the first that commits stays, a repetition of it is answered in the same way.
 */
export async function appendPart(
  parts: BlobParts,
  tenant: TenantScope,
  blobId: BlobId,
  partNumber: number,
  bytes: Buffer,
  guards: PartGuards = {},
): Promise<void> {
  if (bytes.length === 0 || bytes.length > partSizeBytesMax) {
    throw new BlobStateFault(`a part has from 1 to ${partSizeBytesMax} bytes`)
  }
  const [existing] = await parts.db.read(tenant, selectPart(tenant, blobId, partNumber))
  if (existing !== undefined) return requireSameSize(existing, bytes)
  const row = await storePart(parts, tenant, blobId, { partNumber, bytes })
  const winner = await commitPart(parts, tenant, blobId, row, guards)
  if (winner !== row) {
    // A kill before this leaves it to the sweep.
    await parts.store.delete(row.storedName)
    requireSameSize(winner, bytes)
  }
}

/** Brings a part into the store. It is the blob's once its row has committed; until then the sweep would take it. */
export async function storePart(
  parts: BlobParts,
  tenant: TenantScope,
  blobId: BlobId,
  { partNumber, bytes }: { partNumber: number; bytes: Buffer },
): Promise<BlobPartRow> {
  const ring = await parts.keys.get(tenant)
  const sealedFor = ring.hasClientKeys ? ((await parts.findOwner?.(tenant, blobId)) ?? null) : null
  const own = sealedFor === null ? ring : ring.forClient(sealedFor)
  const sealed = own.seal(partPlace(blobId, partNumber), bytes)
  const storedName = `${tenant.tenantId}/${blobId}/${partNumber}-${randomBytes(8).toString('hex')}`
  await parts.store.put(storedName, sealed)
  const keyVersion = ring.newest('data').version
  return { partNumber, sizeBytes: bytes.length, keyVersion, storedName, sealedFor }
}

/** Makes a stored part the blob's, with whatever else commits. False: the blob is closed, or has such a part. */
export async function addStoredPart(tx: Tx, blobId: BlobId, row: BlobPartRow): Promise<boolean> {
  if ((await tx.run(lockOpenBlob(tx.tenant, blobId))).length === 0) return false
  return (await tx.run(insertPart(tx.tenant, blobId, row))).length > 0
}

export interface PartGuards {
  guard?: BlobGuard
  /** Last in the transaction that adds a part: whether there is room for it. */
  settle?: BlobGuard
}

/** What was refused, for want of room or because its caller was cut off, must not lie in the store until the sweep. */
export async function removingRefused<Result>(
  store: BlobStore,
  { storedName }: Pick<BlobPartRow, 'storedName'>,
  commit: Promise<Result>,
): Promise<Result> {
  try {
    return await commit
  } catch (error) {
    if (error instanceof Refusal) await store.delete(storedName)
    throw error
  }
}

/** The row of this number that stands: ours, or of whoever was faster. */
async function commitPart(
  { db, store }: BlobParts,
  tenant: TenantScope,
  blobId: BlobId,
  row: BlobPartRow,
  { guard = noGuard, settle = noGuard }: PartGuards,
): Promise<BlobPartRow> {
  const commit = db.write(tenant, async (tx) => {
    await guard(tx)
    const [open] = await tx.run(lockOpenBlob(tenant, blobId))
    if (open === undefined) return null
    const [inserted] = await tx.run(insertPart(tenant, blobId, row))
    if (inserted !== undefined) {
      await settle(tx)
      return row
    }
    const [other] = await tx.run(selectPart(tenant, blobId, row.partNumber))
    return other ?? null
  })
  const winner = await removingRefused(store, row, commit)
  if (winner !== null) return winner
  await store.delete(row.storedName)
  throw new BlobStateFault('the blob takes no parts any more')
}

/** The same bytes sealed twice differ, so the size is what can be compared without reading the part back. */
function requireSameSize({ partNumber, sizeBytes }: BlobPartRow, bytes: Buffer): void {
  if (sizeBytes === bytes.length) return
  throw new BlobStateFault(`part ${partNumber} is there already, with another size`)
}

/** Closes a blob whose parts are all there. Answers the same when it is complete already. */
export async function completeBlob(
  { db, keepDays }: BlobParts,
  tenant: TenantScope,
  blobId: BlobId,
  guard: BlobGuard = noGuard,
): Promise<{ sizeBytes: number; partCount: number }> {
  return db.write(tenant, async (tx) => {
    await guard(tx)
    return completeBlobWith(tx, blobId, keepDays)
  })
}

/** The same, with whatever else commits. */
export async function completeBlobWith(
  tx: Tx,
  blobId: BlobId,
  keepDays: number,
): Promise<{ sizeBytes: number; partCount: number }> {
  const { tenant } = tx
  const [blob] = await tx.run(lockBlob(tenant, blobId))
  if (blob?.status === 'complete' && blob.sizeBytes !== null && blob.partCount !== null) {
    return { sizeBytes: blob.sizeBytes, partCount: blob.partCount }
  }
  if (blob?.status !== 'open') throw new BlobStateFault('the blob is not open')
  const rows = await listPartsWith(tx, blobId)
  const gap = rows.findIndex(({ partNumber }, index) => partNumber !== index + 1)
  if (gap >= 0) throw new BlobStateFault(`part ${gap + 1} of the blob is missing`)
  const sizeBytes = rows.reduce((sum, row) => sum + row.sizeBytes, 0)
  await tx.run(completeOpenBlob(tenant, { blobId, sizeBytes, partCount: rows.length, keepDays }))
  return { sizeBytes, partCount: rows.length }
}
