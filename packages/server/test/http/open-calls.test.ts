import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { OpenCalls } from '../../src/http/open-calls.js'
import { makeHttpServer } from '../../src/http/server.js'
import { WidgetApi, type WidgetCaller } from '../../src/http/widget-api.js'
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
