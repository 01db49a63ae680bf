import {
  RecordingCompletion,
  recordingConsentHeader,
  recordingKeptHeader,
  WidgetSession,
} from '@casenote/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { streamOf } from '../../../http/request-body.js'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import type { BlobParts } from '../../../kernel/blobs/index.js'
import { openChange, type SealedParts } from '../../../kernel/change-context.js'
import { isId, type SessionId, type UploadId } from '../../../kernel/ids.js'
import { Places } from '../../../kernel/places.js'
import { refuse, Refusal } from '../../../kernel/refuse.js'
import { isConsentedDuring, refuseWithdrawn } from '../../consents/index.js'
import {
  findTreatedSession,
  getWidgetSession,
  type TreatedSession,
} from '../sessions/read-widget-sessions.js'
import { createUpload } from './create-upload.js'
import { completeRecording, discardRecording, terminateUpload } from './end-recording.js'
import { receiveBytes } from './receive-bytes.js'
import { takePlace } from '../take-place.js'
import { readCreation, readLength, readOffset, refuseCutOff } from './upload-rules.js'
import { selectOwnUpload, type OwnUploadRow, type UploadRow } from './uploads.sql.js'
import { whileConsented } from './while-consented.js'

export interface RecordingParts extends SealedParts {
  blobs: BlobParts
  /** Aborted when the process stops. */
  closing: AbortSignal
}

const tusVersion = '1.0.0'

/** PATCHes at once in one process: some 2 MiB of memory each. */
const receivingMost = 200

/** A recording sends one at a time; a browser that catches up with several, a few. */
const ofClinicianMost = 10

export function registerRecordings(api: WidgetApi, parts: RecordingParts): void {
  const { db, blobs } = parts
  const loadSession = (caller: WidgetCaller, { sessionId }: { sessionId: SessionId }) =>
    findRecordedSession(parts, caller, sessionId)
  registerUploads(api, parts)
  api.route({
    operation: 'widget.completeRecording',
    method: 'POST',
    path: '/sessions/{sessionId}/recording',
    load: loadSession,
    body: RecordingCompletion,
    answer: { status: 200, schema: WidgetSession },
    audit: 'change',
    handle: async ({ caller, loaded, body, ...source }) => {
      const { sessionId } = loaded.row
      const context = await openChange(parts, caller.tenant, source)
      const { keepDays } = blobs
      await db.write(caller.tenant, (tx) => completeRecording(tx, context, { ...body, sessionId, keepDays }))
      return getWidgetSession(parts, caller, sessionId)
    },
  })
  api.route({
    operation: 'widget.discardRecording',
    method: 'POST',
    path: '/sessions/{sessionId}/discard',
    load: loadSession,
    answer: { status: 204, schema: null },
    audit: 'change',
    handle: async ({ caller, loaded, ...source }) => {
      const context = await openChange(parts, caller.tenant, source)
      await db.write(caller.tenant, (tx) => discardRecording(tx, context, loaded.row.sessionId))
    },
  })
}

