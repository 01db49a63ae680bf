import { join } from 'node:path'
import { readContents, type Entry } from './contents.js'
import { hashFile, inLanes } from './copy-file.js'
import type { Manifest } from './manifest.js'

export interface FilesReport {
  files: number
  /** What is not as it was listed: paths, which hold ids alone. */
  damaged: DamagedFile[]
  damagedCount: number
}

export interface DamagedFile {
  path: string
  how: 'missing' | 'changed'
}

/** A backup that is damaged throughout must not fill the memory, nor the screen. */
export const listedMost = 1_000

/** Every file against its hash, before anything is changed. */
export async function checkFiles(
  source: string,
  { contents }: Manifest,
  show: (fraction: number) => void,
): Promise<FilesReport> {
  const report: FilesReport = { files: 0, damaged: [], damagedCount: 0 }
  let bytes = 0
  await inLanes(listFiles(source), async (file) => {
    const found = await hashFile(join(source, file.path)).catch(() => ({ bytes: -1, sha256: '' }))
    report.files += 1
    bytes += file.bytes
    show(bytes / Math.max(contents.bytes, 1))
    if (found !== null && found.bytes === file.bytes && found.sha256 === file.sha256) return
    report.damagedCount += 1
    if (report.damaged.length < listedMost)
      report.damaged.push({ path: file.path, how: found === null ? 'missing' : 'changed' })
  })
  return report
}

export type ListedFile = Extract<Entry, { kind: 'file' }>

export async function* listFiles(source: string): AsyncGenerator<ListedFile> {
  for await (const entry of readContents(source)) if (entry.kind === 'file') yield entry
}
