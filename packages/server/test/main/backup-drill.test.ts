import { randomBytes, randomUUID } from 'node:crypto'
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ClinicianTokens, ProgressNote, Session, WidgetSession } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countMigrations } from '../../src/kernel/db/migrate.js'
import { readConfig } from '../../src/kernel/config.js'
import { makeLog } from '../../src/kernel/log.js'
import { MasterKeys, readMasterKeyFile } from '../../src/kernel/secrets/master-keys.js'
import { BoundedFolder } from '../../src/main/backup/bounded-folder.js'
import { readContents } from '../../src/main/backup/contents.js'
import { manifestFormat, readManifest, writeManifest, type Manifest } from '../../src/main/backup/manifest.js'
import { restoreBackup, type RestoreReport } from '../../src/main/backup/restore-backup.js'
import {
  CasenoteProcess,
  makeDataFolder,
  runCasenote,
  startCasenote,
  waitUntil,
} from '../support/casenote-process.js'
import { creationHeaders, patchHeaders } from '../widget/widget-fixture.js'

let folder: { path: string; remove(): Promise<void> }
let restored: { path: string; remove(): Promise<void> }
let backup: string
/** Running on what was restored, at the end of the drill. */
let service: CasenoteProcess | null = null

const envOf = (dataDir: string) => ({ CASENOTE_DATA_DIR: dataDir, CASENOTE_LOG_LEVEL: 'error' })

beforeAll(async () => {
  folder = await makeDataFolder()
  restored = await makeDataFolder()
  backup = join(dirname(folder.path), 'backup')
})
afterAll(async () => {
  await service?.end('SIGTERM')
  await endServer(folder.path)
  await folder.remove()
  await restored.remove()
})

