import { nameMatters } from '../../ledger/name-matters.js'
import { countShared, stemsOf } from '../../ledger/share-words.js'
import { findNegationScopes } from '../../text/find-negation.js'

/** What is longer was pasted; a statement is looked for in its beginning. */
const instructionsLengthMax = 4_000
/** Each sentence of an answer is compared with each clause. */
const clausesMax = 60

/** Of the words that carry its facts, so many must be the clinician's: the rest is grammar and wording. */
const ownShare = 0.6

/** Who the note is about, who writes it and how it attributes: words that every sentence of a note may have. */
export const noteWords = stemsOf(
  'client patient clinician provider therapist session report state describe note indicate document inform current currently ideation',
)

/** As clinicians type it in a hurry, and as a note spells it out. */
const spelledOut: readonly (readonly [RegExp, string])[] = [
  [/\bSI\b/gi, 'suicidal ideation'],
  [/\bHI\b/g, 'homicidal ideation'],
  [/\bAVH\b/gi, 'auditory visual hallucinations'],
  [/\bPCP\b/gi, 'primary care physician'],
  [/\b(?:pt|ct)\b/gi, 'client'],
]

interface Statement {
  stems: ReadonlySet<string>
  isNegated: boolean
}

/** Whether a sentence states what these words of a clinician state, and nothing else of weight. */
export type OwnStatementFinder = (sentence: string) => boolean

/**
 * A model says which sentences the clinician asked for word by word; nobody judges those. So it is not believed: the greater
 * part of what such a sentence says must stand in the clinician's words, every number, medicine and matter of danger among it,
 * and it may not say no where they say yes.
 */
export function makeOwnStatementFinder(words: string): OwnStatementFinder {
  const whole = spellOut(words.slice(0, instructionsLengthMax))
  const stems = stemsOf(whole)
  const matters = new Set(nameMatters(whole))
  const clauses = whole
    .split(/[.;,!?\n]|\b(?:and|but)\b/)
    .slice(0, clausesMax)
    .map(readStatement)
  return (text) => {
    const spelled = spellOut(text)
    const sentence = readStatement(spelled)
    const own = countShared(sentence.stems, stems)
    if (own === 0 || own < sentence.stems.size * ownShare) return false
    if ([...sentence.stems].some((stem) => /\d/.test(stem) && !stems.has(stem))) return false
    if (nameMatters(spelled).some((matter) => !matters.has(matter))) return false
    return agreesWithNearest(sentence, clauses)
  }
}

const spellOut = (text: string): string =>
  spelledOut.reduce((spelled, [short, long]) => spelled.replace(short, long), text)

const readStatement = (text: string): Statement => ({
  stems: new Set([...stemsOf(text)].filter((stem) => !noteWords.has(stem))),
  isNegated: findNegationScopes(text).length > 0,
})

function agreesWithNearest({ stems, isNegated }: Statement, clauses: readonly Statement[]): boolean {
  const shared = clauses.map((clause) => countShared(stems, clause.stems))
  const most = Math.max(...shared)
  return clauses.some((clause, at) => shared[at] === most && clause.isNegated === isNegated)
}
