import type { Readable } from 'node:stream'
import { GatheredBytes } from '../gathered-bytes.js'
import type { BlobId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import { appendPart, completeBlob, createBlob, type BlobCreation } from './append-part.js'
import { noGuard, partSizeBytesMax, type BlobGuard, type BlobParts } from './blob-parts.js'
import type { BlobKind } from './blobs.sql.js'
import { deleteBlob } from './delete-blob.js'
import type { ResumedBlob } from './resume-blob.js'

/** Takes bytes in pieces of any size and makes parts of them; fits a download as its sink. */
export interface BlobWriter {
  write(bytes: Buffer): Promise<void>
  /** Begins again with a new blob; the old one is deleted. */
  restart(): Promise<void>
  /** What was written is durable when this returns, in the blob that is given; null without any. */
  flush(): Promise<string | null>
  /** The blob is complete when this returns. */
  finish(): Promise<{ blobId: BlobId; sizeBytes: number }>
  /** Deletes what was written. Without it the unfinished blob goes when its days are over. */
  abandon(): Promise<void>
}

export interface BlobWriterOptions extends BlobCreation {
  settle?: BlobGuard
  /** Goes on behind its last part. */
  resumed?: ResumedBlob | null
  /** Nobody goes on with it: whoever has lost the right to write may still delete what was written. */
  isForOneWriter?: boolean
}

/** So many parts are written while the next is gathered: one waits for the disk while another is sealed. */
const inFlightMax = 2

export function makeBlobWriter(
  parts: BlobParts,
  tenant: TenantScope,
  kind: BlobKind,
  options: BlobWriterOptions = {},
): BlobWriter {
  const { guard = noGuard, resumed = null, isForOneWriter = false } = options
  let blobId = resumed?.blobId ?? null
  let partNumber = resumed?.partCount ?? 0
  let gathered = new GatheredBytes()
  let inFlight: Promise<void>[] = []

  const storePart = async (): Promise<void> => {
    const bytes = gathered.take()
    if (inFlight.length === inFlightMax) await inFlight.shift()
    blobId ??= await createBlob(parts, tenant, kind, options)
    partNumber += 1
    const appended = appendPart(parts, tenant, blobId, partNumber, bytes, options)
    // Its failure is thrown where it is awaited; until then nobody listens.
    appended.catch(() => {})
    inFlight.push(appended)
  }
  const flush = async (): Promise<string | null> => {
    if (gathered.length > 0) await storePart()
    await Promise.all(inFlight)
    inFlight = []
    return blobId
  }
  const abandon = async (): Promise<void> => {
    await Promise.allSettled(inFlight)
    if (blobId !== null) await deleteBlob(parts, tenant, blobId, 'replaced', isForOneWriter ? noGuard : guard)
    blobId = null
    partNumber = 0
    gathered = new GatheredBytes()
    inFlight = []
  }
  return {
    write: async (bytes) => {
      let rest = bytes
      while (rest.length > 0) {
        const piece = rest.subarray(0, partSizeBytesMax - gathered.length)
        gathered.add(piece)
        rest = rest.subarray(piece.length)
        if (gathered.length === partSizeBytesMax) await storePart()
      }
    },
    restart: abandon,
    flush,
    finish: async () => {
      const written = (await flush()) ?? (await createBlob(parts, tenant, kind, options))
      const { sizeBytes } = await completeBlob(parts, tenant, written, guard)
      return { blobId: written, sizeBytes }
    },
    abandon,
  }
}

/** A whole stream as one blob. When the stream fails, so does this, and nothing of it is kept. */
export async function writeBlob(
  parts: BlobParts,
  tenant: TenantScope,
  kind: BlobKind,
  stream: Readable | AsyncIterable<Buffer>,
  options: BlobWriterOptions = {},
): Promise<{ blobId: BlobId; sizeBytes: number }> {
  const writer = makeBlobWriter(parts, tenant, kind, options)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) await writer.write(chunk)
    return await writer.finish()
  } catch (error) {
    await writer.abandon()
    throw error
  }
}
