import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { anchorFile, readAnchors } from '../../kernel/audit/index.js'
import { makeBlobStore, makeFolderStore, type BlobStore } from '../../kernel/blobs/index.js'
import { DatabaseClock } from '../../kernel/clock.js'
import type { Config } from '../../kernel/config.js'
import { countMigrations, migrate } from '../../kernel/db/migrate.js'
import { requireRights } from '../../kernel/db/rights.js'
import type { Log } from '../../kernel/log.js'
import { findUnfinishedName } from '../../kernel/private-file.js'
import { hearDatabaseClock } from '../../kernel/read-database-clock.js'
import type { ClientKeySource } from '../../kernel/secrets/client-key-source.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import { openDatabase } from '../database-source.js'
import {
  lockDataFolder,
  readEmbeddedVersion,
  removeCluster,
  startEmbeddedPostgres,
} from '../embedded-postgres/index.js'
import { applyErasures, requireKeyStore, type RefusedErasure } from '../erasure/apply-erasures.js'
import { findMasterKeys, listNeededKeys, requireKeys } from '../master-key-source.js'
import { BoundedFolder, onOwnDisk } from './bounded-folder.js'
import { checkFiles, requireAsListed, type FilesReport } from './check-files.js'
import { dataFileNames, placeDataFiles } from './data-files.js'
import { dumpPath } from './dump-database.js'
import { loadDump, requireEmptyDatabase, requireLoader } from './load-dump.js'
import { readLost } from './contents.js'
import { readManifest, requireGenuine, type ClusterPart, type DumpPart, type Manifest } from './manifest.js'
import { placeDatabase, placeRecordings } from './place-files.js'
import { endServerOf, inScratchFolder, isScratchName } from './scratch-folder.js'
import { deleteWhatWasDeleted, settleRestored } from './settle-restored.js'
import { requireRoom } from './whole-folders.js'
import { endRestore, isRestoreUnfinished, markRestore, unfinishedRestore } from './unfinished-restore.js'
import { verifyRestored, type RestoredReport } from './verify-restored.js'

export interface RestoreOptions {
  source: string
  /** In a folder that is removed afterwards: nothing of this installation is touched. */
  isVerifyOnly: boolean
  /** The service may start although something of the backup is damaged or missing. */
  isDespiteProblems: boolean
  show: (stage: string, fraction: number) => void
}

export interface RestoreReport {
  manifest: Manifest
  files: FilesReport
  /** What was done to the database: migrations applied, roles made. */
  changes: string[]
  /** Erasures of after the backup that were applied to it. */
  erased: number
  /** What is on the key store's list, and is in the restored database all the same. */
  notErased: RefusedErasure[]
  /** Recordings that were deleted while the backup ran. */
  deleted: number
  /** Null: a dump's rows are read only in a database. */
  restored: RestoredReport | null
  problems: string[]
  /** All that was checked is well. */
  isWell: boolean
  /** Whether the service may start on it. */
  isUsable: boolean
}

interface RestoreRun {
  config: Config
  log: Log
  options: RestoreOptions
  source: BoundedFolder
  manifest: Manifest
  sealedBy: string
  masterKeys: MasterKeys
  /** Null: the backup is of before there was a key store, and there is none. */
  clientKeys: ClientKeySource | null
  /** What is asked of a store is signed by it. Shows the machine's time until a database runs, for there is no other: that must be right. */
  clock: DatabaseClock
}

