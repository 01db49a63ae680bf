import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { parseRetryAfter } from '../../src/kernel/retry-after.js'
import { readSample } from '../engines/speech/speech-fixture.js'
import { failed, fetchFrom, file, hash, serve, serveRaw } from './download-fixture.js'

describe('a hostile server', () => {
  it('with an endless body is cut off at the largest size', async () => {
    const url = await serve((_request, response) => {
      const send = (): void => void (response.destroyed || response.write(file, send))
      send()
    })
    const { outcome, bytes } = await fetchFrom(url, { sizeBytesMax: 1_000_000 })
    expect(outcome).toEqual(failed('too_large'))
    expect(bytes.length).toBeLessThanOrEqual(1_000_000)
  })

  it('that announces more than the largest size is not read at all', async () => {
    const url = await serveRaw('HTTP/1.1 200 OK\r\nContent-Length: 2147483649\r\n\r\nx', 'keep')
    const { outcome, bytes } = await fetchFrom(url)
    expect([outcome, bytes.length]).toEqual([failed('too_large'), 0])
  })

  it('that sends a byte now and then is tried again, ever more rarely, and given up after an hour', async () => {
    let times = 0
    const url = await serve((_request, response) => {
      times += 1
      response.writeHead(200, { etag: '"slow"' })
      const timer = setInterval(() => response.write('x'), 5)
      response.on('close', () => clearInterval(timer))
    })
    const { outcome, waits } = await fetchFrom(url, { stallMs: 20 })
    expect(outcome).toEqual(failed('too_slow'))
    expect(times).toBe(waits.length + 1)
    for (const [index, ms] of waits.entries()) {
      const delayMs = Math.min(1_000 * 2 ** index, 60_000)
      expect(ms).toBeGreaterThanOrEqual(delayMs * 0.75)
      expect(ms).toBeLessThanOrEqual(delayMs * 1.25)
    }
  })

  it('that is slow but sends enough is read to its end, and one that is slow for a moment is resumed', async () => {
    const bytes = randomBytes(1_000_000)
    const url = await serve((request, response) => {
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
      const isRest = from > 0
      response.writeHead(isRest ? 206 : 200, {
        etag: '"uplink"',
        'content-length': bytes.length - from,
        ...(isRest ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
      })
      let at = from
      // 2,000 bytes every 2 ms, some 100 KB in a window; the first time there is a silence in the middle.
      const timer = setInterval(() => {
        if (!isRest && at >= 500_000) return
        response.write(bytes.subarray(at, (at += 2_000)))
        if (at >= bytes.length) response.end()
      }, 2)
      response.on('close', () => clearInterval(timer))
    })
    const { outcome, bytes: received, restarts, waits } = await fetchFrom(url, { stallMs: 400 })
    expect(outcome).toMatchObject({ status: 'complete', sizeBytes: bytes.length })
    expect([hash(received), restarts]).toEqual([hash(bytes), 1])
    expect(waits.length).toBeGreaterThan(0)
  })

  it('that sends nothing after its headers is given up, and resumed', async () => {
    let times = 0
    const url = await serve((_request, response) => {
      times += 1
      if (times === 1) response.writeHead(200).flushHeaders()
      else response.end(file)
    })
    expect((await fetchFrom(url, { stallMs: 100 })).outcome).toMatchObject({ status: 'complete' })
  })

  it('that never answers is unreachable', async () => {
    const url = await serve(() => {})
    // Two seconds of its hour are left.
    const fetched = await fetchFrom(url, { stallMs: 20 }, { spentMs: 3_598_000 })
    expect(fetched.outcome).toEqual(failed('unreachable'))
  })

  it.each([
    ['resets after its headers', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', 'reset', 'broken_off'],
    ['resets in mid-body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', 'reset', 'broken_off'],
    ['announces more than it sends', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', 'end', 'broken_off'],
    [
      'breaks off a chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc',
      'end',
      'broken_off',
    ],
    ['speaks something else', 'SSH-2.0-OpenSSH_9.2\r\n', 'end', 'unreachable'],
    ['hangs up', '', 'reset', 'unreachable'],
  ] as const)('that %s is tried for an hour', async (_what, text, then, code) => {
    const { outcome, waits } = await fetchFrom(await serveRaw(text, then))
    expect(outcome).toEqual(failed(code))
    const waitedMs = waits.reduce((sum, wait) => sum + wait, 0)
    expect(waitedMs).toBeGreaterThan(3_500_000)
    expect(waitedMs).toBeLessThan(3_600_000)
    expect(Math.max(...waits)).toBeLessThanOrEqual(75_000)
  })

  it('that announces less than it sends is taken at its word', async () => {
    const url = await serveRaw('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcdefghij', 'keep')
    const { outcome, bytes } = await fetchFrom(url)
    expect([outcome.status, bytes.toString()]).toEqual(['complete', 'abcde'])
  })

  it('with a gzip bomb is refused unread', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const url = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'audio/wav' }).end(bomb),
    )
    const { outcome, bytes } = await fetchFrom(url)
    expect([outcome, bytes.length]).toEqual([failed('compressed'), 0])
  })

  it('with zero bytes has an empty file', async () => {
    expect((await fetchFrom(await serve((_request, response) => response.end()))).outcome).toEqual(
      failed('empty_file'),
    )
    const chunked = await serve((_request, response) => {
      response.flushHeaders()
      response.end()
    })
    expect((await fetchFrom(chunked)).outcome).toEqual(failed('empty_file'))
  })

  it('that calls a recording a web page is not believed', async () => {
    const recording = readSample('go-forward.ogg')
    const url = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(recording),
    )
    const { outcome, bytes } = await fetchFrom(url)
    expect([outcome.status, hash(bytes)]).toEqual(['complete', hash(recording)])
  })

  it('with a piece of a page that is called one is found out', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<script>location = "/login"</script>'),
    )
    expect((await fetchFrom(url)).outcome).toEqual(failed('web_page'))
  })

  it.each(['text/html; charset=utf-8', 'audio/mpeg'])(
    'with a web page called %s is found out',
    async (type) => {
      const url = await serve((_request, response) =>
        response.writeHead(200, { 'content-type': type }).end('\n<!DOCTYPE html><title>Sign in</title>'),
      )
      expect((await fetchFrom(url)).outcome).toEqual(failed('web_page'))
    },
  )

  it.each([
    [401, 'link_refused'],
    [403, 'link_refused'],
    [404, 'not_found'],
    [410, 'not_found'],
    [400, 'unexpected_status'],
    [204, 'unexpected_status'],
    [304, 'unexpected_status'],
    [206, 'file_changed'],
  ] as const)('that answers %i: %s', async (status, code) => {
    const { outcome } = await fetchFrom(await serve((_request, response) => response.writeHead(status).end()))
    expect(outcome).toEqual(failed(code))
  })

  it.each([408, 425, 429, 500, 502, 503, 504])('that answers %i once is tried again', async (status) => {
    let times = 0
    const url = await serve((_request, response) => {
      times += 1
      if (times === 1) response.writeHead(status).end()
      else response.end(file)
    })
    expect((await fetchFrom(url)).outcome).toMatchObject({ status: 'complete' })
  })

  it('that names a time is not asked before it', async () => {
    let times = 0
    const url = await serve((_request, response) => {
      times += 1
      if (times === 1) response.writeHead(429, { 'retry-after': '600' }).end()
      else response.end(file)
    })
    expect((await fetchFrom(url)).waits).toEqual([600_000])
  })

  it('that asks for more than the hour is given up at once', async () => {
    const url = await serve((_request, response) => response.writeHead(503, { 'retry-after': '86400' }).end())
    const { outcome, waits } = await fetchFrom(url)
    expect([outcome, waits]).toEqual([failed('unavailable'), []])
  })

  it('that redirects in a loop is given up after three', async () => {
    let times = 0
    const url = await serve((_request, response) => {
      times += 1
      response.writeHead(302, { location: '/again' }).end()
    })
    expect((await fetchFrom(url)).outcome).toEqual(failed('too_many_redirects'))
    expect(times).toBe(4)
  })
})

describe('Retry-After', () => {
  it('is seconds or a date, and nothing else', () => {
    const now = Date.parse('2026-11-15T00:00:00Z')
    expect(parseRetryAfter('120', now)).toBe(120_000)
    expect(parseRetryAfter('Sun, 15 Nov 2026 00:01:00 GMT', now)).toBe(60_000)
    expect(
      ['-5', 'soon', 'Sun, 15 Nov 2020 00:00:00 GMT', '', undefined].map((text) =>
        parseRetryAfter(text, now),
      ),
    ).toEqual([null, null, null, null, null])
  })
})