/** The server outlives a kill of its service, on purpose. */
async function endServer(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
  if (pid > 0) process.kill(pid, 'SIGQUIT')
  await waitUntil(async () => !(await isThere(file)) || !isAlive(pid), 'the server has ended')
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null

interface Credentials {
  clientId: string
  clientSecret: string
  apiKey: string
  clinicianId: string
  clientIds: string[]
}

/** A partner's program, and a clinician's browser beside it. */
class Caller {
  readonly #url: string
  readonly #credentials: Credentials
  accessToken = ''

  constructor(url: string, credentials: Credentials) {
    this.#url = url
    this.#credentials = credentials
  }

  async signIn(): Promise<void> {
    const { clientId, clientSecret } = this.#credentials
    const answer = await this.send('POST', '/v2/partners/authenticate', { clientId, clientSecret })
    this.accessToken = ((await answer.json()) as { accessToken: string }).accessToken
  }

  send(method: string, path: string, body?: object): Promise<Response> {
    const headers = {
      'x-api-key': this.#credentials.apiKey,
      'access-token': this.accessToken,
      'content-type': 'application/json',
    }
    return fetch(`${this.#url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
  }

  async get<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await this.send(method, `/v2${path}`, body)
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  async sendAsClinician(
    method: string,
    path: string,
    body: object | Buffer | null,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const { AccessToken } = await this.get<ClinicianTokens>(
      'POST',
      `/clinicians/${this.#credentials.clinicianId}/authenticate`,
    )
    const bytes = Buffer.isBuffer(body) ? new Uint8Array(body) : null
    const isJson = body !== null && bytes === null
    return fetch(`${this.#url}/widget/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${AccessToken}`,
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isJson ? JSON.stringify(body) : bytes,
    })
  }

  /** A recording under way, of which the bytes have arrived. */
  async upload(clientId: string, bytes: Buffer): Promise<string> {
    await this.sendAsClinician('POST', `/clients/${clientId}/consent`, {
      textVersion: '2026-11',
      given: true,
    })
    const opened = await this.sendAsClinician('POST', `/clients/${clientId}/sessions`, {
      recordingId: randomUUID(),
    })
    const { sessionId } = (await opened.json()) as WidgetSession
    const uploadId = randomUUID()
    const path = `/sessions/${sessionId}/uploads`
    await this.sendAsClinician('POST', path, null, creationHeaders(uploadId, { segment: 0 }))
    const sent = await this.sendAsClinician('PATCH', `/uploads/${uploadId}`, bytes, patchHeaders(0))
    if (sent.status !== 204) throw new Error(`no bytes: ${sent.status} ${await sent.text()}`)
    return uploadId
  }
}

const readCredentials = async (dataDir: string): Promise<Credentials> =>
  JSON.parse(await readFile(join(dataDir, 'sandbox-credentials.json'), 'utf8')) as Credentials

/** Clients that are created one after the other until somebody says that it is enough, each with when it was acknowledged. */
async function createClients(
  caller: Caller,
  clinicianId: string,
  isEnough: () => boolean,
): Promise<{ id: string; ackedAtMs: number }[]> {
  const made: { id: string; ackedAtMs: number }[] = []
  while (!isEnough()) {
    const person = { lastName: `Load${made.length}`, dateOfBirth: '1990-01-02' }
    const { id } = await caller.get<{ id: string }>('POST', `/clinicians/${clinicianId}/clients`, person)
    made.push({ id, ackedAtMs: Date.now() })
  }
  return made
}

const edited = 'What the clinician wrote, and nobody must lose.'

async function makeEditedNote(caller: Caller, clientId: string): Promise<string> {
  const text =
    'Clinician: How did you sleep?\nClient: Better, about seven hours. The mood is better, too.\n'.repeat(4)
  const { sessionId } = await caller.get<Session>('POST', `/clients/${clientId}/sessions`, { text })
  const path = `/sessions/${sessionId}/progress-note`
  await waitUntil(async () => (await caller.get<ProgressNote>('GET', path)).status === 'generated', 'a note')
  const { progressNoteId, note } = await caller.get<ProgressNote>('GET', path)
  const changed = note.map((section, index) => (index === 0 ? { ...section, content: edited } : section))
  await caller.get('PATCH', `/progress-notes/${progressNoteId}`, { note: changed })
  return progressNoteId
}

const firstSection = async (caller: Caller, progressNoteId: string): Promise<string | undefined> =>
  (await caller.get<ProgressNote>('GET', `/progress-notes/${progressNoteId}`)).note[0]?.content

const keyStoreIn = (dataDir: string): string => join(dataDir, 'key-store', 'key-store.json')

const takeKeyTo = async (dataDir: string): Promise<void> => {
  await mkdir(dataDir, { recursive: true })
  await copyFile(join(folder.path, 'master.key'), join(dataDir, 'master.key'))
  await mkdir(join(dataDir, 'key-store'))
  await copyFile(keyStoreIn(folder.path), keyStoreIn(dataDir))
}

describe('the drill', () => {
  it('what was acknowledged before the end of a backup under load is there after a kill and a restore elsewhere', async () => {
    const first = await startCasenote(envOf(folder.path))
    const credentials = await readCredentials(folder.path)
    const { clinicianId } = credentials
    const [clientId = ''] = credentials.clientIds
    const caller = new Caller(first.url, credentials)
    await caller.signIn()
    const progressNoteId = await makeEditedNote(caller, clientId)
    const sound = randomBytes(5_000_000)
    const uploadId = await caller.upload(clientId, sound)
    const tokens = await caller.get<ClinicianTokens>('POST', `/clinicians/${clinicianId}/authenticate`)

    let isEnough = false
    const load = [0, 1].map(() => createClients(caller, clinicianId, () => isEnough))
    // Killed in the middle: what is left is no backup, and the next one begins again.
    const killed = new CasenoteProcess(['backup', backup], envOf(folder.path))
    await waitUntil(() => isThere(join(backup, 'database', 'PG_VERSION')), 'the database is being copied')
    await killed.end('SIGKILL')
    expect(await isThere(join(backup, 'manifest.json'))).toBe(false)
    const made = await runCasenote(['backup', backup], envOf(folder.path))
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('NOT in it') })
    expect(made.stderr).toContain('Removed what a backup that was cut short had left there')
    const later = await caller.upload(clientId, randomBytes(1_000))
    isEnough = true
    const clients = (await Promise.all(load)).flat()
    await first.process.end('SIGKILL')

    const manifest = await readManifest(new BoundedFolder(backup))
    const untilMs = Date.parse(manifest.dataUntil ?? '')
    const promised = clients.filter(({ ackedAtMs }) => ackedAtMs < untilMs)
    expect(promised.length).toBeGreaterThan(0)
    expect(promised.length).toBeLessThan(clients.length)

    await takeKeyTo(restored.path)
    // Killed in the middle, too: nothing starts on half of it, and the next one begins again.
    const halved = new CasenoteProcess(['restore', backup], envOf(restored.path))
    await waitUntil(() => isThere(join(restored.path, 'restore-unfinished')), 'the restore has begun')
    await halved.end('SIGKILL')
    const refused = await runCasenote(['start'], envOf(restored.path))
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('was not finished') })
    const report = await runCasenote(['restore', backup, '--json', '--as', 'Drill'], envOf(restored.path))
    expect(report.stderr).not.toContain('casenote:')
    const said = JSON.parse(report.stdout) as RestoreReport
    expect(said.problems).toEqual([])
    expect(report.code).toBe(0)
    expect(said.restored?.audit.verdict).toBe('intact')
    expect(said.restored?.recordings).toMatchObject({ missingCount: 0, unreadableCount: 0 })
    expect(said.restored?.recordings.opened).toBeGreaterThan(1)

    const verified = await runCasenote(['audit', 'verify'], envOf(restored.path))
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('The log is intact') })
    const second = await startCasenote(envOf(restored.path))
    service = second.process
    const again = new Caller(second.url, await readCredentials(restored.path))
    again.accessToken = caller.accessToken
    expect((await again.send('GET', '/v2/partners')).status, 'a token of before the restore').not.toBe(200)
    const renewed = await again.send('POST', '/widget/v1/token', { RefreshToken: tokens.RefreshToken })
    expect(renewed.status, 'a refresh token that may have been used since').toBe(401)
    await again.signIn()
    const found = await Promise.all(promised.map(({ id }) => again.send('GET', `/v2/clients/${id}`)))
    expect(found.filter(({ status }) => status !== 200)).toEqual([])
    expect(await firstSection(again, progressNoteId)).toBe(edited)
    const resume = (id: string): Promise<Response> =>
      again.sendAsClinician('HEAD', `/uploads/${id}`, null, { 'tus-resumable': '1.0.0' })
    expect((await resume(uploadId)).headers.get('upload-offset')).toBe(String(sound.length))
    expect((await resume(later)).status, 'what came after the backup').toBe(404)
    let goesOn = 0
    await createClients(again, clinicianId, () => (goesOn += 1) > 1)
    const log = await runCasenote(
      ['audit', 'report', '--partner', String(said.restored?.audit.tenants[0]?.tenantId), '--format', 'json'],
      envOf(restored.path),
    )
    expect(log.stdout).toContain('installation.restore')
    expect(log.stdout).toContain('"Drill"')
  })

  it('keeps to itself: nobody else reads it, and it holds neither key nor password nor API key', async () => {
    const secrets = [
      await readFile(join(folder.path, 'master.key'), 'utf8'),
      (await readCredentials(folder.path)).clientSecret,
      (await readCredentials(folder.path)).apiKey,
      ...Object.values(
        JSON.parse(await readFile(join(folder.path, 'postgres-passwords.json'), 'utf8')) as Record<
          string,
          string
        >,
      ),
    ].map((secret) => secret.trim())
    expect((await stat(backup)).mode & 0o777).toBe(0o700)
    const paths = ['manifest.json', 'contents.ndjson']
    for await (const entry of readContents(new BoundedFolder(backup)))
      if (entry.kind === 'file') paths.push(entry.path)
    for (const path of paths) {
      expect((await stat(join(backup, path))).mode & 0o077).toBe(0)
      const bytes = await readFile(join(backup, path))
      for (const secret of secrets) expect([path, bytes.includes(secret)]).toEqual([path, false])
    }
  })
})

