import type { Database, Statement, Tx } from '../db/database.js'
import type { BlobId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import { partsPerPage, selectParts, type BlobPartRow } from './blobs.sql.js'

type Read = (statement: Statement<BlobPartRow>) => Promise<BlobPartRow[]>

/** All parts of a blob in their order: of an upload at most 50,000. */
export const listParts = (
  { db }: { db: Database },
  tenant: TenantScope,
  blobId: BlobId,
): Promise<BlobPartRow[]> => readPages((statement) => db.read(tenant, statement), tenant, blobId)

/** The same, where the blob is locked. */
export const listPartsWith = (tx: Tx, blobId: BlobId): Promise<BlobPartRow[]> =>
  readPages((statement) => tx.run(statement), tx.tenant, blobId)

/** Those that follow a first page, and it. */
export const listFurtherParts = (
  { db }: { db: Database },
  tenant: TenantScope,
  blobId: BlobId,
  first: BlobPartRow[],
): Promise<BlobPartRow[]> => readPages((statement) => db.read(tenant, statement), tenant, blobId, first)

async function readPages(
  read: Read,
  tenant: TenantScope,
  blobId: BlobId,
  first?: BlobPartRow[],
): Promise<BlobPartRow[]> {
  let page = first ?? (await read(selectParts(tenant, blobId)))
  const rows = page
  while (page.length === partsPerPage) {
    page = await read(selectParts(tenant, blobId, page.at(-1)?.partNumber))
    rows.push(...page)
  }
  return rows
}
