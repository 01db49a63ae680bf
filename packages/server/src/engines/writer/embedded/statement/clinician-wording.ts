import { findNumbers } from '../../text/find-numbers.js'
import { lowerFirst } from '../../text/report-speech.js'
import { nameClinician, shiftSecondPerson } from '../../text/shift-person.js'
import { tokenizeWords } from '../../text/tokenize-words.js'
import type { StatementKind } from './statement.js'

export interface ClinicianWording {
  kind: StatementKind
  text: string
}

export interface ClinicianContext {
  /** In the part of the session where plans are made. */
  isLate: boolean
  /** A medicine has been named before. */
  mentionsMedication: boolean
  /** It tells the result of what was measured just before. */
  tellsMeasure?: boolean
  /** It begins with "so": what was said is said back. */
  sumsUp?: boolean
  /** An exercise was proposed just before, in the same turn. */
  isExercise?: boolean
  /** An exercise is under way, and nothing was planned yet. */
  isCue?: boolean
  /** No step of a plan has been set so far. */
  isUnplanned?: boolean
  /** The sentence before it, in the same turn, was a step of a plan. */
  followsPlan?: boolean
}

export type Reader = (text: string, context: ClinicianContext) => ClinicianWording | null

/** With the client named, where the sentence has not done it yet; and without. */
export const ofClient = (text: string): string => nameClinician(shiftSecondPerson(lowerFirst(text)))
export const ofThem = (text: string): string => nameClinician(shiftSecondPerson(text, { isNamed: true }))

/** "So there's the thought, I'm unlovable": the clinician lends the client a voice, and is not speaking of themselves. */
export const voicesClient = (text: string): boolean => /\bI\b/.test(text)

export const hasNumber = (text: string): boolean => findNumbers(tokenizeWords(text)).length > 0
