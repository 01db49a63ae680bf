import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ALL_EVENT_TYPES } from '@casenote/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { RETRY_DELAYS_MS } from '../../src/features/webhooks/dispatch/retry-schedule.js'
import { signDelivery } from '../../src/features/webhooks/dispatch/sign-delivery.js'
import { freePort, waitUntil } from '../support/casenote-process.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const guide = readFileSync(`${root}docs/webhooks.md`, 'utf8')
const clientSecret = `whsec_${randomBytes(32).toString('base64')}`
const hasPython = spawnSync('python3', ['-c', 'import http.server']).status === 0

let running: { child: ChildProcess; printed: string; url: string } | null = null

afterEach(async () => {
  if (running === null) return
  running.child.kill('SIGKILL')
  await once(running.child, 'close')
  running = null
})

/** The example of that name, as the guide prints it. */
function extract(name: string): string {
  if (name === 'the quick start') return extractQuickStart()
  const [, code] = new RegExp(`\`\`\`(?:js|python)\\n((?://|#) ${name}\\n[^]*?)\`\`\``).exec(guide) ?? []
  if (code === undefined) throw new Error(`the guide has no ${name}`)
  return code
}

/** What listens there is a part of a program, which has the credentials and calls the service. */
function extractQuickStart(): string {
  const text = readFileSync(`${root}docs/site/quick-start.md`, 'utf8')
  const [, code = ''] = /snippet: listen[^]*?```ts\n([^]*?)```/.exec(text) ?? []
  const before =
    'const credentials = { clientSecret: process.env.CLIENT_SECRET }\nconst call = async () => null\n'
  return before + code.replace('3000', 'process.env.PORT')
}

/** Runs an example as a reader would, with the packages of this checkout. */
async function run(
  name: string,
): Promise<(headers: Record<string, string>, body: string) => Promise<number>> {
  const port = String(await freePort())
  const [command, ...args] = name.endsWith('.py')
    ? ['python3', '-c', extract(name)]
    : [process.execPath, '--input-type=module', '-e', extract(name)]
  const env = { ...process.env, PORT: port, CLIENT_SECRET: clientSecret }
  const child = spawn(command ?? '', args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const url = `http://127.0.0.1:${port}/`
  const started = { child, printed: '', url }
  running = started
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (started.printed += chunk.toString()))
  await waitUntil(async () => (await fetch(url)).status > 0, `${name} listens`, 20_000)
  return async (headers, body) => (await fetch(url, { method: 'POST', headers, body })).status
}

const event = (payload: object, eventType = 'transcript_ready'): string =>
  JSON.stringify({ eventType, timeStamp: new Date().toISOString(), payload })

const sign = (body: string, secrets = [clientSecret], atMs = Date.now()): Record<string, string> =>
  signDelivery(
    { eventId: randomUUID(), body: Buffer.from(body), digestHeader: 'X-Acme-Signature' },
    secrets,
    atMs,
  )

describe('the guide docs/webhooks.md', () => {
  it.for([
    ['receive.mjs', true],
    ['verify.mjs', true],
    ['verify.py', hasPython],
  ] as const)(
    'has an example %s that takes what we sign and nothing else',
    async ([name, canRun], { skip }) => {
      skip(!canRun, 'no python3 on this machine')
      const post = await run(name)
      const body = event({ sessionId: 'ä–1' })
      const otherSecret = `whsec_${randomBytes(32).toString('base64')}`
      expect(await post(sign(body), body)).toBe(204)
      expect(await post(sign(body, [otherSecret, clientSecret]), body)).toBe(204)
      expect(await post(sign(body, [otherSecret]), body)).toBe(400)
      expect(await post(sign(body), body.replace('1', '2'))).toBe(400)
      expect(await post(sign(body, [clientSecret], Date.now() - 310_000), body)).toBe(400)
      expect(await post({ ...sign(body), 'webhook-timestamp': 'now' }, body)).toBe(400)
      expect(await post({}, body)).toBe(400)
    },
  )

  it.for([
    ['receive.mjs', true],
    ['verify.mjs', true],
    ['digest.mjs', true],
    ['verify.py', hasPython],
    ['the quick start', true],
  ] as const)(
    'has a receiver %s that outlives what breaks off or is too large',
    async ([name, canRun], { skip }) => {
      skip(!canRun, 'no python3 on this machine')
      const post = await run(name)
      const { port } = new URL(running?.url ?? '')
      const breakOff = async (): Promise<void> => {
        const socket = connect(Number(port), '127.0.0.1')
        await once(socket, 'connect')
        socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf')
        socket.resetAndDestroy()
        await once(socket, 'close')
      }
      await breakOff()
      const large = event({ sessionId: 'x'.repeat(1024 * 1024) })
      // Refused, or cut off before all of it was sent.
      expect([0, 400]).toContain(await post(sign(large), large).catch(() => 0))
      const body = event({ sessionId: 's1' })
      expect(await post(sign(body), body)).toBe(204)
      expect(running?.child.exitCode).toBeNull()
    },
  )

  it('has an example receive.mjs that does the work of an event once', async () => {
    const post = await run('receive.mjs')
    const events = [
      event({ sessionId: 's1' }),
      event({ sessionId: 's1' }),
      event({ sessionId: 's1', progressNoteId: 'n1' }, 'progress_note_generated'),
      event({ patientId: 'p1', assessmentScores: [{ id: 'a1' }, { id: 'a2' }] }, 'assessment_completed'),
      event({ patientId: 'p1', assessmentScores: [{ id: 'a2' }] }, 'assessment_completed'),
    ]
    for (const body of events) expect(await post(sign(body), body)).toBe(204)
    await waitUntil(async () => running?.printed.split('\n').length === 5, 'four things are to do')
    expect(running?.printed).toBe(
      'to do: transcript_ready s1\nto do: progress_note_generated n1\n' +
        'to do: assessment_completed a1\nto do: assessment_completed a2\n',
    )
  })

  it('has an example digest.mjs that takes the plain digest and no other', async () => {
    const post = await run('digest.mjs')
    const body = event({ sessionId: 's1' })
    expect(await post(sign(body), body)).toBe(204)
    expect(await post(sign(body), `${body} `)).toBe(400)
    expect(
      await post({ 'x-acme-signature': createHmac('sha256', 'x').update(body).digest('hex') }, body),
    ).toBe(400)
    expect(await post({}, body)).toBe(400)
  })

  it('names every event, and the schedule as it is', () => {
    for (const eventType of ALL_EVENT_TYPES) expect(guide).toContain(`| \`${eventType}\``)
    const shown = [...guide.matchAll(/^\| (\d+) +\| (\d+) (s|min|h) +\|/gm)].map(
      ([, attempt, count, unit]) => [
        Number(attempt),
        Number(count) * { s: 1_000, min: 60_000, h: 3_600_000 }[unit as 's' | 'min' | 'h'],
      ],
    )
    expect(shown).toEqual(RETRY_DELAYS_MS.map((delayMs, index) => [index + 2, delayMs]))
  })
})
