import type { Condition, InstrumentFile } from './instrument-file.js'

/** An assessment in one language: what is asked, how it may be answered, how it counts. */
export interface Instrument {
  /** The instrument's id as on the wire: `phq9`. */
  id: string
  /** The day of this wording. Changing a word that a client reads makes a new version; scores keep theirs. */
  version: string
  name: string
  description: string
  /** The time that the questions ask about. */
  recall: string
  /** Null: there are no words yet, only neutral labels. Such an instrument is not offered. */
  language: string | null
  languages: readonly string[]
  /** Our own words before the form; null if there are none. */
  intro: string | null
  questions: readonly Question[]
  /** `attribution` stands below the form wherever the form is shown. */
  rights: InstrumentFile['rights']
  loinc: InstrumentFile['loinc']
  scoring: Scoring
}

export interface Question {
  key: string
  /** Short and neutral, for lists and charts. */
  label: string | null
  /** The beginning of the sentence that the text completes, as published. */
  leadIn: string | null
  /** The published words, unaltered. Where there are none, the label. */
  text: string
  help: string | null
  options: readonly AnswerOption[]
  /** Whether it counts towards the total. */
  isScored: boolean
  /** Whether there can be no score without it: scored, or a gate before what is scored. */
  isRequired: boolean
  isReversed: boolean
  /** Asked only if all of these hold; empty: always. */
  onlyIf: readonly Condition[]
  pointsIfSkipped: number
  /** From this answer on, crisis help is shown at once; null: never. */
  selfHarmFrom: number | null
  /** Null: a plan, an attempt or anything else, which no sentence about thoughts answers for. */
  selfHarmAsks: 'thoughts' | null
  loinc: string | null
}

export interface AnswerOption {
  value: number
  /** Null where the words may not be shown. */
  text: string | null
}

type FileScoring = InstrumentFile['scoring']
export type BandSet = FileScoring['bandSets'][number]
export type ChangeValues = NonNullable<FileScoring['change']>

export interface Scoring {
  total: FileScoring['total']
  betterWhen: FileScoring['betterWhen']
  subscales: NonNullable<FileScoring['subscales']>
  bandSets: readonly BandSet[]
  criteria: NonNullable<FileScoring['criteria']>
  flags: NonNullable<FileScoring['flags']>
  /** How many answers may be missing; the rest stands for them. */
  proratedUpTo: number
  change: ChangeValues | null
}

/** An answer as it came from the client. */
export interface GivenAnswer {
  questionKey: string
  answerValue: number
}
