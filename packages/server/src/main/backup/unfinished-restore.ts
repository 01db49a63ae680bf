import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { replacePrivateFile } from '../../kernel/private-file.js'
import { EmbeddedPostgresProblem } from '../embedded-postgres/index.js'

/** In the data folder from the first change of a restore until all of it was found to be well. */
export const unfinishedRestore = 'restore-unfinished'

const markOf = (dataDir: string): string => join(dataDir, unfinishedRestore)

export const isRestoreUnfinished = async (dataDir: string): Promise<boolean> =>
  (await stat(markOf(dataDir)).catch(() => null)) !== null

/** Half of a backup must not be served, nor an empty database be made beside it. */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  if (!(await isRestoreUnfinished(dataDir))) return
  throw new EmbeddedPostgresProblem(
    `A restore into ${dataDir} was not finished, or found problems: run "casenote restore" again. ` +
      'Nothing starts on it until then',
  )
}

export const markRestore = (dataDir: string): Promise<void> =>
  replacePrivateFile(markOf(dataDir), 'A restore into this folder is not finished.\n')

export const endRestore = (dataDir: string): Promise<void> => rm(markOf(dataDir), { force: true })