const restore = (
  dataDir: string,
  env: Record<string, string> = {},
  isDespiteProblems = false,
  isVerifyOnly = false,
) =>
  restoreBackup(readConfig({ ...envOf(dataDir), ...env }), makeLog('error', 'test'), {
    source: backup,
    isVerifyOnly,
    isDespiteProblems,
    show: () => {},
  })

/** With the key in it, and nothing else. */
async function freshFolder(): Promise<string> {
  const dataDir = join(dirname(restored.path), randomUUID())
  await takeKeyTo(dataDir)
  return dataDir
}

async function findFile(matches: (path: string) => boolean): Promise<string> {
  for await (const entry of readContents(new BoundedFolder(backup))) {
    if (entry.kind === 'file' && matches(entry.path)) return join(backup, entry.path)
  }
  throw new Error('the backup has no such file')
}

describe('casenote backup', () => {
  it('refuses a folder that holds a backup or anything else', async () => {
    const full = await runCasenote(['backup', backup], envOf(restored.path))
    expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('holds a backup') })
    const other = join(dirname(folder.path), 'other')
    await mkdir(other)
    await writeFile(join(other, 'note.txt'), 'mine')
    const refused = await runCasenote(['backup', other], envOf(restored.path))
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
    expect(await readdir(other)).toEqual(['note.txt'])
  })
})

