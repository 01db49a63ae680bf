import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'undici'

export interface Forwarded {
  /** Null without an answer. */
  status: number | null
  /** Null with an answer. */
  error: string | null
  durationMs: number
  headers: Record<string, string>
  body: Buffer
}

/** The service waits 15 s and hangs up, which ends the forwarding, too. Longer than that, so that it is the one to say so. */
const answerWithinMs = 20_000

/** The service reads the status and Retry-After and drops the rest; a little of the body helps whoever posts by hand. */
const answerBytesMax = 64 * 1024
const answerHeaders = ['content-type', 'retry-after', 'location'] as const

/** Between two neighbours on the way (RFC 9110 7.6.1), or written anew for the next one. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Sends the same bytes and headers to the target; never throws. Redirects are passed on, not followed. */
export async function forwardRequest(
  target: string,
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  signal: AbortSignal,
): Promise<Forwarded> {
  const startedAtMs = performance.now()
  const durationMs = (): number => Math.round(performance.now() - startedAtMs)
  try {
    const answer = await request(target, {
      method: 'POST',
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name))),
      body,
      signal,
      headersTimeout: answerWithinMs,
      bodyTimeout: answerWithinMs,
    })
    const read = await readStart(answer.body)
    return {
      status: answer.statusCode,
      error: null,
      durationMs: durationMs(),
      headers: pickHeaders(answer.headers),
      body: read,
    }
  } catch (error) {
    const reason = signal.aborted ? 'no answer while the service waited' : nameError(error)
    return { status: null, error: reason, durationMs: durationMs(), headers: {}, body: Buffer.alloc(0) }
  }
}

/** The status has come by now and is the answer, as it is for the service: a body that breaks off changes nothing. */
async function readStart(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    // Leaving the loop closes the stream.
    for await (const chunk of stream) {
      chunks.push(chunk.subarray(0, answerBytesMax - bytes))
      bytes += chunk.length
      if (bytes >= answerBytesMax) break
    }
  } catch {
    return Buffer.concat(chunks)
  }
  return Buffer.concat(chunks)
}

function pickHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const name of answerHeaders) {
    const value = headers[name]
    if (typeof value === 'string') picked[name] = value
  }
  return picked
}

function nameError(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  if (code === 'ECONNREFUSED') return 'connection refused'
  return typeof code === 'string' ? code : 'no answer'
}
