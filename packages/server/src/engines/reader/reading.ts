import { homeLanguage } from '@casenote/contract'
import type { NamedItem } from '../named-item.js'

/** What the encoder was trained to tell apart, in the order of its output. */
export const TOPICS = [
  'presenting',
  'symptoms',
  'sleep',
  'appetite',
  'functioning',
  'thoughts',
  'progress',
  'substance',
  'medication',
  'med_response',
  'side_effects',
  'med_change',
  'medical',
  'allergies',
  'psych_history',
  'substance_history',
  'family_history',
  'social_history',
  'trauma_history',
  'risk_self',
  'risk_others',
  'abuse',
  'psychosis',
  'protective',
  'safety_plan',
  'strengths',
  'observation',
  'scores',
  'impression',
  'intervention',
  'response',
  'goal',
  'homework',
  'plan',
] as const
export type Topic = (typeof TOPICS)[number]

/** For one transcript item: how likely each topic is, in two digits; what is below 0.02 is left out. */
export type TopicScores = Partial<Record<Topic, number>>

/** Where a sentence belongs in a note, in the order of the encoder's output. */
export const PLACES = [
  'none',
  'reported',
  'history',
  'medicines',
  'allergies',
  'danger',
  'observed',
  'judgement',
  'done',
  'plan',
  'question',
] as const
export type Place = (typeof PLACES)[number]

/**
 * Whether a sentence is understood when it is quoted: by itself, by itself but going on in the next, after the question that
 * it answers, after the sentence that it points back to, or not at all.
 */
export const STANDS = ['alone', 'goes_on', 'answers', 'points_back', 'shred'] as const
export type Stands = (typeof STANDS)[number]

/** For one sentence: shares of one, in two digits; what is below 0.02 is left out. */
export interface SentenceFigures {
  places: Readonly<Partial<Record<Place, number>>>
  stands: Readonly<Partial<Record<Stands, number>>>
  /** How much a note needs it: 0 not at all, 1 it is a key fact. */
  worth: number
}

export const DANGER_MATTERS = ['suicide', 'self_harm', 'harm_to_others', 'abuse', 'psychosis'] as const
export type DangerMatter = (typeof DANGER_MATTERS)[number]

/** What of the matter was spoken about. `unspecified`: the encoder or a model found it, and no rule can say. */
export const DANGER_ELEMENTS = [
  'thoughts',
  'wish_to_be_dead',
  'plan',
  'intent',
  'means',
  'preparation',
  'attempt',
  'act',
  'threat',
  'commands',
  'voices',
  'beliefs',
  'violence',
  'neglect',
  'control',
  'unspecified',
] as const
export type DangerElement = (typeof DANGER_ELEMENTS)[number]

/** `unclear`: asked and not plainly answered, joked about, or worded so that nobody could say. */
export type Standing = 'affirmed' | 'denied' | 'unclear'
export type Time = 'present' | 'past'
export type Whose = 'client' | 'other'

interface FoundWords {
  /** The finding's id, the same for the same finding in the same transcript. */
  id: string
  /** Transcript items, in order; a question that belongs to the answer is among them. */
  items: readonly number[]
  /** Word for word: the sentences that decide, from one item. */
  words: string
}

export interface DangerFinding extends FoundWords {
  kind: 'danger'
  matter: DangerMatter
  element: DangerElement
  standing: Standing
  time: Time
  whose: Whose
  /** `plain`: in plain words, or the encoder is sure. What is only suspected is for the clinician's list, not for a note. */
  certainty: 'plain' | 'suspected'
  /** `answer`: in a questionnaire, and so at no place of the talk. */
  foundBy: 'words' | 'encoder' | 'model' | 'answer'
  /** The item in which it was asked, if it was. */
  questionItem: number | null
}

export type MedicineStatus =
  | 'taken'
  | 'started'
  | 'stopped'
  | 'raised'
  | 'lowered'
  | 'kept'
  | 'considered'
  | 'declined'
  | 'past'
  | 'mentioned'

export interface MedicineFinding extends FoundWords {
  kind: 'medicine'
  /** The generic name where it is known, else as said. */
  name: string
  /** The medicine's name as it was said, so that it is found in the transcript. */
  said: string
  /** "50 mg"; "20" where no unit was said; null where no dose was said. */
  dose: string | null
  /** "at night", "twice a day"; null where nothing was said. */
  use: string | null
  status: MedicineStatus
  whose: Whose
}

export interface AllergyFinding extends FoundWords {
  kind: 'allergy'
  substance: string
  reaction: string | null
  standing: Standing
}

/** Measures, vital signs and laboratory values. */
export interface ScoreFinding extends FoundWords {
  kind: 'score'
  name: string
  value: string
}

export interface DecisionFinding extends FoundWords {
  kind: 'decision'
  about:
    'appointment' | 'homework' | 'referral' | 'test' | 'medicine' | 'safety_step' | 'disposition' | 'other'
  /** `declined`: it was proposed and refused. */
  standing: 'agreed' | 'declined' | 'proposed'
}

export type Finding = DangerFinding | MedicineFinding | AllergyFinding | ScoreFinding | DecisionFinding

/** What the encoder said. */
export interface TalkFigures {
  /** One for each transcript item. */
  topics: readonly TopicScores[]
  /** For each item one for each of its sentences, as `cutSentences` cuts it. */
  sentences: readonly (readonly SentenceFigures[])[]
}

/** As text: extracts and the checker look into it in threads of their own; on its way a text of hours of talk costs no time, a tree does. */
export const packFigures = ({ topics, sentences }: TalkFigures): string =>
  JSON.stringify({ topics, sentences })

/** Only ever of what was packed: a reading that is kept is kept sealed. */
export const unpackFigures = (figures: string): TalkFigures => JSON.parse(figures) as TalkFigures

/** What one pass over a transcript gives, the same for every writer. */
export interface Reading {
  /** What the encoder said of items and sentences: `packFigures` and `unpackFigures`. */
  figures: string
  findings: readonly Finding[]
  /** For each item that answers a question: the item in which it was asked. Absent: it answers none. */
  questionOf: Readonly<Record<number, number>>
  /** Weights and rules; two readings of one version and one transcript are the same. */
  version: string
  /** What was spoken, where that is no English: nothing was read, and no rule of English judges a sentence by it (decision 0052). */
  language?: string
}

/** Null: English, or what nobody said to be anything else. */
export const otherLanguage = (language: string | null): string | null =>
  language === homeLanguage ? null : language

/** A reading of talk in a language that the reader does not know: nothing is found in it, and nobody may take that for an answer. */
export const makeUnread = (language: string, version: string, itemCount: number): Reading => ({
  figures: packFigures({
    topics: Array.from({ length: itemCount }, () => ({})),
    sentences: Array.from({ length: itemCount }, () => []),
  }),
  findings: [],
  questionOf: {},
  version,
  language,
})

/** The door to the reader. It runs off the event loop; throws an EngineFault. */
export interface Reader {
  readonly version: string
  /** Where several wait, owners take turns. */
  read(transcript: readonly NamedItem[], signal: AbortSignal, owner?: string): Promise<Reading>
  close(): Promise<void>
}
