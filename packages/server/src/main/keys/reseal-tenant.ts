import { randomBytes } from 'node:crypto'
import { partPlace, type BlobStore } from '../../kernel/blobs/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectPartsBefore, selectSealedBefore, updatePart, updateSealed } from './reseal.sql.js'
import { SEALED_TABLES, type SealedTable } from './sealed-columns.js'

/** Rows of one transaction: a transcript of hours is some 300 KB. */
const rowsMost = 100

/** Everything of a tenant that an older data key sealed is sealed anew. Beside a running service, and again after a kill. */
export async function resealTenant(
  { db, store }: { db: Database; store: BlobStore },
  ring: TenantKeyRing,
): Promise<{ values: number; parts: number }> {
  let values = 0
  for (const table of SEALED_TABLES) {
    for (const column of table.columns) values += await resealColumn(db, ring, table, column)
  }
  return { values, parts: await resealParts({ db, store }, ring) }
}

/** Whether anything is left that an older key sealed. */
export async function needsOlderKey(db: Database, ring: TenantKeyRing): Promise<boolean> {
  const tenant: TenantScope = { tenantId: ring.tenantId }
  const { version } = ring.newest('data')
  for (const table of SEALED_TABLES) {
    for (const column of table.columns) {
      const first = selectSealedBefore(tenant, table, column, { version, after: null, most: 1 })
      if ((await db.read(tenant, first)).length > 0) return true
    }
  }
  return (await db.read(tenant, selectPartsBefore(tenant, version, 1))).length > 0
}

async function resealColumn(
  db: Database,
  ring: TenantKeyRing,
  of: SealedTable,
  column: string,
): Promise<number> {
  const tenant: TenantScope = { tenantId: ring.tenantId }
  const { version } = ring.newest('data')
  let done = 0
  for (let after: string[] | null = null; ;) {
    const batch = selectSealedBefore(tenant, of, column, { version, after, most: rowsMost })
    const rows = await db.read(tenant, batch)
    const last = rows.at(-1)
    if (last === undefined) return done
    await db.write(tenant, async (tx) => {
      for (const row of rows) {
        const place = { table: of.table, row: row.key.join('/'), column }
        const resealed = ring.reseal(place, row.sealed)
        await tx.run(updateSealed(tenant, of, column, { ...row, resealed }))
      }
    })
    done += rows.length
    after = last.key
  }
}

/** What a part was stays in the store until the sweep finds it without a row, a day later: somebody may be reading it. */
async function resealParts(
  { db, store }: { db: Database; store: BlobStore },
  ring: TenantKeyRing,
): Promise<number> {
  const tenant: TenantScope = { tenantId: ring.tenantId }
  const { version } = ring.newest('data')
  let done = 0
  for (;;) {
    const rows = await db.read(tenant, selectPartsBefore(tenant, version, rowsMost))
    if (rows.length === 0) return done
    for (const row of rows) {
      const place = partPlace(row.blobId, row.partNumber)
      const resealed = ring.reseal(place, await store.get(row.storedName))
      const random = randomBytes(8).toString('hex')
      const newName = `${tenant.tenantId}/${row.blobId}/${row.partNumber}-${random}`
      await store.put(newName, resealed)
      const [moved] = await db.writeAtOnce(tenant, updatePart(tenant, { ...row, newName, version }))
      if (moved === undefined) await store.delete(newName)
      else done += 1
    }
  }
}
