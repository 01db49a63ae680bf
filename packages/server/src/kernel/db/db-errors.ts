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

/**
 * Every error leaves the kernel through here. `detail`, `where`, `hint` and the query quote row values; they are
 * removed from the original too, because loggers and debuggers walk `cause`.
 */
export function atTheDoor(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof DatabaseFault) return error
  if (!(error instanceof pg.DatabaseError)) return error
  const code = error.code ?? 'unknown'
  const constraint = error.constraint ?? null
  for (const field of ['detail', 'where', 'hint', 'internalQuery', 'dataType'] as const)
    error[field] = undefined
  error.message = `SQLSTATE ${code}`
  return new DatabaseFault(code, constraint, error)
}
