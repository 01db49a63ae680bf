import type { WidgetSession, WidgetSessionCreate } from '@casenote/contract'
import type { EventDetail } from '../../../protocol.js'
import { engineTexts } from '../../texts/texts.js'
import { EngineError } from '../engine.js'
import type { AuthorizedFetch } from '../authorized-fetch.js'
import { sendWithContext } from '../send-context.js'
import { backOffMs, onOnline, waitUpTo } from '../wait.js'
import type { RecordingRow } from './recording-row.js'
import type { RecordingDetails, RecordingStore } from './recording-store.js'
import { isPadDue, markPadSent, sendPad } from './send-pad.js'
import type { Vault } from './vault.js'

/** While it is recorded, sent every few seconds: each request becomes a part on the service's disk. */
const batchMs = 3_000
/** While the service is the only place for it. */
const batchUnwrittenMs = 1_000
/** What one request carries when there is much to send. */
const batchBytesMax = 1024 * 1024

export interface SendingParts {
  recordings: RecordingStore
  vault: Vault
  authorizedFetch: AuthorizedFetch
  /** Resolves when somebody is signed in; for the time when tokens are gone. */
  whenSignedIn: () => Promise<void>
  onProgress: (progress: SendingProgress) => void
  raise: (event: 'error', detail: EventDetail) => void
  /** The client's consent does not hold any more. */
  onWithdrawn: (recordingId: string) => void
}

export interface SendingProgress {
  recordingId: string
  sessionId: string | null
  uploadedBytes: number
  isOffline: boolean
  /** The service has no room for it just now: a quota is used up. */
  isFull: boolean
}

/** The upload of one recording, from its first slice to the service's word that it is whole. */
export interface Sending {
  /** There is something new to send, or the recording has ended. */
  wake(): void
  /** Stops sending; nothing is lost. */
  stop(): void
  /** Rejects when the service refuses the recording. Null: stopped, or thrown away. */
  done: Promise<WidgetSession | null>
  /** As soon as the service knows of the recording. */
  session: Promise<string>
}

export function sendRecording(parts: SendingParts, recordingId: string): Sending {
  let isStopped = false
  let isWoken = false
  let wakeUp = (): void => {}
  const session = makeSettling<string>()
  /** Not at all when somebody called while it was busy. */
  const sleep = async (timeoutMs: number): Promise<void> => {
    if (!isWoken) {
      await waitUpTo(timeoutMs, (wake) => {
        wakeUp = wake
        return onOnline(wake)
      })
    }
    isWoken = false
  }
  const wake = (): void => {
    isWoken = true
    wakeUp()
  }

  async function run(): Promise<WidgetSession | null> {
    const state: UploadState = { known: new Map(), padSentAtMs: -Infinity }
    // oxlint-disable-next-line eslint/no-unmodified-loop-condition -- `stop` modifies it
    for (let failures = 0; !isStopped;) {
      try {
        const step = await takeStep(parts, recordingId, state, session.resolve)
        failures = 0
        if (step.kind === 'gone') return null
        if (step.kind === 'done') return step.session
        if (step.kind === 'caughtUp') {
          await sleep(parts.recordings.isUnwritten(recordingId) ? batchUnwrittenMs : batchMs)
        }
      } catch (error) {
        // Offsets are asked for again: nobody knows how much of the last request arrived.
        state.known.clear()
        if (isConsentEnded(error)) parts.onWithdrawn(recordingId)
        if (error instanceof EngineError && error.status === gone) {
          await beginAnew(parts, recordingId)
          continue
        }
        if (!isPassing(error)) throw error
        const row = await parts.recordings.find(recordingId)
        if (row !== undefined) parts.onProgress(describe(row, error))
        if (error instanceof EngineError && error.status === 401) await parts.whenSignedIn()
        await sleep(backOffMs(failures))
        failures += 1
      }
    }
    return null
  }
  const done = run()
  done.catch((error: unknown) => session.reject(error))
  return {
    wake,
    stop: () => {
      isStopped = true
      session.reject(new EngineError(engineTexts.signedOut, 401))
      wake()
    },
    done,
    session: session.promise,
  }
}

