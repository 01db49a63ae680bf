import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from '../../kernel/blobs/index.js'
import { placeCluster } from '../embedded-postgres/index.js'
import { onOwnDisk, type BoundedFolder } from './bounded-folder.js'
import { listFiles, readListed } from './check-files.js'
import { readContents, type Entry } from './contents.js'
import { copyFile, inLanes } from './copy-file.js'
import { syncFolders } from './whole-folders.js'

type Show = (fraction: number) => void

/** The cluster's files, each compared once more with what was listed: what starts is what was checked. */
export async function placeDatabase(
  source: BoundedFolder,
  dataDir: string,
  { show, bytes }: { show: Show; bytes: number },
): Promise<void> {
  const log = { info: () => {}, warn: () => {} }
  let done = 0
  const fill = async (folder: string, own: (path: string) => Promise<void>): Promise<void> => {
    const pathOf = (path: string): string => join(folder, path.slice('database'.length))
    for await (const { path } of listFolders(source)) {
      if (path === 'database') continue
      await mkdir(pathOf(path), { mode: 0o700 })
      await own(pathOf(path))
    }
    await inLanes(listFiles(source), async ({ path, sha256 }) => {
      if (!path.startsWith('database/')) return
      const copied = await copyFile(source.at(path), onOwnDisk(pathOf(path)))
      if (copied?.sha256 !== sha256) throw new Error(`${path} has changed since it was checked`)
      await own(pathOf(path))
      show((done += copied.bytes) / Math.max(bytes, 1))
    })
    await syncFolders(onOwnDisk(folder))
  }
  await placeCluster({ dataDir, log, fill })
}

async function* listFolders(source: BoundedFolder): AsyncGenerator<Extract<Entry, { kind: 'folder' }>> {
  for await (const entry of readContents(source)) if (entry.kind === 'folder') yield entry
}

/** Parts that are damaged stay out; the check of the restored database names them. */
export async function placeRecordings(
  source: BoundedFolder,
  store: BlobStore,
  { show, parts }: { show: Show; parts: number },
): Promise<void> {
  let done = 0
  await inLanes(listFiles(source), async (listed) => {
    if (!listed.path.startsWith('blobs/')) return
    const bytes = await readListed(source, listed)
    if (bytes !== null) await store.put(listed.path.slice('blobs/'.length), bytes)
    show((done += 1) / Math.max(parts, 1))
  })
}
