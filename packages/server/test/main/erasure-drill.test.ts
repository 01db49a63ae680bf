import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { ProgressNote, Session, Transcript } from '@casenote/contract'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isReceiptGenuine, type Receipt } from '../../src/features/erasure/index.js'
import { readConfig } from '../../src/kernel/config.js'
import { readDocument, writeDocument } from '../../src/kernel/key-store/key-store-document.js'
import { makeLog } from '../../src/kernel/log.js'
import type { MasterKeys } from '../../src/kernel/secrets/master-keys.js'
import { restoreBackup, type RestoreReport } from '../../src/main/backup/restore-backup.js'
import { openDatabaseForCommand } from '../../src/main/database-source.js'
import { findMasterKeys } from '../../src/main/master-key-source.js'
import { readSample } from '../engines/speech/speech-fixture.js'
import { makeAudio } from '../support/make-audio.mjs'
import { makeDataFolder, runCasenote, startCasenote, waitUntil } from '../support/casenote-process.js'

/** Words that stand nowhere else; what was said in the recording comes to them. */
const canaries = [
  'Zyxcanary',
  'zyx.canary@example.com',
  'quetzalcoatlus',
  'Externalcanary77',
  'archaeopteryx',
]

/** People who read aloud, in a file that says in plain bytes whose it is. */
const recording = makeAudio(
  ['-i', 'pipe:0', '-c', 'copy', '-metadata', `title=${canaries[4]}`, '-f', 'ogg', 'pipe:1'],
  readSample('reader-0870.ogg'),
)

let folder: { path: string; remove(): Promise<void> }
let restored: { path: string; remove(): Promise<void> }
/** The data folder as it was before the erasure: a snapshot of the machine. */
let snapshot: { path: string; remove(): Promise<void> }
let backup: string
let files: Server

const envOf = (dataDir: string) => ({ CASENOTE_DATA_DIR: dataDir, CASENOTE_LOG_LEVEL: 'debug' })

