import { execFileSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CasenoteProcess,
  freePort,
  makeDataFolder,
  startCasenote,
  waitUntil,
} from '../support/casenote-process.js'
import { askHealth } from '../support/started-roles.js'
import { makeTestService, type TestService } from '../support/test-service.js'

/** Of the system, not of a package. */
const makePipe = '/usr/bin/mkfifo'

/** What is promised, and what a machine that is busy with other tests may take beyond it. */
const noticedWithinMs = 10_000
const endsWithinMs = 15_000
const slackMs = 15_000

let service: TestService
let folder: { path: string; remove(): Promise<void> }
let env: Record<string, string>

beforeAll(async () => {
  service = await makeTestService()
  folder = await makeDataFolder()
  env = {
    ...service.settingsFor(folder.path),
    CASENOTE_DISPATCHER_URL: service.database.dispatcherUrl,
    CASENOTE_LOG_FORMAT: 'json',
  }
})
afterAll(async () => {
  await service.close()
  await folder.remove()
})

/** Opening a pipe that nobody opens at its other end waits in the system, as a file of a server that is gone. */
async function replaceByPipe(path: string): Promise<void> {
  await waitUntil(async () => {
    await rm(path, { force: true })
    execFileSync(makePipe, [path], { stdio: 'ignore' })
    return true
  }, `${path} is a pipe`)
}

describe('a blob folder that hangs', () => {
  it('is told within 10 s by a process with all roles, which ends in time, and in good order', async () => {
    const { process: running, url } = await startCasenote(env)
    const begunAtMs = performance.now()
    await replaceByPipe(join(folder.path, 'blobs', 'probe'))
    await waitUntil(
      async () => {
        const { status, body } = await askHealth(url)
        return status === 503 && (body as { failing: string[] }).failing.includes('blob store')
      },
      'it is not ready for want of its blob store',
      noticedWithinMs + slackMs,
    )
    expect(performance.now() - begunAtMs).toBeLessThan(noticedWithinMs + slackMs)
    const toldAtMs = performance.now()
    const { stdout, stderr } = await running.end('SIGTERM')
    expect(performance.now() - toldAtMs).toBeLessThan(endsWithinMs + slackMs)
    // Node waits for its file threads: an end by itself there is none.
    expect(running.child.signalCode).toBe('SIGTERM')
    expect(stderr).toContain('a folder does not answer')
    expect(stdout).not.toContain('closing took too long')
  })

  it('stops a start with a word, which ends as a failure', async () => {
    const blobs = join(folder.path, 'blobs')
    await rm(blobs, { recursive: true, force: true })
    await mkdir(blobs)
    await replaceByPipe(join(blobs, 'casenote-store'))
    const running = new CasenoteProcess(['api'], { ...env, PORT: String(await freePort()) })
    const { code, stderr } = await running.finished
    expect([code, running.child.signalCode]).toEqual([null, 'SIGKILL'])
    expect(stderr).toContain('the blob folder does not answer')
  })
})