/** tus 1.0.0: core, creation, creation-defer-length, termination (decision 0010). Every request checks whose it is. */
function registerUploads(api: WidgetApi, parts: RecordingParts): void {
  const { db } = parts
  const load = (caller: WidgetCaller, { uploadId }: { uploadId: UploadId }) =>
    findOwnUpload(parts, caller, uploadId)
  const receiving = new Places(receivingMost, ofClinicianMost)
  api.raw({
    operation: 'widget.createUpload',
    method: 'POST',
    path: '/sessions/{sessionId}/uploads',
    load: (caller, { sessionId }) => findRecordedSession(parts, caller, sessionId),
    respond: async ({ caller, loaded, actor, requestId }, request, reply) => {
      requireTus(request, reply)
      const creation = { ...readCreation(request.headers), isKept: isKept(request) }
      const upload = await db.write(caller.tenant, (tx) =>
        createUpload(tx, loaded.row.sessionId, creation, { actor, requestId }),
      )
      return reply
        .code(201)
        .header('location', `/widget/v1/uploads/${upload.uploadId}`)
        .header('upload-offset', upload.offsetBytes)
        .send()
    },
  })
  api.raw({
    operation: 'widget.readUpload',
    method: 'HEAD',
    path: '/uploads/{uploadId}',
    load,
    respond: async ({ loaded }, request, reply) => {
      requireTus(request, reply)
      const { offsetBytes, lengthBytes } = loaded
      if (lengthBytes === null) void reply.header('upload-defer-length', '1')
      else void reply.header('upload-length', lengthBytes)
      return reply.code(200).header('upload-offset', offsetBytes).send()
    },
  })
  api.raw({
    operation: 'widget.continueUpload',
    method: 'PATCH',
    path: '/uploads/{uploadId}',
    load,
    takesStream: true,
    respond: async ({ caller, loaded, signal: cutOff }, request, reply) => {
      requireTus(request, reply)
      if (request.givenMediaType !== 'application/offset+octet-stream') {
        throw refuse.mediaType('Content-Type must be application/offset+octet-stream')
      }
      const at = { offsetBytes: readOffset(request.headers), lengthBytes: readLength(request.headers) }
      if (loaded.isCutOff)
        return await reply.code(204).header('upload-offset', requireWhole(loaded, at)).send()
      // While it is recorded it sends every 3 s: so a recording ends within 5 s of a withdrawal (decision 0048).
      const isRefused = loaded.recordingConsent !== 'given' && !isKept(request)
      if (isRefused) void reply.header(recordingConsentHeader, loaded.recordingConsent)
      const release = takePlace(receiving, caller, 'uploads')
      const receive = (signal: AbortSignal): Promise<number> =>
        receiveBytes(parts.blobs, caller.tenant, loaded, {
          ...at,
          body: streamOf(request),
          clinicianId: caller.clinicianId,
          isKept: isKept(request),
          closing: parts.closing,
          cutOff: signal,
        })
      try {
        if (isRefused) throw refuseWithdrawn()
        const holds = (): Promise<boolean> => isConsentedDuring(db, caller.tenant, loaded.sessionId)
        const offset = isKept(request) ? await receive(cutOff) : await whileConsented(holds, cutOff, receive)
        return await reply.code(204).header('upload-offset', offset).send()
      } catch (error) {
        // The rest of a body that is refused is not read: the connection ends with the answer.
        if (error instanceof Refusal) void reply.header('connection', 'close')
        throw error
      } finally {
        release()
      }
    },
  })
  api.raw({
    operation: 'widget.terminateUpload',
    method: 'DELETE',
    path: '/uploads/{uploadId}',
    load,
    respond: async ({ caller, loaded, actor, requestId }, request, reply) => {
      requireTus(request, reply)
      await db.write(caller.tenant, (tx) => terminateUpload(tx, { actor, requestId }, loaded))
      return reply.code(204).send()
    },
  })
}

/** The clinician's word about what was recorded until somebody withdrew. */
const isKept = ({ headers }: FastifyRequest): boolean => headers[recordingKeptHeader] === '1'

function requireTus(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('tus-resumable', tusVersion)
  if (request.headers['tus-resumable'] === tusVersion) return
  void reply.header('tus-version', tusVersion)
  throw new Refusal(
    412,
    'upload_version_unsupported',
    'PreconditionFailedException',
    `Tus-Resumable must be ${tusVersion}`,
  )
}

/**
 * What had arrived became the recording while its clinician was deactivated. A browser that only had to say that this was
 * all of it says it now; one that holds more must send the recording as another session.
 */
function requireWhole(upload: UploadRow, at: { offsetBytes: number; lengthBytes: number | null }): number {
  const isWhole = upload.offsetBytes === at.offsetBytes && upload.offsetBytes === at.lengthBytes
  if (upload.status !== 'used' || !isWhole) throw refuseCutOff()
  return upload.offsetBytes
}

/** Only the clinician whose session it is may add to its recording; others who treat the client may read it. */
export async function findRecordedSession(
  { db }: Pick<RecordingParts, 'db'>,
  caller: WidgetCaller,
  sessionId: SessionId,
): Promise<TreatedSession | null> {
  const found = await findTreatedSession(db, caller, sessionId)
  return found?.note.clinicianId === caller.clinicianId ? found : null
}

async function findOwnUpload(
  { db }: RecordingParts,
  { tenant, clinicianId }: WidgetCaller,
  uploadId: UploadId,
): Promise<OwnUploadRow | null> {
  if (!isId(uploadId)) return null
  const [row] = await db.read(tenant, selectOwnUpload(tenant, { clinicianId, uploadId }))
  return row ?? null
}
