import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeGuardedAgent } from '../../src/kernel/guarded-fetch/guarded-agent.js'
import {
  cleanUps,
  downloadFile,
  fetchFrom,
  file,
  hash,
  makeSink,
  serve,
  serveInPieces,
} from './download-fixture.js'

describe('a file', () => {
  it('arrives as it is, asked for without compression', async () => {
    const asked: unknown[] = []
    const url = await serve((request, response) => {
      asked.push(request.headers['accept-encoding'], request.url)
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(file)
    })
    const { outcome, bytes } = await fetchFrom(url)
    expect(outcome).toEqual({ status: 'complete', sizeBytes: file.length, contentType: 'audio/mpeg' })
    expect(hash(bytes)).toBe(hash(file))
    expect(asked).toEqual(['identity', '/recording.mp3?signature=secret'])
  })

  it('arrives the same when it is fetched twice into one sink', async () => {
    const url = await serve((_request, response) => response.end(file))
    const dispatcher = makeGuardedAgent({ environment: 'sandbox' })
    cleanUps.push(() => dispatcher.destroy())
    const sink = makeSink()
    await downloadFile(url, sink, { dispatcher, environment: 'sandbox' })
    await downloadFile(url, sink, { dispatcher, environment: 'sandbox' })
    expect(hash(sink.bytes())).toBe(hash(file))
  })

  it('of several hundred megabytes does not pass through memory as a whole', async () => {
    const chunk = Buffer.alloc(1_048_576, 7)
    const url = await serve((_request, response) => {
      let sent = 0
      const send = (): void => {
        while (sent < 300) {
          sent += 1
          if (!response.write(chunk)) return void response.once('drain', send)
        }
        response.end()
      }
      send()
    })
    const dispatcher = makeGuardedAgent({ environment: 'sandbox' })
    cleanUps.push(() => dispatcher.destroy())
    let most = 0
    const before = process.memoryUsage().arrayBuffers
    const write = (): Promise<void> => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      return Promise.resolve()
    }
    const { outcome } = await downloadFile(
      url,
      { write, restart: () => Promise.resolve() },
      { dispatcher, environment: 'sandbox' },
    )
    expect(outcome).toMatchObject({ status: 'complete', sizeBytes: 300 * 1_048_576 })
    expect(most).toBeLessThan(120 * 1_048_576)
  })

  it.each([
    ['a strong ETag', { etag: '"abc"' }],
    ['a date', { 'last-modified': 'Sat, 01 Nov 2025 00:00:00 GMT' }],
  ] as const)('is resumed where it broke off, by %s', async (_by, headers) => {
    const { outcome, bytes, restarts } = await fetchFrom(await serve(serveInPieces(file, 70_000, headers)))
    expect(outcome).toMatchObject({ status: 'complete', sizeBytes: file.length })
    expect(hash(bytes)).toBe(hash(file))
    expect(restarts).toBe(1)
  })

  it('is resumed whatever its size and wherever it breaks', async () => {
    let bytes = Buffer.alloc(0)
    let piece = 1
    const url = await serve((request, response) =>
      serveInPieces(bytes, piece, { etag: '"x"' })(request, response),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40_000 }),
        fc.integer({ min: 1, max: 12 }),
        async (size, pieces) => {
          bytes = randomBytes(size)
          piece = Math.ceil(size / pieces)
          const fetched = await fetchFrom(url)
          expect(fetched.outcome).toMatchObject({ status: 'complete', sizeBytes: size })
          expect(hash(fetched.bytes)).toBe(hash(bytes))
        },
      ),
      { numRuns: 30 },
    )
  })

  it.each([
    ['has no validator', {}],
    ['has a weak ETag', { etag: 'W/"abc"' }],
  ])('starts over when it broke off and %s', async (_why, headers) => {
    let times = 0
    const url = await serve((request, response) => {
      times += 1
      expect(request.headers.range).toBeUndefined()
      serveInPieces(file, times === 1 ? 70_000 : file.length, headers)(request, response)
    })
    const { bytes, restarts } = await fetchFrom(url)
    expect(hash(bytes)).toBe(hash(file))
    expect(restarts).toBe(2)
  })

  it('that changed between two reads starts over, and is never a mixture', async () => {
    const other = randomBytes(280_000)
    let times = 0
    const url = await serve((request, response) => {
      times += 1
      if (times === 1) serveInPieces(file, 70_000, { etag: '"one"' })(request, response)
      else serveInPieces(other, times === 2 ? 90_000 : other.length, { etag: '"two"' })(request, response)
    })
    const { outcome, bytes, restarts } = await fetchFrom(url)
    expect(outcome).toMatchObject({ status: 'complete', sizeBytes: other.length })
    expect(hash(bytes)).toBe(hash(other))
    expect(restarts).toBe(2)
  })

  it.each([
    ['another ETag', { etag: '"two"', 'content-range': 'bytes 70000-299999/300000' }],
    ['another start', { etag: '"one"', 'content-range': 'bytes 69999-299999/300000' }],
    ['another length', { etag: '"one"', 'content-range': 'bytes 70000-299999/300001' }],
    ['several ranges', { etag: '"one"', 'content-type': 'multipart/byteranges; boundary=x' }],
  ])('whose rest comes with %s starts over', async (_what, headers) => {
    let times = 0
    const url = await serve((request, response) => {
      times += 1
      if (times === 1) serveInPieces(file, 70_000, { etag: '"one"' })(request, response)
      else if (request.headers.range === undefined) response.end(file)
      else response.writeHead(206, headers).end(file.subarray(70_000))
    })
    const { bytes, restarts } = await fetchFrom(url)
    expect(hash(bytes)).toBe(hash(file))
    expect(restarts).toBe(2)
  })

  it('that is shorter now (416) starts over', async () => {
    let times = 0
    const url = await serve((request, response) => {
      times += 1
      if (times === 1) serveInPieces(file, 70_000, { etag: '"one"' })(request, response)
      else if (request.headers.range === undefined) response.end('short')
      else response.writeHead(416).end()
    })
    const { outcome, bytes } = await fetchFrom(url)
    expect([outcome.status, bytes.toString()]).toEqual(['complete', 'short'])
  })

  it('whose last byte came before the worker ended is complete, and not asked for again', async () => {
    let times = 0
    const url = await serve((_request, response) => {
      times += 1
      response.writeHead(416).end()
    })
    const given = { validator: '"one"', receivedBytes: 300_000, totalBytes: 300_000 }
    expect((await fetchFrom(url, {}, given)).outcome).toMatchObject({
      status: 'complete',
      sizeBytes: 300_000,
    })
    expect(times).toBe(0)
  })

  it('that the sink cannot keep is a fault, not an outcome', async () => {
    const url = await serve((_request, response) => response.end(file))
    const dispatcher = makeGuardedAgent({ environment: 'sandbox' })
    cleanUps.push(() => dispatcher.destroy())
    const sink = { restart: () => Promise.resolve(), write: () => Promise.reject(new Error('disk full')) }
    await expect(downloadFile(url, sink, { dispatcher, environment: 'sandbox' })).rejects.toThrow('disk full')
  })

  it('is given up at once when the process shuts down', async () => {
    const stop = new AbortController()
    const url = await serve((_request, response) => {
      response.write('x', () => stop.abort(new Error('shutting down')))
    })
    await expect(fetchFrom(url, { signal: stop.signal })).rejects.toThrow('shutting down')
  })
})
