import type { Readable } from 'node:stream'
import { resumeStep } from '../../../jobs/enqueue-step.js'
import {
  addStoredPart,
  QuotaExceeded,
  removingRefused,
  requireRoom,
  selectFullQuota,
  storePart,
  type BlobParts,
} from '../../../kernel/blobs/index.js'
import { isErrno } from '../../../kernel/errno.js'
import { GatheredBytes } from '../../../kernel/gathered-bytes.js'
import { newId, type ClinicianId } from '../../../kernel/ids.js'
import { refuse } from '../../../kernel/refuse.js'
import type { TenantScope } from '../../../kernel/tenant.js'
import { isConsentBroken, refuseWithdrawn } from '../../consents/index.js'
import { uploadBytesMax } from './upload-rules.js'
import { advanceUpload, takeUpload, type UploadRow } from './uploads.sql.js'

/**
 * What is gathered before it is sealed and committed: an upload costs some 2 MiB of memory, a break of the line costs
 * the sender no more than this again, and 2 GiB are 2,048 parts.
 */
const partBytes = 1_024 * 1_024

/** The rows of a blob's parts end at 100,000: a recording in pieces of a few bytes is refused long before that. */
const partsMax = 50_000

export interface Receiving {
  offsetBytes: number
  lengthBytes: number | null
  body: Readable
  /** Whose recording it is. */
  clinicianId: ClinicianId
  /** Aborted when the process stops: what has arrived is kept. */
  closing: AbortSignal
  /** Consent was withdrawn, and the clinician said that what was recorded stays: it is not heard before it is whole. */
  isKept: boolean
  /** Aborted, with the refusal, when the sender is cut off: what was not acknowledged by then is not taken any more. */
  cutOff: AbortSignal
}

/**
 * The body of one PATCH. Bytes are durable when their part has committed, which moves the offset in the same
 * transaction; what was acknowledged is never lost, and what was not is sent again from where HEAD says. A request that
 * comes later takes the upload over: the connection of the earlier one may be dead without anybody knowing.
 */
export async function receiveBytes(
  blobs: BlobParts,
  tenant: TenantScope,
  upload: UploadRow,
  { offsetBytes, lengthBytes, body, clinicianId, isKept, closing, cutOff }: Receiving,
): Promise<number> {
  const writer = await takeOver(blobs, tenant, upload, { offsetBytes, lengthBytes, clinicianId, isKept })
  const limit = writer.lengthBytes ?? uploadBytesMax
  const gathered = new GatheredBytes()
  let received = offsetBytes
  const flush = async (): Promise<void> => {
    if (gathered.length > 0) await writer.commit(gathered.take())
  }
  try {
    for await (const chunk of readUntil(body, AbortSignal.any([closing, cutOff]))) {
      received += chunk.length
      if (received > limit)
        throw refuse.tooLarge('recording_too_large', 'There are more bytes than the upload has room for')
      gathered.add(chunk)
      if (gathered.length >= partBytes) await flush()
    }
  } catch (error) {
    cutOff.throwIfAborted()
    // The line broke, or we stop: what came whole is of use, and the next HEAD says so.
    if (received <= limit) await flush()
    throw isBrokenLine(error) ? refuse.rule('upload_cut_off', 'The upload was cut off') : error
  }
  await flush()
  return received
}

/** A sender that pauses would otherwise delay a process that stops. */
async function* readUntil(body: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const stopping = new Promise<never>((_resolve, reject) => {
    const stop = (): void =>
      reject(refuse.busy('service_stopping', 'The service is stopping; continue in a moment'))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    body.once('close', () => signal.removeEventListener('abort', stop))
  })
  stopping.catch(() => {}) // Nobody may be waiting when it comes.
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  for (;;) {
    const next = chunks.next()
    next.catch(() => {}) // After the stop nobody asks for it any more.
    const { done, value } = await Promise.race([next, stopping])
    if (done === true) return
    yield value
  }
}

interface Writer {
  lengthBytes: number | null
  commit(bytes: Buffer): Promise<void>
}

async function takeOver(
  blobs: BlobParts,
  tenant: TenantScope,
  { uploadId, blobId, sessionId }: UploadRow,
  { clinicianId, isKept, ...at }: Pick<Receiving, 'offsetBytes' | 'lengthBytes' | 'clinicianId' | 'isKept'>,
): Promise<Writer> {
  const writerId = newId()
  const [[taken], [full]] = await blobs.db.writeAtOnce(
    tenant,
    takeUpload(tenant, { uploadId, writerId, ...at }),
    selectFullQuota(tenant, { clinicianId, moreBytes: 1, opensUpload: false }),
  )
  if (taken === undefined)
    throw refuse.conflict('upload_offset_differs', 'The upload stands at another offset')
  let { partCount } = taken
  let { offsetBytes } = at
  const commit = async (bytes: Buffer): Promise<void> => {
    // Known before anything is written. Who only says that this was all of it brings no bytes, and is heard.
    if (full?.quota != null) throw new QuotaExceeded(full.quota)
    if (partCount >= partsMax)
      throw refuse.tooLarge('recording_too_large', 'The recording comes in too many pieces')
    const part = await storePart(blobs, tenant, blobId, { partNumber: partCount + 1, bytes })
    const sizeBytes = bytes.length
    const committed = blobs.db.write(tenant, async (tx) => {
      const moved = await tx.run(advanceUpload(tenant, { uploadId, writerId, offsetBytes, sizeBytes }))
      if (moved.length === 0) return false
      // Jobs before what counts the uploads, as workers lock them: else they and this wait for each other in a circle.
      if (!isKept) {
        if (await isConsentBroken(tx, sessionId)) throw refuseWithdrawn()
        await resumeStep(tx, 'piece_sent', sessionId)
      }
      if (!(await addStoredPart(tx, blobId, part))) return false
      await requireRoom(tx, { clinicianId })
      return true
    })
    const isOurs = await removingRefused(blobs.store, part, committed)
    if (!isOurs) {
      await blobs.store.delete(part.storedName)
      throw refuse.conflict('upload_in_use', 'Another request continues this upload')
    }
    partCount += 1
    offsetBytes += sizeBytes
  }
  return { lengthBytes: taken.lengthBytes, commit }
}

const isBrokenLine = (error: unknown): boolean =>
  isErrno(error, 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ABORT_ERR')
