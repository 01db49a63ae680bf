import type { Database } from '../db/database.js'
import { findTenantOfName, type BlobStore, type StoredObject } from './blob-store.js'
import { selectKnownNames } from './blobs.sql.js'

/** A part is written and committed within minutes; a day leaves room for wrong clocks. */
const orphanAgeMs = 86_400_000

/** Names that are looked up in one statement. */
const batchSize = 500

/**
 * Removes what lies in the store without a row: the writer was killed between the two, or lost against another. Names
 * that are not of our making are left alone.
 */
export async function sweepOrphans(
  { db, store }: { db: Database; store: BlobStore },
  nowMs: number,
): Promise<number> {
  let swept = 0
  const waiting = new Map<string, string[]>()
  const sweep = async (tenantId: string): Promise<void> => {
    const names = waiting.get(tenantId) ?? []
    waiting.delete(tenantId)
    swept += await sweepTenant({ db, store }, tenantId, names)
  }
  for await (const object of store.list()) {
    const tenantId = findTenantOfName(object.name)
    if (tenantId === null || !isOld(object, nowMs)) continue
    const names = waiting.get(tenantId) ?? []
    names.push(object.name)
    waiting.set(tenantId, names)
    if (names.length >= batchSize) await sweep(tenantId)
  }
  for (const tenantId of waiting.keys()) await sweep(tenantId)
  return swept
}

const isOld = ({ storedAtMs }: StoredObject, nowMs: number): boolean => nowMs - storedAtMs > orphanAgeMs

async function sweepTenant(
  { db, store }: { db: Database; store: BlobStore },
  tenantId: string,
  names: readonly string[],
): Promise<number> {
  const rows = await db.read({ tenantId }, selectKnownNames({ tenantId }, names))
  const known = new Set((rows as { storedName: string }[]).map(({ storedName }) => storedName))
  const orphans = names.filter((name) => !known.has(name))
  for (const name of orphans) await store.delete(name)
  return orphans.length
}
