import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page, Session, WebhookEndpoint } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CasenoteProcess,
  freePort,
  makeDataFolder,
  runCasenote,
  startCasenote,
  waitUntil,
} from '../support/casenote-process.js'
import { makeTestDatabase, type TestDatabase } from '../support/test-database.js'

interface Credentials {
  clientId: string
  clientSecret: string
  apiKey: string
  prescriberId: string
}

const reading = fileURLToPath(new URL('../engines/speech/samples/reader-0870.ogg', import.meta.url))

let folder: { path: string; remove(): Promise<void> }
let database: TestDatabase
let env: Record<string, string>
let service: Awaited<ReturnType<typeof startCasenote>>
let credentials: Credentials

beforeAll(async () => {
  folder = await makeDataFolder()
  database = await makeTestDatabase()
  env = {
    CASENOTE_DATA_DIR: folder.path,
    DATABASE_URL: database.databaseUrl,
    CASENOTE_MIGRATE_URL: database.migrateUrl,
    CASENOTE_MASTER_KEY: randomBytes(32).toString('base64'),
    PORT: String(await freePort()),
  }
  service = await startCasenote(env)
  const text = await readFile(join(folder.path, 'sandbox-credentials.json'), 'utf8')
  credentials = JSON.parse(text) as Credentials
})
afterAll(async () => {
  await service.process.end('SIGTERM')
  await database.drop()
  await folder.remove()
})

async function call<Answer>(method: string, path: string, payload?: object): Promise<Answer> {
  const { apiKey, clientId, clientSecret } = credentials
  const send = async (how: string, to: string, token: object, body?: object): Promise<unknown> => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(`${service.url}/v2${to}`, {
      method: how,
      headers: { 'x-api-key': apiKey, ...token, ...type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  const token = await send('POST', '/partners/authenticate', {}, { clientId, clientSecret })
  const { accessToken } = token as { accessToken: string }
  return (await send(method, path, { 'access-token': accessToken }, payload)) as Answer
}

const listEndpoints = async (): Promise<WebhookEndpoint[]> =>
  (await call<Page<WebhookEndpoint>>('GET', '/webhook-endpoints')).data

const startTour = (): CasenoteProcess =>
  new CasenoteProcess(['tour', '--recording', reading], { CASENOTE_DATA_DIR: folder.path })

describe('casenote session watch', () => {
  it('tells why a session failed whose recording is not there, and exits 1', async () => {
    const store = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
    await once(store, 'listening')
    const person = { lastName: 'Watched', dateOfBirth: '1990-02-03' }
    const { id } = await call<{ id: string }>(
      'POST',
      `/clinicians/${credentials.prescriberId}/clients`,
      person,
    )
    const fileUrl = `http://127.0.0.1:${(store.address() as AddressInfo).port}/secret-name.ogg`
    const session = await call<Session>('POST', `/clients/${id}/sessions`, { fileUrl })
    const watched = await runCasenote(['session', 'watch', session.id], env)
    store.close()
    expect(watched.stderr).toBe('')
    expect(watched.stdout).toMatch(
      / {2}failed \d+%\nThe file was not fetched: the file server has no file at this link\.\n$/,
    )
    expect(watched.stdout).not.toContain('secret-name')
    expect(watched.code).toBe(1)
  })

  it.each(['nonsense', randomUUID()])('says that there is no session %s', async (sessionId) => {
    const watched = await runCasenote(['session', 'watch', sessionId], env)
    expect(watched).toEqual({
      code: 1,
      stdout: '',
      stderr: `casenote: there is no session ${sessionId}\n`,
    })
  })
})

describe('casenote tour', () => {
  it('goes from a recording to a note that refuses changes, and removes its endpoint', async () => {
    const { code, stdout, stderr } = await startTour().finished
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).not.toContain('\u001B')
    const events = ['transcript_ready', 'progress_note_generated', 'progress_note_finalized']
    for (const name of events) expect(stdout).toMatch(new RegExp(`webhook {2}${name} +signature ok`))
    expect(stdout).toMatch(/\[0\] 0:00 {2}speaker_1 .*Dashwood/)
    expect(stdout).toContain('403: Progress note is locked')
    expect(await listEndpoints()).toEqual([])
  })

  it('removes its endpoint when it is interrupted', async () => {
    const tour = startTour()
    await waitUntil(async () => (await listEndpoints()).length === 1, 'an endpoint')
    const { code, stderr } = await tour.end('SIGINT')
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
    expect(await listEndpoints()).toEqual([])
  })

  it('says what to do when no service runs', async () => {
    const elsewhere = await makeDataFolder()
    const { code, stdout, stderr } = await runCasenote(['tour'], { CASENOTE_DATA_DIR: elsewhere.path })
    await elsewhere.remove()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      'casenote: no service is running here: run `npm start` in another terminal, then this again\n',
    )
  })
})
