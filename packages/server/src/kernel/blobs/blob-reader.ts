import { Readable } from 'node:stream'
import type { BlobId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import type { BlobParts } from './blob-parts.js'
import { openBlob } from './open-blob.js'

/** Opens a complete blob from its beginning, any number of times; whatever fails is told by the stream. */
export const makeBlobReader =
  (parts: BlobParts, tenant: TenantScope, blobId: BlobId): (() => Readable) =>
  () =>
    Readable.from(
      readLater(() => openBlob(parts, tenant, blobId)),
      { objectMode: false },
    )

async function* readLater(open: () => Promise<Readable>): AsyncGenerator<Buffer> {
  yield* (await open()) as AsyncIterable<Buffer>
}
