import { connect, type AddressInfo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { listen } from '../../src/http/listen.js'
import { metrics } from '../../src/http/metrics.js'
import { SentFile } from '../../src/http/sent-file.js'
import { makeHttpServer } from '../../src/http/server.js'
import type { ReadingLimits } from '../../src/http/slow-readers.js'
import { makeLog } from '../../src/kernel/log.js'
import { freePort, waitUntil } from '../support/casenote-process.js'

/** More than any system keeps in its own buffers. */
const fileBytes = 60_000_000

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

describe('who reads a byte now and then', () => {
  /** Less than the least, and so often that the connection never stands still. */
  async function nibble(
    path: string,
    reading: ReadingLimits,
  ): Promise<{ isCut: boolean; takenBytes: number }> {
    const app = makeHttpServer({ clock: { nowMs: () => 0 }, log: makeLog('silent', 'test'), reading })
    const seen = { isCut: false, isFileClosed: false }
    app.get('/whole', { config: { operation: 'test.whole' } }, async (request) => {
      request.raw.socket.once('close', () => (seen.isCut = true))
      return 'x'.repeat(fileBytes)
    })
    app.get('/file', { config: { operation: 'test.file' } }, async (request, reply) => {
      request.raw.socket.once('close', () => (seen.isCut = true))
      const stream = Readable.from([Buffer.alloc(fileBytes)], { objectMode: false })
      // Who downloads has a place until then.
      stream.once('close', () => (seen.isFileClosed = true))
      return new SentFile(stream, { sizeBytes: fileBytes, name: 'file' }).send(reply, 'application/zip')
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    ends.push(() => app.close())
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
    const endAtMs = performance.now() + 6_000
    let takenBytes = 0
    while (!seen.isCut && performance.now() < endAtMs && takenBytes < fileBytes) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      takenBytes += (socket.read() as Buffer | null)?.length ?? 0
    }
    const { isCut } = seen
    if (isCut && path === '/file')
      await waitUntil(async () => seen.isFileClosed, 'the file is read no longer')
    socket.destroy()
    return { isCut, takenBytes }
  }

  const countCut = async (operation: string): Promise<number> => {
    const text = await metrics.getSingleMetricAsString('casenote_slow_readers_total')
    return Number(new RegExp(`operation="${operation}"} (\\d+)`).exec(text)?.[1] ?? 0)
  }

  it.each(['whole', 'file'])('is hung up on, and counted by what was read: %s', async (path) => {
    // Nobody reads as fast as this.
    const limits = { leastBytesASecond: 1e9, graceMs: 200, lookEveryMs: 50 }
    expect((await nibble(`/${path}`, limits)).isCut).toBe(true)
    expect(await countCut(`test.${path}`)).toBe(1)
  })

  it.each(['whole', 'file'])('is let read while that is fast enough: %s', async (path) => {
    const limits = { leastBytesASecond: 1_000, graceMs: 2_500, lookEveryMs: 50 }
    const { isCut, takenBytes } = await nibble(`/${path}`, limits)
    expect([isCut, takenBytes > 1_000_000]).toEqual([false, true])
  })
})
