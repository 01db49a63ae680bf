import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { parseRetryAfter } from '../retry-after.js'
import type { Environment } from '../tenant.js'
import { AttemptFailed, classifyConnectionError, classifyStatus } from './download-outcomes.js'
import { findTargetProblem, parseUrl, type TargetRules } from './target-rules.js'
import { answerTestRecording } from './test-recordings/answer-test-recording.js'
import { findTestRecording } from './test-recordings/find-test-recording.js'
import type { FileAnswer } from './file-answer.js'

/** Where the bytes go, in order. What it throws is a fault of ours and ends the download. */
export interface DownloadSink {
  write(bytes: Buffer): Promise<void>
  /** Forgets everything that was written: the file begins again. Also called before the first byte. */
  restart(file: FileFacts): Promise<void>
}

/** What a server said of the file that it sends. */
export interface FileFacts {
  /** Strong ETag or Last-Modified: without one a rest cannot be asked for safely. */
  validator: string | null
  totalBytes: number | null
  contentType: string | null
}

export interface AttemptSettings {
  dispatcher: Dispatcher
  environment: Environment
  rules: TargetRules
  sizeBytesMax: number
  stallMs: number
  nowMs: () => number
  deadlineMs: number
  signal: AbortSignal
}

/** What one attempt leaves to the next. */
export interface DownloadProgress extends FileFacts {
  receivedBytes: number
}

/** A fault of the sink, told apart from errors of the connection. */
export class SinkFault extends Error {}

const redirectsMax = 3
const redirectStatuses = new Set([301, 302, 303, 307, 308])

/**
 * Fewer bytes within `stallMs` (30 s) end the attempt: a server that sends one byte a second would else hold a place for
 * the whole hour. 17 kbit/s is under half of what a GPRS uplink carries (40 kbit/s), and less than a recording of speech
 * at 24 kbit/s needs to arrive within the hour that it lasts; whoever is slower for a moment only has to be resumed.
 */
export const progressBytesMin = 64 * 1_024

/** One try: follows redirects, reads the file or its rest into the sink, throws `AttemptFailed` without the end of it. */
export async function attemptDownload(
  url: URL,
  sink: DownloadSink,
  progress: DownloadProgress,
  settings: AttemptSettings,
): Promise<void> {
  const abort = new AbortController()
  const signal = AbortSignal.any([abort.signal, settings.signal])
  const answer = await requestFile(url, progress, settings, signal)
  try {
    checkAnswer(answer, settings.nowMs())
    if (!continuesFile(answer, progress)) await beginFile(answer, sink, progress)
    const announcedBytes = progress.totalBytes ?? 0
    if (announcedBytes > settings.sizeBytesMax) throw new AttemptFailed('too_large', false)
    await readBody(answer.body, sink, progress, settings, abort)
  } finally {
    answer.body.on('error', () => {}).destroy()
  }
}

/** A sandbox's test recordings come from nobody's server; anywhere else their address is refused as any that is not of the web. */
async function requestFile(
  url: URL,
  progress: DownloadProgress,
  settings: AttemptSettings,
  signal: AbortSignal,
): Promise<FileAnswer> {
  const test = settings.environment === 'sandbox' ? findTestRecording(url.href) : null
  return test === null
    ? requestThroughRedirects(url, progress, settings, signal)
    : answerTestRecording(test, signal)
}

async function requestThroughRedirects(
  first: URL,
  progress: DownloadProgress,
  settings: AttemptSettings,
  signal: AbortSignal,
): Promise<FileAnswer> {
  let url = first
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    if (findTargetProblem(url, settings.environment, settings.rules) !== null) {
      throw new AttemptFailed('target_refused', false)
    }
    const answer = await request(url, progress, settings, signal)
    if (!redirectStatuses.has(answer.statusCode)) return answer
    answer.body.on('error', () => {}).destroy()
    const { location } = answer.headers
    const next = typeof location === 'string' ? parseUrl(location, url) : null
    if (next === null) throw new AttemptFailed('unexpected_status', false)
    url = next
  }
  throw new AttemptFailed('too_many_redirects', false)
}

async function request(
  url: URL,
  { receivedBytes, validator }: DownloadProgress,
  { dispatcher, stallMs }: AttemptSettings,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const rest = receivedBytes > 0 && validator !== null
  try {
    return await dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: {
        'user-agent': 'casenote',
        accept: '*/*',
        'accept-encoding': 'identity',
        ...(rest ? { range: `bytes=${receivedBytes}-`, 'if-range': validator } : {}),
      },
      headersTimeout: stallMs,
      // `readBody` watches the body itself: undici's own timer starts again with every byte.
      bodyTimeout: 0,
      signal,
    })
  } catch (error) {
    signal.throwIfAborted()
    throw classifyConnectionError(error, false)
  }
}

function checkAnswer({ statusCode, headers }: FileAnswer, nowMs: number): void {
  // The rest of a file that is shorter now, or was complete: the next attempt asks for all of it.
  if (statusCode === 416) throw new AttemptFailed('file_changed', true)
  const failure = classifyStatus(statusCode, parseRetryAfter(single(headers['retry-after']), nowMs))
  if (failure !== null) throw failure
  const encoding = single(headers['content-encoding']) ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') throw new AttemptFailed('compressed', false)
}

