import type { Statement } from './db/database.js'

/** On a database of any schema, also on one that is older than this program. */
export const selectDatabaseTime = (): Statement<{ nowMs: number }> => ({
  name: 'select_database_time',
  text: `select extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"`,
  values: [],
})
