import { setMaxListeners } from 'node:events'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import {
  abandonedFault,
  BlobMissing,
  BlobStoreFault,
  requireStoredName,
  type BlobStore,
  type StoredObject,
} from './blob-store.js'
import { GatheredBytes } from '../gathered-bytes.js'
import { pause } from '../pause.js'
import { sha256InTurns, sliceInTurns } from '../slice-in-turns.js'
import { signS3Request, type S3Credentials, type S3Request } from './s3-signature.js'

export interface S3Options extends S3Credentials {
  /** The operator's own, so it is not guarded: http and private addresses are how stores inside a network look. */
  endpoint: string
  bucket: string
  /**
   * True: the bucket in the path, as every store that is not Amazon's understands. False: in the host name.
   */
  isPathStyle: boolean
  /** The installation's id: the sweep of one installation must never see another's parts in a shared bucket. */
  prefix: string
  /** The installation's time: a store refuses what is signed a quarter of an hour off. Else the machine's. */
  nowMs?: () => number
  /** Before the second try; doubled for every other. */
  retryDelayMs?: number
}

/** Five tries with 200 ms between the first two span 3 s: a restart of a gateway, not an outage. */
const triesMax = 5
const defaultRetryDelayMs = 200
/** For an answer to begin, and between two pieces of it. */
const timeoutMs = 30_000
/** As large as a part of a blob. What is larger, as a key store may be, is sent in slices. */
const partBytesMost = 4 * 1024 * 1024
/** Memory that is made for an answer at once, if it says that so much comes. */
const gatheredAtOnceMax = 256 * 1024 * 1024
const emptyBody: Buffer = Buffer.alloc(0)
const probeWithinMs = 5_000
const probeBody: Buffer = Buffer.from('probe')

type Sent = Omit<S3Request, 'bodyHash'> & { body: Buffer }

interface S3Answer {
  status: number
  /** By the store's clock; NaN where it does not tell. */
  date: number
  body: Buffer
}

/** Any S3-compatible store: one object a part, whole or not at all by the protocol itself. */
export function makeS3Store(options: S3Options): BlobStore {
  const opening = import('./s3-agent.js').then(({ makeS3Agent }) => makeS3Agent(timeoutMs))
  // It is told with the first call.
  opening.catch(() => {})
  const stopping = new AbortController()
  // Every call that waits for its next try listens.
  setMaxListeners(0, stopping.signal)
  const send = async (
    method: S3Request['method'],
    name: string,
    query = '',
    body = emptyBody,
  ): Promise<S3Answer> =>
    sendWithRetries(await opening, options, {
      method,
      url: urlOf(options, name, query),
      headers: {},
      body,
      stopping: stopping.signal,
    })
  const keyOf = (name: string): string => `${options.prefix}/${requireStoredName(name)}`
  const deleteObject = async (key: string): Promise<void> => {
    requireStatus(await send('DELETE', key), 'delete', 200, 204, 404)
  }
  const probeKey = `${options.prefix}/probe`
  const probe = async (): Promise<S3Answer> => {
    const request = { method: 'PUT', url: urlOf(options, probeKey, '') } as const
    const agent = await opening
    stopping.signal.throwIfAborted()
    const signal = AbortSignal.timeout(probeWithinMs)
    const answer = await sendOnce(agent, options, { ...request, headers: {}, body: probeBody }, signal)
    requireStatus(answer, 'put', 200)
    return answer
  }
  return {
    put: async (name, bytes) => requireStatus(await send('PUT', keyOf(name), '', bytes), 'put', 200),
    get: async (name) => {
      const answer = await send('GET', keyOf(name))
      if (answer.status === 404) throw new BlobMissing(name)
      requireStatus(answer, 'get', 200)
      return answer.body
    },
    delete: (name) => deleteObject(keyOf(name)),
    list: () => listObjects(options.prefix, (query) => send('GET', '', query)),
    check: async () => {
      requireStatus(await send('PUT', probeKey, '', probeBody), 'put', 200)
      await deleteObject(probeKey)
    },
    probe: async () => void (await probe()),
    readClockMs: async () => {
      const { date } = await probe()
      if (Number.isNaN(date)) throw new BlobStoreFault('the blob store does not tell its time')
      return date
    },
    abandon: () => {
      const fault = abandonedFault()
      stopping.abort(fault)
      // Ends its connections as well, which would hold the process; without one there is nothing to end.
      opening.then((agent) => agent.destroy(fault)).catch(() => {})
    },
    close: async () => {
      if (!stopping.signal.aborted) await (await opening.catch(() => null))?.close()
    },
  }
}