beforeAll(async () => {
  folder = await makeDataFolder()
  restored = await makeDataFolder()
  snapshot = await makeDataFolder()
  files = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'audio/ogg' }).end(recording),
  ).listen(0, '127.0.0.1')
  await once(files, 'listening')
  backup = join(dirname(folder.path), 'backup')
})
afterAll(async () => {
  files.close()
  await folder.remove()
  await restored.remove()
  await snapshot.remove()
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

/** Of a store without any recording: which one it is. */
const emptyBytesMax = 200

/** What lies in the blob store, or in a backup of it. */
async function countBlobBytes(path: string): Promise<number> {
  let bytes = 0
  for await (const file of listFiles(path)) bytes += (await stat(file)).size
  return bytes
}

const listClients = (dataDir: string): Promise<string[]> =>
  withSuperuser(dataDir, async (client) => {
    const { rows } = await client.query<{ name: string }>('select last_name as name from casenote.clients')
    return rows.map(({ name }) => name)
  })

const restore = (dataDir: string, isVerifyOnly = false, source = backup): Promise<RestoreReport> =>
  restoreBackup(readConfig(envOf(dataDir)), makeLog('silent', 'test'), {
    source,
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
    expect(recording.includes(canaries[4] as string)).toBe(true)
    const { sessionId: recordedId } = await ask<Session>('POST', `/clients/${clientId}/sessions`, {
      fileUrl: `http://127.0.0.1:${(files.address() as AddressInfo).port}/reading.ogg`,
    })
    const noteOf = () => ask<ProgressNote>('GET', `/sessions/${recordedId}/progress-note`)
    await waitUntil(async () => (await noteOf()).status === 'generated', 'a note of the recording')
    const { transcriptItems } = await ask<Transcript>('GET', `/sessions/${recordedId}/transcript`)
    const said = transcriptItems.map((item) => item.transcript).join(' ')
    expect(said.length).toBeGreaterThan(30)
    canaries.push(said.slice(0, 30))
    const made = await runCasenote(['backup', backup], envOf(folder.path))
    expect(made.code).toBe(0)
    const { stdout, stderr } = await service.process.end('SIGTERM')
    for (const word of canaries) expect(stdout + stderr).not.toContain(word)
    // With the owners of all files: the server's own user has the database.
    await promisify(execFile)('cp', ['-a', `${folder.path}/.`, snapshot.path])
    expect(await countBlobBytes(join(folder.path, 'blobs'))).toBeGreaterThan(recording.length)
    expect(await countBlobBytes(join(backup, 'blobs'))).toBeGreaterThan(recording.length)
    const erased = await runCasenote(['erase', 'client', clientId, '--yes', '--json'], envOf(folder.path))
    expect(erased.code).toBe(0)
    const receipt = JSON.parse(erased.stdout) as Receipt
    expect(receipt.statement).toMatchObject({ subjectId: clientId, isKeyDestroyed: true, recordings: 1 })
    expect(await countBlobBytes(join(folder.path, 'blobs'))).toBeLessThan(emptyBytesMax)
    expect(isReceiptGenuine(receipt)).toBe(true)
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
    expect(await countBlobBytes(join(restored.path, 'blobs'))).toBeLessThan(emptyBytesMax)
    await rm(backup, { recursive: true, force: true })
  })

  it('nothing starts on a database that was put back by hand, until the list is applied to it', async () => {
    expect(await listClients(snapshot.path)).toContain(canaries[0])
    await cp(join(folder.path, 'key-store'), join(snapshot.path, 'key-store'), { recursive: true })
    const refused = await runCasenote(['start'], { ...envOf(snapshot.path), PORT: '47611' })
    expect([refused.code, refused.stdout + refused.stderr]).toEqual([
      1,
      expect.stringContaining('casenote erase apply'),
    ])
    const apply = (...options: string[]) =>
      runCasenote(['erase', 'apply', '--json', ...options], envOf(snapshot.path))
    const applied = await apply()
    expect(JSON.parse(applied.stdout)).toEqual({ listed: 1, applied: 1, refused: [], left: 0 })
    expect(JSON.parse((await apply()).stdout)).toMatchObject({ listed: 1, applied: 0 })
    const service = await startCasenote(envOf(snapshot.path))
    const beside = await apply()
    expect([beside.code, beside.stderr]).toEqual([1, expect.stringContaining('--while-running')])
    expect(JSON.parse((await apply('--while-running')).stdout)).toMatchObject({ applied: 0 })
    await service.process.end('SIGTERM')
    await withSuperuser(snapshot.path, async (superuser) => {
      const { rows } = await superuser.query(
        `select from casenote.audit_entries where body like '%"operation":"erasure.apply"%'`,
      )
      expect(rows).toHaveLength(1)
      await superuser.query('vacuum (full, analyze)')
      await superuser.query('checkpoint')
    })
    expect(await findInFiles(snapshot.path)).toEqual([])
    expect(await countBlobBytes(join(snapshot.path, 'blobs'))).toBeLessThan(emptyBytesMax)
  })
})

/** As where a trainee signed it, and waits for the supervisor's signature; or where the supervisor has given it back. */
const signForTrainee = (dataDir: string, sessionIds: readonly string[], isSigned: boolean): Promise<void> =>
  withSuperuser(dataDir, async (client) => {
    const { rowCount } = await client.query(
      `update casenote.progress_notes n set signed_by_kind = case when $2 then 'clinician' end,
         signed_by_id = case when $2 then c.clinician_id end, signed_at = case when $2 then now() end
       from casenote.sessions s join casenote.clients c on c.tenant_id = s.tenant_id and c.client_id = s.client_id
       where s.tenant_id = n.tenant_id and s.session_id = n.session_id and n.session_id = any ($1)`,
      [sessionIds, isSigned],
    )
    expect(rowCount).toBe(sessionIds.length)
  })

