import { DatabaseFault } from '../../kernel/db/db-errors.js'

/** SQLSTATEs of a lock that others have for too long, and of two who wait for one another. */
const lockCodes = new Set(['55P03', '40P01'])

/** Somebody else is at it: a job that keeps its result, most likely. */
export const isLockedElsewhere = (error: unknown): boolean =>
  error instanceof DatabaseFault && lockCodes.has(error.code)
