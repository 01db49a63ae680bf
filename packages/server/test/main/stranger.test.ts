import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Casenote, SessionFailedError } from '@casenote/sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeDataFolder, startCasenote } from '../support/casenote-process.js'
import { readCodeOf, readLinksOf } from './served-page.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const run = promisify(execFile)
const hasPython = spawnSync('python3', ['--version']).status === 0
const hasPip = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0

let data: Awaited<ReturnType<typeof makeDataFolder>>
let service: Awaited<ReturnType<typeof startCasenote>>
let env: Record<string, string>
let folder: string
let ids: Record<'clinicianId' | 'clinicId', string>

// As the README says, on an empty data folder and a free port: its own database, its own sandbox.
beforeAll(async () => {
  data = await makeDataFolder()
  service = await startCasenote({ CASENOTE_DATA_DIR: data.path }, 'start', { by: 'npm' })
  const text = await readFile(join(data.path, 'sandbox-credentials.json'), 'utf8')
  const { baseUrl, apiKey, clientId, clientSecret, clinicianId, clinicId } = JSON.parse(text) as Record<
    string,
    string
  >
  ids = { clinicianId: clinicianId ?? '', clinicId: clinicId ?? '' }
  env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    BASE: service.url,
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

const read = async (path: string): Promise<string> => {
  const answer = await fetch(new URL(path, service.url))
  expect([path, answer.status]).toEqual([path, 200])
  return answer.text()
}

/** From the first page by links alone, each by how its address ends. */
async function follow(...endings: string[]): Promise<string> {
  let path = '/docs'
  for (const ending of endings) {
    const found = readLinksOf(await read(path)).find((href) => href.endsWith(ending))
    if (found === undefined) throw new Error(`${path} has no link that ends in ${ending}`)
    path = found
  }
  return path
}

/** The one line of code of a page that begins with these words. */
async function findCommand(path: string, beginning: string): Promise<string> {
  const lines = readCodeOf(await read(path)).flatMap((code) => code.split('\n'))
  const found = lines.filter((line) => line.startsWith(beginning))
  expect([path, found.length]).toEqual([path, 1])
  return found[0] ?? ''
}

/** What the comment on top of an example says to type, with the addresses in it. */
const listCommands = (source: string): string[] =>
  [...source.matchAll(/^(?:\/\/ {3}| {4})((?:npm|npx|pip|python) .+?)(?: {5}.*)?$/gm)].map(
    ([, line = '']) => line,
  )

async function type(line: string, more: Record<string, string> = {}): Promise<string> {
  const typed = run('sh', ['-c', line], { cwd: folder, env: { ...env, ...more }, timeout: 240_000 })
  const { stdout } = await typed.catch((error: Error & { stdout?: string }) => {
    throw new Error(`${error.message}\n${error.stdout}`)
  })
  return stdout
}

/** What the registry would give, which cannot be reached from here: the compiler and Node's types are those of the checkout. */
async function takeFromRegistry(): Promise<void> {
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['typescript', '@types/node', 'undici-types'])
    await symlink(`${root}node_modules/${name}`, join(folder, 'node_modules', name))
  await symlink('../typescript/bin/tsc', join(folder, 'node_modules/.bin/tsc'))
}

/** So that `pip` and `python` are those of an environment of its own; without pip the wheel is used as it is, for it is a zip. */
async function makePython(wheelUrl: string): Promise<Record<string, string>> {
  if (!hasPip) {
    process.stderr.write('SKIPPED for want of pip: installing the wheel; it is used as a path instead\n')
    const bytes = Buffer.from(await (await fetch(wheelUrl)).arrayBuffer())
    await writeFile(join(folder, 'casenote.whl'), bytes)
    await mkdir(join(folder, 'bin'))
    const { stdout } = await run('python3', ['-c', 'import sys; print(sys.executable, end="")'])
    await symlink(stdout, join(folder, 'bin/python'))
    return { PATH: `${join(folder, 'bin')}:${env.PATH}`, PYTHONPATH: join(folder, 'casenote.whl') }
  }
  await run('python3', ['-m', 'venv', 'environment'], { cwd: folder, env })
  const nothingElse = { PIP_NO_INDEX: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' }
  return { PATH: `${join(folder, 'environment/bin')}:${env.PATH}`, ...nothingElse }
}

const lastLine = (text: string): unknown => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')

describe('in an empty folder, from nothing but what /docs says', { timeout: 300_000 }, () => {
  const done = { noteIsTheSame: true, refused: '403 Progress note is locked' }

  it('the example for TypeScript ends with a verified webhook about a note', async () => {
    const source = await read(await follow('/quick-start', '/guides/sdks', '/integration.ts'))
    await writeFile(join(folder, 'integration.ts'), source)
    const [begin = '', install = '', start = '', ...further] = listCommands(source)
    expect(further).toEqual([])
    await type(begin)
    expect(install).toMatch(/^npm install "\$BASE\/docs\/sdk\/\S+\.tgz" typescript @types\/node$/)
    await type(`${install.replace(' typescript @types/node', '')} --no-audit --no-fund`)
    await takeFromRegistry()
    const stdout = await type(start)
    expect(stdout).toContain('five hours')
    expect(lastLine(stdout)).toEqual(done)
  })

  it('the example for Python ends with a verified webhook about a note', async ({ skip }) => {
    skip(!hasPython, 'no python3 on this machine')
    const source = await read(await follow('/quick-start', '/guides/sdks', '/integration.py'))
    await writeFile(join(folder, 'integration.py'), source)
    const [install = '', start = '', ...further] = listCommands(source)
    expect(further).toEqual([])
    expect(install).toMatch(/^pip install "\$BASE\/docs\/sdk\/\S+\.whl"$/)
    const python = await makePython(install.replace('pip install "$BASE', service.url).slice(0, -1))
    if (hasPip) await type(install, python)
    const stdout = await type(start, { ...python, PYTHONWARNINGS: 'error' })
    expect(stdout).toContain('five hours')
    expect(lastLine(stdout)).toEqual(done)
  })

  const told = { event: 'progress_note_generated', isAboutTheNote: true, hasNote: true, found: null }

  it('the page of the SDK for TypeScript does what it says, block by block', async () => {
    const page = await follow('/guides/sdk-typescript')
    await type(`${await findCommand(page, 'npm install ')} --no-audit --no-fund`)
    const blocks = readCodeOf(await read(page)).filter((code) => /\bcasenote\.|@casenote/.test(code))
    const [connect = '', lists = '', webhooks = '', ...further] = blocks.filter(
      (code) => !code.startsWith('npm '),
    )
    expect(further).toEqual([])
    const program = [aroundTypeScript.before, connect, lists, aroundTypeScript.between, webhooks]
    await writeFile(join(folder, 'page.mjs'), [...program, aroundTypeScript.after].join('\n'))
    const stdout = await type('node page.mjs', given())
    expect(lastLine(stdout)).toEqual(told)
  })

  it('the page of the SDK for Python does what it says, block by block', async ({ skip }) => {
    skip(!hasPython, 'no python3 on this machine')
    const page = await follow('/guides/sdk-python')
    const install = await findCommand(page, 'pip install ')
    const python = await makePython(install.replace('pip install ', ''))
    if (hasPip) await type(install, python)
    const [connect = '', lists = '', webhooks = '', ...further] = readCodeOf(await read(page)).filter(
      (code) => !code.startsWith('pip '),
    )
    expect(further).toEqual([])
    const program = [aroundPython.before, connect, lists, aroundPython.between, webhooks, aroundPython.after]
    await writeFile(join(folder, 'page.py'), program.join('\n'))
    const stdout = await type('python page.py', { ...python, ...given(), PYTHONWARNINGS: 'error' })
    expect(lastLine(stdout)).toEqual(told)
  })
})

const given = (): Record<string, string> => ({ CLINICIAN_ID: ids.clinicianId, CLINIC_ID: ids.clinicId })

/** What the reader has of their own: the credentials, their ids, and a web server that hands on what comes. */
const aroundTypeScript = {
  before: `
import { createServer } from 'node:http'
import { Casenote as Own } from '@casenote/sdk'
const { CASENOTE_API_KEY: apiKey, CASENOTE_CLIENT_ID: clientId, CASENOTE_CLIENT_SECRET: clientSecret } = process.env
const { CLINICIAN_ID: clinicianId, CLINIC_ID: clinicId, CASENOTE_BASE_URL: baseUrl } = process.env
let tell
const delivered = new Promise((resolve) => (tell = resolve))
const receiver = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  response.writeHead(204).end()
  const rawBody = Buffer.concat(chunks)
  if (rawBody.includes('progress_note_generated')) tell({ rawBody, request })
})
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const own = new Own({ baseUrl, apiKey, clientId, clientSecret })
const url = 'http://127.0.0.1:' + receiver.address().port + '/'
const endpoint = await own.webhookEndpoints.create({ url, eventTypes: ['progress_note_generated'] })
`,
  between: 'const { rawBody, request } = await delivered',
  after: `
await own.webhookEndpoints.delete(endpoint.id)
receiver.close()
const isAboutTheNote = event.payload.progressNoteId === note.progressNoteId
const hasNote = note.note.some(({ content }) => content !== '')
console.log(JSON.stringify({ event: event.eventType, isAboutTheNote, hasNote, found }))
`,
}

const aroundPython = {
  before: `
import http.server, json, os, queue, threading, types
from casenote import Casenote as Own
api_key, client_id, client_secret, base_url = (
    os.environ["CASENOTE_" + name] for name in ("API_KEY", "CLIENT_ID", "CLIENT_SECRET", "BASE_URL")
)
clinician_id, clinic_id = os.environ["CLINICIAN_ID"], os.environ["CLINIC_ID"]
delivered = queue.Queue()
class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
        if b"progress_note_generated" in body:
            delivered.put((body, types.SimpleNamespace(headers=dict(self.headers))))
    def log_message(self, *_args):
        pass
receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
own = Own(base_url=base_url, api_key=api_key, client_id=client_id, client_secret=client_secret)
url = f"http://127.0.0.1:{receiver.server_port}/"
endpoint = own.webhook_endpoints.create({"url": url, "eventTypes": ["progress_note_generated"]})
`,
  between: 'raw_body, request = delivered.get(timeout=120)',
  after: `
own.webhook_endpoints.delete(endpoint["id"])
receiver.shutdown()
receiver.server_close()
is_about_the_note = event["payload"]["progressNoteId"] == note["progressNoteId"]
has_note = any(section["content"] for section in note["note"])
told = {"event": event["eventType"], "isAboutTheNote": is_about_the_note, "hasNote": has_note, "found": found}
print(json.dumps(told))
`,
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
    const client = await casenote.clients.create(ids.clinicianId, person)
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
