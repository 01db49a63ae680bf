import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { keptLogGigabytesMost } from '../embedded-postgres/index.js'
import { syncFolder } from '../../kernel/private-file.js'
import { beginCopy, endCopy, keepLog, readClock, type EndedCopy } from './backup.sql.js'
import { onOwnDisk, type BoundedFolder } from './bounded-folder.js'
import type { ContentsWriter } from './contents.js'
import { copyFile, inLanes, writeNewFile } from './copy-file.js'
import type { ClusterPart } from './manifest.js'
import { withOpenConnection, type OpenConnection } from './snapshot.js'

interface ClusterCopy {
  part: ClusterPart
  dataUntil: string
}

interface CopyParts {
  superuserUrl: string
  target: BoundedFolder
  contents: ContentsWriter
  report: (fraction: number) => void
}

/**
 * The files of a server that runs, as its manual says for a base backup: between the two calls files are copied as they are found,
 * torn or not, and the log of that time makes them whole when a server starts on them.
 */
export function copyCluster(parts: CopyParts): Promise<ClusterCopy> {
  return withOpenConnection(parts.superuserUrl, async (connection) => {
    await connection.ask(keepLog(`casenote_backup_${randomBytes(6).toString('hex')}`))
    const [begun] = await connection.ask(beginCopy('casenote backup'))
    if (begun === undefined) throw new Error('PostgreSQL did not begin the backup')
    const { startLsn, folder, postgresql } = begun
    await copyFolders(parts, folder)
    // Last, as others do: nothing newer than it is needed to start.
    await copyControlFile(parts, folder)
    const dataUntil = await readDatabaseTime(connection)
    const stopLsn = await endAndCopyLog(connection, parts, folder, startLsn)
    const { path, run } = parts.target.at('database')
    await run(() => syncFolder(path))
    return { part: { kind: 'cluster', postgresql, startLsn, stopLsn }, dataUntil }
  })
}

export async function readDatabaseTime({ ask }: OpenConnection): Promise<string> {
  const [row] = await ask(readClock())
  if (row === undefined) throw new Error('the database did not tell the time')
  return row.now.toISOString()
}

/** Made anew at every start; the server's manual names them. The log's own files come at the end. */
const emptied = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
])
const leftOut =
  /^(?:postmaster\.(?:pid|opts)|backup_label(?:\.old)?|tablespace_map(?:\.old)?|pgsql_tmp.*|pg_internal\.init.*)$/

async function copyFolders(parts: CopyParts, folder: string): Promise<void> {
  const { files, bytes } = await listCluster(parts, folder, '')
  let done = 0
  await inLanes(files, async (name) => {
    const copied = await copyOne(parts, folder, name)
    done += copied
    parts.report(bytes === 0 ? 1 : done / bytes)
  })
}

/** Makes the folders on the way. A cluster has some thousands of files; a million of them would be 100 MB here. */
async function listCluster(
  parts: CopyParts,
  folder: string,
  below: string,
): Promise<{ files: string[]; bytes: number }> {
  const { path, run } = parts.target.at('database', below)
  await run(() => mkdir(path, { mode: 0o700 }))
  await parts.contents.add({ kind: 'folder', path: join('database', below) })
  const files: string[] = []
  let bytes = 0
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const name = join(below, entry.name)
    if (leftOut.test(entry.name)) continue
    if (entry.isSymbolicLink()) throw new Error('the database has a tablespace elsewhere: move it back first')
    if (entry.isDirectory()) {
      // The log's own folders are wanted; those of slots, ours among them, are not.
      if (emptied.has(below) && below !== 'pg_wal') continue
      const inside = await listCluster(parts, folder, name)
      files.push(...inside.files)
      bytes += inside.bytes
    } else if (entry.isFile() && !emptied.has(topOf(below)) && name !== controlFile) {
      files.push(name)
      bytes += await sizeOf(join(folder, name))
    }
  }
  return { files, bytes }
}

const topOf = (path: string): string => path.split('/')[0] ?? ''

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0

/** Quiet about a file that is gone: its table was dropped, and the log says so. */
async function copyOne({ target, contents }: CopyParts, folder: string, name: string): Promise<number> {
  const path = join('database', name)
  const copied = await copyFile(onOwnDisk(join(folder, name)), target.at(path))
  if (copied === null) return 0
  await contents.add({ kind: 'file', path, ...copied })
  return copied.bytes
}

const controlFile = 'global/pg_control'

/** It is rewritten in place: two looks that agree were not taken in the middle of that. */
async function copyControlFile({ target, contents }: CopyParts, folder: string): Promise<void> {
  for (let look = 0; look < 100; look += 1) {
    const [first, second] = [
      await readFile(join(folder, controlFile)),
      await readFile(join(folder, controlFile)),
    ]
    if (!first.equals(second)) continue
    const path = join('database', controlFile)
    await contents.add({ kind: 'file', path, ...(await writeNewFile(target.at(path), first)) })
    return
  }
  throw new Error('PostgreSQL rewrites its control file without a pause')
}

async function endAndCopyLog(
  { ask }: OpenConnection,
  parts: CopyParts,
  folder: string,
  startLsn: string,
): Promise<string> {
  const [ended] = await ask(endCopy(startLsn))
  if (ended === undefined) throw new Error('PostgreSQL did not end the backup')
  const { target, contents } = parts
  const path = join('database', 'backup_label')
  const label = await writeNewFile(target.at(path), Buffer.from(ended.label))
  await contents.add({ kind: 'file', path, ...label })
  for (const name of listLogFiles(ended)) {
    const bytes = await copyOne(parts, folder, join('pg_wal', name))
    if (bytes !== ended.logBytes)
      throw new Error(
        `PostgreSQL's log file ${name} is not whole or gone: more than ${keptLogGigabytesMost} GB were written ` +
          'meanwhile, which is more than it keeps. Make the backup when there is less to do, or onto a faster disk',
      )
  }
  return ended.stopLsn
}

/** Timeline, high and low number, eight hexadecimal digits each. */
export function listLogFiles({
  firstLog,
  lastLog,
  logBytes,
}: Pick<EndedCopy, 'firstLog' | 'lastLog' | 'logBytes'>): string[] {
  const perHigh = 2 ** 32 / logBytes
  const numberOf = (name: string): number =>
    Number.parseInt(name.slice(8, 16), 16) * perHigh + Number.parseInt(name.slice(16), 16)
  const hex = (number: number): string => number.toString(16).toUpperCase().padStart(8, '0')
  const [first, last] = [numberOf(firstLog), numberOf(lastLog)]
  return Array.from(
    { length: last - first + 1 },
    (_, index) =>
      firstLog.slice(0, 8) + hex(Math.floor((first + index) / perHigh)) + hex((first + index) % perHigh),
  )
}
