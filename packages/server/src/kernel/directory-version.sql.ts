import type { Statement } from './db/database.js'

export interface DirectoryRow {
  version: number
  nowMs: number
  isSandboxHome: boolean
}

/** The directory's version, with the database's time and whether the sandbox is at home, which so cost no questions of their own. */
export const selectDirectoryVersion = (): Statement<DirectoryRow> => ({
  name: 'select_directory_version',
  text: `select version, extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs",
      coalesce((select sandbox_home from casenote.installation), false) as "isSandboxHome"
    from casenote.directory_version`,
  values: [],
})