interface Settling<Value> {
  promise: Promise<Value>
  resolve: (value: Value) => void
  reject: (error: unknown) => void
}

/** A rejection that nobody waits for is none. */
function makeSettling<Value>(): Settling<Value> {
  let settle: Omit<Settling<Value>, 'promise'> | undefined
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject }
  })
  promise.catch(() => {})
  return {
    promise,
    resolve: (value) => settle?.resolve(value),
    reject: (error) => settle?.reject(error),
  }
}

/** Whatever was refused, nothing more may be recorded of the client. */
function isConsentEnded(error: unknown): boolean | undefined {
  const headers = (error as { cause?: Partial<Response> }).cause?.headers
  return (
    headers?.has('casenote-recording-consent') || headers?.get('casenote-error-code')?.includes('consent_')
  )
}

const locked = 423
const gone = 410
const full = 507

/**
 * What the service had became a recording of its own, because the clinician was deactivated meanwhile, or nobody sent any
 * for a month. All of it is still here, and is sent as another session. It cannot happen again without such a cause.
 */
async function beginAnew({ recordings }: SendingParts, recordingId: string): Promise<void> {
  await recordings.change(recordingId, (row) => {
    row.takenAs = crypto.randomUUID()
    row.sessionId = null
    if (row.pad !== undefined) row.pad.sentRevision = 0
    for (const gap of row.gaps ?? []) gap.isSent = false
    for (const segment of row.segments) {
      Object.assign(segment, { uploadId: crypto.randomUUID(), sentBytes: 0, isSent: false })
    }
  })
}

/** What waiting mends: no network, no tokens, another request at the same upload, too many requests, a fault. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof EngineError)) return false
  return [0, 401, 408, locked, 425, 429].includes(error.status) || error.status >= 500
}

interface UploadState {
  /** When the pad was sent last, by `performance.now()`. */
  padSentAtMs: number
  /** Offset of each upload, as the service last told it. */
  known: Map<string, number>
}

type Step = { kind: 'gone' | 'moved' | 'caughtUp' } | { kind: 'done'; session: WidgetSession }

async function takeStep(
  parts: SendingParts,
  recordingId: string,
  state: UploadState,
  onSession: (sessionId: string) => void,
): Promise<Step> {
  const { recordings } = parts
  const row = await recordings.find(recordingId)
  if (row === undefined) return { kind: 'gone' }
  const sessionId = row.sessionId ?? (await openSession(parts, row))
  onSession(sessionId)
  if (isPadDue(row, state.padSentAtMs)) {
    await offerPad(parts, row, sessionId)
    state.padSentAtMs = performance.now()
    return { kind: 'moved' }
  }
  const gap = row.gaps?.find(({ seconds, isSent }) => seconds !== null && !isSent)
  if (gap !== undefined) {
    const posting = postJson(parts, `/sessions/${sessionId}/gaps`, gap)
    // What was said must not be heard: where it cannot be struck the recording stays here, and the clinician is told.
    await (gap.end > gap.start ? posting : offered(posting))
    await recordings.change(recordingId, ({ gaps = [] }) => {
      for (const one of gaps) if (one.id === gap.id) one.isSent = true
    })
    return { kind: 'moved' }
  }
  const segment = row.segments.findIndex(({ isSent }) => !isSent)
  if (segment >= 0) return sendSegment(parts, { ...row, sessionId }, segment, state)
  if (!row.isEnded) return { kind: 'caughtUp' }
  const uploadIds = row.segments.filter(({ bytes }) => bytes > 0).map(({ uploadId }) => uploadId)
  if (uploadIds.length === 0) {
    await discardSession(parts, sessionId)
    await recordings.remove(recordingId)
    return { kind: 'gone' }
  }
  const { isKept } = row
  const answer = await postJson(parts, `/sessions/${sessionId}/recording`, { uploadIds, isKept })
  const session = (await answer.json()) as WidgetSession
  await recordings.remove(recordingId)
  return { kind: 'done', session }
}

