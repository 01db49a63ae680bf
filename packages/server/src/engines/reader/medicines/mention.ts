import type { Medication } from '../../lexicon/medications.js'
import type { MedicineStatus, Whose } from '../reading.js'
import type { Role, Sentence, Turn } from '../talk/read-talk.js'
import type { DoseUnit } from './dose-units.js'
import type { SaidDose } from './find-doses.js'

/** A name in a sentence, with its place. */
export interface Named {
  medication: Medication
  said: string
  start: number
  end: number
}

/** One place where a medicine, or a dose of it, was said. */
export interface Mention {
  medication: Medication
  said: string
  dose: SaidDose | null
  item: number
  /** Where it was named, if its dose was said elsewhere. */
  namedIn: number
  words: string
  use: string | null
  /** Null: its words do not tell. */
  status: MedicineStatus | null
  role: Role
  /** Whether it was said in a question, and how sure the encoder is that a change is decided there. */
  asks: boolean
  change: number
  whose: Whose
}

/** With the status that it has among the others. */
export type SettledMention = Mention & {
  status: MedicineStatus
  /** Nothing was said of it: what is said elsewhere counts more. */
  isGuess: boolean
}

/** A sentence with what has to be known to say whose doses are in it. */
export interface SentenceTalk {
  sentence: Sentence
  turn: Turn
  named: readonly Named[]
  /** What was spoken of before and may be meant, the last one last. */
  recent: readonly Mention[]
  isAbout: boolean
  isDoseAnswer: boolean
  /** In which it was asked for: "how many units?" */
  askedUnit: DoseUnit | null
  change: number
}
