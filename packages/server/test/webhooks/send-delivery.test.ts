import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { AttemptResult } from '../../src/features/webhooks/dispatch/decide-outcome.js'
import { sendDelivery, type LiveAttempts } from '../../src/features/webhooks/dispatch/send-delivery.js'
import { makeGuardedAgent } from '../../src/kernel/guarded-fetch/guarded-agent.js'
import { freePort, waitUntil } from '../support/casenote-process.js'

const agent = makeGuardedAgent({ environment: 'sandbox' })
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A receiver that is no HTTP server at all: it writes what it wants once a request has come. */
async function listenRaw(
  behave: (socket: Socket) => void,
  createIt: (listener: (socket: Socket) => void) => Server = (listener) => createServer(listener),
): Promise<{ port: number; open: Set<Socket> }> {
  const open = new Set<Socket>()
  const server = createIt((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {}) // Being cut off is the point.
    socket.once('data', () => behave(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    for (const socket of open) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as AddressInfo).port, open }
}

const send = (port: number, timeoutMs = 15_000, protocol = 'http'): Promise<AttemptResult> =>
  sendDelivery(
    agent,
    { url: `${protocol}://127.0.0.1:${port}/hook?a=1`, body: Buffer.from('{}'), headers: {} },
    { live: new Set(), timeoutMs },
  )

const closed = (open: Set<Socket>): Promise<void> =>
  waitUntil(async () => open.size === 0, 'the connection is closed', 5_000)

describe('a hostile receiver', () => {
  it('with an endless body has answered, and is cut off', async () => {
    const { port, open } = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const flood = (): void => {
        while (!socket.destroyed && socket.write(`400\r\n${'x'.repeat(1024)}\r\n`));
        socket.once('drain', flood)
      }
      flood()
    })
    expect(await send(port)).toMatchObject({ httpStatus: 200, error: null })
    await closed(open)
  })

  it('that sends a byte a second is given up at the timeout', async () => {
    const { port, open } = await listenRaw((socket) => {
      const text = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
      let index = 0
      const timer = setInterval(() => socket.write(text.charAt(index++)), 100)
      socket.on('close', () => clearInterval(timer))
    })
    const result = await send(port, 500)
    expect(result).toMatchObject({ httpStatus: null, error: 'timeout' })
    expect(result.durationMs).toBeGreaterThanOrEqual(490)
    expect(result.durationMs).toBeLessThan(1_500)
    await closed(open)
  })

  it('that sends its head and then a byte a second has answered', async () => {
    const { port, open } = await listenRaw((socket) => {
      socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 1000\r\n\r\n')
      const timer = setInterval(() => socket.write('x'), 100)
      socket.on('close', () => clearInterval(timer))
    })
    expect(await send(port)).toMatchObject({ httpStatus: 202 })
    await closed(open)
  })

  it('that resets after its head has answered', async () => {
    const { port } = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n', () => socket.resetAndDestroy())
    })
    const result = await send(port)
    expect(['200', 'connection_reset']).toContain(String(result.httpStatus ?? result.error))
  })

  it('that resets before its head has not', async () => {
    const { port } = await listenRaw((socket) => socket.resetAndDestroy())
    expect(await send(port)).toMatchObject({ httpStatus: null, error: 'connection_reset' })
  })

  it('that says nothing and closes has not answered', async () => {
    const { port } = await listenRaw((socket) => socket.end())
    expect(await send(port)).toMatchObject({ httpStatus: null, error: 'connection_reset' })
  })

  it.each(['5', '100000'])('with a false content-length of %s has answered by its status', async (length) => {
    const { port, open } = await listenRaw((socket) => {
      socket.end(`HTTP/1.1 500 No\r\ncontent-length: ${length}\r\n\r\nlonger than five`)
    })
    expect(await send(port)).toMatchObject({ httpStatus: 500 })
    await closed(open)
  })

  it('with a gzip bomb is read no further than 4 KiB, and nothing is inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const { port, open } = await listenRaw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    })
    const before = process.memoryUsage().rss
    expect(await send(port)).toMatchObject({ httpStatus: 200 })
    await closed(open)
    expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000)
  })

  it('that speaks no HTTP is not understood', async () => {
    const { port } = await listenRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
    expect(await send(port)).toMatchObject({ httpStatus: null, error: 'invalid_answer' })
  })

  it('with endless headers is not understood, or given up', async () => {
    const { port, open } = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const flood = (): void => {
        while (!socket.destroyed && socket.write(`x-more: ${'x'.repeat(1024)}\r\n`));
        socket.once('drain', flood)
      }
      flood()
    })
    expect(await send(port, 3_000)).toMatchObject({ httpStatus: null, error: 'invalid_answer' })
    await closed(open)
  })

  it('with a certificate that nobody vouches for is not trusted', async () => {
    const pem = readFileSync(new URL('../guarded-fetch/tls/self-signed.pem', import.meta.url))
    const { port } = await listenRaw(
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
      (listener) => {
        const server = createTlsServer({ key: pem, cert: pem }, listener)
        server.on('tlsClientError', () => {}) // It is refused, as it should be.
        return server
      },
    )
    expect(await send(port, 15_000, 'https')).toMatchObject({ httpStatus: null, error: 'tls_failed' })
  })

  it('that speaks no TLS is told apart', async () => {
    const { port } = await listenRaw((socket) => socket.end('HTTP/1.1 400 No\r\n\r\n'))
    expect(await send(port, 15_000, 'https')).toMatchObject({ httpStatus: null, error: 'tls_failed' })
  })

  it('that is not there refuses the connection', async () => {
    expect(await send(await freePort())).toMatchObject({ httpStatus: null, error: 'connection_refused' })
  })
})

describe('an attempt', () => {
  it('answers of every class come back as they are, 1xx is waited out', async () => {
    for (const status of [200, 204, 299, 301, 404, 410, 500, 599]) {
      const { port } = await listenRaw((socket) => {
        socket.write('HTTP/1.1 102 Processing\r\n\r\n')
        socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\nretry-after: 7\r\n\r\n`)
      })
      expect(await send(port)).toMatchObject({ httpStatus: status, retryAfterMs: 7_000 })
    }
  })

  it('is broken off when we are told to stop, and says so', async () => {
    const { port, open } = await listenRaw(() => {})
    const live: LiveAttempts = new Set()
    const sending = sendDelivery(
      agent,
      { url: `http://127.0.0.1:${port}`, body: Buffer.from('{}'), headers: {} },
      { live },
    )
    await waitUntil(async () => open.size === 1, 'it is connected')
    for (const attempt of live) attempt.interrupt()
    expect(await sending).toMatchObject({ httpStatus: null, error: 'interrupted' })
    await closed(open)
  })
})
