import { pbkdf2 } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeGuardedAgent, TargetRefused } from '../../src/kernel/guarded-fetch/guarded-agent.js'
import { makeNameResolver } from '../../src/kernel/guarded-fetch/resolve-name.js'

let server: Socket
let folder: string
let servers: string[]
/** Names that were asked for, as often as they were. */
const asked: string[] = []

/** Knows `good.example`, says that `none.example` is not there, and never answers for anything else. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casenote-hosts-'))
  server = createSocket('udp4', (question, { port, address }) => {
    const name = readQuestion(question)
    asked.push(name)
    if (name !== 'good.example' && name !== 'none.example') return
    const isIpv4 = question.readUInt16BE(question.indexOf(0, 12) + 1) === 1
    const hasAnswer = name === 'good.example' && isIpv4
    const header = Buffer.from(question.subarray(0, 12))
    header.writeUInt16BE(name === 'none.example' ? 0x81_83 : 0x81_80, 2)
    header.writeUInt16BE(hasAnswer ? 1 : 0, 6)
    header.writeUInt32BE(0, 8)
    const ending = question.subarray(12, question.indexOf(0, 12) + 5)
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 203, 0, 113, 7])
    server.send(Buffer.concat([header, ending, hasAnswer ? record : Buffer.alloc(0)]), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  servers = [`127.0.0.1:${server.address().port}`]
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

function readQuestion(question: Buffer): string {
  const labels: string[] = []
  for (let at = 12; (question[at] ?? 0) > 0; at += (question[at] ?? 0) + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)))
  return labels.join('.')
}

it('a hundred names that nobody answers for hold up no other name, no file and no hash, and end', async () => {
  const resolve = makeNameResolver({ servers, timeoutMs: 1_000 })
  const silent = Array.from({ length: 100 }, (_, number) =>
    resolve(`silent-${number}.example`).then(
      () => 'resolved',
      ({ code }: NodeJS.ErrnoException) => code,
    ),
  )
  let hasEnded = false
  const ended = Promise.all(silent).finally(() => (hasEnded = true))
  const good = await Promise.all(Array.from({ length: 50 }, () => resolve('good.example')))
  expect(new Set(good.map(([first]) => first?.address))).toEqual(new Set(['203.0.113.7']))
  // Once for each kind of address, and at the most once more.
  expect(asked.filter((name) => name === 'good.example').length).toBeLessThanOrEqual(4)
  await readFile(new URL(import.meta.url))
  await promisify(pbkdf2)('a', 'b', 1, 32, 'sha256')
  expect(hasEnded).toBe(false)
  expect(new Set(await ended)).toEqual(new Set(['EAI_AGAIN']))
})

it('a name that is not there is not found, and one of the hosts file is asked of nobody', async () => {
  const hostsFile = join(folder, 'hosts')
  await writeFile(hostsFile, '# ours\n10.0.0.7 Own.example own # again\n::7 own.example\nnonsense here\n')
  const resolve = makeNameResolver({ servers, hostsFile })
  await expect(resolve('none.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await expect(resolve('not a name')).rejects.toMatchObject({ code: expect.any(String) })
  expect(await resolve('own.EXAMPLE')).toEqual([
    { address: '10.0.0.7', family: 4 },
    { address: '::7', family: 6 },
  ])
  await writeFile(hostsFile, '10.0.0.8 own.example\n127.9.9.9 app.localhost\n')
  expect(await resolve('own.example')).toEqual([{ address: '10.0.0.8', family: 4 }])
  const loopback = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  expect([await resolve('localhost'), await resolve('app.localhost')]).toEqual([loopback, loopback])
  expect(asked.filter((name) => name.includes('own') || name.includes('localhost'))).toEqual([])
  const without = makeNameResolver({ servers, hostsFile: join(folder, 'missing') })
  expect(await without('good.example')).toHaveLength(1)
})

it('names of the hosts file and of this machine lead nowhere that an address would not', async () => {
  const hostsFile = join(folder, 'inner')
  const inner = ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fe80::1%lo', '::ffff:127.0.0.1']
  const names = inner.map((_address, at) => `inner-${at}.acme.org`)
  const lines = [...inner.map((address, at) => `${address} ${names[at]}`), '8.8.8.8 mixed.acme.org']
  await writeFile(hostsFile, [...lines, '127.0.0.1 mixed.acme.org'].join('\n'))
  const agent = makeGuardedAgent({
    environment: 'production',
    resolve: makeNameResolver({ servers, hostsFile, timeoutMs: 100 }),
  })
  const ask = (name: string): Promise<unknown> =>
    agent.request({ origin: `https://${name}`, path: '/', method: 'GET' }).catch((error: unknown) => error)
  for (const name of [...names, 'mixed.acme.org', 'INNER-0.acme.org.', 'localhost', 'a.localhost.'])
    expect([name, await ask(name)]).toEqual([name, expect.any(TargetRefused)])
  // Of others nothing is known, so it is no refusal.
  expect(await ask('silent.acme.org')).not.toBeInstanceOf(TargetRefused)
  await agent.destroy()
})
