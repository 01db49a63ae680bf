import { makeBlobStore, type BlobStore } from '../../kernel/blobs/index.js'
import { readDatabaseClock } from '../../kernel/read-database-clock.js'
import { selectInstallation } from '../../kernel/secrets/installation.sql.js'
import type { OperatorSession } from './operator-session.js'

export async function withBlobStore<T>(
  { owner, config }: OperatorSession,
  work: (store: BlobStore) => Promise<T>,
): Promise<T> {
  const [installation] = await owner.throughDoor(selectInstallation())
  if (installation === undefined) throw new Error('the database has no installation')
  const store = makeBlobStore(config, installation.installationId, await readDatabaseClock(owner))
  try {
    await store.check()
    return await work(store)
  } finally {
    await store.close()
  }
}
