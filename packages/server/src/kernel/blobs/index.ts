export { appendPart, completeBlob, createBlob } from './append-part.js'
export { BlobStateFault, partSizeBytesMax, type BlobParts } from './blob-parts.js'
export { BlobMissing, BlobStoreFault, type BlobStore } from './blob-store.js'
export {
  scheduleAudioDeletion,
  type BlobKind,
  type BlobRow,
  type BlobStatus,
  type DeletionReason,
} from './blobs.sql.js'
export { deleteBlob, purgeBlobs } from './delete-blob.js'
export { makeFolderStore } from './folder-store.js'
export { makeBlobStore } from './make-blob-store.js'
export { findBlob, openBlob, readPart } from './open-blob.js'
export { makeS3Store, type S3Options } from './s3-store.js'
export { sweepOrphans } from './sweep-orphans.js'
export { makeBlobWriter, writeBlob, type BlobWriter } from './write-blob.js'
