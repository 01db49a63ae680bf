import { FolderFault } from '../../kernel/bounded-acts.js'
import type { BoundedFolder } from './bounded-folder.js'
import { readContents, type Entry } from './contents.js'
import { hashFile, hashOf, inLanes, readWhole } from './copy-file.js'
import type { Manifest } from './manifest.js'

export interface FilesReport {
  files: number
  /** What is not as it was listed: paths, which hold ids alone. */
  damaged: DamagedFile[]
  damagedCount: number
  /** Those of them that are no recordings: without its database there is nothing to go on with. */
  damagedNeededCount: number
}

export interface DamagedFile {
  path: string
  how: 'missing' | 'changed'
}

/** A backup that is damaged throughout must not fill the memory, nor the screen. */
export const listedMost = 1_000

/** Every file against its hash, before anything is changed. */
export async function checkFiles(
  source: BoundedFolder,
  contents: Pick<Manifest['contents'], 'bytes'>,
  show: (fraction: number) => void,
): Promise<FilesReport> {
  const report: FilesReport = { files: 0, damaged: [], damagedCount: 0, damagedNeededCount: 0 }
  let bytes = 0
  await inLanes(listFiles(source), async (file) => {
    const found = await hashFile(source.at(file.path)).catch(unlessLost({ bytes: -1, sha256: '' }))
    report.files += 1
    bytes += file.bytes
    show(bytes / Math.max(contents.bytes, 1))
    if (found !== null && found.bytes === file.bytes && found.sha256 === file.sha256) return
    report.damagedCount += 1
    if (!file.path.startsWith('blobs/')) report.damagedNeededCount += 1
    if (report.damaged.length < listedMost)
      report.damaged.push({ path: file.path, how: found === null ? 'missing' : 'changed' })
  })
  return report
}

/** A file that cannot be read is damaged; of a folder that does not answer nobody knows. */
const unlessLost =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof FolderFault) throw error
    return instead
  }

export type ListedFile = Extract<Entry, { kind: 'file' }>

export async function* listFiles(source: BoundedFolder): AsyncGenerator<ListedFile> {
  for await (const entry of readContents(source)) if (entry.kind === 'file') yield entry
}

/** Once more, right before it is used: recordings may have taken hours since all was checked. */
export async function requireAsListed(source: BoundedFolder, path: string): Promise<void> {
  for await (const listed of listFiles(source)) {
    if (listed.path !== path) continue
    if ((await hashFile(source.at(path)))?.sha256 === listed.sha256) return
    throw new Error(`${path} has changed since it was checked`)
  }
  throw new Error(`the backup does not list ${path}`)
}

/** Null: it is not there, or not as it was listed. For what fits into memory, a part of a recording at most. */
export async function readListed(
  source: BoundedFolder,
  { path, sha256 }: ListedFile,
): Promise<Buffer | null> {
  const bytes = await readWhole(source.at(path)).catch(unlessLost(null))
  return bytes !== null && hashOf(bytes) === sha256 ? bytes : null
}