/** In this order: nothing is changed before key, manifest, version, target and every file were found to be right. */
export async function restoreBackup(
  config: Config,
  log: Log,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const source = new BoundedFolder(options.source)
  const { seal, ...manifest } = await readManifest(source)
  const masterKeys = await findMasterKeys(config)
  if (masterKeys === null) {
    throw new Error(
      'no master key: a backup does not hold it. Set CASENOTE_MASTER_KEY, or put the file master.key ' +
        `into ${config.dataDir}; this backup needs key ${manifest.masterKeyIds.join(' and ')}`,
    )
  }
  requireKeys(masterKeys, [...new Set([...manifest.masterKeyIds, seal.masterKeyId])], 'this backup')
  await requireGenuine(source, { seal, ...manifest }, masterKeys)
  await requireKnownSchema(manifest)
  const clock = new DatabaseClock(() => {})
  const clientKeys = await requireKeyStore(config, masterKeys, manifest, clock)
  masterKeys.clientKeys = clientKeys
  const sealedBy = seal.masterKeyId
  const run = { config, log, options, source, manifest, sealedBy, masterKeys, clientKeys, clock }
  return manifest.database.kind === 'cluster'
    ? restoreCluster(run, manifest.database)
    : restoreDump(run, manifest.database)
}

async function requireKnownSchema({ schemaVersion, product }: Manifest): Promise<void> {
  const known = await countMigrations()
  if (schemaVersion > known) {
    throw new Error(
      `the backup has schema ${schemaVersion}, made by Casenote ${product.version}; this one knows ${known}: use that version`,
    )
  }
}

async function restoreCluster(run: RestoreRun, { postgresql }: ClusterPart): Promise<RestoreReport> {
  const { config, options } = run
  if (config.databaseUrl !== null || config.migrateUrl !== null) {
    throw new Error(
      'this backup holds the files of the embedded PostgreSQL: unset DATABASE_URL and CASENOTE_MIGRATE_URL to restore it',
    )
  }
  const ours = Math.floor((await readEmbeddedVersion({ info: () => {}, warn: () => {} })) / 10_000)
  const theirs = Math.floor(postgresql / 10_000)
  if (ours !== theirs)
    throw new Error(
      `the backup was written by PostgreSQL ${theirs}, and this Casenote brings PostgreSQL ${ours}: use the version that made it`,
    )
  requireStore(run)
  if (options.isVerifyOnly) return inScratchFolder(config.dataDir, (dataDir) => fillAndVerify(run, dataDir))
  return fillAndVerify(run, config.dataDir)
}

function requireStore({ config, manifest }: RestoreRun): void {
  if (!manifest.recordings.included && config.s3 === null)
    throw new Error(
      'the recordings of this backup are in an object store: name it with CASENOTE_BLOB_STORE=s3',
    )
}

async function fillAndVerify(run: RestoreRun, dataDir: string): Promise<RestoreReport> {
  const { options, source, manifest } = run
  const lock = await lockDataFolder(dataDir, { command: 'restore' })
  try {
    await requireEmptyFolder(dataDir)
    const { contents, recordings } = manifest
    const databaseBytes = contents.bytes - recordings.bytes
    await requireRoom(onOwnDisk(dataDir), options.isVerifyOnly ? databaseBytes : contents.bytes)
    const files = await checkAllFiles(run)
    if (!mayGoOn(files, options)) return refused(run, files)
    await clearRemains(dataDir)
    await markRestore(dataDir)
    await placeAll(run, dataDir)
    const show = (fraction: number): void => options.show('Database', fraction)
    await placeDatabase(source, dataDir, { show, bytes: databaseBytes })
    const server = await startEmbeddedPostgres({
      dataDir,
      log: { info: () => {}, warn: () => {} },
      recoveryWithinMs: Infinity,
    })
    let report: RestoreReport
    try {
      report = await verifyAndSettle(run, dataDir, server, files)
    } finally {
      await server.stop()
    }
    if (report.isUsable) await endRestore(dataDir)
    return report
  } finally {
    await lock.release()
  }
}

