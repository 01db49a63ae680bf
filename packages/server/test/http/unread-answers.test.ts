import { connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { listen } from '../../src/http/listen.js'
import { makeHttpServer } from '../../src/http/server.js'
import { makeLog } from '../../src/kernel/log.js'
import { freePort, waitUntil } from '../support/casenote-process.js'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Asks for an answer that no system keeps in its own buffers. */
function ask(port: number, host: string): Promise<Socket | null> {
  const socket = connect(port, host)
  socket.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n')
  return new Promise((resolve) => {
    socket.once('readable', () => resolve(socket))
    // A machine without IPv6.
    socket.once('error', () => resolve(null))
  })
}

it('who does not read an answer is hung up on, and who reads slowly is not', async () => {
  const app = makeHttpServer({ clock: { nowMs: () => 0 }, log: makeLog('silent', 'test'), stillMs: 500 })
  const open = new Set<Socket>()
  app.get('/long', async (request) => {
    open.add(request.raw.socket)
    request.raw.socket.once('close', () => open.delete(request.raw.socket))
    return 'x'.repeat(30_000_000)
  })
  const port = await freePort()
  const listening = await listen(app, { host: 'localhost', port })
  ends.push(() => listening.close())
  for (const host of ['127.0.0.1', '::1']) {
    const idle = await ask(port, host)
    if (idle === null) continue
    expect(open.size).toBe(1)
    await waitUntil(async () => open.size === 0, `the connection to ${host} is closed`)
    idle.destroy()
  }
  const reader = await ask(port, '127.0.0.1')
  let bytes = 0
  // Longer than anybody may stand still, in all; slowly, but so that the system's buffers move all the time.
  for (const startedAt = performance.now(); performance.now() - startedAt < 1_500;) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    bytes += (reader?.read() as Buffer | null)?.length ?? 0
  }
  expect(open.size).toBe(1)
  reader?.on('data', (piece: Buffer) => (bytes += piece.length))
  await waitUntil(async () => bytes > 30_000_000, 'all of it is read')
  reader?.destroy()
})
