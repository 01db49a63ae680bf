import { endEveryWidgetSession } from '../../features/widget/index.js'
import { recordedInEveryLog } from '../../kernel/audit/index.js'
import { intendDeletion } from '../../kernel/blobs/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { InstallationId } from '../../kernel/ids.js'
import { operator } from '../../kernel/operator.js'
import { endTokens } from '../../kernel/secrets/make-tenant-keys.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import { endBrowserSessions, touchInstallation } from './backup.sql.js'
import type { BoundedFolder } from './bounded-folder.js'
import { readContents } from './contents.js'
import { listTenants } from './tenants.js'

/** The operator's people of the console are of none. */
const noTenant = { tenantId: '00000000-0000-0000-0000-000000000000' }

/** Recordings that were deleted while the backup ran are deleted here, too: a worker finishes it. */
export async function deleteWhatWasDeleted(source: BoundedFolder, db: Database): Promise<number> {
  let deleted = 0
  for await (const entry of readContents(source)) {
    if (entry.kind !== 'deleted') continue
    await db.write({ tenantId: entry.tenantId }, (tx) => intendDeletion(tx, entry.blobId, entry.reason))
    deleted += 1
  }
  return deleted
}

/**
 * What ended since the backup is good again in it: tokens of people who were logged out or cut off, and refresh tokens that were used.
 * So every token ends, every browser session of the widget, of the console and of clients, and every link to enrol. Leases of jobs and deliveries ended with the time that has passed. Every log says that there was a restore.
 */
export async function settleRestored(
  db: Database,
  masterKeys: MasterKeys,
  installationId: InstallationId,
): Promise<void> {
  for (const tenant of await listTenants(db)) {
    await db.write(tenant, async (tx) => {
      await endTokens(tx, masterKeys)
      await endEveryWidgetSession(tx)
      for (const statement of endBrowserSessions(tx.tenant)) await tx.run(statement)
    })
  }
  await db.writeAtOnce(noTenant, ...endBrowserSessions(noTenant))
  await db.throughDoor(
    recordedInEveryLog(touchInstallation(), {
      ...operator,
      operation: 'installation.restore',
      subjects: [installationId],
    }),
  )
}