function urlOf({ endpoint, bucket, isPathStyle }: S3Options, key: string, query: string): URL {
  const url = new URL(endpoint)
  if (!isPathStyle) url.hostname = `${bucket}.${url.hostname}`
  url.pathname = `${url.pathname.replace(/\/$/, '')}${isPathStyle ? `/${bucket}` : ''}/${key}`
  url.search = query
  return url
}

async function sendWithRetries(
  agent: Dispatcher,
  options: S3Options,
  { stopping, ...request }: Sent & { stopping: AbortSignal },
): Promise<S3Answer> {
  const firstDelayMs = options.retryDelayMs ?? defaultRetryDelayMs
  let failure: unknown
  for (let tries = 0; tries < triesMax; tries += 1) {
    stopping.throwIfAborted()
    if (tries > 0) await pause(firstDelayMs * 2 ** (tries - 1), stopping)
    try {
      const answer = await sendOnce(agent, options, request)
      if (answer.status < 500 && answer.status !== 429) return answer
      failure = new BlobStoreFault(`the blob store answered ${answer.status}`)
    } catch (error) {
      failure = error
    }
  }
  throw new BlobStoreFault(`the blob store failed ${triesMax} times`, { cause: failure })
}

async function sendOnce(
  agent: Dispatcher,
  options: S3Options,
  { body, ...request }: Sent,
  signal: AbortSignal | null = null,
): Promise<S3Answer> {
  const { method, url } = request
  const hash = await sha256InTurns(body)
  // Stores that know it keep it with the object and compare it on their own disks later.
  const headers = method === 'PUT' ? { 'x-amz-checksum-sha256': hash.toString('base64') } : {}
  const bodyHash = hash.toString('hex')
  const signed = signS3Request({ ...request, headers, bodyHash }, options, (options.nowMs ?? Date.now)())
  const answer = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: method === 'PUT' ? { ...signed, 'content-length': String(body.length) } : signed,
    body: method !== 'PUT' ? null : body.length > partBytesMost ? Readable.from(sliceInTurns(body)) : body,
    signal,
  })
  const date = Date.parse(String(answer.headers.date))
  const expectedBytes = method === 'GET' ? Number(answer.headers['content-length']) : 0
  const gathered = new GatheredBytes(Math.min(expectedBytes || 0, gatheredAtOnceMax))
  for await (const piece of answer.body) gathered.add(piece as Buffer)
  return { status: answer.statusCode, date, body: gathered.take() }
}

/** The answer's own text stays out of the error: it may quote the key id. Its code is a word of the protocol. */
function requireStatus({ status, body }: S3Answer, action: string, ...expected: number[]): void {
  if (expected.includes(status)) return
  const code = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(body.toString('latin1'))?.[1] ?? 'no code'
  throw new BlobStoreFault(`the blob store refused to ${action}: ${status} ${code}`)
}

async function* listObjects(
  prefix: string,
  ask: (query: string) => Promise<S3Answer>,
): AsyncIterable<StoredObject> {
  let token: string | null = null
  do {
    const query = new URLSearchParams({ 'list-type': '2', prefix: `${prefix}/` })
    if (token !== null) query.set('continuation-token', token)
    const answer = await ask(query.toString().replaceAll('+', '%20'))
    requireStatus(answer, 'list', 200)
    const page = answer.body.toString()
    for (const [entry = ''] of page
      .split('<Contents>')
      .slice(1)
      .map((text) => text.split('</Contents>', 1))) {
      const name = readElement(entry, 'Key')?.slice(prefix.length + 1)
      const storedAtMs = Date.parse(readElement(entry, 'LastModified') ?? '')
      if (name !== undefined && !Number.isNaN(storedAtMs)) yield { name, storedAtMs }
    }
    token = readElement(page, 'IsTruncated') === 'true' ? readElement(page, 'NextContinuationToken') : null
  } while (token !== null)
}

/** Enough of XML for what a store says: our names need no escapes, and a token with some gets them undone. */
function readElement(xml: string, name: string): string | null {
  const start = xml.indexOf(`<${name}>`)
  const end = start < 0 ? -1 : xml.indexOf(`</${name}>`, start)
  if (end < 0) return null
  return xml
    .slice(start + name.length + 2, end)
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
