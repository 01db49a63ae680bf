import { randomBytes } from 'node:crypto'
import { BlobMissing, partPlace, type BlobStore } from '../../kernel/blobs/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { BlobId, ClientId, TenantId } from '../../kernel/ids.js'
import { SealLost } from '../../kernel/secrets/sealing.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { updateSealed } from '../keys/reseal.sql.js'
import { SEALED_TABLES, type SealedTable } from '../keys/sealed-columns.js'
import {
  findWayToClient,
  moveOwnedPart,
  selectOwnerColumns,
  selectOwnerOfBlob,
  selectPartsAstray,
  selectPartsSealedFor,
  selectValuesAstray,
  type OwnedPartRow,
} from './erasure.sql.js'

export const makeFindOwner =
  (db: Database) =>
  async (tenant: TenantScope, blobId: BlobId): Promise<ClientId | null> => {
    const [row] = await db.read(tenant, selectOwnerOfBlob(tenant, blobId))
    return row?.clientId ?? null
  }

/** Parts of one look. */
const partsMost = 100

const beforeAll: Pick<OwnedPartRow, 'blobId' | 'partNumber'> = {
  blobId: '00000000-0000-0000-0000-000000000000',
  partNumber: 0,
}

/** Rows of one transaction: a transcript of hours is some 300 KB. */
const rowsMost = 100

/** So many of one run are named; how many there are is counted. */
const namedMost = 100

/**
 * What could not be sealed anew: it does not open, or its client's key is gone. Somebody has moved it by hand, or it is damaged. Nothing is
 * changed in it, and nothing else waits for it.
 */
export class Unopened {
  count = 0
  readonly named: string[] = []

  /** Ids alone. */
  add(tenantId: TenantId, table: string, row: string): void {
    this.count += 1
    if (this.named.length < namedMost) this.named.push(`${table} ${row} of partner ${tenantId}`)
  }
}

/** For the command that ran it. Nothing where all opened. */
export const describeUnopened = ({ count, named }: Unopened): string[] =>
  count === 0
    ? []
    : [
        `WARNING: ${count} sealed values of clients do NOT OPEN. They are left as they are (docs/watching.md#casenotevaluesunopened):`,
        ...named.map((one) => `  ${one}`),
        ...(count > named.length ? [`  … and ${count - named.length} more`] : []),
      ]

/**
 * Everything of a tenant that is not sealed for the client whose it is: of before there were such keys, written in passing, or moved to
 * another client. Beside a running service, and again after a kill.
 */
export async function sealForOwners(
  parts: { db: Database; store: BlobStore },
  ring: TenantKeyRing,
  unopened: Unopened,
): Promise<{ values: number; parts: number }> {
  if (!ring.hasClientKeys) return { values: 0, parts: 0 }
  const values = await sealValuesForOwners(parts.db, ring, SEALED_TABLES, { sealedFor: null, unopened })
  return { values, parts: await sealPartsForOwners(parts, ring, unopened) }
}

/** Null: it was told in `unopened`. Without one it is thrown: whoever is about to destroy a key must know. */
function sealAnew(
  unopened: Unopened | null,
  { tenantId, table, row }: { tenantId: TenantId; table: string; row: string },
  work: () => Buffer,
): Buffer | null {
  if (unopened === null) return work()
  try {
    return work()
  } catch (error) {
    // A key of the tenant that is not there is no fault of one value: a backup without it would not open.
    if (!(error instanceof SealLost)) throw error
    unopened.add(tenantId, table, row)
    return null
  }
}

async function sealValuesForOwners(
  db: Database,
  ring: TenantKeyRing,
  tables: readonly SealedTable[],
  only: { sealedFor: string | null; unopened: Unopened | null },
): Promise<number> {
  const owners = await db.throughDoor(selectOwnerColumns())
  let done = 0
  for (const of of tables) {
    const way = findWayToClient(owners.find(({ table }) => table === of.table)?.columns ?? [])
    if (way === null) continue
    for (const column of of.columns) done += await sealColumnForOwners(db, ring, of, { column, way, ...only })
  }
  return done
}