/** True for the rest of the very file that was begun. A 206 of anything else cannot be used at all. */
function continuesFile({ statusCode, headers }: FileAnswer, progress: DownloadProgress): boolean {
  if (statusCode !== 206) return false
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(single(headers['content-range']) ?? '')
  const isSameRest =
    progress.receivedBytes > 0 &&
    progress.validator !== null &&
    Number(range?.[1]) === progress.receivedBytes &&
    (progress.totalBytes === null || Number(range?.[2]) === progress.totalBytes) &&
    !contradicts(headers, progress.validator)
  if (!isSameRest) throw new AttemptFailed('file_changed', true)
  progress.totalBytes = Number(range?.[2])
  return true
}

async function beginFile(
  { headers }: FileAnswer,
  sink: DownloadSink,
  progress: DownloadProgress,
): Promise<void> {
  const length = single(headers['content-length'])
  const file = {
    validator: findValidator(headers),
    totalBytes: length === undefined ? null : Number(length),
    contentType: single(headers['content-type']) ?? null,
  }
  Object.assign(progress, file, { receivedBytes: 0 })
  await guardSink(() => sink.restart(file))
}

async function readBody(
  body: Readable,
  sink: DownloadSink,
  progress: DownloadProgress,
  settings: AttemptSettings,
  abort: AbortController,
): Promise<void> {
  const watch = watchProgress(progress, settings, () => abort.abort(new AttemptFailed('too_slow', true)))
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (progress.receivedBytes === 0) checkHead(chunk, progress.contentType ?? '')
      progress.receivedBytes += chunk.length
      if (progress.receivedBytes > settings.sizeBytesMax) throw new AttemptFailed('too_large', false)
      await watch.pauseDuring(() => guardSink(() => sink.write(chunk)))
    }
  } catch (error) {
    if (error instanceof AttemptFailed || error instanceof SinkFault) throw error
    abort.signal.throwIfAborted()
    settings.signal.throwIfAborted()
    throw classifyConnectionError(error, true)
  } finally {
    watch.stop()
  }
  if (progress.receivedBytes === 0) throw new AttemptFailed('empty_file', false)
}

/** Looks at whole windows of time, and only at the server: a slow disk is no fault of its. */
function watchProgress(
  progress: DownloadProgress,
  { stallMs, nowMs, deadlineMs }: AttemptSettings,
  giveUp: () => void,
): { pauseDuring: (work: () => Promise<void>) => Promise<void>; stop: () => void } {
  let bytesBefore = progress.receivedBytes
  let isWriting = false
  const timer = setInterval(() => {
    const isStalled = !isWriting && progress.receivedBytes - bytesBefore < progressBytesMin
    if (isStalled || nowMs() >= deadlineMs) giveUp()
    bytesBefore = progress.receivedBytes
  }, stallMs)
  return {
    pauseDuring: async (work) => {
      isWriting = true
      const startedAt = performance.now()
      await work()
      isWriting = false
      if (performance.now() - startedAt < stallMs / 2) return
      bytesBefore = progress.receivedBytes
      timer.refresh()
    },
    stop: () => clearInterval(timer),
  }
}

/**
 * Error pages come under every name and type, and so do recordings: what is said to be a page is one if it is text. Only
 * the first chunk is looked at; a decoder refuses the rest.
 */
function checkHead(chunk: Buffer, contentType: string): void {
  const head = chunk.subarray(0, 512)
  const beginsAsPage = /^(\xEF\xBB\xBF)?\s*<(!doctype html|html|head|body)[\s>]/i.test(
    head.toString('latin1'),
  )
  const isCalledPage = /^(text\/html|application\/xhtml)/i.test(contentType)
  if (beginsAsPage || (isCalledPage && isText(head))) throw new AttemptFailed('web_page', false)
}

/** Every container of sound has a zero or another control character within its first bytes; no page has one. */
const isText = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d)

/** Weak ETags, and dates of files changed in this second, do not promise equal bytes (RFC 9110, 8.8.2.2, 13.1.5). */
function findValidator(headers: Dispatcher.ResponseData['headers']): string | null {
  const etag = single(headers['etag'])
  if (etag?.startsWith('"') === true) return etag
  const lastModified = single(headers['last-modified']) ?? ''
  const isOld = Date.parse(single(headers['date']) ?? '') - Date.parse(lastModified) >= 1_000
  return isOld ? lastModified : null
}

/** A 206 need not repeat the date that was asked about (RFC 9110, 15.3.7); what it does say must be the same. */
function contradicts(headers: Dispatcher.ResponseData['headers'], validator: string): boolean {
  const said = single(headers[validator.startsWith('"') ? 'etag' : 'last-modified'])
  return said !== undefined && said !== validator
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value

async function guardSink(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new SinkFault('the sink of a download failed', { cause: error })
  }
}
