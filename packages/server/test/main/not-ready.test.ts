import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startS3Server, type S3Server } from '../blobs/s3-server.js'
import { makeDataFolder, waitUntil } from '../support/casenote-process.js'
import { askHealth, isReadyAt, startAllRoles, type StartedRole } from '../support/started-roles.js'
import { StoreDoor, storeSettings } from '../support/store-door.js'
import { openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestService } from '../support/test-service.js'

/** What is promised, and what a machine that is busy with other tests may take beyond it. */
const noticedWithinMs = 10_000
const slackMs = 5_000

let service: TestService
let store: S3Server
let door: StoreDoor
let folder: { path: string; remove(): Promise<void> }
let superuser: pg.Client
let roles: StartedRole[] = []

beforeAll(async () => {
  service = await makeTestService()
  superuser = await openSuperuser(service.database)
  store = await startS3Server()
  door = new StoreDoor(store.endpoint)
  folder = await makeDataFolder()
  roles = await startAllRoles({
    ...service.settingsFor(folder.path),
    CASENOTE_DISPATCHER_URL: service.database.dispatcherUrl,
    CASENOTE_LOG_LEVEL: 'error',
    ...storeSettings(store, await door.listen()),
  })
})
afterAll(async () => {
  await Promise.all(roles.map((role) => role.process.end('SIGKILL')))
  await superuser.end()
  await door.close()
  await store.stop()
  await service.close()
  await folder.remove()
})

const urlsOf = (chosen: readonly StartedRole[]): string[] => chosen.flatMap(({ urls }) => urls)

/** Every port of these says so within the time promised, with this among what fails. */
async function expectFailing(chosen: readonly StartedRole[], what: string): Promise<void> {
  const urls = urlsOf(chosen)
  const startedMs = performance.now()
  await Promise.all(
    urls.map((url) =>
      waitUntil(
        async () => {
          const { status, body } = await askHealth(url)
          return status === 503 && (body as { failing: string[] }).failing.includes(what)
        },
        `${url} says that the ${what} fails`,
        noticedWithinMs + slackMs,
      ),
    ),
  )
  expect(performance.now() - startedMs).toBeLessThan(noticedWithinMs + slackMs)
}

const expectReady = async (): Promise<void> => {
  for (const url of urlsOf(roles)) await waitUntil(() => isReadyAt(url), `${url} is ready again`)
}

/** As after a fail-over: what was connected is cut off, and finds the database as it is now. */
async function alterDatabase(change: string): Promise<void> {
  const { rows } = await superuser.query<{ name: string }>('select current_database() as name')
  await superuser.query(`alter database ${rows[0]?.name} ${change}`)
  await superuser.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
}

describe('a database that answers and takes nothing', () => {
  it('read-only: no role is ready, on no port, until it takes changes again', async () => {
    await alterDatabase('set default_transaction_read_only = on')
    await expectFailing(roles, 'database')
    await alterDatabase('reset default_transaction_read_only')
    await expectReady()
  })

  it('full: no role is ready, on no port, until there is room again', async ({ skip }) => {
    const volume = await mountFullVolume()
    if (volume === null) {
      skip('mounting needs rights that this process has not')
      return
    }
    try {
      await superuser.query(`create tablespace full_volume location '${volume.path}'`)
      await superuser.query('grant create on tablespace full_volume to public')
      await alterDatabase('set temp_tablespaces = full_volume')
      await volume.fill()
      await expectFailing(roles, 'database')
      await volume.empty()
      await expectReady()
    } finally {
      await alterDatabase('reset temp_tablespaces')
      await superuser.query('drop tablespace if exists full_volume')
      await volume.unmount()
    }
  })
})

describe('a blob store', () => {
  it.each(['away', 'read-only'] as const)(
    'that is %s: whoever uses it is not ready until it takes parts again',
    async (state) => {
      const users = roles.slice(0, 2)
      door.state = state
      await expectFailing(users, 'blob store')
      // Waited for: after the tests before, and on a busy machine, a beat of its own may be late.
      for (const url of urlsOf(roles.slice(2)))
        await waitUntil(() => isReadyAt(url), `${url} needs no blob store`)
      for (const url of urlsOf(users)) expect(await isReadyAt(url)).toBe(false)
      door.state = 'open'
      await expectReady()
    },
  )
})

interface Volume {
  path: string
  fill(): Promise<void>
  empty(): Promise<void>
  unmount(): Promise<void>
}

/** Of the server's user, below its own folder, where it may walk. Null where this machine lets nobody mount one. */
async function mountFullVolume(): Promise<Volume | null> {
  const { rows } = await superuser.query<{ folder: string }>(
    `select current_setting('data_directory') as folder`,
  )
  const data = rows[0]?.folder ?? ''
  const { uid, gid } = await stat(data)
  const root = await mkdtemp(join(data, '..', 'volume-'))
  try {
    const options = `size=1m,uid=${uid},gid=${gid},mode=700`
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', root], { stdio: 'ignore' })
  } catch {
    await rm(root, { recursive: true })
    return null
  }
  const path = join(root, 'space')
  await mkdir(path)
  execFileSync('/bin/chown', [`${uid}:${gid}`, path])
  const rest = join(root, 'rest')
  return {
    path,
    fill: () => writeFile(rest, Buffer.alloc(2_000_000)).catch(() => {}),
    empty: () => rm(rest),
    unmount: async () => {
      execFileSync('/bin/umount', [root])
      await rm(root, { recursive: true })
    },
  }
}
