import { isSameElement } from '../reader/danger/claim-words.js'
import { namesOther } from '../reader/danger/read-danger-claims.js'
import { noteWords } from './find-own-words.js'
import type { NoteSentence } from './index-note.js'
import { isKin, type StatedDanger } from './read-dangers.js'
import { COURSES, type StatedMedicine } from './read-regimens.js'
import type { Statements } from './read-statements.js'
import { countShared, stemsOf, without } from './share-words.js'

/** The share of a sentence's words that must stand where the same is said in other words. */
const sharedShare = 0.5

const besideMax = 2

/** Words with which a note tells, and in which no fact is. */
const tellingWords = stemsOf(
  'endorse deny affirm disclose acknowledge admit confirm express mention share tell say answer ask currently current present',
)

/**
 * Whether sentences of another text say what this one says: every danger in the same way, of the same person and time, every
 * medicine with its dose and use, and at least half of its words. One sentence may be told by several, and several by one.
 */
export const compareStatements = (
  lost: NoteSentence,
  stated: Statements,
  candidates: readonly NoteSentence[],
  statementsOf: (sentence: NoteSentence) => Statements,
): 'kept' | 'lost' | 'contradicted' => {
  const near = candidates
    .map((sentence) => ({ sentence, says: statementsOf(sentence) }))
    .filter(({ says }) => isAboutSame(stated, says))
  if (near.some(({ says }) => contradicts(stated, says))) {
    // Somewhere else it may stand as it was, too; then the note says both.
    if (!near.some(({ says, sentence }) => statesAll(stated, [{ says, sentence }]))) return 'contradicted'
  }
  if (!statesAll(stated, near)) return 'lost'
  // What the ledger answers for is told, in whatever words.
  if (stated.matters.length === 0 && stated.dangers.length === 0) return 'kept'
  const facts = without(
    without(without(lost.stems, noteWords), tellingWords),
    stemsOf(stated.dangers.map(({ words }) => words).join(' ')),
  )
  // What a sentence said beside it may stand in one that names no matter; those with most of its words come first.
  const beside = candidates.slice(0, besideMax)
  const told = new Set(
    [...near.map(({ sentence }) => sentence), ...beside].flatMap(({ stems }) => [...stems]),
  )
  return countShared(facts, told) >= facts.size * sharedShare ? 'kept' : 'lost'
}

interface Near {
  sentence: NoteSentence
  says: Statements
}

const isAboutSame = (stated: Statements, says: Statements): boolean =>
  stated.matters.some((matter) => says.matters.includes(matter)) ||
  stated.dangers.some((danger) => says.dangers.some((one) => isKin(one.topic, danger.topic))) ||
  stated.medicines.some(({ generic }) => says.medicines.some((one) => one.generic === generic))

const statesAll = (stated: Statements, near: readonly Near[]): boolean => {
  const named = new Set(near.flatMap(({ says }) => says.matters))
  return (
    stated.matters.every((matter) => named.has(matter) || matter === 'medicines') &&
    stated.dangers.every((danger) =>
      near.some(({ says, sentence }) => says.dangers.some((one) => isSame(danger, one, sentence))),
    ) &&
    stated.medicines.every((medicine) => isSameUse(medicine, near)) &&
    stated.dispositions.every((one) => near.some(({ says }) => says.dispositions.includes(one))) &&
    (stated.allergy === null || near.some(({ says }) => says.allergy === stated.allergy))
  )
}

/** Of another it is where the sentence names one: "died by suicide, client's brother". */
const isSame = (danger: StatedDanger, one: StatedDanger, { plain }: NoteSentence): boolean =>
  isKin(one.topic, danger.topic) &&
  (isSameElement(one.element, danger.element) || danger.topic === 'weapon') &&
  one.standing === danger.standing &&
  one.time === danger.time &&
  (one.whose === danger.whose || (danger.whose === 'other' && namesOther(plain)))

/** All that was stated of it, and no other course: a medicine that was taken is not stopped now. */
const isSameUse = ({ generic, stated }: StatedMedicine, near: readonly Near[]): boolean => {
  const now = new Set(
    near.flatMap(({ says }) => says.medicines.flatMap((one) => (one.generic === generic ? one.stated : []))),
  )
  return stated.every((one) => now.has(one)) && COURSES.every((one) => now.has(one) === stated.includes(one))
}

/** The same danger with another answer, an allergy denied that there was, a medicine with another dose. */
const contradicts = (stated: Statements, says: Statements): boolean =>
  stated.dangers.some((danger) =>
    says.dangers.some(
      (one) =>
        one.topic === danger.topic &&
        isSameElement(one.element, danger.element) &&
        one.whose === danger.whose &&
        one.standing !== danger.standing,
    ),
  ) ||
  (stated.allergy !== null && says.allergy !== null && stated.allergy !== says.allergy)
