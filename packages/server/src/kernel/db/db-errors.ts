import pg from 'pg'
import { Refusal } from '../refuse.js'

/** A fault of the database with its values removed: SQLSTATE and the constraint's name are all that a rule needs. */
export class DatabaseFault extends Error {
  constructor(
    readonly code: string,
    readonly constraint: string | null,
    cause: Error,
  ) {
    super(`database error ${code}`, { cause })
    this.name = 'DatabaseFault'
  }
}

/** The database cannot be reached, said nothing for too long, or the connection broke. Whether a change was kept, nobody knows. */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super('the database cannot be reached', { cause })
    this.name = 'DatabaseAway'
  }
}

/**
 * SQLSTATEs of a database that has no time, no room or no right to write just now, and may have it later: connection
 * and login (08, 28), deadlocks and conflicts (40), resources such as a full disk (53), shutdown and time-outs (57),
 * the machine's faults (58), a lock that others have (55P03), and a standby that takes no changes (25006).
 */
const unavailableCodes = /^(?:08|28|40|53|57|58)...$|^(?:25006|55P03)$/

/** Codes that say that the server stops, starts, or is a standby, or the connection to it was refused or broke. */
const awayCodes = /^08...$|^57P0[123]$|^25006$/

/** Whether the way to the database failed, or the database as a whole: most likely no statement is to blame. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof DatabaseAway || (error instanceof DatabaseFault && awayCodes.test(error.code))

/** Whether the same request may succeed later, because the database is what failed. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseAway || (error instanceof DatabaseFault && unavailableCodes.test(error.code))

/**
 * Every error leaves the kernel through here. `detail`, `where`, `hint` and the query quote row values; they are
 * removed from the original too, because loggers and debuggers walk `cause`. `isCut`: the connection is gone.
 */
export function atTheDoor(error: unknown, isCut: boolean): unknown {
  if (error instanceof Refusal || error instanceof DatabaseFault || error instanceof DatabaseAway)
    return error
  if (!(error instanceof pg.DatabaseError)) return isCut ? new DatabaseAway(error) : error
  const code = error.code ?? 'unknown'
  const constraint = error.constraint ?? null
  for (const field of ['detail', 'where', 'hint', 'internalQuery', 'dataType'] as const)
    error[field] = undefined
  error.message = `SQLSTATE ${code}`
  return new DatabaseFault(code, constraint, error)
}
