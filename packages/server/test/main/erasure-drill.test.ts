import { cp, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ProgressNote, Session } from '@casenote/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isReceiptGenuine, type Receipt } from '../../src/features/erasure/index.js'
import { readConfig } from '../../src/kernel/config.js'
import { makeLog } from '../../src/kernel/log.js'
import { restoreBackup, type RestoreReport } from '../../src/main/backup/restore-backup.js'
import { openDatabaseForCommand } from '../../src/main/database-source.js'
import { makeDataFolder, runCasenote, startCasenote, waitUntil } from '../support/casenote-process.js'

/** Words that stand nowhere else. */
const canaries = ['Zyxcanary', 'zyx.canary@example.com', 'quetzalcoatlus', 'Externalcanary77']

let folder: { path: string; remove(): Promise<void> }
let restored: { path: string; remove(): Promise<void> }
let backup: string

const envOf = (dataDir: string) => ({ CASENOTE_DATA_DIR: dataDir, CASENOTE_LOG_LEVEL: 'debug' })

beforeAll(async () => {
  folder = await makeDataFolder()
  restored = await makeDataFolder()
  backup = join(dirname(folder.path), 'backup')
})
afterAll(async () => {
  await folder.remove()
  await restored.remove()
})

interface Credentials {
  clientId: string
  clientSecret: string
  apiKey: string
  clinicianId: string
}

async function openCaller(dataDir: string, url: string) {
  const text = await readFile(join(dataDir, 'sandbox-credentials.json'), 'utf8')
  const { clientId, clientSecret, apiKey, clinicianId } = JSON.parse(text) as Credentials
  const send = async (method: string, path: string, body: object | null, token: string): Promise<Response> =>
    fetch(`${url}/v2${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'access-token': token, 'content-type': 'application/json' },
      body: body === null ? null : JSON.stringify(body),
    })
  const answer = await send('POST', '/partners/authenticate', { clientId, clientSecret }, '')
  const { accessToken } = (await answer.json()) as { accessToken: string }
  const ask = async <T>(method: string, path: string, body: object | null = null): Promise<T> =>
    (await (await send(method, path, body, accessToken)).json()) as T
  return { clinicianId, ask }
}

async function* listFiles(path: string): AsyncIterable<string> {
  for (const name of await readdir(path)) {
    const inner = join(path, name)
    const found = await stat(inner).catch(() => null)
    if (found?.isDirectory()) yield* listFiles(inner)
    else if (found?.isFile()) yield inner
  }
}

/** Files of the database and all else in the data folder in which one of the words stands. The log of changes is not looked at: it is recycled. */
async function findInFiles(root: string): Promise<string[]> {
  const found: string[] = []
  for await (const path of listFiles(root)) {
    if (path.includes('/pg_wal/')) continue
    const bytes = await readFile(path)
    if (canaries.some((word) => bytes.includes(word))) found.push(path.slice(root.length + 1))
  }
  return found
}

async function withSuperuser<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const source = await openDatabaseForCommand(readConfig(envOf(dataDir)), makeLog('silent', 'test'))
  try {
    const database = /\/([a-z_]+)\?/.exec(source.databaseUrl)?.[1] as string
    const connectionString = (source.superuserUrl as string).replace(/\/[a-z_]+\?/, `/${database}?`)
    const client = new pg.Client({ connectionString })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  } finally {
    await source.close()
  }
}

const listClients = (dataDir: string): Promise<string[]> =>
  withSuperuser(dataDir, async (client) => {
    const { rows } = await client.query<{ name: string }>('select last_name as name from casenote.clients')
    return rows.map(({ name }) => name)
  })

const restore = (dataDir: string, isVerifyOnly = false): Promise<RestoreReport> =>
  restoreBackup(readConfig(envOf(dataDir)), makeLog('silent', 'test'), {
    source: backup,
    isVerifyOnly,
    isDespiteProblems: false,
    show: () => {},
  })

describe('erasure', { timeout: 300_000 }, () => {
  let clientId = ''

  it('after it, a VACUUM and a WAL switch, nothing of the client is in tables, indexes, blobs or logs', async () => {
    const service = await startCasenote(envOf(folder.path))
    const { clinicianId, ask } = await openCaller(folder.path, service.url)
    const client = await ask<{ id: string }>('POST', `/clinicians/${clinicianId}/clients`, {
      firstName: 'Quilla',
      lastName: canaries[0],
      email: canaries[1],
      externalId: canaries[3],
      dateOfBirth: '1971-03-04',
    })
    clientId = client.id
    const text = `Clinician: How did you sleep?\nClient: Better, I dreamt of a ${canaries[2]} for seven hours.\n`
    const { sessionId } = await ask<Session>('POST', `/clients/${clientId}/sessions`, {
      text: text.repeat(4),
    })
    const note = () => ask<ProgressNote>('GET', `/sessions/${sessionId}/progress-note`)
    await waitUntil(async () => (await note()).status === 'generated', 'a note')
    const made = await runCasenote(['backup', backup], envOf(folder.path))
    expect(made.code).toBe(0)
    const erased = await runCasenote(['erase', 'client', clientId, '--yes', '--json'], envOf(folder.path))
    expect(erased.code).toBe(0)
    const receipt = JSON.parse(erased.stdout) as Receipt
    expect(receipt.statement).toMatchObject({ subjectId: clientId, isKeyDestroyed: true })
    expect(isReceiptGenuine(receipt)).toBe(true)
    const { stdout, stderr } = await service.process.end('SIGTERM')
    for (const word of canaries) expect(stdout + stderr).not.toContain(word)
    await withSuperuser(folder.path, async (superuser) => {
      // A plain VACUUM frees the room and leaves the bytes in it until it is used again: a full one writes the table anew.
      await superuser.query('vacuum (full, analyze)')
      await superuser.query('select pg_switch_wal()')
      await superuser.query('checkpoint')
    })
    expect(await findInFiles(folder.path)).toEqual([])
    expect(await findInFiles(backup), 'or this finds nothing at all').not.toEqual([])
  })

  it('a backup of before is not restored without the key store', async () => {
    await cp(join(folder.path, 'master.key'), join(restored.path, 'master.key'))
    await expect(restore(restored.path)).rejects.toThrow('needs key store')
    await expect(restore(restored.path)).rejects.toThrow('Bring it back from its own copy')
    expect(await readdir(restored.path)).toEqual(['master.key'])
  })

  it('restored with it, the backup brings nobody back, and all else opens', async () => {
    await mkdir(join(restored.path, 'key-store'))
    await cp(join(folder.path, 'key-store'), join(restored.path, 'key-store'), { recursive: true })
    const looked = await restore(restored.path, true)
    expect(looked).toMatchObject({ isWell: true, erased: 1, problems: [] })
    const report = await restore(restored.path)
    expect(report).toMatchObject({ isWell: true, isUsable: true, erased: 1, problems: [] })
    expect(await listClients(restored.path)).not.toContain(canaries[0])
    expect((await listClients(restored.path)).length).toBeGreaterThan(0)
    await withSuperuser(restored.path, async (superuser) => {
      await superuser.query('vacuum (full, analyze)')
      await superuser.query('select pg_switch_wal()')
      await superuser.query('checkpoint')
    })
    expect(await findInFiles(restored.path)).toEqual([])
    await rm(backup, { recursive: true, force: true })
  })
})