async function restoreDump(run: RestoreRun, part: DumpPart): Promise<RestoreReport> {
  const { config, options, source } = run
  const { dataDir, migrateUrl, databaseUrl, dispatcherUrl, searchPath } = config
  requireStore(run)
  if (options.isVerifyOnly) {
    const files = await checkAllFiles(run)
    return files.damagedCount === 0 ? { ...refused(run, files), isWell: true } : refused(run, files)
  }
  if (migrateUrl === null || databaseUrl === null) {
    throw new Error(
      'this backup holds a dump of your own PostgreSQL: set CASENOTE_MIGRATE_URL and DATABASE_URL to an empty database',
    )
  }
  const tool = await requireLoader(searchPath, part)
  const lock = await lockDataFolder(dataDir, { command: 'restore' })
  try {
    await requireEmptyFolder(dataDir)
    await requireEmptyDatabase(migrateUrl)
    const files = await checkAllFiles(run)
    if (!mayGoOn(files, options)) return refused(run, files)
    await clearRemains(dataDir)
    await markRestore(dataDir)
    await placeAll(run, dataDir)
    const changes: string[] = []
    const urls = { migrateUrl, databaseUrl, dispatcherUrl: dispatcherUrl ?? databaseUrl }
    options.show('Database', 0)
    await requireAsListed(source, dumpPath)
    await loadDump(source.at(dumpPath).path, tool, { ...urls, report: (line) => changes.push(line) })
    const report = await verifyAndSettle(run, dataDir, urls, files, changes)
    if (report.isUsable) await endRestore(dataDir)
    return report
  } finally {
    await lock.release()
  }
}

const checkAllFiles = ({ source, manifest, options }: RestoreRun): Promise<FilesReport> =>
  checkFiles(source, manifest.contents, (fraction) => options.show('Checking files', fraction))

/** Without its database there is nothing to go on with, whatever is asked for. */
const mayGoOn = (
  { damagedCount, damagedNeededCount }: FilesReport,
  { isDespiteProblems }: RestoreOptions,
): boolean => damagedCount === 0 || (isDespiteProblems && damagedNeededCount === 0)

function refused({ manifest }: RestoreRun, files: FilesReport): RestoreReport {
  const problems = describeFiles(files)
  return {
    manifest,
    files,
    changes: [],
    erased: 0,
    notErased: [],
    deleted: 0,
    restored: null,
    problems,
    isWell: false,
    isUsable: false,
  }
}

const describeFiles = ({ damagedCount }: FilesReport): string[] =>
  damagedCount === 0 ? [] : [`${damagedCount} files of the backup are damaged or missing`]

/** The file of a mark that a kill kept from getting its name. */
const isMarkBegun = (name: string): boolean => findUnfinishedName(name) === unfinishedRestore

const mayBeThere = (name: string): boolean =>
  (findUnfinishedName(name) ?? name) === 'master.key' ||
  name === 'master.key.lock' ||
  name === 'key-store' ||
  isMarkBegun(name) ||
  isScratchName(name)

/** The keys may lie there already. What a restore that was cut short has left is no obstacle. */
async function requireEmptyFolder(dataDir: string): Promise<void> {
  if (await isRestoreUnfinished(dataDir)) return
  const names = (await readdir(dataDir)).filter((name) => !mayBeThere(name))
  if (names.length > 0)
    throw new Error(`${dataDir} is not empty (${names.slice(0, 5).join(', ')}): restore into a new folder`)
}

