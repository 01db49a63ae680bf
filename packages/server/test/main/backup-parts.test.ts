import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { deleteBlob, makeFolderStore, writeBlob } from '../../src/kernel/blobs/index.js'
import { readConfig } from '../../src/kernel/config.js'
import { countMigrations } from '../../src/kernel/db/migrate.js'
import { makeLog } from '../../src/kernel/log.js'
import { MasterKeys } from '../../src/kernel/secrets/master-keys.js'
import type { StoredPart } from '../../src/main/backup/backup.sql.js'
import { BoundedFolder, onOwnDisk } from '../../src/main/backup/bounded-folder.js'
import { checkFiles, requireAsListed } from '../../src/main/backup/check-files.js'
import { ContentsWriter, readContents, readLost, type Entry } from '../../src/main/backup/contents.js'
import { writeNewFile } from '../../src/main/backup/copy-file.js'
import { listLogFiles } from '../../src/main/backup/copy-cluster.js'
import {
  listDeleted,
  listStoredParts,
  nowIn,
  RecordingCopy,
  type ReadRows,
} from '../../src/main/backup/copy-recordings.js'
import { placeDataFiles } from '../../src/main/backup/data-files.js'
import { readDumpTime } from '../../src/main/backup/dump-header.js'
import { makeBackup, type BackupOptions } from '../../src/main/backup/make-backup.js'
import type { Manifest } from '../../src/main/backup/manifest.js'
import { restoreBackup, type RestoreReport } from '../../src/main/backup/restore-backup.js'
import { openTarget } from '../../src/main/backup/target.js'
import { deleteWhatWasDeleted } from '../../src/main/backup/settle-restored.js'
import { withOpenConnection } from '../../src/main/backup/snapshot.js'
import { verifyRestored } from '../../src/main/backup/verify-restored.js'
import { openDatabase, openDatabaseForCommand } from '../../src/main/database-source.js'
import { makeDataFolder, runCasenote, startCasenote, waitUntil } from '../support/casenote-process.js'
import { makeDumpHeader } from '../support/dump-header.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

const log = makeLog('error', 'test')
let service: TestService
let partner: TestPartner
let folder: string
let env: Record<string, string>
let keys: MasterKeys

