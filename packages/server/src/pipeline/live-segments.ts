import { Readable } from 'node:stream'
import type { AudioTrack } from '../engines/speech/audio/probe-recording.js'
import { countUncut } from '../features/session-gaps/index.js'
import { selectUploadsOfSession, type UploadRow } from '../features/widget/index.js'
import { readPart } from '../kernel/blobs/index.js'
import type { SessionId, UploadId } from '../kernel/ids.js'
import { pause } from '../kernel/pause.js'
import type { TenantScope } from '../kernel/tenant.js'
import type { PipelineParts } from './pipeline-parts.js'
import { headBytes, NotHeardLive, probeBeginning } from './probe-beginning.js'

/** The widget sends every few seconds. */
const lookEveryMs = 1_000

/** A recording that pauses gives its place back, and finds one again with its next bytes. Less than a decoder waits for sound. */
const idleMs = 30_000

/** The bytes below which a segment is left out, as where segments are joined: a recorder that died before its first second leaves less. */
const negligibleBytes = 16_384

/** One of the segments that were heard is no part of the recording any more: it has to begin anew. */
export class SegmentsChanged extends Error {
  constructor() {
    super('a segment of the recording was thrown away')
    this.name = 'SegmentsChanged'
  }
}

/** Something of what was heard is off the record since: it is heard anew without it. */
export class StretchStruck extends Error {
  constructor() {
    super('a stretch of the recording was struck')
    this.name = 'StretchStruck'
  }
}

export interface LiveSegment {
  /** The segment's number as its recorder gave it; null: it is a file. */
  segment: number | null
  /** What is in it from its beginning on, until it is closed or nothing comes any more. */
  open: () => Readable
  tracks: readonly AudioTrack[]
  /** Whether it was read to an end that is its own. */
  isWhole: () => boolean
}

/** The segments of a recording that is being sent, in their order, each as far as it is there. */
export interface LiveSegments {
  /** Null: the recording has ended, or pauses. */
  next(): Promise<LiveSegment | null>
  readonly fedBytes: number
}

export function followSegments(
  parts: PipelineParts,
  tenant: TenantScope,
  sessionId: SessionId,
  /** How many struck stretches it is heard without. */
  struckCount: number,
  signal: AbortSignal,
): LiveSegments {
  /** The segments that were come to, by their ids: one that is thrown away shifts the others. */
  const begun = new Set<UploadId>()
  const heard = new Set<UploadId>()
  let fedBytes = 0
  let lastNewsMs = performance.now()
  let lastBytes = 0
  const whole = new Set<UploadId>()

  const look = async (): Promise<UploadRow[] | null> => {
    signal.throwIfAborted()
    const [rows, [struck]] = await parts.db.read(
      tenant,
      selectUploadsOfSession(tenant, sessionId),
      countUncut(tenant, sessionId),
    )
    if (struck?.total !== struckCount) throw new StretchStruck()
    const uploads = rows.filter(({ status }) => status !== 'dropped')
    // Complete, or thrown away.
    if (uploads.length === 0 || uploads.some(({ status }) => status === 'used')) return null
    const ids = new Set(uploads.map(({ uploadId }) => uploadId))
    if ([...heard].some((uploadId) => !ids.has(uploadId))) throw new SegmentsChanged()
    const bytes = uploads.reduce((sum, { offsetBytes }) => sum + offsetBytes, 0)
    if (bytes !== lastBytes) [lastBytes, lastNewsMs] = [bytes, performance.now()]
    return performance.now() - lastNewsMs < idleMs ? uploads : null
  }
  /** Asks until it is so. Null: it has ended, or pauses. */
  const waitFor = async <Found>(find: (uploads: UploadRow[]) => Found | null): Promise<Found | null> => {
    for (;;) {
      const uploads = await look()
      const found = uploads === null ? null : find(uploads)
      if (uploads === null || found !== null) return found
      await pause(lookEveryMs, signal)
    }
  }
  async function* readBytes(uploadId: UploadId): AsyncGenerator<Buffer> {
    for (let read = 0; ;) {
      const upload = await waitFor((uploads) => findMore(uploads, uploadId, read))
      if (upload === null) return
      for (; read < upload.partCount; read += 1) {
        const bytes = await readPart(parts.blobs, tenant, upload.blobId, read + 1)
        fedBytes += bytes.length
        yield bytes
      }
      if (!isClosed(upload)) continue
      whole.add(uploadId)
      return
    }
  }
  const findTracks = async (upload: UploadRow): Promise<readonly AudioTrack[] | null> => {
    try {
      return await probeBeginning(parts, tenant, upload, signal)
    } catch (error) {
      if (!(error instanceof NotHeardLive)) throw error
      if (isClosed(upload) && upload.offsetBytes < negligibleBytes) return null
      throw error
    }
  }
  return {
    async next() {
      for (;;) {
        const upload = await waitFor((uploads) => {
          const one = uploads.find(({ uploadId }) => !begun.has(uploadId))
          return one !== undefined && (isClosed(one) || one.offsetBytes >= headBytes) ? one : null
        })
        if (upload === null) return null
        const tracks = upload.offsetBytes === 0 ? null : await findTracks(upload)
        const { uploadId } = upload
        begun.add(uploadId)
        if (tracks === null) continue
        heard.add(uploadId)
        return {
          segment: upload.segment,
          open: () => Readable.from(readBytes(uploadId), { objectMode: false }),
          tracks,
          isWhole: () => whole.has(uploadId),
        }
      }
    },
    get fedBytes() {
      return fedBytes
    },
  }
}

const isClosed = ({ lengthBytes, offsetBytes }: UploadRow): boolean => lengthBytes === offsetBytes

function findMore(uploads: readonly UploadRow[], uploadId: UploadId, read: number): UploadRow | null {
  const upload = uploads.find((one) => one.uploadId === uploadId)
  return upload !== undefined && (upload.partCount > read || isClosed(upload)) ? upload : null
}
