import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { afterEach } from 'vitest'
import { DOWNLOAD_FAILURES } from '../../src/kernel/guarded-fetch/download-outcomes.js'
import {
  beginDownload,
  continueDownload,
  type DownloadOptions,
  type DownloadOutcome,
  type DownloadSink,
  type DownloadState,
} from '../../src/kernel/guarded-fetch/download.js'
import { makeGuardedAgent } from '../../src/kernel/guarded-fetch/guarded-agent.js'
import { listen, startWebServer } from './guard-fixture.js'

export const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

export const file = randomBytes(300_000)
export const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** A sink in memory. */
export function makeSink(): {
  write(bytes: Buffer): Promise<void>
  restart(): Promise<void>
  bytes(): Buffer
  restarts: number
} {
  let chunks: Buffer[] = []
  const sink = {
    restarts: 0,
    write: (bytes: Buffer) => Promise.resolve(void chunks.push(Buffer.from(bytes))),
    restart: () => {
      chunks = []
      sink.restarts += 1
      return Promise.resolve()
    },
    bytes: () => Buffer.concat(chunks),
  }
  return sink
}

export interface Fetched {
  outcome: DownloadOutcome
  bytes: Buffer
  restarts: number
  waits: number[]
}

/** Attempt by attempt, as the pipeline does, but for the waits between them. */
export async function downloadFile(
  url: string,
  sink: DownloadSink,
  options: DownloadOptions,
  given: Partial<DownloadState> = {},
): Promise<{ outcome: DownloadOutcome; waits: number[] }> {
  const state = { ...beginDownload(), ...given }
  const waits: number[] = []
  for (;;) {
    const outcome = await continueDownload(url, sink, state, options)
    if (outcome.status !== 'interrupted') return { outcome, waits }
    waits.push(outcome.retryInMs)
  }
}

export async function fetchFrom(
  url: string,
  options: Partial<DownloadOptions> = {},
  given: Partial<DownloadState> = {},
): Promise<Fetched> {
  const dispatcher = makeGuardedAgent({ environment: 'sandbox' })
  cleanUps.push(() => dispatcher.destroy())
  const sink = makeSink()
  const settings = { dispatcher, environment: 'sandbox', ...options } as const
  const { outcome, waits } = await downloadFile(url, sink, settings, given)
  return { outcome, bytes: sink.bytes(), restarts: sink.restarts, waits }
}

export async function serve(listener: RequestListener): Promise<string> {
  const server = await startWebServer(listener)
  cleanUps.push(() => server.close())
  return `http://127.0.0.1:${server.port}/recording.mp3?signature=secret`
}

/** Answers every connection with the same raw bytes. */
export async function serveRaw(text: string, then: 'end' | 'reset' | 'keep'): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () =>
      socket.write(text, () => {
        if (then === 'end') socket.end()
        if (then === 'reset') socket.resetAndDestroy()
      }),
    )
  })
  const listener = await listen(server, '127.0.0.1')
  cleanUps.push(() => listener.close())
  return `http://127.0.0.1:${listener.port}/`
}

export const failed = (code: keyof typeof DOWNLOAD_FAILURES): DownloadOutcome => ({
  status: 'failed',
  code,
  message: DOWNLOAD_FAILURES[code],
})

/** A proper file server that breaks off every answer after so many bytes. */
export function serveInPieces(
  bytes: Buffer,
  piece: number,
  headers: Record<string, string>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const isRest =
      request.headers.range !== undefined && request.headers['if-range'] === Object.values(headers)[0]
    const from = isRest ? start : 0
    response.writeHead(isRest ? 206 : 200, {
      ...headers,
      'content-length': bytes.length - from,
      ...(isRest ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
    })
    const part = bytes.subarray(from, from + piece)
    if (from + part.length === bytes.length) response.end(part)
    else response.write(part, () => setImmediate(() => response.destroy()))
  }
}
