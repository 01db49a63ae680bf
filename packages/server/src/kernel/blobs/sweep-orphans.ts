import type { Database } from '../db/database.js'
import type { BlobId, TenantId } from '../ids.js'
import type { PassOptions } from '../try-each.js'
import { splitStoredName, type BlobStore } from './blob-store.js'
import { selectOrphans } from './blobs.sql.js'
import { DeletionPass } from './deletion-pass.js'

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
  blobId: BlobId
  ageMs: number
}

/**
 * Removes what lies in the store without a row: the writer was killed between the two, or lost against another. Names
 * that are not of our making, and parts of tenants that the database does not know, are left alone. One that cannot be
 * deleted is passed over, and told at the end.
 */
export async function sweepOrphans(
  { db, store }: { db: Database; store: BlobStore },
  nowMs: number,
  { signal }: PassOptions = {},
): Promise<number> {
  let swept = 0
  const pass = new DeletionPass(store)
  const remove = async (name: string): Promise<void> => {
    await store.delete(name)
    swept += 1
  }
  const isOver = (): boolean => signal?.aborted === true
  const waiting = new Map<string, Candidate[]>()
  const sweep = async (tenantId: TenantId): Promise<void> => {
    const candidates = waiting.get(tenantId) ?? []
    waiting.delete(tenantId)
    for (const name of await findOrphans(db, tenantId, candidates)) {
      if (isOver()) return
      await pass.attempt(() => remove(name))
    }
  }
  for await (const { name, storedAtMs } of store.list()) {
    if (isOver()) break
    const ids = splitStoredName(name)
    const ageMs = nowMs - storedAtMs
    if (ids === null || ageMs <= settledAgeMs) continue
    const candidates = waiting.get(ids.tenantId) ?? []
    candidates.push({ name, blobId: ids.blobId, ageMs })
    waiting.set(ids.tenantId, candidates)
    if (candidates.length >= batchSize) await sweep(ids.tenantId)
  }
  for (const tenantId of waiting.keys()) {
    if (isOver()) break
    await sweep(tenantId)
  }
  pass.end()
  return swept
}

async function findOrphans(
  db: Database,
  tenantId: TenantId,
  candidates: readonly Candidate[],
): Promise<string[]> {
  const names = candidates.map(({ name }) => name)
  const blobIds = candidates.map(({ blobId }) => blobId)
  const statement = selectOrphans({ tenantId }, { names, blobIds })
  const orphans = await db.read({ tenantId }, statement)
  const ages = new Map(candidates.map(({ name, ageMs }) => [name, ageMs]))
  return orphans
    .filter(({ storedName, isSettled }) => isSettled || (ages.get(storedName) ?? 0) > unsettledAgeMs)
    .map(({ storedName }) => storedName)
}