beforeAll(async () => {
  const masterKey = randomBytes(32)
  folder = await mkdtemp(join(tmpdir(), 'casenote-test-'))
  keys = new MasterKeys(() => [masterKey])
  service = await makeTestService({ masterKey })
  partner = await service.addPartner()
  env = {
    ...service.settingsFor(join(folder, 'data')),
    CASENOTE_MIGRATE_URL: service.database.migrateUrl,
  }
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

async function writeRecording(store = service.blobs.store): Promise<string> {
  const sound = (async function* () {
    yield Buffer.from('sound')
  })()
  const tenant = { tenantId: partner.partnerId }
  return (await writeBlob({ ...service.blobs, store }, tenant, 'audio', sound)).blobId
}

async function readAll(target: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of readContents(new BoundedFolder(target))) entries.push(entry)
  return entries
}

describe('remains of a backup that was killed', () => {
  it('are told from what is somebody else’s, and the backup begins again', async () => {
    const path = join(folder, 'killed')
    await mkdir(path)
    await writeFile(join(path, 'unfinished'), '')
    await writeFile(join(path, 'manifest.json.0123456789abcdef.new'), '{')
    const target = await openTarget(new BoundedFolder(path))
    expect(target.isBegunAgain).toBe(true)
    await target.finish()
    await target.release()
    await writeFile(join(path, 'unfinished'), '')
    await writeFile(join(path, 'letters.new'), 'mine')
    await expect(openTarget(new BoundedFolder(path))).rejects.toThrow('is not empty')
  })
})

describe('recordings in a backup', () => {
  it('one that is deleted meanwhile is listed and deleted by the restore; one that was lost is named', async () => {
    const tenant = { tenantId: partner.partnerId }
    const store = makeFolderStore(join(folder, 'store'), 'installation')
    await store.check()
    const [kept, deleted, lost] = [
      await writeRecording(store),
      await writeRecording(store),
      await writeRecording(store),
    ]
    const known: StoredPart[] = []
    for await (const part of listStoredParts(nowIn(service.owner), [tenant])) known.push(part)
    const startedAt = new Date(Date.now() - 60_000).toISOString()
    await deleteBlob({ ...service.blobs, store }, tenant, deleted, 'requested')
    await rm(join(folder, 'store', partner.partnerId, lost), { recursive: true })

    const target = join(folder, 'target')
    await mkdir(target)
    const contents = await ContentsWriter.open(new BoundedFolder(target))
    const copy = new RecordingCopy({
      db: service.owner,
      store,
      target: new BoundedFolder(target),
      contents,
    })
    // As the snapshot has it, which was taken before.
    const snapshot = (async () =>
      known.filter(({ blobId }) => [kept, deleted, lost].includes(blobId))) as ReadRows
    await copy.copy(snapshot, [tenant], { isLast: true, report: () => {} })
    await listDeleted(service.owner, [tenant], startedAt, contents)
    await contents.end()
    const entries = await readAll(target)
    expect(copy).toMatchObject({ parts: 1, missing: 1 })
    expect(entries.filter(({ kind }) => kind === 'file')).toEqual([
      expect.objectContaining({ path: expect.stringContaining(kept) }),
    ])
    expect(entries).toContainEqual({ kind: 'missing', name: expect.stringContaining(lost) })
    const lostBefore = await readLost(new BoundedFolder(target))
    expect([...lostBefore]).toEqual([expect.stringContaining(lost)])
    const verify = (names: ReadonlySet<string>) =>
      verifyRestored({
        db: service.owner,
        masterKeys: keys,
        store,
        anchors: null,
        lostBefore: names,
        show: () => {},
      })
    expect((await verify(lostBefore)).recordings).toMatchObject({
      opened: 1,
      missingCount: 0,
      lostBeforeCount: 1,
    })
    expect((await verify(new Set())).recordings).toMatchObject({ missingCount: 1, lostBeforeCount: 0 })
    expect(entries).toContainEqual({ kind: 'deleted', ...tenant, blobId: deleted, reason: 'requested' })

    await service.owner.write(tenant, (tx) =>
      tx.run({
        text: `update casenote.blobs set status = 'complete', deleted_at = null, deletion_reason = null
          where tenant_id = $1 and blob_id = $2`,
        values: [tenant.tenantId, deleted],
      }),
    )
    await deleteWhatWasDeleted(new BoundedFolder(target), service.owner)
    const [row] = await service.owner.read(tenant, {
      text: 'select status from casenote.blobs where tenant_id = $1 and blob_id = $2',
      values: [tenant.tenantId, deleted],
    })
    expect(row).toEqual({ status: 'deleting' })
    await deleteBlob({ ...service.blobs, store }, tenant, lost, 'requested')
    await deleteBlob({ ...service.blobs, store }, tenant, kept, 'requested')
    await deleteBlob({ ...service.blobs, store }, tenant, deleted, 'requested')
  })

  it('no path of a list leads out of the backup', async () => {
    const target = join(folder, 'outside')
    await mkdir(target)
    for (const path of ['database/../../etc/passwd', '/etc/passwd', 'blobs//x', 'other/x', 'files/.']) {
      const entry = { kind: 'file', path, bytes: 1, sha256: '' }
      await writeFile(join(target, 'contents.ndjson'), `${JSON.stringify(entry)}\n`)
      await expect(readAll(target)).rejects.toThrow('names a path that is not of a backup')
    }
  })
})

describe('the files of a backup', () => {
  it('counts what is needed by itself, however many recordings are gone', async () => {
    const source = join(folder, 'gone')
    await mkdir(source)
    const contents = await ContentsWriter.open(new BoundedFolder(source))
    const gone = { kind: 'file', bytes: 1, sha256: 'x' } as const
    for (let number = 0; number < 1_000; number += 1) await contents.add({ ...gone, path: `blobs/${number}` })
    await contents.add({ ...gone, path: 'database/PG_VERSION' })
    await contents.end()
    const report = await checkFiles(new BoundedFolder(source), { bytes: 1 }, () => {})
    expect(report).toMatchObject({ files: 1_001, damagedCount: 1_001, damagedNeededCount: 1 })
    expect(report.damaged).toHaveLength(1_000)
  })

  it('one that changed after it was checked is not used', async () => {
    const source = join(folder, 'changed')
    await mkdir(join(source, 'database'), { recursive: true })
    const contents = await ContentsWriter.open(new BoundedFolder(source))
    const path = 'database/casenote.dump'
    await contents.add({
      kind: 'file',
      path,
      ...(await writeNewFile(onOwnDisk(join(source, path)), Buffer.from('rows'))),
    })
    await contents.end()
    await requireAsListed(new BoundedFolder(source), path)
    await writeFile(join(source, path), 'rowz')
    await expect(requireAsListed(new BoundedFolder(source), path)).rejects.toThrow(
      'has changed since it was checked',
    )
    await expect(requireAsListed(new BoundedFolder(source), 'database/other')).rejects.toThrow(
      'does not list',
    )
  })
})

describe('the log that a copy of a database needs', () => {
  it('is every file from the first to the last, past the end of the low number', () => {
    expect(
      listLogFiles({
        firstLog: '0000000300000001000000FE',
        lastLog: '000000030000000200000001',
        logBytes: 16 * 1_024 * 1_024,
      }),
    ).toEqual([
      '0000000300000001000000FE',
      '0000000300000001000000FF',
      '000000030000000200000000',
      '000000030000000200000001',
    ])
  })
})

async function backUp(
  target: string,
  more: Record<string, string>,
  dump: string | null,
  say: (line: string) => void = () => {},
  rest: Pick<BackupOptions, 'folderLimits'> & Partial<Pick<BackupOptions, 'show'>> = {},
) {
  const config = readConfig({ ...env, ...more })
  const source = await openDatabaseForCommand(config, log)
  const options = { target, copiesRecordings: null, dump, show: () => {}, say, ...rest }
  return makeBackup(config, source, log, options)
}

describe('a database of one’s own, without pg_dump', () => {
  it('says which commands to run, and writes nothing', async () => {
    const target = join(folder, 'guided')
    const failed = backUp(target, { PATH: folder }, null)
    await expect(failed).rejects.toThrow(/pg_dump --format=custom --schema=casenote --enable-row-security/)
    await expect(failed).rejects.toThrow(`casenote backup ${target} --dump casenote.dump`)
    await expect(failed, 'before the dump: it takes what is there').rejects.toThrow(
      /casenote key-store seal[^]*pg_dump --format=custom[^]*casenote backup/,
    )
    await expect(failed).rejects.not.toThrow(/password|postgres:\/\//)
    expect(existsSync(target)).toBe(false)
  })

  it('takes the dump that was made, not one of long ago, and says that its rows were not read', async () => {
    const dump = join(folder, 'casenote.dump')
    await writeFile(dump, 'rows')
    await expect(backUp(join(folder, 'other'), {}, dump)).rejects.toThrow('is no dump of pg_dump')
    await writeFile(dump, makeDumpHeader(new Date()))
    const target = join(folder, 'taken')
    await mkdir(env.CASENOTE_DATA_DIR ?? '', { recursive: true })
    await writeFile(join(env.CASENOTE_DATA_DIR ?? '', 'audit-anchors.json'), '{}')
    const manifest = await backUp(target, {}, dump)
    expect(manifest).toMatchObject({ dataUntil: null, database: { kind: 'dump', madeBy: 'operator' } })
    // Newer than the log in the dump, they would say that it was cut.
    expect(await readdir(join(target, 'files'))).toEqual([])
    expect(manifest.notIncluded).toContainEqual(expect.stringContaining('audit-anchors.json'))
    const checked = await restoreBackup(readConfig(env), log, {
      source: target,
      isVerifyOnly: true,
      isDespiteProblems: false,
      show: () => {},
    })
    expect(checked).toMatchObject({ isWell: true, isUsable: false, restored: null })
    // What somebody adds is not listed, and not placed.
    const dataDir = join(folder, 'placed')
    await mkdir(dataDir)
    await writeFile(join(target, 'files', 'audit-anchors.json'), '{}')
    const { installationId } = manifest
    const sealedBy = { installationId, masterKeyId: keys.currentId }
    await placeDataFiles({ source: new BoundedFolder(target), dataDir, isCluster: false }, keys, sealedBy)
    expect(await readdir(dataDir)).toEqual([])
    const full = { source: target, isVerifyOnly: false, isDespiteProblems: false, show: () => {} }
    await expect(restoreBackup(readConfig({ ...env, PATH: folder }), log, full)).rejects.toThrow(
      /needs pg_restore \d+ or later, and there is none/,
    )
    await writeFile(dump, makeDumpHeader(new Date(Date.now() - 48 * 3_600_000)))
    await expect(backUp(join(folder, 'old'), {}, dump)).rejects.toThrow('older than a day')
  })
})

/** Of the system, not of a package. */
const makePipe = '/usr/bin/mkfifo'

/** Nobody is to wait so long for it here; a busy disk is given more than it takes. */
const hangsAfterMs = 2_000

describe('a folder that hangs while a snapshot of the database is open', () => {
  const folderLimits = { atOnceMost: 3, withinMs: hangsAfterMs }

  const countSnapshots = async (): Promise<number> => {
    const [row] = await service.owner.throughDoor<{ open: number }>({
      text: `select count(*)::int as open from pg_stat_activity
        where datname = current_database() and application_name = 'casenote backup'`,
      values: [],
    })
    return row?.open ?? Number.NaN
  }

  it('of the dump ends the backup with a word, and the snapshot', async () => {
    // Opening a pipe that nobody opens at its other end waits in the system, as a file of a server that is gone.
    const pipe = join(folder, 'hanging.dump')
    execFileSync(makePipe, [pipe])
    try {
      const failed = backUp(join(folder, 'from-pipe'), {}, pipe, () => {}, { folderLimits })
      await expect(failed).rejects.toThrow(`${folder} does not answer`)
      await waitUntil(async () => (await countSnapshots()) === 0, 'the snapshot has ended')
    } finally {
      await writeFile(pipe, '')
    }
  })

  it('of the backup itself does so, too', async () => {
    const dump = join(folder, 'whole.dump')
    await writeFile(dump, makeDumpHeader(new Date()))
    const file = await open(dump, 'r')
    const handles = Object.getPrototypeOf(file) as FileHandle
    await file.close()
    let answer = () => {}
    const hanging = new Promise<void>((resolve) => (answer = resolve))
    const syncing = vi.spyOn(handles, 'sync')
    let openWhileItHangs = 0
    try {
      const failed = backUp(join(folder, 'onto-hanging'), {}, dump, () => {}, {
        folderLimits,
        show: (stage) => {
          if (stage !== 'Database') return
          syncing.mockImplementation(async () => {
            openWhileItHangs = await countSnapshots()
            await hanging
          })
        },
      })
      await expect(failed).rejects.toThrow(
        /onto-hanging does not answer: a call to it was given up after 2 s/,
      )
      expect(openWhileItHangs).toBeGreaterThan(0)
      await waitUntil(async () => (await countSnapshots()) === 0, 'the snapshot has ended')
    } finally {
      syncing.mockRestore()
      answer()
    }
  })
})

describe('a database of one’s own at the schema of an older program', () => {
  it('is backed up, and it is said that its rights were not compared', async () => {
    const run = (text: string, values: unknown[] = []) =>
      service.owner.throughDoor<{ row: object }>({ text, values })
    const newest = 'version = (select max(version) from casenote.schema_migrations)'
    const [taken] = await run(
      `delete from casenote.schema_migrations m where ${newest} returning to_jsonb(m) as row`,
    )
    try {
      const dump = join(folder, 'older.dump')
      await writeFile(dump, makeDumpHeader(new Date()))
      const said: string[] = []
      const manifest = await backUp(join(folder, 'older'), {}, dump, (line) => said.push(line))
      expect(manifest.schemaVersion).toBe((await countMigrations()) - 1)
      expect(said).toEqual([expect.stringContaining('was NOT checked')])
    } finally {
      await run(
        `insert into casenote.schema_migrations
          select * from jsonb_populate_record(null::casenote.schema_migrations, $1)`,
        [taken?.row],
      )
    }
  })
})

describe('the connection that a backup keeps open', () => {
  it('has none of the time limits that a server or a role has', async () => {
    const limited = `${service.database.migrateUrl}&options=-c%20statement_timeout%3D1234`
    const show = { text: "select current_setting('statement_timeout') as most", values: [] }
    expect(await withOpenConnection(limited, ({ ask }) => ask(show))).toEqual([{ most: '0' }])
    const unhurried = openDatabase(service.database.migrateUrl, 'test', 1, log, { isUnhurried: true })
    expect(await unhurried.throughDoor(show)).toEqual([{ most: '0' }])
    await unhurried.end()
    expect(await service.owner.throughDoor(show)).not.toEqual([{ most: '0' }])
  })
})

/** A whole server of the system, with its tools: of one version, since an older pg_dump refuses a newer server. The newest that is whole. */
const systemServers = '/usr/lib/postgresql'
const bin = (existsSync(systemServers) ? readdirSync(systemServers) : [])
  .toSorted((a, b) => Number(b) - Number(a))
  .map((version) => join(systemServers, version, 'bin'))
  .find((path) => ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(path, name))))