/** What is refused for good does not delay the sound: what becomes of the recording, the routes of its uploads say. */
const offered = (sending: Promise<unknown>): Promise<unknown> =>
  sending.catch((error: unknown) => {
    if (!(error instanceof EngineError) || isPassing(error)) throw error
  })

/** If it is sent as another session, that one is offered the pad again. */
async function offerPad(parts: SendingParts, row: RecordingRow, sessionId: string): Promise<void> {
  // Before it is sent: where the disk is full the row is the one that words are typed into meanwhile.
  const { revision = 0 } = row.pad ?? {}
  await offered(sendPad(parts, row, sessionId))
  await markPadSent(parts, row.recordingId, revision)
}

/** One that the service no longer knows is discarded, too. */
export async function discardSession(
  { authorizedFetch }: Pick<SendingParts, 'authorizedFetch'>,
  sessionId: string,
): Promise<void> {
  try {
    await authorizedFetch(`/sessions/${sessionId}/discard`, { method: 'POST' })
  } catch (error) {
    if (!(error instanceof EngineError) || error.status !== 404) throw error
  }
}

const postJson = (
  { authorizedFetch }: SendingParts,
  path: string,
  body: WidgetSessionCreate | { uploadIds: string[]; isKept: boolean | undefined } | { id: string },
): Promise<Response> =>
  authorizedFetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Repeated safely: the service knows the recording's id again. */
async function openSession(parts: SendingParts, row: RecordingRow): Promise<string> {
  const { recordings, vault } = parts
  const details = await recordings.readDetails(vault, row)
  const kind = details.isDictated ? 'dictated-sessions' : 'sessions'
  const path = `/clients/${details.clientId}/${kind}`
  const { sessionId } = await sendWithContext(
    details.options.context ?? null,
    async (given) => {
      const answer = await postJson(parts, path, { ...describeSession(row, details), ...given })
      return (await answer.json()) as WidgetSession
    },
    parts.raise,
  )
  await recordings.change(row.recordingId, (changed) => {
    changed.sessionId = sessionId
  })
  parts.onProgress({ ...describe(row), sessionId })
  return sessionId
}

function describeSession(
  { recordingId, takenAs, startedAtMs }: RecordingRow,
  { noteType, templateId, options }: RecordingDetails,
): WidgetSessionCreate {
  const { sessionExternalId, sessionSetting, language, usingHeadphones, noteOptions } = options
  return {
    recordingId: takenAs ?? recordingId,
    noteType: noteType as NonNullable<WidgetSessionCreate['noteType']>,
    templateId,
    sessionExternalId: sessionExternalId ?? null,
    sessionSetting: sessionSetting ?? null,
    language: language || null,
    usingHeadphones: usingHeadphones ?? null,
    sessionType: noteOptions?.sessionType ?? null,
    treatmentApproaches: noteOptions?.treatmentApproaches ?? [],
    startedAt: new Date(startedAtMs).toISOString(),
    sentAt: new Date().toISOString(),
  }
}

const nothing = { uploadId: '', mimeType: '', bytes: 0, sentBytes: 0, isClosed: true }

async function sendSegment(
  parts: SendingParts,
  row: RecordingRow,
  segment: number,
  state: UploadState,
): Promise<Step> {
  const { recordings, vault } = parts
  const { uploadId, bytes: stored, isClosed } = row.segments[segment] ?? nothing
  if (stored === 0) {
    if (isClosed) await markSent(parts, row, segment, 0, true)
    return { kind: isClosed ? 'moved' : 'caughtUp' }
  }
  const offset = state.known.get(uploadId) ?? (await openUpload(parts, row, segment))
  state.known.set(uploadId, offset)
  // A tab without room on the disk sent more than it could leave behind.
  const bytes = Math.max(stored, offset)
  if (offset >= bytes && !isClosed) return { kind: 'caughtUp' }
  const body = await recordings.readBytes(
    vault,
    { recordingId: row.recordingId, segment },
    offset,
    batchBytesMax,
  )
  const isWhole = isClosed && offset + body.size === bytes
  if (body.size === 0 && !isWhole) throw new Error('stored bytes are missing')
  const arrived = await patchUpload(parts, row, uploadId, {
    offset,
    body,
    length: isWhole ? bytes : null,
  })
  state.known.set(uploadId, arrived)
  await markSent(parts, row, segment, arrived, isWhole && arrived === bytes)
  return { kind: isClosed || arrived < bytes ? 'moved' : 'caughtUp' }
}