describe('casenote restore, before it changes anything', () => {
  it('says that a folder is not empty', async () => {
    await expect(restore(restored.path)).rejects.toThrow(/already running|is not empty/)
    const dataDir = await freshFolder()
    await writeFile(join(dataDir, 'sandbox-credentials.json'), '{}')
    await expect(restore(dataDir)).rejects.toThrow('is not empty')
  })

  it('says that the master key is missing, or that it is another one', async () => {
    const dataDir = await freshFolder()
    await rm(join(dataDir, 'master.key'))
    await expect(restore(dataDir)).rejects.toThrow('no master key: a backup does not hold it')
    const other = { CASENOTE_MASTER_KEY: randomBytes(32).toString('base64') }
    await expect(restore(dataDir, other)).rejects.toThrow('wrong master key: this backup needs key')
    expect(await readdir(dataDir)).toEqual(['key-store'])
  })

  it.each([
    [
      'a changed file of the database',
      (path: string) => path.endsWith('database/global/pg_filenode.map'),
      100,
    ],
    ['a log file that was cut', (path: string) => path.includes('database/pg_wal/'), 1_000_000],
    ['a changed recording', (path: string) => path.startsWith('blobs/'), 50],
  ])('finds %s', async (_what, matches, bytes) => {
    const file = await findFile((path) => matches(join('/', path).slice(1)))
    await copyFile(file, `${file}.kept`)
    await truncate(file, bytes)
    const dataDir = await freshFolder()
    const report = await restore(dataDir)
    await rename(`${file}.kept`, file)
    expect(report).toMatchObject({ isWell: false, isUsable: false, restored: null })
    expect(report.files.damaged).toEqual([{ path: file.slice(backup.length + 1), how: 'changed' }])
    expect(await readdir(dataDir)).toEqual(['key-store', 'master.key'])
  })

  it('finds that the manifest or its list was changed', async () => {
    const keys = new MasterKeys(() => readMasterKeyFile(folder.path) ?? [])
    const { seal, ...manifest } = await readManifest(new BoundedFolder(backup))
    const change = async (changed: Partial<Manifest>, isSealed: boolean): Promise<void> => {
      const next = { ...manifest, ...changed }
      if (isSealed) await writeManifest(new BoundedFolder(backup), next, keys)
      else await writeFile(join(backup, 'manifest.json'), JSON.stringify({ ...next, seal }))
    }
    await change({ dataUntil: '2020-01-01T00:00:00.000Z' }, false)
    await expect(restore(await freshFolder())).rejects.toThrow('was changed after the backup')
    await change({ contents: { ...manifest.contents, sha256: 'other' } }, true)
    await expect(restore(await freshFolder())).rejects.toThrow('is not the list that the manifest names')
    await change({ schemaVersion: (await countMigrations()) + 1 }, true)
    await expect(restore(await freshFolder())).rejects.toThrow('use that version')
    await change({ format: manifestFormat + 1 }, true)
    await expect(restore(await freshFolder())).rejects.toThrow('use that version')
    await change({ database: { ...manifest.database, postgresql: 170_002 } }, true)
    await expect(restore(await freshFolder())).rejects.toThrow('written by PostgreSQL 17')
    await change({}, true)
  })

  it('a folder without a manifest is no backup', async () => {
    await rename(join(backup, 'manifest.json'), join(backup, 'kept.json'))
    await expect(restore(await freshFolder())).rejects.toThrow(
      'it is no backup, or one that was not finished',
    )
    await rename(join(backup, 'kept.json'), join(backup, 'manifest.json'))
  })
})

describe('casenote restore --verify-only', () => {
  it('reads all of it in a folder that is removed again, and takes no link for a leftover of its own', async () => {
    const dataDir = await freshFolder()
    const elsewhere = join(dirname(restored.path), 'elsewhere')
    await mkdir(join(elsewhere, 'kept'), { recursive: true })
    await symlink(elsewhere, join(dataDir, 'casenote-verify-aaaaaa'))
    await mkdir(join(dataDir, 'casenote-verify-bbbbbb'))
    const before = await readdir(dirname(dataDir))
    const report = await restore(dataDir, {}, false, true)
    expect(report).toMatchObject({ isWell: true, problems: [], restored: { tables: { unreadable: [] } } })
    expect(report.restored?.tables.rows).toBeGreaterThan(10)
    expect(await readdir(dirname(dataDir)), 'nothing beside the data folder').toEqual(before)
    expect((await readdir(dataDir)).toSorted()).toEqual(['casenote-verify-aaaaaa', 'key-store', 'master.key'])
    expect(await readdir(elsewhere)).toEqual(['kept'])
  })
})

describe('a recording that is missing in the backup', () => {
  it('is named, and restored without only where the operator says so', async () => {
    const file = await findFile((path) => path.startsWith('blobs/'))
    await rm(file)
    const name = file.slice(join(backup, 'blobs').length + 1)
    const dataDir = await freshFolder()
    expect(await restore(dataDir)).toMatchObject({
      isUsable: false,
      files: { damaged: [{ path: join('blobs', name), how: 'missing' }] },
    })
    const report = await restore(dataDir, {}, true)
    expect(report).toMatchObject({ isWell: false, isUsable: true })
    expect(report.restored?.recordings).toMatchObject({
      missing: [name],
      missingCount: 1,
      unreadableCount: 0,
    })
    expect(report.restored?.sealed.opened).toBeGreaterThan(5)
    expect(await isThere(join(dataDir, 'restore-unfinished'))).toBe(false)
  })
})
