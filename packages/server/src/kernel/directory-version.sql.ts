import type { Statement } from './db/database.js'

/** With the database's time, which so costs no question of its own. */
export const selectDirectoryVersion = (): Statement => ({
  name: 'select_directory_version',
  text: 'select version, extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs" from casenote.directory_version',
  values: [],
})
