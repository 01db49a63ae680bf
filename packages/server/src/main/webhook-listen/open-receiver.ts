import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isErrno } from '../../kernel/errno.js'

export interface Received {
  at: Date
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Reply {
  status: number
  headers: Record<string, string>
  body: Buffer
}

export interface Receiver {
  port: number
  close(): Promise<void>
}

/** Events are some hundred bytes; only `assessment_completed` grows, by some 200 with each assessment. */
const bodyBytesMax = 1024 * 1024

/** On the loopback address alone: whoever else should reach it uses a tunnel. */
export async function openReceiver({
  port,
  take,
  refuse,
}: {
  /** 0: any that is free. */
  port: number
  /** The signal ends when whoever sent it has hung up. */
  take: (received: Received, signal: AbortSignal) => Promise<Reply>
  /** Told of what was answered without being taken. */
  refuse: (reason: string) => void
}): Promise<Receiver> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const hungUp = new AbortController()
    response.once('close', () => hungUp.abort())
    if (request.method !== 'POST') {
      response.writeHead(405, { allow: 'POST' }).end()
      return
    }
    const at = new Date()
    const body = await readBody(request)
    if (body === null) {
      refuse(`a request of more than ${bodyBytesMax} bytes was answered with 413`)
      response.writeHead(413, { connection: 'close' }).end()
      return
    }
    const reply = await take({ at, headers: request.headers, body }, hungUp.signal)
    response.writeHead(reply.status, reply.headers).end(reply.body)
  }

  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if (!isErrno(error, 'EADDRINUSE')) throw error
    throw new Error(`port ${port} is taken: name a free one with --port, or none`, { cause: error })
  }
  const close = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { port: (server.address() as AddressInfo).port, close }
}

/** Null: too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
