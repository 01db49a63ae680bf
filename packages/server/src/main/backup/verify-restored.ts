import { verifyAudit, type Anchors, type VerifyReport } from '../../kernel/audit/index.js'
import { BlobMissing, partPlace, type BlobStore } from '../../kernel/blobs/index.js'
import type { Database } from '../../kernel/db/database.js'
import { DatabaseFault } from '../../kernel/db/db-errors.js'
import type { TenantId } from '../../kernel/ids.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import { readTenantKeys, type TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { selectSealedBefore } from '../keys/reseal.sql.js'
import { SEALED_TABLES, type SealedTable } from '../keys/sealed-columns.js'
import { listedMost } from './check-files.js'
import { countParts, listStoredParts, nowIn } from './copy-recordings.js'
import { inLanes } from './copy-file.js'
import { listTables, readTable, type StoredPart } from './backup.sql.js'
import { listTenants } from './tenants.js'

export interface RestoredReport {
  /** Every row of every table was read. */
  tables: TablesRead
  audit: VerifyReport
  /** Notes, transcripts and all else that is sealed in the database. */
  sealed: Checked
  recordings: RecordingsChecked
}

/** The first thousand by name, which holds ids alone, and how many in all. */
interface Checked {
  opened: number
  missing: string[]
  missingCount: number
  unreadable: string[]
  unreadableCount: number
}

/** Parts that the store had lost before the backup are told apart: no backup of then has them. */
interface RecordingsChecked extends Checked {
  lostBefore: string[]
  lostBeforeCount: number
}

interface TablesRead {
  tables: number
  rows: number
  unreadable: string[]
}

interface VerifyParts {
  db: Database
  masterKeys: MasterKeys
  store: BlobStore
  anchors: Anchors | null
  /** Names of parts. */
  lostBefore: ReadonlySet<string>
  show: (stage: string, fraction: number) => void
}

const nothingChecked = (): Checked => ({
  opened: 0,
  missing: [],
  missingCount: 0,
  unreadable: [],
  unreadableCount: 0,
})

function countFault(checked: Checked, what: 'missing' | 'unreadable', name: string): void {
  checked[`${what}Count`] += 1
  if (checked[what].length < listedMost) checked[what].push(name)
}

function countLost(checked: RecordingsChecked, name: string): void {
  checked.lostBeforeCount += 1
  if (checked.lostBefore.length < listedMost) checked.lostBefore.push(name)
}

/** All of it, not a sample: whoever restores wants to know now, and a note that does not open is in no sample that was not drawn. */
export async function verifyRestored(parts: VerifyParts): Promise<RestoredReport> {
  const { db, masterKeys, anchors, show } = parts
  const tables = await readTables(db, show)
  const tenants = await listTenants(db)
  const rings = new Map<TenantId, TenantKeyRing>()
  for (const { tenantId } of tenants) rings.set(tenantId, await readTenantKeys(db, masterKeys, { tenantId }))
  show('Audit log', 0)
  const audit = await verifyAudit({
    db,
    keys: { get: ({ tenantId }) => rings.get(tenantId) ?? readTenantKeys(db, masterKeys, { tenantId }) },
    anchors,
    tenantIds: [...new Set([...rings.keys(), ...(anchors?.keys() ?? [])])],
    onProgress: () => {},
  })
  const sealed = nothingChecked()
  let done = 0
  for (const ring of rings.values()) {
    for (const table of SEALED_TABLES) {
      for (const column of table.columns) await openColumn(db, ring, table, column, sealed)
    }
    show('Notes and all else that is sealed', (done += 1) / rings.size)
  }
  return { tables, audit, sealed, recordings: await openRecordings(parts, rings) }
}

/** A page that a disk has spoiled is found when it is read, and many rows are sealed nowhere. */
async function readTables(db: Database, show: VerifyParts['show']): Promise<TablesRead> {
  const names = await db.throughDoor(listTables())
  const read: TablesRead = { tables: 0, rows: 0, unreadable: [] }
  for (const [index, { name }] of names.entries()) {
    try {
      const [counted] = await db.throughDoor(readTable(name))
      read.tables += 1
      read.rows += counted?.rows ?? 0
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error
      read.unreadable.push(name)
    }
    show('Tables', (index + 1) / names.length)
  }
  return read
}

/** Rows of one statement: a transcript of hours is some 300 KB. */
const rowsMost = 100

/** No key has this version: all of them are before it. */
const afterAllVersions = 0xff_ff_ff_ff

async function openColumn(
  db: Database,
  ring: TenantKeyRing,
  of: SealedTable,
  column: string,
  checked: Checked,
): Promise<void> {
  const tenant = { tenantId: ring.tenantId }
  for (let after: string[] | null = null; ;) {
    const page = selectSealedBefore(tenant, of, column, { version: afterAllVersions, after, most: rowsMost })
    const rows = await db.read(tenant, page)
    for (const { key, sealed } of rows) {
      const place = { table: of.table, row: key.join('/'), column }
      if (opens(ring, place, sealed)) checked.opened += 1
      else countFault(checked, 'unreadable', `${place.table}/${place.row}/${place.column}`)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsMost) return
    after = last.key
  }
}

function opens(ring: TenantKeyRing, place: Parameters<TenantKeyRing['unseal']>[0], sealed: Buffer): boolean {
  try {
    ring.unseal(place, sealed)
    return true
  } catch {
    return false
  }
}

async function openRecordings(
  { db, store, lostBefore, show }: VerifyParts,
  rings: ReadonlyMap<TenantId, TenantKeyRing>,
): Promise<RecordingsChecked> {
  const checked: RecordingsChecked = { ...nothingChecked(), lostBefore: [], lostBeforeCount: 0 }
  const tenants = [...rings.keys()].map((tenantId) => ({ tenantId }))
  const { parts } = await countParts(nowIn(db), tenants)
  let done = 0
  await inLanes(listStoredParts(nowIn(db), tenants), async (part) => {
    const ring = rings.get(part.tenant.tenantId)
    const sealed = await getPart(store, part)
    if (sealed === null && lostBefore.has(part.storedName)) countLost(checked, part.storedName)
    else if (sealed === null) countFault(checked, 'missing', part.storedName)
    else if (ring === undefined || !isWhole(ring, part, sealed))
      countFault(checked, 'unreadable', part.storedName)
    else checked.opened += 1
    show('Recordings', (done += 1) / Math.max(parts, 1))
  })
  return checked
}

async function getPart(store: BlobStore, { storedName }: StoredPart): Promise<Buffer | null> {
  try {
    return await store.get(storedName)
  } catch (error) {
    if (error instanceof BlobMissing) return null
    throw error
  }
}

function isWhole(ring: TenantKeyRing, part: StoredPart, sealed: Buffer): boolean {
  try {
    return ring.unseal(partPlace(part.blobId, part.partNumber), sealed).length === part.sizeBytes
  } catch {
    return false
  }
}