/** For `describe.skipIf`: says loudly what is not tested here. */
function missesServer(whatIsNotTested: string): boolean {
  if (bin !== undefined) return false
  process.stderr.write(
    `SKIPPED for want of a PostgreSQL server and its tools in ${systemServers}: ${whatIsNotTested}\n`,
  )
  return true
}

const isWithoutServer = missesServer('backup, erasure and restore of an external database')

describe.skipIf(isWithoutServer)('a database of one’s own, with its tools', () => {
  const isRoot = process.geteuid?.() === 0
  let home: string
  let from: { path: string; remove(): Promise<void> }
  let to: { path: string; remove(): Promise<void> }

  /** PostgreSQL does not run as root; `nobody` has a number everywhere that tests run as root. */
  const run = (name: string, ...args: string[]) =>
    promisify(execFile)(join(bin ?? '', name), args, {
      cwd: home,
      ...(isRoot && { uid: 65_534, gid: 65_534 }),
    })

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'casenote-pg-'))
    if (isRoot) await chown(home, 65_534, 65_534)
    await chmod(home, 0o711)
    await run('initdb', '-D', join(home, 'data'), '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync')
    const options = `-k ${home} -c listen_addresses='' -c fsync=off -c shared_buffers=16MB`
    await run('pg_ctl', '-D', join(home, 'data'), '-o', options, '-l', join(home, 'log'), '-w', 'start')
    from = await makeDataFolder()
    to = await makeDataFolder()
    const client = new pg.Client({ host: home, user: 'postgres', database: 'postgres' })
    await client.connect()
    await client.query("create role casenote_owner login createrole password 'a b'")
    for (const name of ['source', 'copy']) await client.query(`create database ${name} owner casenote_owner`)
    await client.end()
  })
  afterAll(async () => {
    await run('pg_ctl', '-D', join(home, 'data'), '-m', 'immediate', 'stop')
    await rm(home, { recursive: true, force: true })
    await from.remove()
    await to.remove()
  })

  const urlsOf = (database: string, dataDir: string): Record<string, string> => ({
    CASENOTE_DATA_DIR: dataDir,
    CASENOTE_MIGRATE_URL: `postgres://casenote_owner:a%20b@/${database}?host=${home}`,
    DATABASE_URL: `postgres://casenote_api:a%20b@/${database}?host=${home}`,
    CASENOTE_MASTER_KEY: env.CASENOTE_MASTER_KEY ?? '',
    // One for both: what is erased from the first is on its list when the second is filled.
    CASENOTE_KEY_STORE: join(dirname(from.path), 'keys'),
    PATH: `${bin}:${process.env.PATH}`,
  })

  interface Served {
    clinicianId: string
    call: <T>(path: string, body?: object) => Promise<T>
  }

  /** By the sandbox that the start makes. */
  async function openSandbox(dataDir: string, url: string): Promise<Served> {
    const text = await readFile(join(dataDir, 'sandbox-credentials.json'), 'utf8')
    const given = JSON.parse(text) as Record<'apiKey' | 'clientId' | 'clientSecret' | 'clinicianId', string>
    const send = async <T>(path: string, token: string, body?: object): Promise<T> => {
      const answer = await fetch(`${url}/v2${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'x-api-key': given.apiKey, 'access-token': token, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return (await answer.json()) as T
    }
    const { clientId, clientSecret } = given
    const { accessToken } = await send<{ accessToken: string }>('/partners/authenticate', '', {
      clientId,
      clientSecret,
    })
    return {
      clinicianId: given.clinicianId,
      call: (path, body) => send(path, accessToken, body),
    }
  }

  /** A client with a session that was typed, and the note of it. */
  async function addClient({ clinicianId, call }: Served, lastName: string): Promise<string> {
    const named = { firstName: 'Quilla', lastName, dateOfBirth: '1971-03-04' }
    const { id } = await call<{ id: string }>(`/clinicians/${clinicianId}/clients`, named)
    const said = { text: 'She sleeps four hours. She takes sertraline 50 mg.', noteType: 'soap' }
    const { sessionId } = await call<{ sessionId: string }>(`/clients/${id}/sessions`, said)
    const noteOf = () => call<{ status: string }>(`/sessions/${sessionId}/progress-note`)
    await waitUntil(async () => (await noteOf()).status === 'generated', 'a note')
    return id
  }

  /** Names of clients, with how many transcripts and notes each has. */
  async function listKept(database: string): Promise<string[]> {
    const client = new pg.Client({ host: home, user: 'postgres', database })
    await client.connect()
    const { rows } = await client.query<{ kept: string }>(
      `select format('%s %s %s', c.last_name, count(x.session_id), count(n.note_id)) as kept from casenote.clients c
       join casenote.sessions s on s.tenant_id = c.tenant_id and s.client_id = c.client_id
       left join casenote.transcripts x on x.tenant_id = s.tenant_id and x.session_id = s.session_id
       left join casenote.progress_notes n on n.tenant_id = s.tenant_id and n.session_id = s.session_id
       where c.last_name like 'Zyx%' group by c.last_name order by c.last_name`,
    )
    await client.end()
    return rows.map(({ kept }) => kept)
  }

  it('is dumped as its owner, and restored into an empty database with roles, owners and policies, without whom was erased since', async () => {
    const source = urlsOf('source', from.path)
    expect(await runCasenote(['migrate'], source)).toMatchObject({ code: 0 })
    const running = await startCasenote(source)
    const served = await openSandbox(from.path, running.url)
    const erasedId = await addClient(served, 'Zyxerased')
    await addClient(served, 'Zyxkept')
    await running.process.stop()
    expect(await listKept('source')).toEqual(['Zyxerased 1 1', 'Zyxkept 1 1'])
    const made = await runCasenote(
      ['partner', 'create', '--name', 'Acme', '--environment', 'production'],
      source,
    )
    expect(made.code).toBe(0)
    const inside = await runCasenote(['backup', join(from.path, 'backup')], source)
    expect(inside).toMatchObject({ code: 1, stderr: expect.stringContaining('is in the data folder') })
    const target = join(dirname(from.path), 'backup')
    expect(await runCasenote(['backup', target], source)).toMatchObject({ code: 0 })
    expect((await stat(join(target, 'database', 'casenote.dump'))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(target, 'manifest.json'), 'utf8')).not.toContain('a b')
    const lacks = async (folderOf: string): Promise<string> =>
      (JSON.parse(await readFile(join(folderOf, 'manifest.json'), 'utf8')) as Manifest).notIncluded.join('\n')
    expect(await lacks(target)).not.toContain('audit-anchors.json')
    // As where the worker has another data folder than the one who makes the backup.
    await rm(join(from.path, 'audit-anchors.json'))
    expect(await runCasenote(['backup', `${target}-elsewhere`], source)).toMatchObject({ code: 0 })
    expect(await lacks(`${target}-elsewhere`)).toContain(
      '(audit-anchors.json): there are none in this data folder',
    )
    const begun = await readDumpTime(onOwnDisk(join(target, 'database', 'casenote.dump')))
    expect(Math.abs(Date.now() - Number(begun))).toBeLessThan(120_000)

    expect(await runCasenote(['erase', 'client', erasedId, '--yes'], source)).toMatchObject({ code: 0 })
    expect(await listKept('source')).toEqual(['Zyxkept 1 1'])

    const copy = urlsOf('copy', to.path)
    const lost = await runCasenote(['restore', target], { ...copy, CASENOTE_KEY_STORE: '' })
    expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining('needs key store') })
    const restored = await runCasenote(['restore', target, '--json'], copy)
    expect(restored).toMatchObject({ code: 0 })
    // Every sealed value of the other one was opened, with the key that the store has.
    expect(JSON.parse(restored.stdout) as RestoreReport).toMatchObject({
      isWell: true,
      isUsable: true,
      erased: 1,
      problems: [],
    })
    expect(await listKept('copy')).toEqual(['Zyxkept 1 1'])
    const listed = await runCasenote(['partner', 'list'], copy)
    expect(listed.stdout).toContain('Acme')
    expect(await runCasenote(['migrate'], copy)).toMatchObject({ code: 0 })
    const again = await runCasenote(['restore', target], urlsOf('copy', join(to.path, 'other')))
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('the database is not empty') })
    expect(await readdir(join(to.path, 'other'))).toEqual([])
  })
})
