import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit, startFileServer, type FileServer } from '../pipeline/pipeline-fixture.js'
import { makeDataFolder, runCasenote, startCasenote, waitUntil } from '../support/casenote-process.js'

const suite = fileURLToPath(new URL('../../../../conformance/run.js', import.meta.url))

let folder: { path: string; remove(): Promise<void> }
let env: Record<string, string>
let files: FileServer

beforeAll(async () => {
  files = await startFileServer()
  files.serve('/visit.ogg', visit('missed doses'))
  folder = await makeDataFolder()
  env = { CASENOTE_DATA_DIR: folder.path }
})
afterAll(async () => {
  await files.close()
  await folder.remove()
})

/** What the operator's command prints, as an object. */
async function operate(...args: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await runCasenote([...args, '--json'], env)
  expect([args, code, stderr]).toEqual([args, 0, ''])
  return JSON.parse(stdout) as Record<string, string>
}

/** A second tenant, whose ids the suite asks for as well. Returns the file with its credentials. */
async function provisionOtherTenant(): Promise<string> {
  const partner = await operate('partner', 'create', '--name', 'Other', '--environment', 'sandbox')
  const { id: organizationId = '' } = await operate(
    'organization',
    'create',
    '--partner',
    partner.partnerId ?? '',
    '--name',
    'Org',
  )
  const { id: clinicId } = await operate('clinic', 'create', '--organization', organizationId, '--name', 'C')
  const file = join(dirname(folder.path), 'other-credentials.json')
  await writeFile(file, JSON.stringify({ ...partner, organizationId, clinicId, clientIds: [] }))
  return file
}

/** Every process knows it within 5 s, and the suite does not wait for that. */
async function switchNothingTwiceOn(url: string): Promise<void> {
  const file = join(folder.path, 'sandbox-credentials.json')
  const { partnerId, apiKey, clientId, clientSecret } = JSON.parse(await readFile(file, 'utf8')) as Record<
    string,
    string
  >
  const both = ['--idempotency', 'on', '--unique-external-ids', 'on']
  await operate('partner', 'set-nothing-twice', partnerId ?? '', ...both)
  const key = { 'x-api-key': apiKey ?? '', 'content-type': 'application/json' }
  const body = JSON.stringify({ clientId, clientSecret })
  const token = await fetch(`${url}/v2/partners/authenticate`, { method: 'POST', headers: key, body })
  const { accessToken } = (await token.json()) as { accessToken: string }
  const headers = { ...key, 'access-token': accessToken, 'idempotency-key': 'no key' }
  await waitUntil(async () => {
    const answer = await fetch(`${url}/v2/webhook-endpoints`, { method: 'POST', headers, body: '{}' })
    return (await answer.text()).includes('Idempotency-Key')
  }, 'the process knows of it')
}

async function runSuite(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

/** The lines that say what went wrong, so that a failure of this test can be read. */
const failures = (output: string): string[] => output.match(/^ {2}FAIL .*\n.*$|^coverage: .*$/gm) ?? []

it(
  'the program passes the conformance suite with a recording, and again without one where nothing is done twice',
  { timeout: 600_000 },
  async () => {
    const { process: service, url } = await startCasenote(env)
    try {
      const args = [
        ['--base-url', `${url}/v2`],
        ['--credentials', join(folder.path, 'sandbox-credentials.json')],
        ['--other-credentials', await provisionOtherTenant()],
      ].flat()
      // One check waits that long for an event that must not come.
      const withRecording = ['--recording', files.urlOf('/visit.ogg'), '--wait', '5']
      for (const more of [withRecording, []]) {
        if (more.length === 0) await switchNothingTwiceOn(url)
        const { code, output } = await runSuite([...args, ...more])
        expect(failures(output)).toEqual([])
        expect(output).toMatch(/\n\d+ passed, 0 failed, \d+ skipped\n$/)
        expect(code).toBe(0)
      }
    } finally {
      await service.end('SIGTERM')
    }
  },
)
