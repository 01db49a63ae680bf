import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import { OpenCalls } from '../../src/http/open-calls.js'
import { makeHttpServer } from '../../src/http/server.js'
import { WidgetApi } from '../../src/http/widget-api.js'
import type { WidgetCaller } from '../../src/http/widget-caller.js'
import { makeLog } from '../../src/kernel/log.js'
import { waitUntil } from '../support/casenote-process.js'
import { findDelayMs, loopDelayMaxMs } from '../support/watch-loop.js'

const log = makeLog('silent', 'test')

const makeCaller = (clinicianId: string): WidgetCaller => ({
  tenant: { tenantId: 'tenant' },
  clinicianId,
  widgetSessionId: `of ${clinicianId}`,
  expiresAtMs: Infinity,
  tokenKeyVersion: 1,
})

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

it('a call whose caller hung up while they were looked up is not looked at again', async () => {
  const app = makeHttpServer({ clock: { nowMs: () => 0 }, log })
  const looks: string[][] = []
  const gone = new Set<string>()
  const api = new WidgetApi(app, {
    log,
    // As long as the look-up of a token takes the one who leaves.
    findCaller: async (token) => {
      if (token === 'leaves') await waitUntil(async () => gone.has(token), 'the connection is gone')
      return makeCaller(token)
    },
    admit: () => ({ isAdmitted: true, retryAfterSeconds: 0 }) as never,
    recordRead: async () => {},
    sealAddress: () => '',
    selectLetIn: () => ({ text: '', values: [] }),
    mayGoOn: async (_tenantId, callers) => {
      looks.push(callers.map(({ clinicianId }) => clinicianId))
      return callers.map(() => true)
    },
  })
  let answer = (): void => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  api.raw({ operation: 'x', method: 'GET', path: '/x', respond: () => answered })
  await app.listen({ host: '127.0.0.1', port: 0 })
  ends.push(
    () => app.close(),
    () => api.close(),
  )
  app.server.on('connection', (socket) => socket.once('close', () => gone.add('leaves')))
  const ask = (token: string) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`GET /widget/v1/x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`)
    return socket
  }
  const request = once(app.server, 'request')
  const leaving = ask('leaves')
  await request
  leaving.resetAndDestroy()
  const staying = ask('stays')
  await waitUntil(async () => looks.length > 0, 'the open calls are looked at')
  expect(looks[0]).toEqual(['stays'])
  answer()
  staying.destroy()
})

it('an answer that is being read slowly ends when its caller is cut off; another’s is written to its end', async () => {
  const app = makeHttpServer({ clock: { nowMs: () => 0 }, log })
  const api = new WidgetApi(app, {
    log,
    findCaller: async (token) => makeCaller(token),
    admit: () => ({ isAdmitted: true, retryAfterSeconds: 0 }) as never,
    recordRead: async () => {},
    sealAddress: () => '',
    selectLetIn: () => ({ text: '', values: [] }),
    mayGoOn: async (_tenantId, callers) => callers.map(({ clinicianId }) => clinicianId === 'stays'),
  })
  // More than any system keeps in its own buffers.
  const clip = Buffer.alloc(30_000_000)
  const closed = new Set<string>()
  api.raw({
    operation: 'x',
    method: 'GET',
    path: '/x',
    respond: async ({ caller }, request, reply) => {
      request.raw.socket.once('close', () => closed.add(caller.clinicianId))
      return reply.send(clip)
    },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  ends.push(
    () => app.close(),
    () => api.close(),
  )
  const ask = (token: string) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`GET /widget/v1/x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`)
    return socket
  }
  const sockets = [ask('goes'), ask('stays')] as const
  const startedAt = performance.now()
  await waitUntil(async () => {
    for (const socket of sockets) socket.read(1_000)
    return closed.size > 0
  }, 'somebody is hung up on')
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect([...closed]).toEqual(['goes'])
  let bytes = 0
  sockets[1].on('data', (piece: Buffer) => (bytes += piece.length))
  // What was read slowly is not counted.
  await waitUntil(async () => bytes > clip.length - 1_000_000, 'the other is read to its end')
  for (const socket of sockets) socket.destroy()
})