async function markSent(
  { recordings, onProgress }: SendingParts,
  { recordingId }: RecordingRow,
  segment: number,
  sentBytes: number,
  isSent: boolean,
): Promise<void> {
  const row = await recordings.change(recordingId, ({ segments }) => {
    const sent = segments[segment]
    if (sent === undefined) return
    Object.assign(sent, { sentBytes, isSent, bytes: Math.max(sent.bytes, sentBytes) })
  })
  if (row !== undefined) onProgress(describe(row))
}

const tus = { 'tus-resumable': '1.0.0' }

/** After a withdrawal nothing more is taken, unless the clinician has said that it stays. */
const toHeaders = ({ isKept }: RecordingRow): Record<string, string> =>
  isKept ? { ...tus, 'casenote-recording-kept': '1' } : tus

/** Where the upload stands; begins it where the service does not know it. The id is ours: a repeat makes no second. */
async function openUpload(parts: SendingParts, row: RecordingRow, segment: number): Promise<number> {
  const { uploadId, sentBytes } = row.segments[segment] ?? nothing
  if (sentBytes === 0) return createUpload(parts, row, segment)
  try {
    const answer = await parts.authorizedFetch(`/uploads/${uploadId}`, { method: 'HEAD', headers: tus })
    return readOffset(answer)
  } catch (error) {
    if (!(error instanceof EngineError) || error.status !== 404) throw error
    return createUpload(parts, row, segment)
  }
}

async function createUpload(
  { authorizedFetch }: SendingParts,
  row: RecordingRow,
  segment: number,
): Promise<number> {
  const { uploadId, mimeType } = row.segments[segment] ?? nothing
  const metadata = Object.entries({ mimeType, segment: String(segment), uploadId })
    .map(([name, value]) => `${name} ${btoa(value)}`)
    .join(',')
  const headers = { ...toHeaders(row), 'upload-defer-length': '1', 'upload-metadata': metadata }
  return readOffset(await authorizedFetch(`/sessions/${row.sessionId}/uploads`, { method: 'POST', headers }))
}

const readOffset = ({ headers }: Response): number => Number(headers.get('upload-offset') ?? 0)

async function patchUpload(
  { authorizedFetch, onWithdrawn }: SendingParts,
  row: RecordingRow,
  uploadId: string,
  { offset, body, length }: { offset: number; body: Blob; length: number | null },
): Promise<number> {
  const init: RequestInit = {
    method: 'PATCH',
    headers: {
      ...toHeaders(row),
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...(length === null ? {} : { 'upload-length': String(length) }),
    },
    body,
  }
  try {
    const answer = await authorizedFetch(`/uploads/${uploadId}`, init)
    if (answer.headers.has('casenote-recording-consent')) onWithdrawn(row.recordingId)
    return readOffset(answer)
  } catch (error) {
    // Another offset than the service has: a request before this one arrived after all. It is asked for again.
    if (!(error instanceof EngineError) || error.status !== 409 || isConsentEnded(error)) throw error
    // With the same cause.
    throw new EngineError(error.message, locked, error)
  }
}

function describe(row: RecordingRow, error?: unknown): SendingProgress {
  const { recordingId, sessionId, segments } = row
  const uploadedBytes = segments.reduce((sum, { sentBytes }) => sum + sentBytes, 0)
  const isFull = error instanceof EngineError && error.status === full
  return { recordingId, sessionId, uploadedBytes, isOffline: error !== undefined && !isFull, isFull }
}
