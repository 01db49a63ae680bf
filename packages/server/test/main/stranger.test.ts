import { execFile, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeDataFolder, startCasenote } from '../support/casenote-process.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const run = promisify(execFile)
const hasPython = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0

let data: Awaited<ReturnType<typeof makeDataFolder>>
let service: Awaited<ReturnType<typeof startCasenote>>
let env: Record<string, string>
let folder: string

// As `npm start` on an empty data folder: its own database, its own sandbox.
beforeAll(async () => {
  data = await makeDataFolder()
  service = await startCasenote({ CASENOTE_DATA_DIR: data.path })
  const text = await readFile(join(data.path, 'sandbox-credentials.json'), 'utf8')
  const { baseUrl, apiKey, clientId, clientSecret } = JSON.parse(text) as Record<string, string>
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
