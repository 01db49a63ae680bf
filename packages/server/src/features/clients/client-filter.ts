import { canMatch, type ClinicClientFilters } from '@casenote/contract'
import { isId, type ClinicianId } from '../../kernel/ids.js'
import { foldName } from './fold-name.js'

/** The exact filters, by their names on the wire. */
export const EXACT_COLUMNS = {
  externalId: 'external_id',
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  phoneNumber: 'phone_number',
  dateOfBirth: 'date_of_birth',
  status: 'status',
} as const

/** Beyond these, words are checked on what the first ones found: each indexed word costs planning and a scan. */
export const indexedWordsMax = 8

type ExactName = keyof typeof EXACT_COLUMNS

export interface ClientFilter {
  /** The fields that must be equal, in the order of `EXACT_COLUMNS`. */
  exact: readonly { name: ExactName; value: string }[]
  /** Primary or secondary. */
  clinicianId: ClinicianId | null
  /** Folded; longest first, none contained in one of the indexed ones. Empty: no search. */
  words: readonly string[]
}

/** Null: nothing can match, which is an empty list and no error (ruling 2). */
export function readClientFilter(query: Omit<ClinicClientFilters, 'page'>): ClientFilter | null {
  const { name = '', clinicianId = null, ...exact } = query
  if (!Object.values(query).every(canMatch)) return null
  if (clinicianId !== null && !isId(clinicianId)) return null
  return {
    exact: (Object.keys(EXACT_COLUMNS) as ExactName[]).flatMap((column) => {
      const value = exact[column]
      return value === undefined ? [] : [{ name: column, value: readExact(column, value) }]
    }),
    clinicianId,
    words: splitWords(name),
  }
}

/** A `+` in a query string means a space; a number begins with the one and never with the other. */
const readExact = (name: ExactName, value: string): string =>
  name === 'phoneNumber' && value.startsWith(' ') ? `+${value.slice(1)}` : value

/**
 * A word within another word is found wherever that one is. Only the words that an index is asked for are looked into: each of
 * thousands in each other blocked the loop for a second, and a further one costs a comparison with what was found, no more.
 */
export function splitWords(name: string): string[] {
  const words = [...new Set(foldName(name).split(/\s+/).filter(Boolean))].toSorted(
    (a, b) => b.length - a.length,
  )
  const indexed: string[] = []
  return words.filter((word) => {
    if (indexed.some((longer) => longer.includes(word))) return false
    if (indexed.length < indexedWordsMax) indexed.push(word)
    return true
  })
}

/** For `like` over folded names. */
export const toPatterns = (words: readonly string[]): string[] =>
  words.map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)

/** What a clinician typed of a client's name; nothing: every name matches. */
export const toNamePatterns = (name: string): string[] => toPatterns(splitWords(name))
