import { mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { recordedInEveryLog } from '../../kernel/audit/index.js'
import { makeBlobStore } from '../../kernel/blobs/index.js'
import type { ActLimits } from '../../kernel/bounded-acts.js'
import type { Config } from '../../kernel/config.js'
import type { Database } from '../../kernel/db/database.js'
import { countMigrations, readSchemaVersion, requireSchemaVersion } from '../../kernel/db/migrate.js'
import { requireRights } from '../../kernel/db/rights.js'
import { isErrno } from '../../kernel/errno.js'
import type { Log } from '../../kernel/log.js'
import { operator } from '../../kernel/operator.js'
import { readDatabaseClock } from '../../kernel/read-database-clock.js'
import { selectInstallation } from '../../kernel/secrets/installation.sql.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import { openDatabase, type DatabaseSource } from '../database-source.js'
import { sealAllForOwners } from '../erasure/seal-all-for-owners.js'
import { describeUnopened, Unopened } from '../erasure/seal-for-owners.js'
import { listNeededKeys, openMasterKeys } from '../master-key-source.js'
import { beginSnapshot, exportSnapshot, touchInstallation } from './backup.sql.js'
import { BoundedFolder, type FilePlace } from './bounded-folder.js'
import { ContentsWriter } from './contents.js'
import { copyCluster, readDatabaseTime } from './copy-cluster.js'
import { countParts, listDeleted, nowIn, RecordingCopy, type ReadRows } from './copy-recordings.js'
import { copyDataFiles } from './data-files.js'
import { dumpAgeMsMost, dumpDatabase, requireTool, takeDump, timeZonesApartMs } from './dump-database.js'
import { manifestFormat, notIncluded, readProductVersion, writeManifest, type Manifest } from './manifest.js'
import { withOpenConnection, type OpenConnection } from './snapshot.js'
import { listTenants } from './tenants.js'
import { openTarget } from './target.js'
import { requireRoom, sumFolder, syncFolders } from './whole-folders.js'

export interface BackupOptions {
  target: string
  /** Null: a folder is copied, and an object store left to its own tools. */
  copiesRecordings: boolean | null
  /** A dump that the operator made, of a database for which there is no pg_dump here. */
  dump: string | null
  show: (stage: string, fraction: number) => void
  say: (line: string) => void
  /** Of the folders that it is written to and that the dump is read from. */
  folderLimits?: ActLimits
}

/** Beside a running service or alone. The schema stays as it is: a backup is what an upgrade begins with. */
export async function makeBackup(
  config: Config,
  source: DatabaseSource,
  log: Log,
  options: BackupOptions,
): Promise<Manifest> {
  const { migrateUrl } = source
  if (migrateUrl === null) throw new Error('CASENOTE_MIGRATE_URL must name the owner of the schema')
  if (options.dump !== null && source.isEmbedded)
    throw new Error('--dump is for a database of your own: the embedded one is copied as it is')
  const folder = new BoundedFolder(options.target, options.folderLimits)
  const realTarget = await folder.run(() => realPathOf(folder.path))
  if (isInside(realTarget, await realPathOf(config.dataDir)))
    throw new Error(`${options.target} is in the data folder, and would be lost with it: name another place`)
  const owner = openDatabase(migrateUrl, 'backup', 2, log, { isUnhurried: true })
  try {
    const masterKeys = await openMasterKeys(config, owner)
    await requireDumpable(config, { ...source, migrateUrl }, owner, options)
    const target = await openTarget(folder)
    try {
      if (target.isBegunAgain) options.say('Removed what a backup that was cut short had left there.')
      const run = { config, source: { ...source, migrateUrl }, owner, masterKeys, options }
      const manifest = await fillTarget(run, folder)
      await target.finish()
      return manifest
    } finally {
      await target.release()
    }
  } finally {
    await owner.end()
  }
}

/** With no link in it, also where it is still to be made. */
async function realPathOf(given: string): Promise<string> {
  const path = resolve(given)
  try {
    return await realpath(path)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    return join(await realPathOf(dirname(path)), basename(path))
  }
}

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

interface BackupRun {
  config: Config
  source: DatabaseSource & { migrateUrl: string }
  owner: Database
  masterKeys: MasterKeys
  options: BackupOptions
}

/**
 * Rows are dumped by policies: those must be what the migrations gave, else some would be left out without a word. What they gave
 * is known for the schema of this program alone.
 */
async function requireDumpable(
  config: Config,
  { isEmbedded, migrateUrl }: BackupRun['source'],
  owner: Database,
  { dump, target, say }: BackupOptions,
): Promise<void> {
  if (isEmbedded) return
  const [found, known] = [await readSchemaVersion(owner), await countMigrations()]
  if (found === 0) throw new Error('the database has no schema of Casenote')
  if (found > known) await requireSchemaVersion(owner)
  if (found === known) await requireRights(owner)
  else
    say(
      `The database is at schema ${found}, this program knows ${known}: that its owner reads every row was NOT checked.`,
    )
  if (dump !== null) return
  await requireTool(config.searchPath, await readPostgresql(migrateUrl), target)
}

const readPostgresql = (url: string): Promise<number> =>
  withOpenConnection(url, async ({ ask }) => {
    await ask(beginSnapshot())
    const [row] = await ask(exportSnapshot())
    return row?.postgresql ?? 0
  })

/**
 * The order is what makes it whole. Anchors before the log that they anchor. Recordings first, when that takes long, then the
 * database, then the recordings that came meanwhile: each part that the copy of the database knows was stored before its row, and is
 * there, or its recording was deleted since, which is listed. The manifest last.
 */
async function fillTarget(run: BackupRun, target: BoundedFolder): Promise<Manifest> {
  const { config, source, owner, masterKeys, options } = run
  const installationId = await readInstallation(owner)
  // A rotation may run meanwhile, and the copy of the database is of some moment in between.
  const keysBefore = await listNeededKeys(owner)
  const startedAt = await withOpenConnection(source.migrateUrl, readDatabaseTime)
  await owner.throughDoor(
    recordedInEveryLog(touchInstallation(), {
      ...operator,
      operation: 'installation.backup',
      subjects: [installationId],
    }),
  )
  const store = makeBlobStore(config, installationId, await readDatabaseClock(owner))
  const isIncluded = options.copiesRecordings ?? config.s3 === null
  let unopened = new Unopened()
  const sealForClients = async (): Promise<void> => {
    // Of an older schema it would need columns that are not there.
    if (masterKeys.clientKeys === null || (await readSchemaVersion(owner)) !== (await countMigrations()))
      return
    options.show('Keys of clients', 0)
    await store.check()
    unopened = (await sealAllForOwners({ db: owner, masterKeys, store })).unopened
  }
  await sealForClients()
  const contents = await ContentsWriter.open(target)
  const recordings = new RecordingCopy({ db: owner, store, target, contents })
  const copyRecordings = async (read: ReadRows, isLast: boolean): Promise<void> => {
    if (!isIncluded) return
    const tenants = await listTenants(owner)
    const { parts } = await countParts(read, tenants)
    const report = (done: number): void => options.show('Recordings', Math.min(done / Math.max(parts, 1), 1))
    await recordings.copy(read, tenants, { isLast, report })
  }
  try {
    const expected = isIncluded ? await countParts(nowIn(owner), await listTenants(owner)) : { bytes: 0 }
    await requireRoom(
      target,
      expected.bytes + (source.isEmbedded ? await sumFolder(join(config.dataDir, 'postgres')) : 0),
    )
    const dataFiles = await copyDataFiles(
      { dataDir: config.dataDir, target, contents, isDumpOlder: options.dump !== null },
      masterKeys,
      installationId,
    )
    await copyRecordings(nowIn(owner), false)
    // Copying recordings may take hours, in which more was written.
    await sealForClients()
    const copied = await copyDatabase(run, { target, contents }, (read) => copyRecordings(read, true))
    await listDeleted(owner, await listTenants(owner), sinceWhen(startedAt, options), contents)
    const { files, bytes } = contents
    const sha256 = await contents.end()
    await syncFolders(target)
    const manifest: Manifest = {
      format: manifestFormat,
      product: { name: 'casenote', version: await readProductVersion() },
      installationId,
      startedAt,
      dataUntil: copied.dataUntil,
      endedAt: new Date().toISOString(),
      schemaVersion: await readSchemaVersion(owner),
      database: copied.part,
      recordings: {
        included: isIncluded,
        store: config.s3 === null ? 'folder' : 's3',
        parts: recordings.parts,
        bytes: recordings.bytes,
        missing: recordings.missing,
      },
      ...(unopened.count === 0 ? {} : { unopened: unopened.count }),
      masterKeyIds: [...new Set([...keysBefore, ...(await listNeededKeys(owner))])],
      // Read at the end: what was erased meanwhile is on the list, too, and is not in what was copied after it.
      keyStore: await describeKeyStore(masterKeys),
      contents: { files, bytes, sha256 },
      notIncluded: [
        ...notIncluded,
        ...(isIncluded ? [] : [recordingsLeft]),
        ...describeAnchorsLeft(dataFiles, options),
      ],
    }
    await writeManifest(target, manifest, masterKeys)
    for (const line of describeUnopened(unopened)) options.say(line)
    return manifest
  } catch (error) {
    await contents.abandon()
    throw error
  } finally {
    await store.close()
  }
}

async function describeKeyStore({
  clientKeys,
}: MasterKeys): Promise<NonNullable<Manifest['keyStore']> | null> {
  if (clientKeys === null) return null
  await clientKeys.refresh()
  return { id: clientKeys.storeId, erasures: clientKeys.erasures.length }
}

const recordingsLeft = 'recordings: they are in the object store. Keep its objects as long as this backup'

/** They lie where a worker has its data folder, which may be another machine's or another volume. */
function describeAnchorsLeft(dataFiles: readonly string[], { dump }: BackupOptions): string[] {
  if (dataFiles.includes('audit-anchors.json')) return []
  const why =
    dump === null
      ? "there are none in this data folder, but in the worker's. Keep a copy with this backup, made before it"
      : 'they are newer than your dump. Keep a copy with it, made before it'
  return [`anchors of the audit log (audit-anchors.json): ${why}`]
}

const sinceWhen = (startedAt: string, { dump }: BackupOptions): string =>
  dump === null ? startedAt : new Date(Date.parse(startedAt) - dumpAgeMsMost - timeZonesApartMs).toISOString()

async function readInstallation(owner: Database): Promise<string> {
  const [installation] = await owner.throughDoor(selectInstallation())
  if (installation === undefined) throw new Error('the database has no installation')
  return installation.installationId
}

/** It lies where the operator made it, which may be another folder that hangs. */
const placeOfDump = (dump: string, { folderLimits }: BackupOptions): FilePlace =>
  new BoundedFolder(dirname(dump), folderLimits).at(basename(dump))

async function copyDatabase(
  { config, source, options }: BackupRun,
  { target, contents }: { target: BoundedFolder; contents: ContentsWriter },
  copyRest: (read: ReadRows) => Promise<void>,
): Promise<Pick<Manifest, 'dataUntil'> & { part: Manifest['database'] }> {
  const { migrateUrl, superuserUrl } = source
  const readIn =
    ({ ask }: OpenConnection): ReadRows =>
    (_tenant, statement) =>
      ask(statement)
  if (superuserUrl !== null) {
    const report = (fraction: number): void => options.show('Database', fraction)
    const copied = await copyCluster({ superuserUrl, target, contents, report })
    await withOpenConnection(migrateUrl, async (snapshot) => {
      await snapshot.ask(beginSnapshot())
      await copyRest(readIn(snapshot))
    })
    return copied
  }
  const database = target.at('database')
  await database.run(() => mkdir(database.path, { mode: 0o700 }))
  await contents.add({ kind: 'folder', path: 'database' })
  return withOpenConnection(migrateUrl, async (snapshot) => {
    options.show('Database', 0)
    await snapshot.ask(beginSnapshot())
    const begunAt = await readDatabaseTime(snapshot)
    const part =
      options.dump === null
        ? await dumpDatabase({ migrateUrl, searchPath: config.searchPath, target, contents }, snapshot)
        : await takeDump(
            { target, contents },
            placeOfDump(options.dump, options),
            await readPostgresql(migrateUrl),
          )
    options.show('Database', 1)
    await copyRest(readIn(snapshot))
    return { part, dataUntil: options.dump === null ? begunAt : null }
  })
}
