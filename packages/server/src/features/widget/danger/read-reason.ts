import { refuse } from '../../../kernel/refuse.js'

/** A reason of blanks is none. */
export function readReason(field: string, given: string): string {
  const reason = given.trim()
  if (reason === '') throw refuse.invalid([`${field} should not be empty`])
  return reason
}
