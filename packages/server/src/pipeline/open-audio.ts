import { Readable } from 'node:stream'
import type { OpenAudio } from '../engines/speech/audio/open-input.js'
import { openBlob, type BlobParts } from '../kernel/blobs/index.js'
import type { TenantScope } from '../kernel/tenant.js'

/** A blob as the engines read it: from its beginning, any number of times. */
export const makeOpenAudio =
  (blobs: BlobParts, tenant: TenantScope, blobId: string): OpenAudio =>
  () =>
    Readable.from(
      readLater(() => openBlob(blobs, tenant, blobId)),
      { objectMode: false },
    )

async function* readLater(open: () => Promise<Readable>): AsyncGenerator<Buffer> {
  yield* (await open()) as AsyncIterable<Buffer>
}