async function sealColumnForOwners(
  db: Database,
  ring: TenantKeyRing,
  of: SealedTable,
  from: { column: string; way: string; sealedFor: string | null; unopened: Unopened | null },
): Promise<number> {
  const tenant: TenantScope = { tenantId: ring.tenantId }
  const { column, unopened } = from
  let done = 0
  for (let after: string[] | null = null; ;) {
    const page = selectValuesAstray(tenant, of, { ...from, after, most: rowsMost })
    const rows = await db.read(tenant, page)
    const last = rows.at(-1)
    if (last === undefined) return done
    await db.write(tenant, async (tx) => {
      for (const row of rows) {
        const place = { table: of.table, row: row.key.join('/'), column }
        const resealed = sealAnew(unopened, { ...place, ...tenant }, () =>
          ring.forClient(row.clientId).seal(place, ring.unseal(place, row.sealed)),
        )
        if (resealed === null) continue
        await tx.run(updateSealed(tenant, of, column, { ...row, resealed }))
        done += 1
      }
    })
    after = last.key
  }
}

async function sealPartsForOwners(
  parts: { db: Database; store: BlobStore },
  ring: TenantKeyRing,
  unopened: Unopened,
): Promise<number> {
  const tenant: TenantScope = { tenantId: ring.tenantId }
  let done = 0
  for (let after = beforeAll; ;) {
    const rows = await parts.db.read(tenant, selectPartsAstray(tenant, after, partsMost))
    const last = rows.at(-1)
    if (last === undefined) return done
    for (const row of rows) if (await sealPartForOwner(parts, ring, row, unopened)) done += 1
    after = last
  }
}

/** The only rows that move from one client to another: what a session that was recorded under the wrong one says of danger. */
const movingTables = SEALED_TABLES.filter(({ table }) => table === 'danger_items')

/** Before a client's key goes: what it seals, and is another client's by now, is sealed for whom it is. */
export async function freeOthers(
  parts: { db: Database; store: BlobStore },
  ring: TenantKeyRing,
  clientId: ClientId,
): Promise<void> {
  await sealValuesForOwners(parts.db, ring, movingTables, { sealedFor: clientId, unopened: null })
  await freeOthersParts(parts, ring, clientId)
}

async function freeOthersParts(
  { db, store }: { db: Database; store: BlobStore },
  ring: TenantKeyRing,
  clientId: ClientId,
): Promise<void> {
  const tenant: TenantScope = { tenantId: ring.tenantId }
  const pass = async (): Promise<number> => {
    let moved = 0
    for (let after = beforeAll; ;) {
      const rows = await db.read(tenant, selectPartsSealedFor(tenant, { clientId, after, most: partsMost }))
      const last = rows.at(-1)
      if (last === undefined) return moved
      for (const row of rows)
        if (row.clientId !== clientId && (await sealPartForOwner({ db, store }, ring, row, null))) moved += 1
      after = last
    }
  }
  // Again while there was any: a part may come behind one that was seen. Parts that the store lacks are left, and end it.
  while ((await pass()) > 0);
}

/**
 * What the part was stays in the store until the sweep finds it without a row: somebody may be reading it. False: it was deleted
 * meanwhile, or the store does not have it. Then its row stays as it is: the store may be the wrong one, or its volume away.
 */
async function sealPartForOwner(
  { db, store }: { db: Database; store: BlobStore },
  ring: TenantKeyRing,
  row: OwnedPartRow,
  unopened: Unopened | null,
): Promise<boolean> {
  const tenant: TenantScope = { tenantId: ring.tenantId }
  const place = partPlace(row.blobId, row.partNumber)
  const sealed = await findPart(store, row)
  if (sealed === null) return false
  const owner = row.clientId === null ? ring : ring.forClient(row.clientId)
  const named = { ...tenant, table: 'blob_parts', row: `${row.blobId}/${row.partNumber}` }
  const resealed = sealAnew(unopened, named, () => owner.seal(place, ring.unseal(place, sealed)))
  if (resealed === null) return false
  const newName = `${tenant.tenantId}/${row.blobId}/${row.partNumber}-${randomBytes(8).toString('hex')}`
  await store.put(newName, resealed)
  const keyVersion = ring.newest('data').version
  const [moved] = await db.writeAtOnce(tenant, moveOwnedPart(tenant, { ...row, newName, keyVersion }))
  if (moved === undefined) await store.delete(newName)
  return moved !== undefined
}

async function findPart(store: BlobStore, { storedName }: OwnedPartRow): Promise<Buffer | null> {
  try {
    return await store.get(storedName)
  } catch (error) {
    if (error instanceof BlobMissing) return null
    throw error
  }
}
