import { networkInterfaces } from 'node:os'
import { afterEach, expect, it } from 'vitest'
import { makeHealth } from '../../src/http/health.js'
import type { OperatorConsole } from '../../src/main/console/operator-console.js'
import { serveAdmin, type AdminPort } from '../../src/main/serve-admin.js'
import { freePort } from '../support/casenote-process.js'

let admin: AdminPort | null = null
afterEach(() => admin?.close())

const health = makeHealth(
  () => true,
  () => [],
)

const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

async function open(host: string): Promise<number> {
  const port = await freePort()
  admin = await serveAdmin({ host, port }, health)
  const stand = {
    handle: (_request: unknown, response: { end(text: string): void }) => response.end('console'),
  }
  admin.serveConsole(stand as unknown as OperatorConsole)
  return port
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

it('on all addresses metrics and health are for whoever reaches them, the console for this machine', async ({
  skip,
}) => {
  skip(ownAddress === undefined, 'this machine has no address but loopback')
  const port = await open('0.0.0.0')
  const paths = ['/health/live', '/health/ready', '/metrics', '/console']
  const ask = (host: string) => Promise.all(paths.map((path) => statusOf(`http://${host}:${port}${path}`)))
  expect(await ask('127.0.0.1')).toEqual([200, 200, 200, 200])
  expect(await ask(ownAddress ?? '')).toEqual([200, 200, 200, 404])
})

it('on loopback nobody else reaches it', async ({ skip }) => {
  skip(ownAddress === undefined, 'this machine has no address but loopback')
  const port = await open('127.0.0.1')
  await expect(statusOf(`http://127.0.0.1:${port}/metrics`)).resolves.toBe(200)
  await expect(statusOf(`http://${ownAddress}:${port}/metrics`)).rejects.toThrow()
})

it('names the setting where its port is taken', async () => {
  const port = await open('127.0.0.1')
  await expect(serveAdmin({ host: '127.0.0.1', port }, health)).rejects.toThrow(
    `admin port ${port} is taken: set CASENOTE_ADMIN_PORT to a free one`,
  )
})
