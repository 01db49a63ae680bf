import { createHash } from 'node:crypto'
import { appendFile, chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { ExportFile } from '../../features/client-exports/index.js'
import type { ClientId } from '../../kernel/ids.js'
import { replacePrivateFile, syncFolder } from '../../kernel/private-file.js'
import { onOwnDisk } from '../backup/bounded-folder.js'
import { hashFile } from '../backup/copy-file.js'
import { DataFolderBusy, lockDataFolder, type DataFolderLock } from '../embedded-postgres/index.js'

const manifestName = 'manifest.json'

/** There from the first moment until the manifest is: a line for whom it is, and one for each file that need not be written again. */
const journalName = 'unfinished.ndjson'

/** All that an export lays into its folder itself. */
const ownNames = new Set([
  journalName,
  'README.txt',
  'access-log.json',
  'assessments.json',
  'client.json',
  'danger.json',
  'fhir',
  'notes',
  'recordings',
  'sessions',
  'treatment-plans.json',
])

/** With what a kill left of a file that was being written. */
const isOwn = (name: string): boolean => ownNames.has(name.replace(/\.part$|\.[0-9a-f]{16}\.new$/, ''))

export interface WrittenFile {
  path: string
  bytes: number
  sha256: string
}

interface JournalLine extends WrittenFile {
  source: string
}

export interface ExportFolder {
  path: string
  /** Files that an export which was cut short had written and that still are what they were. */
  keptFiles: number
  /** Writes it, unless it is there. On the disk when this returns. */
  put(file: ExportFile): Promise<void>
  /** The manifest makes it an export; what an earlier attempt left beside it goes. */
  finish(about: Record<string, unknown>): Promise<readonly WrittenFile[]>
  release(): Promise<void>
}

/** A new or empty folder, or one where an export of the same client was cut short: that goes on. Only its owner may read it. */
export async function openExportFolder(given: string, clientId: ClientId): Promise<ExportFolder> {
  const path = resolve(given)
  await mkdir(path, { recursive: true, mode: 0o700 })
  const lock = await lockFolder(path)
  try {
    const known = await readJournal(path, clientId)
    await chmod(path, 0o700)
    if (known === null)
      await replacePrivateFile(join(path, journalName), `${JSON.stringify({ export: 1, clientId })}\n`)
    return makeFolder(path, known ?? new Map(), lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function lockFolder(path: string): Promise<DataFolderLock> {
  try {
    return await lockDataFolder(path, { command: 'client export' })
  } catch (error) {
    if (error instanceof DataFolderBusy)
      throw new Error(`another process uses ${path} (pid ${error.pid ?? 'unknown'})`, { cause: error })
    throw error
  }
}

/** Null: the folder is empty. */
async function readJournal(path: string, clientId: ClientId): Promise<Map<string, JournalLine> | null> {
  const names = await readdir(path)
  if (names.length === 0) return null
  if (names.includes(manifestName)) throw new Error(`${path} holds an export: name another folder`)
  if (!names.includes(journalName) || !names.every(isOwn))
    throw new Error(`${path} is not empty: name a new folder`)
  const [head = '', ...lines] = (await readFile(join(path, journalName), 'utf8')).split('\n')
  if ((parseLine(head) as { clientId?: ClientId } | null)?.clientId !== clientId)
    throw new Error(`${path} holds the beginning of another client's export: name a new folder`)
  const known = lines.map((line) => parseLine(line) as JournalLine | null).filter((line) => line !== null)
  return new Map(known.map((line) => [line.path, line]))
}

/** The last line may have been cut short with the process that wrote it. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

function makeFolder(
  path: string,
  known: ReadonlyMap<string, JournalLine>,
  lock: DataFolderLock,
): ExportFolder {
  const written: WrittenFile[] = []
  const folder: ExportFolder = {
    path,
    keptFiles: 0,
    put: async (file) => {
      const kept = await findKept(path, known.get(file.path), file)
      if (kept !== null) folder.keptFiles += 1
      const { bytes, sha256 } = kept ?? (await writeFile(path, file))
      written.push({ path: file.path, bytes, sha256 })
      if (kept !== null || file.source === null) return
      const line: JournalLine = { path: file.path, bytes, sha256, source: file.source }
      await appendFile(join(path, journalName), `${JSON.stringify(line)}\n`)
    },
    finish: async (about) => {
      await removeOthers(path, new Set(written.map((file) => file.path)))
      const manifest = { ...about, files: written }
      await replacePrivateFile(join(path, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
      await rm(join(path, journalName))
      await syncFolder(path)
      return written
    },
    release: () => lock.release(),
  }
  return folder
}

/** What has a source never changes; its bytes are looked at all the same, since a disk or a hand may have changed them. */
async function findKept(
  root: string,
  line: JournalLine | undefined,
  { path, source }: ExportFile,
): Promise<WrittenFile | null> {
  if (line === undefined || source === null || line.source !== source) return null
  const there = await hashFile(onOwnDisk(join(root, path)))
  return there !== null && there.bytes === line.bytes && there.sha256 === line.sha256 ? line : null
}

/** Under another name until it is whole. */
async function writeFile(root: string, file: ExportFile): Promise<{ bytes: number; sha256: string }> {
  const target = join(root, file.path)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  let bytes = 0
  const to = await open(`${target}.part`, 'w', 0o600)
  try {
    for await (const chunk of file.open()) {
      hash.update(chunk)
      bytes += chunk.length
      await to.writeFile(chunk)
    }
    await to.sync()
  } finally {
    await to.close()
  }
  await rename(`${target}.part`, target)
  return { bytes, sha256: hash.digest('hex') }
}

/** Halves of files, and files of what was there at an earlier attempt and is gone since. */
async function removeOthers(root: string, kept: ReadonlySet<string>): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (entry.isDirectory()) continue
    const name = join(entry.parentPath, entry.name)
      .slice(root.length + 1)
      .replaceAll('\\', '/')
    if (name !== journalName && !kept.has(name)) await rm(join(root, name))
  }
  for (const entry of entries) if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name))
}