it('after a storm of calls that are sent without waiting and hung up on at any moment, none is counted', async () => {
  const app = makeHttpServer({ clock: { nowMs: () => 0 }, log })
  const tokens = ['a', 'b', 'c']
  let turnsTaken = 0
  const turns: (() => void)[] = []
  /** Some at once, some a turn later, some after the storm. */
  const turn = (): Promise<void> | undefined => {
    turnsTaken += 1
    if (turnsTaken % 3 === 0) return undefined
    if (turnsTaken % 3 === 1) return new Promise((resolve) => setImmediate(resolve))
    return new Promise((resolve) => turns.push(resolve))
  }
  const api = new WidgetApi(app, {
    log,
    findCaller: async (token) => {
      await turn()
      return makeCaller(token)
    },
    admit: () => ({ isAdmitted: true, retryAfterSeconds: 0 }) as never,
    recordRead: async () => {},
    sealAddress: () => '',
    selectLetIn: () => ({ text: '', values: [] }),
    mayGoOn: async (_tenantId, callers) => callers.map(() => true),
  })
  let answered = 0
  api.raw({
    operation: 'x',
    method: 'GET',
    path: '/x',
    respond: async (_context, _request, reply) => {
      await turn()
      answered += 1
      const body = answered % 2 === 0 ? 'x'.repeat(300_000) : Readable.from(['x', 'y'])
      return await reply.type('text/plain').send(body)
    },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  ends.push(
    () => app.close(),
    () => api.close(),
  )
  const { port } = app.server.address() as AddressInfo
  const storm = async (number: number): Promise<void> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    const asked = Array.from({ length: 1 + (number % 7) }, (_, index) => tokens[(number + index) % 3])
    const request = once(app.server, 'request')
    for (const token of asked)
      socket.write(`GET /widget/v1/x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`)
    await request
    // Before anything is answered, after the first bytes of it, or all of it is read.
    if (number % 3 === 1)
      await Promise.race([once(socket, 'data'), new Promise((end) => setTimeout(end, 20))])
    if (number % 3 === 2) socket.resume()
    turns.splice(0, number % 4).forEach((go) => go())
    if (number % 2 === 0) socket.resetAndDestroy()
    else socket.destroy()
  }
  for (let number = 0; number < 120; number += 1) await storm(number)
  // Now all of them go on, for whoever is still there.
  await waitUntil(async () => {
    turns.splice(0).forEach((go) => go())
    return api.openCalls === 0
  }, 'no call is open')
})

it('a look at thousands of open calls of a tenant leaves the loop to the others', async () => {
  let looks = 0
  const calls = new OpenCalls({
    log,
    mayGoOn: async (_tenantId, callers) => {
      looks += 1
      return callers.map(() => true)
    },
  })
  ends.push(() => calls.close())
  for (let number = 0; number < 10_000; number += 1) calls.open(makeCaller(String(number)))
  const delayMs = await findDelayMs(loopDelayMaxMs, async () => {
    const before = looks
    await waitUntil(async () => looks > before, 'the open calls are looked at')
  })
  expect(delayMs).toBeLessThan(loopDelayMaxMs)
})

it('a clinician has so many calls open and no more, and others have theirs', () => {
  const calls = new OpenCalls({ log, mayGoOn: async () => [] })
  ends.push(() => calls.close())
  const open = Array.from({ length: 500 }, () => calls.open(makeCaller('one')))
  expect(() => calls.open(makeCaller('one'))).toThrow('Too many requests are open')
  calls.open(makeCaller('another'))
  open[0]?.close()
  // A response ends once, and says so twice.
  open[0]?.close()
  calls.open(makeCaller('one'))
  expect(() => calls.open(makeCaller('one'))).toThrow('Too many requests are open')
})