describe('a backup of when notes waited for a second signature, or were held', { timeout: 300_000 }, () => {
  let signedBackup: string
  const sessionIds: string[] = []
  let clientId = ''
  let heldSessionId = ''
  /** The key store as an earlier version left it: its list does not say what was carried out. */
  let older: Buffer
  const storeFile = (dataDir: string) => join(dataDir, 'key-store', 'key-store.json')
  let one: { path: string; remove(): Promise<void> }
  let two: { path: string; remove(): Promise<void> }

  beforeAll(async () => {
    one = await makeDataFolder()
    two = await makeDataFolder()
    signedBackup = join(dirname(one.path), 'backup')
  })
  afterAll(async () => {
    await one.remove()
    await two.remove()
  })

  const listNotes = (dataDir: string): Promise<string[]> =>
    withSuperuser(dataDir, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        'select session_id as id from casenote.progress_notes where session_id = any ($1) order by 1',
        [sessionIds],
      )
      return rows.map(({ id }) => id)
    })

  it('is restored without what was erased once it was given back or held no longer, though the backup says that it is signed or held', async () => {
    const service = await startCasenote(envOf(one.path))
    const { clinicianId, ask } = await openCaller(one.path, service.url)
    const text = 'Clinician: How did you sleep?\nClient: Better, some seven hours each night.\n'.repeat(4)
    const add = async (
      ids: string[] = sessionIds,
    ): Promise<[clientId: string, sessionId: string, progressNoteId: string]> => {
      const client = await ask<{ id: string }>('POST', `/clinicians/${clinicianId}/clients`, {
        firstName: 'Quilla',
        lastName: 'Traineesclient',
        email: 'q@example.com',
        dateOfBirth: '1971-03-04',
      })
      const { sessionId } = await ask<Session>('POST', `/clients/${client.id}/sessions`, { text })
      const note = () => ask<ProgressNote>('GET', `/sessions/${sessionId}/progress-note`)
      await waitUntil(async () => (await note()).status === 'generated', 'a note')
      ids.push(sessionId)
      return [client.id, sessionId, (await note()).id]
    }
    const [, , draftId] = await add()
    const [, erasedSessionId] = await add()
    ;[clientId] = await add()
    // Not signed: the hold alone keeps it.
    const held = await add([])
    heldSessionId = held[1]
    await service.process.end('SIGTERM')
    await signForTrainee(one.path, sessionIds, true)
    const run = async (...words: string[]) => expect((await runCasenote(words, envOf(one.path))).code).toBe(0)
    await run('legal-hold', 'place', held[0])
    await run('backup', signedBackup)
    await run('legal-hold', 'lift', held[0])
    await signForTrainee(one.path, sessionIds, false)
    for (const of of [
      ['session', heldSessionId],
      ['draft', draftId],
      ['session', erasedSessionId],
      ['client', clientId],
    ])
      await run('erase', ...of, '--yes')
    await cp(join(one.path, 'master.key'), join(two.path, 'master.key'))
    await cp(join(one.path, 'key-store'), join(two.path, 'key-store'), { recursive: true })
    const masterKeys = (await findMasterKeys(readConfig(envOf(two.path)))) as MasterKeys
    const newest = await readFile(storeFile(two.path))
    const document = await readDocument(newest, 'it', masterKeys)
    const erasures = document.erasures.map(({ isDone: _isDone, ...entry }) => entry)
    older = writeDocument({ ...document, erasures }, masterKeys)

    const report = await restore(two.path, false, signedBackup)
    expect(report).toMatchObject({ isWell: true, isUsable: true, erased: 4, notErased: [], problems: [] })
    expect(await listNotes(two.path)).toEqual([])
  })

  it('tells what it cannot know to have been carried out, and ends as not well', async () => {
    await rm(two.path, { recursive: true })
    await mkdir(join(two.path, 'key-store'), { recursive: true })
    await cp(join(one.path, 'master.key'), join(two.path, 'master.key'))
    await writeFile(storeFile(two.path), older)
    const printed = await runCasenote(['restore', signedBackup], envOf(two.path))
    expect([printed.code, printed.stdout]).toEqual([1, expect.stringContaining('3 erasures were refused')])
    expect(printed.stdout).toContain(`(session ${sessionIds[1]})`)
    expect(printed.stdout).toContain(`(session ${heldSessionId})`)
    // The key of the client is gone: nobody needs to be told that this was carried out.
    expect(printed.stdout).not.toContain(clientId)
    // Such a restore says nothing of what became of them: another one may know.
    expect(await readFile(storeFile(two.path))).toEqual(older)
  })

  it('of an earlier version’s list is told what the database knows to have been carried out', async () => {
    await writeFile(storeFile(one.path), older)
    expect((await runCasenote(['erase', 'resume'], envOf(one.path))).code).toBe(0)
    await rm(two.path, { recursive: true })
    await mkdir(two.path)
    await cp(join(one.path, 'master.key'), join(two.path, 'master.key'))
    await cp(join(one.path, 'key-store'), join(two.path, 'key-store'), { recursive: true })
    expect(await restore(two.path, true, signedBackup)).toMatchObject({ isWell: true, erased: 4 })
  })
})
