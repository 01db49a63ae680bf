import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'

/** The widget's own: words that a clinician puts right, and how names and medicines are written from then on. */

/** The longest turn that was measured has 4,000 characters. */
const wordsLengthMax = 20_000

export const WordCorrection = Type.Object({
  /** Index into the transcript's items. */
  item: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  /** As it was read: another's correction meanwhile is not written over. */
  before: Type.String({ maxLength: wordsLengthMax }),
  after: Type.String({ minLength: 1, maxLength: wordsLengthMax }),
})
export type WordCorrection = Static<typeof WordCorrection>

/** One of the items that were corrected; each stands once. */
export const CorrectedItem = Type.Object({
  item: Type.Integer(),
  /** As the recognizer wrote it, before the first correction. */
  original: Type.String(),
  /** Who corrected it last. */
  name: Type.String(),
  at: Timestamp,
})
export type CorrectedItem = Static<typeof CorrectedItem>

export const CorrectedItems = Type.Object({ items: Type.Array(CorrectedItem) })
export type CorrectedItems = Static<typeof CorrectedItems>

export const VOCABULARY_SCOPES = ['clinician', 'clinic'] as const
export type VocabularyScope = (typeof VOCABULARY_SCOPES)[number]

const phrase = Type.String({ minLength: 2, maxLength: 60 })

export const VocabularyTerm = Type.Object({
  id: Id,
  scope: oneOf(VOCABULARY_SCOPES),
  term: Type.String(),
  /** What the recognizer makes of it; what only sounds like it is found without. */
  heard: Type.Array(Type.String()),
})
export type VocabularyTerm = Static<typeof VocabularyTerm>

export const Vocabulary = Type.Object({
  terms: Type.Array(VocabularyTerm),
  /** For each scope. */
  termsMax: Type.Integer(),
})
export type Vocabulary = Static<typeof Vocabulary>

export const VocabularyAddition = Type.Object({
  scope: oneOf(VOCABULARY_SCOPES),
  term: phrase,
  heard: Type.Optional(Nullable(phrase)),
})
export type VocabularyAddition = Static<typeof VocabularyAddition>

export const VocabularyRemoval = Type.Object({ termId: Type.String({ format: 'uuid' }) })
export type VocabularyRemoval = Static<typeof VocabularyRemoval>
