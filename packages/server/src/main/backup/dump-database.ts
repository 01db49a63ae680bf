import { join } from 'node:path'
import { exportSnapshot } from './backup.sql.js'
import type { BoundedFolder, FilePlace } from './bounded-folder.js'
import type { ContentsWriter } from './contents.js'
import { copyFile, writeThrough } from './copy-file.js'
import { readDumpTime } from './dump-header.js'
import type { DumpPart } from './manifest.js'
import { findTool, readTool } from './postgres-tools.js'
import type { OpenConnection } from './snapshot.js'

export const dumpPath = join('database', 'casenote.dump')

/** Owners and privileges stay in it: without them tenants are not kept apart. Rows are read by the policy of the owner's. */
const dumpArguments = ['--format=custom', '--schema=casenote', '--enable-row-security']

interface DumpParts {
  migrateUrl: string
  searchPath: string
  target: BoundedFolder
  contents: ContentsWriter
}

/** A dump of the snapshot that the recordings are copied by. */
export async function dumpDatabase(parts: DumpParts, { ask }: OpenConnection): Promise<DumpPart> {
  const [exported] = await ask(exportSnapshot())
  if (exported === undefined) throw new Error('PostgreSQL did not export a snapshot')
  const { snapshot, postgresql } = exported
  const tool = await requireTool(parts.searchPath, postgresql, parts.target.path)
  // Printed and not written by the tool itself, which would wait without end for a folder that hangs, and keep the snapshot meanwhile.
  const written = await writeThrough(parts.target.at(dumpPath), (take) =>
    readTool(tool, [...dumpArguments, `--snapshot=${snapshot}`], parts.migrateUrl, take),
  )
  if (written.bytes === 0) throw new Error('pg_dump wrote nothing')
  await parts.contents.add({ kind: 'file', path: dumpPath, ...written })
  return { kind: 'dump', postgresql, madeBy: 'casenote' }
}

/** A dump knows recordings of its own time; what was deleted since is looked for so far back. */
export const dumpAgeMsMost = 24 * 3_600_000

/** From the zone that is most ahead to the one that is most behind: a dump's header does not name its own. */
export const timeZonesApartMs = 26 * 3_600_000

/** One that the operator made, with the command that `requireTool` names. */
export async function takeDump(
  { target, contents }: Pick<DumpParts, 'target' | 'contents'>,
  file: FilePlace,
  postgresql: number,
): Promise<DumpPart> {
  const begun = await readDumpTime(file)
  if (begun === null)
    throw new Error(
      `${file.path} is no dump of pg_dump --format=custom: make one with the command that docs/backup.md names`,
    )
  if (Date.now() - begun.getTime() > dumpAgeMsMost)
    throw new Error(`${file.path} is older than a day: recordings that it needs may be gone. Make a new one`)
  const copied = await copyFile(file, target.at(dumpPath))
  if (copied === null) throw new Error(`${file.path} is not there`)
  await contents.add({ kind: 'file', path: dumpPath, ...copied })
  return { kind: 'dump', postgresql, madeBy: 'operator' }
}

/** Before anything is written: an older pg_dump refuses a newer server. */
export async function requireTool(searchPath: string, postgresql: number, target: string): Promise<string> {
  const major = Math.floor(postgresql / 10_000)
  const tool = await findTool(searchPath, 'pg_dump')
  if (tool !== null && tool.major >= major) return tool.path
  const found = tool === null ? 'there is none in PATH' : `PATH has version ${tool.major}`
  throw new Error(
    [
      `a backup of this database needs pg_dump ${major} or later, and ${found}. Install it, or make the dump where one is, with what is a client's sealed for the client before it:`,
      '  casenote key-store seal   (where you have a key store)',
      `  pg_dump ${dumpArguments.join(' ')} --file=casenote.dump --dbname=service=casenote`,
      'with a service of that name in ~/.pg_service.conf, as docs/backup.md says,',
      'and then, at once, the rest of the backup here:',
      `  casenote backup ${target} --dump casenote.dump`,
    ].join('\n'),
  )
}
