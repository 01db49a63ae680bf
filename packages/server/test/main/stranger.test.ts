import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Casenote, SessionFailedError } from '@casenote/sdk'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeDataFolder, startCasenote } from '../support/casenote-process.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const run = promisify(execFile)
const hasPython = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0

let data: Awaited<ReturnType<typeof makeDataFolder>>
let service: Awaited<ReturnType<typeof startCasenote>>
let env: Record<string, string>
let folder: string
let clinicianId: string

// As `npm start` on an empty data folder: its own database, its own sandbox.
beforeAll(async () => {
  data = await makeDataFolder()
  service = await startCasenote({ CASENOTE_DATA_DIR: data.path })
  const text = await readFile(join(data.path, 'sandbox-credentials.json'), 'utf8')
  const { baseUrl, apiKey, clientId, clientSecret, ...ids } = JSON.parse(text) as Record<string, string>
  clinicianId = ids.clinicianId ?? ''
  env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    CASENOTE_BASE_URL: baseUrl ?? '',
    CASENOTE_API_KEY: apiKey ?? '',
    CASENOTE_CLIENT_ID: clientId ?? '',
    CASENOTE_CLIENT_SECRET: clientSecret ?? '',
  }
})
afterAll(async () => {
  await service.process.end('SIGTERM')
  await data.remove()
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casenote-stranger-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The package as the service tells of it in `/llms.txt`. */
async function findPackage(ending: string): Promise<string> {
  const page = await (await fetch(`${service.url}/llms.txt`)).text()
  const address = page.split(/[()]/).find((part) => part.endsWith(ending))
  if (address === undefined) throw new Error(`/llms.txt links to no ${ending}:\n${page}`)
  return address
}

const sample = fileURLToPath(new URL('../engines/speech/samples/reader-0870.ogg', import.meta.url))

it('waitForNote gives the note of a recording, and says why there is none without one', async () => {
  const recording = await readFile(sample)
  const files = createServer((request, response) => {
    if (request.url === '/there.ogg') response.writeHead(200, { 'content-type': 'audio/ogg' }).end(recording)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(files, 'listening')
  try {
    const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
    const casenote = new Casenote({
      baseUrl: env.CASENOTE_BASE_URL ?? '',
      apiKey: env.CASENOTE_API_KEY ?? '',
      clientId: env.CASENOTE_CLIENT_ID ?? '',
      clientSecret: env.CASENOTE_CLIENT_SECRET ?? '',
    })
    const person = { lastName: 'Waited', dateOfBirth: '1990-01-31' }
    const client = await casenote.clients.create(clinicianId, person)
    const make = async (name: string): Promise<string> =>
      (await casenote.sessions.create(client.id, { fileUrl: `${url}/${name}`, language: 'en' })).id
    const [there, missing] = [await make('there.ogg'), await make('missing.ogg')]
    const error: unknown = await casenote.waitForNote(missing).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SessionFailedError)
    const { failure } = error as SessionFailedError
    expect(failure?.code).toMatch(/^\w+$/)
    expect(await casenote.sessions.readTranscript(missing).catch((reason: unknown) => reason)).toMatchObject({
      name: 'NotReadyError',
      status: 404,
      failure,
    })
    const note = await casenote.waitForNote(there)
    expect(note).toMatchObject({ sessionId: there, isLoading: false, status: 'generated' })
    const { transcriptItems } = await casenote.sessions.readTranscript(there)
    expect(transcriptItems.length).toBeGreaterThan(0)

    if (hasPython) expect(await waitInPython(missing)).toBe(`${failure?.code} ${failure?.retryable}`)
  } finally {
    files.close()
  }
})

const pythonWait = `
import os, sys
from casenote import Casenote, SessionFailedError
names = ("base_url", "api_key", "client_id", "client_secret")
casenote = Casenote(**{name: os.environ["CASENOTE_" + name.upper()] for name in names})
try:
    casenote.wait_for_note(sys.argv[1])
except SessionFailedError as error:
    print(error.failure["code"], str(error.failure["retryable"]).lower(), end="")
`

async function waitInPython(sessionId: string): Promise<string> {
  const source = { PYTHONPATH: `${root}sdk/python/src`, PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await run('python3', ['-c', pythonWait, sessionId], { env: { ...env, ...source } })
  return stdout
}

const lastLine = (text: string): unknown => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')
const done = { noteIsTheSame: true, refused: '403 Progress note is locked' }

it('in an empty folder, the SDK for TypeScript that the service serves makes an integration', async () => {
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  const install = ['install', '--no-audit', '--no-fund', await findPackage('.tgz')]
  await run('npm', install, { cwd: folder, env })
  await cp(`${root}packages/sdk/examples/integration.ts`, join(folder, 'integration.ts'))
  // The compiler and the types of Node are those of this checkout: they would come from the registry.
  const types = ['--typeRoots', `${root}node_modules/@types`, '--types', 'node']
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', ...types]
  const tsc = `${root}node_modules/typescript/bin/tsc`
  await run(process.execPath, [tsc, ...options, 'integration.ts'], { cwd: folder, env })
  const { stdout } = await run(process.execPath, ['integration.js'], { cwd: folder, env })
  expect(stdout).toContain('five hours')
  expect(lastLine(stdout)).toEqual(done)
})

it('in an empty folder, the SDK for Python that the service serves makes an integration', async ({
  skip,
}) => {
  skip(!hasPython, 'no python3 with venv and pip on this machine')
  await run('python3', ['-m', 'venv', 'environment'], { cwd: folder, env })
  const python = join(folder, 'environment/bin/python')
  const install = ['-m', 'pip', 'install', '--no-index', '--disable-pip-version-check']
  await run(python, [...install, await findPackage('.whl')], { cwd: folder, env })
  await cp(`${root}sdk/python/examples/integration.py`, join(folder, 'integration.py'))
  const { stdout } = await run(python, ['-W', 'error', 'integration.py'], { cwd: folder, env })
  expect(stdout).toContain('five hours')
  expect(lastLine(stdout)).toEqual(done)
})
