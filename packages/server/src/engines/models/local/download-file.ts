import { open, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici'

export interface Download {
  /** What the hub says that the file's SHA-256 is; null where it does not. */
  digest: string | null
}

/** Hubs send on to where the bytes lie: one or two times. */
const redirectsMax = 5
/** Each goes on where the last one broke off; five times without a byte is a server in trouble. */
const fruitlessAttemptsMax = 5
const stallMs = 60_000
/** The largest of 30B with 16 bits has 61 GB. */
const sizeBytesMax = 200e9

/** Told to the operator as it is. */
export class DownloadProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DownloadProblem'
  }
}

/** Into `part`, going on where an earlier call was broken off. Through the proxy that the environment names, if any. */
export async function downloadFile(
  url: string,
  part: string,
  options: {
    onProgress: (done: number, total: number | null) => void
    signal: AbortSignal
    pauseMs?: number
  },
): Promise<Download> {
  const agent = new EnvHttpProxyAgent({ headersTimeout: stallMs, bodyTimeout: stallMs })
  let fruitless = 0
  try {
    for (;;) {
      const before = await sizeOf(part)
      try {
        return await fetchRest(agent, url, part, options)
      } catch (error) {
        options.signal.throwIfAborted()
        if (error instanceof DownloadProblem) throw error
        fruitless = (await sizeOf(part)) > before ? 0 : fruitless + 1
        if (fruitless >= fruitlessAttemptsMax) {
          throw new DownloadProblem(
            `the download broke off ${fruitless} times; the next try goes on from here`,
          )
        }
        await wait((options.pauseMs ?? 1_000) * 2 ** fruitless, undefined, { signal: options.signal })
      }
    }
  } finally {
    await agent.destroy()
  }
}

async function fetchRest(
  agent: Dispatcher,
  url: string,
  part: string,
  { onProgress, signal }: { onProgress: (done: number, total: number | null) => void; signal: AbortSignal },
): Promise<Download> {
  const from = await readMark(part, url)
  const { response, digest } = await follow(agent, url, from, signal)
  const { statusCode, headers, body } = response
  if (statusCode === 416) {
    body.destroy()
    const total = /\/(\d+)$/.exec(String(headers['content-range']))?.[1]
    if (from !== null && Number(total) === from.size) return { digest }
    await rm(part, { force: true })
    throw new Error('what lies here is not the beginning of the file')
  }
  if (statusCode !== 200 && statusCode !== 206) {
    body.destroy()
    const isTheirs = statusCode >= 500 || statusCode === 429
    const said = `the server answered ${statusCode}`
    throw isTheirs ? new Error(said) : new DownloadProblem(said)
  }
  const isResumed = statusCode === 206 && from !== null && startsAt(headers, from.size)
  if (statusCode === 206 && !isResumed) {
    body.destroy()
    await rm(part, { force: true })
    throw new Error('the server sent another part than was asked for')
  }
  let done = isResumed ? from.size : 0
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length'])
  const total = length === null ? null : done + length
  await checkRoom(part, total, done)
  if (!isResumed) await rm(part, { force: true })
  await writeFile(markOf(part), JSON.stringify({ url, etag: headers.etag ?? null }), { mode: 0o600 })
  // One by one: a pipeline throws away what it holds when the connection breaks.
  const file = await open(part, isResumed ? 'a' : 'w', 0o600)
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      await file.writeFile(chunk)
      done += chunk.length
      if (done > sizeBytesMax) throw new DownloadProblem('the file is larger than any model that is known')
      onProgress(done, total)
    }
  } finally {
    body.destroy()
    await file.close()
  }
  if (total !== null && done !== total) throw new Error('the answer was cut off')
  return { digest }
}

interface Mark {
  size: number
  etag: string | null
}

/** Stays beside the part until the file has its name: a complete part is not fetched again. */
export const markOf = (part: string): string => `${part}.from`

/** What an earlier call left, if it was the same address. */
async function readMark(part: string, url: string): Promise<Mark | null> {
  const size = await sizeOf(part)
  if (size === 0) return null
  try {
    const mark = JSON.parse(await readFile(markOf(part), 'utf8')) as { url?: unknown; etag?: unknown }
    if (mark.url === url) return { size, etag: typeof mark.etag === 'string' ? mark.etag : null }
  } catch {
    // Nobody knows what it is the beginning of: it begins anew.
  }
  return null
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

async function follow(
  agent: Dispatcher,
  url: string,
  from: Mark | null,
  signal: AbortSignal,
): Promise<{ response: Dispatcher.ResponseData; digest: string | null }> {
  let place = new URL(url)
  let digest: string | null = null
  for (let count = 0; count <= redirectsMax; count += 1) {
    const response = await request(place, {
      dispatcher: agent,
      signal,
      headers: {
        'user-agent': 'casenote',
        'accept-encoding': 'identity',
        ...(from === null ? {} : { range: `bytes=${from.size}-` }),
        ...(from?.etag ? { 'if-range': from.etag } : {}),
      },
    })
    const { statusCode, headers, body } = response
    body.on('error', () => undefined)
    digest ??= readDigest(headers['x-linked-etag']) ?? readDigest(headers.etag)
    if (![301, 302, 303, 307, 308].includes(statusCode)) return { response, digest }
    body.destroy()
    const next = new URL(String(headers.location), place)
    if (place.protocol === 'https:' && next.protocol !== 'https:') {
      throw new DownloadProblem('the server sends on to an address without encryption')
    }
    place = next
  }
  throw new DownloadProblem('the server sends on from address to address')
}

/** Hubs name a large file by its SHA-256; what is shorter is another kind of mark. */
function readDigest(header: string | string[] | undefined): string | null {
  return /^(?:W\/)?"?([0-9a-f]{64})"?$/.exec(String(header))?.[1] ?? null
}

const startsAt = (headers: Dispatcher.ResponseData['headers'], start: number): boolean =>
  String(headers['content-range']).startsWith(`bytes ${start}-`)

async function checkRoom(part: string, total: number | null, done: number): Promise<void> {
  if (total === null) return
  const { bavail, bsize } = await statfs(dirname(part))
  const free = bavail * bsize
  if (total - done > free) {
    const gb = (bytes: number): string => (bytes / 1e9).toFixed(1)
    throw new DownloadProblem(`the disk has ${gb(free)} GB left, the file needs ${gb(total - done)} more`)
  }
}
