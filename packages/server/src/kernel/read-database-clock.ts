import { DatabaseClock, type Clock } from './clock.js'
import { selectDatabaseTime } from './database-clock.sql.js'
import type { Database } from './db/database.js'

/** From here on the clock shows what the database's does; before, the machine's. */
export async function hearDatabaseClock(db: Database, clock: DatabaseClock): Promise<void> {
  const askedAtMs = clock.markAsking()
  const [row] = await db.throughDoor(selectDatabaseTime())
  if (row !== undefined) clock.hear(row.nowMs, askedAtMs)
}

/** For a command: what it asks of a store is signed by the time that the services go by. */
export async function readDatabaseClock(db: Database): Promise<Clock> {
  const clock = new DatabaseClock(() => {})
  await hearDatabaseClock(db, clock)
  return clock
}
