import type { Database } from '../db/database.js'
import { splitStoredName, type BlobStore } from './blob-store.js'
import { selectOrphans, type OrphanRow } from './blobs.sql.js'

const dayMs = 86_400_000

/** A part is written and committed within minutes; a day leaves room for wrong clocks. */
const settledAgeMs = dayMs

/**
 * For parts of a blob that the database does not know, or knows as one that is still written to: if it was restored from a
 * backup, or is an old copy, these may be recordings that a better restore needs. A month is time to notice.
 */
const unsettledAgeMs = 30 * dayMs

/** Names that are looked up in one statement. */
const batchSize = 500

interface Candidate {
  name: string
  blobId: string
  ageMs: number
}

/**
 * Removes what lies in the store without a row: the writer was killed between the two, or lost against another. Names
 * that are not of our making, and parts of tenants that the database does not know, are left alone.
 */
export async function sweepOrphans(
  { db, store }: { db: Database; store: BlobStore },
  nowMs: number,
): Promise<number> {
  let swept = 0
  const waiting = new Map<string, Candidate[]>()
  const sweep = async (tenantId: string): Promise<void> => {
    const candidates = waiting.get(tenantId) ?? []
    waiting.delete(tenantId)
    swept += await sweepTenant({ db, store }, tenantId, candidates)
  }
  for await (const { name, storedAtMs } of store.list()) {
    const ids = splitStoredName(name)
    const ageMs = nowMs - storedAtMs
    if (ids === null || ageMs <= settledAgeMs) continue
    const candidates = waiting.get(ids.tenantId) ?? []
    candidates.push({ name, blobId: ids.blobId, ageMs })
    waiting.set(ids.tenantId, candidates)
    if (candidates.length >= batchSize) await sweep(ids.tenantId)
  }
  for (const tenantId of waiting.keys()) await sweep(tenantId)
  return swept
}

async function sweepTenant(
  { db, store }: { db: Database; store: BlobStore },
  tenantId: string,
  candidates: readonly Candidate[],
): Promise<number> {
  const names = candidates.map(({ name }) => name)
  const blobIds = candidates.map(({ blobId }) => blobId)
  const orphans = (await db.read(
    { tenantId },
    selectOrphans({ tenantId }, { names, blobIds }),
  )) as OrphanRow[]
  const ages = new Map(candidates.map(({ name, ageMs }) => [name, ageMs]))
  let swept = 0
  for (const { storedName, isSettled } of orphans) {
    if (!isSettled && (ages.get(storedName) ?? 0) <= unsettledAgeMs) continue
    await store.delete(storedName)
    swept += 1
  }
  return swept
}
