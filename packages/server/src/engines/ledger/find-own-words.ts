import { nameMatters } from './name-matters.js'
import { readDangerClaims, type DangerClaim } from '../reader/danger/read-danger-claims.js'
import { countShared, stemsOf, without } from './share-words.js'
import { findNegationScopes } from '../text/find-negation.js'
import { splitSentences } from '../text/split-sentences.js'

/** What is longer was pasted; own words are looked for in its beginning. */
const instructionsLengthMax = 4_000
/** Each sentence of an answer is compared with each clause. */
const clausesMax = 60

/** Who the note is about, who writes it and how it attributes: words that every sentence of a note may have. */
export const noteWords = stemsOf(
  'client patient clinician provider therapist session report state describe note indicate document inform ideation',
)

/** What a denial may be limited to without being more than was stated. */
const limitingWords = stemsOf('current currently recent')

/** As clinicians type it in a hurry, and as a note spells it out. */
const spelledOut: readonly (readonly [RegExp, string])[] = [
  [/\bSI\b/gi, 'suicidal ideation'],
  [/\bHI\b/g, 'homicidal ideation'],
  [/\bAVH\b/gi, 'auditory visual hallucinations'],
  [/\bPCP\b/gi, 'primary care physician'],
  [/\b(?:pt|ct)\b/gi, 'client'],
]

interface Stated {
  stems: ReadonlySet<string>
  isNegated: boolean
}

/** Whether a sentence states what these words of a clinician state, and nothing else. */
export type OwnWordsFinder = (sentence: string) => boolean

/**
 * A model says which sentences the clinician asked for word by word; nobody judges those. So it is not believed: every word of
 * such a sentence that carries a fact (a number, a name, a medicine, whatever it is) must be the clinician's, about danger all of
 * them from one sentence of theirs, and it may not say no where they say yes.
 */
export function makeOwnWordsFinder(words: string): OwnWordsFinder {
  const whole = spellOut(words.slice(0, instructionsLengthMax))
  const stems = stemsOf(whole)
  const matters = new Set(nameMatters(whole))
  const typed = splitSentences(whole).slice(0, clausesMax).map(readTyped)
  const clauses = whole
    .split(/[.;,!?\n]|\b(?:and|but)\b/)
    .slice(0, clausesMax)
    .map(readStated)
  return (text) => {
    const spelled = spellOut(text)
    const sentence = readStated(spelled)
    const told = sentence.isNegated ? without(sentence.stems, limitingWords) : sentence.stems
    if (told.size === 0 || countShared(told, stems) < told.size) return false
    const named = nameMatters(spelled)
    if (named.some((matter) => !matters.has(matter))) return false
    if (named.length > 0) {
      const claims = readDangerClaims(spelled)
      if (!typed.some((one) => holds(one, told, claims))) return false
    }
    return agreesWithNearest(sentence, clauses)
  }
}

interface TypedSentence {
  stems: ReadonlySet<string>
  claims: readonly DangerClaim[]
}

const readTyped = (text: string): TypedSentence => ({ stems: stemsOf(text), claims: readDangerClaims(text) })

/** All of its words, and what is said of danger with them of the same person, the same time and with the same answer. */
const holds = (typed: TypedSentence, told: ReadonlySet<string>, claims: readonly DangerClaim[]): boolean =>
  countShared(told, typed.stems) === told.size &&
  claims.every((claim) =>
    typed.claims.some(
      (one) =>
        one.matter === claim.matter &&
        one.element === claim.element &&
        one.whose === claim.whose &&
        one.time === claim.time &&
        one.standing === claim.standing,
    ),
  )

const spellOut = (text: string): string =>
  spelledOut.reduce((spelled, [short, long]) => spelled.replace(short, long), text)

const readStated = (text: string): Stated => ({
  stems: without(stemsOf(text), noteWords),
  isNegated: findNegationScopes(text).length > 0,
})

function agreesWithNearest({ stems, isNegated }: Stated, clauses: readonly Stated[]): boolean {
  const shared = clauses.map((clause) => countShared(stems, clause.stems))
  const most = Math.max(...shared)
  return clauses.some((clause, at) => shared[at] === most && clause.isNegated === isNegated)
}
