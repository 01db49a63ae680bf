export {
  addStoredPart,
  appendPart,
  completeBlob,
  completeBlobWith,
  createBlob,
  removingRefused,
  storePart,
} from './append-part.js'
export { makeBlobReader } from './blob-reader.js'
export { BlobStateFault, partPlace, partSizeBytesMax, type BlobGuard, type BlobParts } from './blob-parts.js'
export { BlobMissing, BlobStoreFault, type BlobStore } from './blob-store.js'
export {
  insertBlob,
  listBlobTenantsOfMovedClocks,
  scheduleAudioDeletion,
  scheduleAudioOfMovedClocks,
  type DeletionReason,
} from './blobs.sql.js'
export { deleteBlob, intendDeletion, purgeBlobs } from './delete-blob.js'
export { makeFolderStore } from './folder-store.js'
export { makeBlobStore } from './make-blob-store.js'
export { findBlob, openBlob, openManifest, readPart } from './open-blob.js'
export { QuotaExceeded, requireRoom } from './quotas.js'
export { describeUsage, selectFullQuota, type QuotaName } from './quotas.sql.js'
export { resumeBlob } from './resume-blob.js'
export { makeS3Store, type S3Options } from './s3-store.js'
export { sweepOrphans } from './sweep-orphans.js'
export { makeBlobWriter, writeBlob, type BlobWriter, type BlobWriterOptions } from './write-blob.js'
