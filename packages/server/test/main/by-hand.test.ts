import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, makeDataFolder, startCasenote } from '../support/casenote-process.js'
import { makeTestDatabase, type TestDatabase } from '../support/test-database.js'

const root = join(import.meta.dirname, '../../../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const sandboxGuide = readFileSync(join(root, 'docs/sandbox.md'), 'utf8')
const tour = /^## The same by hand\n\n```sh\n(.*?)^```$/ms.exec(readme)?.[1] ?? ''

/** Watching takes as long as transcribing, and listening has no end; both have tests of their own. */
const isQuick = (line: string): boolean => !/session watch|webhook listen/.test(line)

const missesTools = ['bash', 'curl'].some((tool) => spawnSync(tool, ['--version']).status !== 0)

describe.skipIf(missesTools)('what a reader types by hand', () => {
  let folder: { path: string; remove(): Promise<void> }
  let database: TestDatabase
  let env: Record<string, string>
  let service: Awaited<ReturnType<typeof startCasenote>>

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
  })
  afterAll(async () => {
    await service.process.end('SIGTERM')
    await database.drop()
    await folder.remove()
  })

  const run = async (script: string): Promise<string> => {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: root,
      env: { ...process.env, ...env },
    })
    return stdout
  }

  it('of README.md runs line by line, and prints JSON that can be read', async () => {
    const script = tour
      .split('\n')
      .filter(isQuick)
      .join('\n')
      .replaceAll('./.casenote/', `${folder.path}/`)
      .replaceAll('9090', String(await freePort()))
    const stdout = await run(script)
    expect(stdout).toContain('{\n  "data": [\n    {\n      "id": "')
    expect(stdout).toContain('"itemsPerPage": 3,')
    expect(stdout).toContain('\n  "AccessToken": "')
    expect(stdout).toContain('casenote-error-code: validation_failed')
    expect(stdout).toContain('The log is intact.')
    // The transcript is not there yet; nothing else is refused but what the tour shows as refused.
    expect(stdout).not.toMatch(/"statusCode": 4(?!04)/)
  })

  it('of the sandbox guide runs, and is answered as it says', async () => {
    const blocks = [
      ...sandboxGuide.matchAll(/^<!-- run by test\/main\/by-hand\.test\.ts -->\n```sh\n(.*?)^```$/gms),
    ]
    const script = blocks
      .map(([, code]) => code)
      .join('\n')
      .replaceAll('.casenote/', `${folder.path}/`)
      .replaceAll('8080', String(env['PORT']))
    const stdout = await run(script)
    expect(stdout).toContain('"fileUrl"')
    expect(stdout).toContain('"bandName":"Positive"')
    expect(stdout).toContain('Access-Token has expired')
    expect(stdout).toContain('HTTP/1.1 429')
    expect(stdout).toContain('Second sandbox')
    expect(stdout.match(/"statusCode":\d+/g)).toEqual(['"statusCode":401'])
  })

  it('of README.md uses a recording that exists', () => {
    const files = [...tour.matchAll(/"(packages\/[^"]+)"/g)].map(([, file]) => file as string)
    expect(files).toHaveLength(1)
    for (const file of files) expect(existsSync(join(root, file))).toBe(true)
  })
})
