import { intendDeletion } from '../../kernel/blobs/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { tryEach, type PassOptions } from '../../kernel/try-each.js'
import { listLeftDownloads, takeLeftDownload } from './recording-downloads.sql.js'

/** What was begun of recordings that came in another way. The purge removes the bytes within minutes. */
export async function dropLeftDownloads(
  db: Database,
  most: number,
  options: PassOptions = {},
): Promise<number> {
  const left = await db.throughDoor(listLeftDownloads(most))
  await tryEach(left, ({ tenantId, sessionId }) => dropLeftDownload(db, { tenantId }, sessionId), options)
  return left.length
}

const dropLeftDownload = (db: Database, tenant: TenantScope, sessionId: SessionId): Promise<void> =>
  db.write(tenant, async (tx) => {
    const [taken] = await tx.run(takeLeftDownload(tenant, sessionId))
    if (taken?.blobId != null) await intendDeletion(tx, taken.blobId, 'replaced')
  })
