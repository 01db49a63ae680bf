import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BlobMissing, type BlobStore } from '../../kernel/blobs/index.js'
import type { Database, Statement } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  countStoredParts,
  selectDeletedBlobs,
  selectStoredPart,
  selectStoredParts,
  type DeletedBlob,
  type StoredPart,
} from './backup.sql.js'
import type { BoundedFolder } from './bounded-folder.js'
import type { ContentsWriter } from './contents.js'
import { inLanes, writeNewFile } from './copy-file.js'

/** Rows of one statement. */
const pageMost = 500
const beforeAll = '00000000-0000-0000-0000-000000000000'

/** Reads rows of a tenant: as they are now, or as a snapshot has them. */
export type ReadRows = <Row>(tenant: TenantScope, statement: Statement<Row>) => Promise<Row[]>

export const nowIn =
  (db: Database): ReadRows =>
  (tenant, statement) =>
    db.read(tenant, statement)

export async function* listStoredParts(
  read: ReadRows,
  tenants: readonly TenantScope[],
): AsyncGenerator<StoredPart & { tenant: TenantScope }> {
  for (const tenant of tenants) {
    let after = { blobId: beforeAll, partNumber: 0 }
    let page: StoredPart[]
    do {
      page = await read(tenant, selectStoredParts(tenant, after, pageMost))
      for (const part of page) yield { ...part, tenant }
      after = page.at(-1) ?? after
    } while (page.length === pageMost)
  }
}

export async function countParts(
  read: ReadRows,
  tenants: readonly TenantScope[],
): Promise<{ parts: number; bytes: number }> {
  const sum = { parts: 0, bytes: 0 }
  for (const tenant of tenants) {
    const [counted] = await read(tenant, countStoredParts(tenant))
    sum.parts += counted?.parts ?? 0
    sum.bytes += counted?.bytes ?? 0
  }
  return sum
}

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null

interface RecordingParts {
  db: Database
  store: BlobStore
  target: BoundedFolder
  contents: ContentsWriter
}

/**
 * Parts never change and names are never used again, so what is there already is not copied twice. It runs twice: before the
 * database is copied, when it takes as long as it takes, and for what came since, when its end is near.
 */
export class RecordingCopy {
  readonly #parts: RecordingParts
  parts = 0
  bytes = 0
  missing = 0

  constructor(parts: RecordingParts) {
    this.#parts = parts
  }

  /** `isLast`: what is not there now is not there later, either. */
  async copy(
    read: ReadRows,
    tenants: readonly TenantScope[],
    { isLast, report }: { isLast: boolean; report: (done: number) => void },
  ): Promise<void> {
    let done = 0
    await inLanes(listStoredParts(read, tenants), async (part) => {
      if (!(await this.#copyPart(part)) && isLast) await this.#judgeMissing(part)
      report((done += 1))
    })
  }

  async #copyPart({ storedName }: StoredPart): Promise<boolean> {
    const { store, target, contents } = this.#parts
    const path = join('blobs', storedName)
    const place = target.at(path)
    if (await place.run(() => isThere(place.path))) return true
    let bytes: Buffer
    try {
      bytes = await store.get(storedName)
    } catch (error) {
      if (error instanceof BlobMissing) return false
      throw error
    }
    await place.run(() => mkdir(dirname(place.path), { recursive: true, mode: 0o700 }))
    const copied = await writeNewFile(place, bytes)
    await contents.add({ kind: 'file', path, ...copied })
    this.parts += 1
    this.bytes += copied.bytes
    return true
  }

  /** Deleted since the snapshot, which `listDeleted` tells, or lost. */
  async #judgeMissing(part: StoredPart & { tenant: TenantScope }): Promise<void> {
    const { db, contents } = this.#parts
    const rows = await db.read(part.tenant, selectStoredPart(part.tenant, part))
    if (rows.length === 0) return
    this.missing += 1
    await contents.add({ kind: 'missing', name: part.storedName })
  }
}

/**
 * Recordings that were deleted while the backup ran: the copy of the database may still know them, and their parts may not have
 * been copied. A restore deletes them, too.
 */
export async function listDeleted(
  db: Database,
  tenants: readonly TenantScope[],
  since: string,
  contents: ContentsWriter,
): Promise<void> {
  for (const tenant of tenants) {
    let after = beforeAll
    let page: DeletedBlob[]
    do {
      page = await db.read(tenant, selectDeletedBlobs(tenant, since, after, pageMost))
      for (const blob of page) await contents.add({ kind: 'deleted', ...tenant, ...blob })
      after = page.at(-1)?.blobId ?? after
    } while (page.length === pageMost)
  }
}
