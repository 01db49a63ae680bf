import type { Role } from '../talk/read-session.js'
import type { Topic } from '../talk/topics.js'

export type StatementKind =
  | 'report'
  | 'response'
  | 'intent'
  | 'intervention'
  | 'plan'
  | 'order'
  | 'observation'
  | 'measure'
  | 'assessment'
  | 'goal'
  | 'risk'

/** One thing that may stand in a note, already in its words. */
export interface Statement {
  kind: StatementKind
  /** Of its first sentence in the session. */
  order: number
  items: readonly number[]
  role: Role
  topics: readonly Topic[]
  /** Those of the question that it answers: they say where it belongs better than its own words. */
  asked: readonly Topic[]
  /** The words: a whole sentence without its stop, or what follows "Client reports" if there is a frame. */
  text: string
  frame: Frame | null
  /** An answer without its question, for a section whose heading says what was asked. */
  bare: string | null
  /** The whole clause, where the text leaves its subject out. */
  whole?: string
  /** What it is worth against others, when not all can stand. */
  score: number
  /** A note that had to leave it out would mislead: risk, doses. */
  isMandatory: boolean
}

/** With the section of the note in which it belongs. */
export interface Placed {
  section: string
  statement: Statement
}

export interface Frame {
  form: 'gerund' | 'clause' | 'noun'
  isPast: boolean
  /** A gerund as a clause, for where it follows one: "they sleep five hours". */
  clause?: string
}

const verbs = {
  gerund: { present: ['reports', 'describes'], past: ['reported', 'described'] },
  noun: { present: ['reports'], past: ['reported'] },
  clause: {
    present: ['reports', 'states'],
    past: ['reported', 'stated'],
  },
} as const

/** The sentence of a statement. `turn` varies the verb, so that ten reports do not begin alike. */
export const toSentence = (statement: Statement, turn: number): string => {
  if (statement.frame === null) return finish(statement.text)
  const { form, isPast } = statement.frame
  const subject = statement.role === 'client' ? 'Client' : 'A participant'
  const choices = verbs[form][isPast ? 'past' : 'present']
  return finish(`${subject} ${choices[turn % choices.length] ?? choices[0]} ${statement.text}`)
}

const finish = (text: string): string => {
  const trimmed = text
    .replace(/ +([,;])/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/[\s,;:—–-]+$/, '')
    .trim()
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?]["”]?$/.test(capital) ? capital : `${capital}.`
}
