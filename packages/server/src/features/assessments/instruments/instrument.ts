/** An assessment as data: what is asked, how it may be answered, and whether we may show its words. */
export interface Instrument {
  /** As on the wire: `phq9`. */
  id: string
  /** The day of this wording. Changing a word that a client reads makes a new version; scores keep theirs. */
  version: `${number}-${number}-${number}`
  name: string
  description: string
  /** The time that the questions ask about. */
  recall: string
  /** What stands before the questions; null if nothing does, or if its words may not be shown. */
  leadIn: string | null
  questions: readonly Question[]
  rights: {
    terms: string
    source: string
    /** False: not offered. Only structure and neutral labels are here until a written permission is on file. */
    mayShowText: boolean
  }
}

export interface Question {
  key: string
  /** The published words, unaltered. Where they may not be shown, a neutral label that quotes nothing. */
  text: string
  options: readonly AnswerOption[]
  /** A follow-up about function, or a gate before the others, is asked but not added up. */
  isScored: boolean
  /** Asked only after this answer to an earlier question. */
  onlyIf?: { key: string; value: number }
}

export interface AnswerOption {
  value: number
  /** Null where the words may not be shown. */
  text: string | null
}

/** Values 0, 1, 2, … in the order of their texts. */
export const countUp = (...texts: string[]): AnswerOption[] => texts.map((text, value) => ({ value, text }))

/** Values whose words may not be shown. */
export const unworded = (...values: number[]): AnswerOption[] =>
  values.map((value) => ({ value, text: null }))

/** `phq9_1`, `phq9_2`, …: numbered as the form numbers them. */
export const scored = (
  id: string,
  texts: readonly string[],
  options: readonly AnswerOption[],
  onlyIf?: Question['onlyIf'],
): Question[] =>
  texts.map((text, index) => ({
    key: `${id}_${index + 1}`,
    text,
    options,
    isScored: true,
    ...(onlyIf === undefined ? {} : { onlyIf }),
  }))
