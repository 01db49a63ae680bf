import type { Statement } from '../db/database.js'

/**
 * For the rest of the transaction, a commit does not wait for the disk: the bucket's row is locked until
 * then, so each process would wait for the others' fsyncs. Three connections updating one row: 6,600 a second
 * against 2,300. A crash of PostgreSQL, not a restart, forgets up to 0.6 s of leases (three
 * `wal_writer_delay`): at 10,000 a second 0.012 % of the day's 50,000,000.
 */
export const relaxDurability: Statement = {
  name: 'relax_durability',
  text: "select set_config('synchronous_commit', 'off', true)",
  values: [],
}
