import { Readable } from 'node:stream'
import { findArrived } from '../features/sessions/index.js'
import { readPart } from '../kernel/blobs/index.js'
import type { BlobId, SessionId } from '../kernel/ids.js'
import { pause } from '../kernel/pause.js'
import type { TenantScope } from '../kernel/tenant.js'
import { SegmentsChanged, type LiveSegments } from './live-segments.js'
import type { PipelineParts } from './pipeline-parts.js'
import { headBytes, probeBeginning } from './probe-beginning.js'

/** Parts come every ten seconds. */
const lookEveryMs = 2_000

/** A file server that is asked again later gives its place back. Less than a decoder waits for sound. */
const idleMs = 30_000

/** The file of a `fileUrl` as one segment, as far as it is there. */
export function followDownload(
  parts: PipelineParts,
  tenant: TenantScope,
  { sessionId }: { sessionId: SessionId },
  signal: AbortSignal,
): LiveSegments {
  let begunBlobId: BlobId | null = null
  let fedBytes = 0
  let isWhole = false

  /** Asks until there is more than `partsKnown`, or all of it. Null: it has ended, or pauses. */
  const waitForMore = async (partsKnown: number, bytesMin = 0) => {
    for (
      const sinceMs = performance.now();
      performance.now() - sinceMs < idleMs;
      await pause(lookEveryMs, signal)
    ) {
      signal.throwIfAborted()
      const arrived = await findArrived(parts.db, tenant, sessionId)
      if (arrived === null) return null
      // Begun anew: what was heard is not of this file, or not the same place of it.
      if (begunBlobId !== null && arrived.blobId !== begunBlobId) throw new SegmentsChanged()
      if (arrived.isComplete || (arrived.partCount > partsKnown && arrived.sizeBytes >= bytesMin))
        return arrived
    }
    return null
  }
  async function* readBytes(): AsyncGenerator<Buffer> {
    for (let read = 0; ;) {
      const arrived = await waitForMore(read)
      if (arrived === null) return
      for (; read < arrived.partCount; read += 1) {
        const bytes = await readPart(parts.blobs, tenant, arrived.blobId, read + 1)
        fedBytes += bytes.length
        yield bytes
      }
      if (!arrived.isComplete) continue
      isWhole = true
      return
    }
  }
  return {
    async next() {
      const arrived = begunBlobId === null ? await waitForMore(0, headBytes) : null
      if (arrived === null || arrived.partCount === 0) return null
      const tracks = await probeBeginning(parts, tenant, arrived, signal)
      begunBlobId = arrived.blobId
      return {
        segment: null,
        open: () => Readable.from(readBytes(), { objectMode: false }),
        tracks,
        isWhole: () => isWhole,
      }
    },
    get fedBytes() {
      return fedBytes
    },
  }
}