async function clearRemains(dataDir: string): Promise<void> {
  for (const name of (await readdir(dataDir)).filter(isMarkBegun))
    await rm(join(dataDir, name), { force: true })
  if (!(await isRestoreUnfinished(dataDir))) return
  // A server that outlived the restore would go on writing.
  await endServerOf(dataDir)
  await removeCluster(dataDir)
  for (const name of await readdir(dataDir)) {
    const isOurs = [...dataFileNames, 'blobs'].some((one) => name === one || name.startsWith(`${one}.`))
    if (isOurs && name !== unfinishedRestore) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Small files and recordings; the database comes last. */
async function placeAll(run: RestoreRun, dataDir: string): Promise<void> {
  const { source, manifest, masterKeys, options, sealedBy } = run
  const isCluster = manifest.database.kind === 'cluster'
  await placeDataFiles({ source, dataDir, isCluster }, masterKeys, {
    installationId: manifest.installationId,
    masterKeyId: sealedBy,
  })
  if (options.isVerifyOnly || !manifest.recordings.included) return
  const store = openStore(run, dataDir)
  try {
    await store.check()
    const show = (fraction: number): void => options.show('Recordings', fraction)
    await placeRecordings(source, store, { show, parts: manifest.recordings.parts })
  } finally {
    await store.close()
  }
}

/** What is only verified is read where it lies. */
function openStore({ config, options, source, manifest, clock }: RestoreRun, dataDir: string): BlobStore {
  const { installationId, recordings } = manifest
  return options.isVerifyOnly && recordings.included
    ? makeFolderStore(source.at('blobs').path, installationId)
    : makeBlobStore({ ...config, dataDir }, installationId, clock)
}

interface Urls {
  migrateUrl: string
  databaseUrl: string
  dispatcherUrl: string
}

async function verifyAndSettle(
  run: RestoreRun,
  dataDir: string,
  { migrateUrl, databaseUrl, dispatcherUrl }: Urls,
  files: FilesReport,
  changes: string[] = [],
): Promise<RestoreReport> {
  const { log, manifest, masterKeys, options, source, clientKeys } = run
  const isLogin = (url: string): string | null => (url === migrateUrl ? null : url)
  // No process but this one uses the database. People whose data was erased since are taken out of it before anything else reads it.
  await migrate({
    migrateUrl,
    databaseUrl: isLogin(databaseUrl),
    dispatcherUrl: isLogin(dispatcherUrl),
    report: (line) => changes.push(line),
  })
  const db = openDatabase(migrateUrl, 'restore', 4, log, { isUnhurried: true })
  const store = openStore(run, dataDir)
  try {
    await hearDatabaseClock(db, run.clock)
    await requireRights(db)
    requireKeys(masterKeys, await listNeededKeys(db), 'the restored database')
    // What is only looked at keeps its recordings: they lie in the backup itself.
    const erasing = { db, masterKeys, store: options.isVerifyOnly ? null : store }
    const { applied: erased, refused: notErased } =
      clientKeys === null ? { applied: 0, refused: [] } : await applyErasures(erasing, clientKeys)
    const deleted = await deleteWhatWasDeleted(source, db)
    const anchors = await readAnchors(anchorFile(dataDir))
    const lostBefore = await readLost(source)
    const restored = await verifyRestored({ db, masterKeys, store, anchors, lostBefore, show: options.show })
    const problems = [...describeFiles(files), ...describeProblems(restored), ...describeNotErased(notErased)]
    const isWell = problems.length === 0
    const isUsable = isWell || options.isDespiteProblems
    if (isUsable && !options.isVerifyOnly) await settleRestored(db, masterKeys, manifest.installationId)
    return { manifest, files, changes, erased, notErased, deleted, restored, problems, isWell, isUsable }
  } finally {
    await store.close()
    await db.end()
  }
}

const describeNotErased = ({ length }: readonly RefusedErasure[]): string[] =>
  length === 0 ? [] : [`${length} erasures were refused: what they name is signed or held in the backup`]

function describeProblems({ tables, audit, sealed, recordings }: RestoredReport): string[] {
  return [
    ...(tables.unreadable.length === 0 ? [] : [`${tables.unreadable.length} tables cannot be read`]),
    ...(audit.isIntact ? [] : [`the audit log is not intact (${audit.verdict})`]),
    ...(sealed.unreadableCount === 0 ? [] : [`${sealed.unreadableCount} sealed values do not open`]),
    ...(recordings.missingCount === 0 ? [] : [`${recordings.missingCount} parts of recordings are missing`]),
    ...(recordings.unreadableCount === 0
      ? []
      : [`${recordings.unreadableCount} parts of recordings do not open`]),
  ]
}
