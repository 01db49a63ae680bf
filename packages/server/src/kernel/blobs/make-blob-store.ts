import { join } from 'node:path'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { InstallationId } from '../ids.js'
import type { BlobStore } from './blob-store.js'
import { makeFolderStore } from './folder-store.js'
import { makeS3Store } from './s3-store.js'

/** The store that the configuration names; `installationId` keeps installations apart, in one bucket as in one folder. */
export const makeBlobStore = (
  { s3, dataDir }: Pick<Config, 's3' | 'dataDir'>,
  installationId: InstallationId,
  clock: Clock,
): BlobStore =>
  s3 === null
    ? makeFolderStore(join(dataDir, 'blobs'), installationId)
    : makeS3Store({ ...s3, prefix: installationId, nowMs: () => clock.nowMs() })
