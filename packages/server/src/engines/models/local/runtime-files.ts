import { opendir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { EngineFault } from '../../engine-fault.js'
import { hashFile } from './hash-file.js'

/** The SHA-256 of each file, by its path within the runtime's folder, with slashes. */
export type RuntimeFiles = Readonly<Record<string, string>>

/** The real one has some thousand. */
const filesMax = 20_000

/** Small files wait for the disk, and not for the processor. */
const sideBySide = 4

/** What a variant that this machine refuses ends in once it is set aside; nothing loads a file of that name. */
export const asideSuffix = '.refused'

export async function hashRuntimeFiles(folder: string): Promise<RuntimeFiles> {
  const paths = await listFiles(folder)
  if (paths === null) throw new Error(`the runtime has more than ${filesMax} files`)
  const files: [string, string][] = []
  await forEach(paths, async (path) => {
    files.push([path, await hashFile(join(folder, path))])
  })
  return Object.fromEntries(files.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/**
 * Refuses a runtime of which a file was changed, added or taken away since it was installed, before anything of it is loaded. It finds
 * damage and mix-ups: who may write in the folder may write the hashes as well (decision 0020).
 */
export async function requireRecordedFiles(folder: string, files: RuntimeFiles): Promise<void> {
  const paths = await listFiles(folder).catch(() => null)
  if (paths === null) throw refused('cannot be listed')
  const missing = new Set(Object.keys(files))
  await forEach(paths, async (path) => {
    const name = path.endsWith(asideSuffix) ? path.slice(0, -asideSuffix.length) : path
    const recorded = Object.hasOwn(files, name) ? files[name] : undefined
    if (recorded === undefined) throw refused(`has a file that was not installed with it: ${path}`)
    if ((await hashFile(join(folder, path)).catch(() => null)) !== recorded)
      throw refused(`has a file that is not the one that was installed: ${path}`)
    missing.delete(name)
  })
  for (const path of missing) throw refused(`lacks a file: ${path}`)
}

const refused = (what: string): EngineFault =>
  new EngineFault(
    'refused',
    `the runtime for local models ${what}. Nothing of it is loaded: delete the folder models/runtime in the data folder, and run "casenote model verify", which fetches it anew`,
  )

/** All but npm's links to programs, which a copy may leave out and nothing loads. Null: too many. */
async function listFiles(folder: string): Promise<string[] | null> {
  const paths: string[] = []
  for await (const entry of await opendir(join(folder, 'node_modules'), { recursive: true })) {
    if (entry.isDirectory()) continue
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')
    if (path.includes('/.bin/')) continue
    if (paths.length >= filesMax) return null
    paths.push(path)
  }
  return paths
}

async function forEach(paths: readonly string[], act: (path: string) => Promise<void>): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) await act(path)
  }
  await Promise.all(Array.from({ length: sideBySide }, work))
}
