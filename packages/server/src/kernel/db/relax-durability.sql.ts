import type { Statement } from './database.js'

/**
 * For the rest of the transaction, a commit does not wait for the disk. A crash of PostgreSQL, not a restart, forgets up to
 * 0.6 s of such commits (three `wal_writer_delay`), so only for what may be forgotten:
 * - leases of a rate limit. The bucket's row is locked until the commit, so each process would wait for the others'
 *   fsyncs: three connections updating one row make 6,600 a second against 2,300. What a crash forgets is, at 10,000 a
 *   second, 0.012 % of the day's 50,000,000;
 * - how far a session is, told again within a second.
 */
export const relaxDurability: Statement = {
  name: 'relax_durability',
  text: "select set_config('synchronous_commit', 'off', true)",
  values: [],
}
