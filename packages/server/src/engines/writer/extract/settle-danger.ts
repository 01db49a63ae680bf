import { namesDanger } from '../../reader/danger/names-danger.js'
import { toPlain } from '../../reader/talk/read-talk.js'
import { findAccident } from './after-accident.js'
import { readAskedDanger } from './asked-danger.js'
import { hasGraveWord, isOfPanic } from './grave-words.js'
import { keepWitnessed } from './keep-witnessed.js'
import { betweenWordsMax, joinedWordsMax, union, type Line } from './line.js'
import { hasDangerWord, hasPlainestWord } from './quote-finding.js'
import { raiseDanger, type Raising } from './raise-danger.js'
import { countSaidWords, heatOfSaid, mayBeFigure, type Said, type Talk } from './read-turns.js'
import { isAsked, isSilent } from './stands.js'

/**
 * The last word on what stands under Danger, whichever way a line came there: a question about danger with what was said to it,
 * or danger told in words of its own, of which the encoder is sure twice, for the item and for the sentence, and which somebody
 * took up. What goes on with such a line right behind it is one line with it; everything else stands under Other, where it is
 * read and misleads nobody. Then comes what stands elsewhere and is of one stretch with what passed.
 */
export function settleDanger(lines: readonly Line[], raising: Omit<Raising, 'isPlain'>): Line[] {
  const { talk } = raising
  const passed = letPass(lines, raising)
  const raised = raiseDanger(passed, {
    ...raising,
    isPlain: (quoted) => isPlain(quoted, talk, { isElsewhere: true }),
  })
  return keepWitnessed(raised, raising)
}

function letPass(
  lines: readonly Line[],
  { talk, reportSection }: { talk: Talk; reportSection: string },
): Line[] {
  const settled: Line[] = []
  const inTime = lines.toSorted((a, b) => (a.quoted[0]?.index ?? Infinity) - (b.quoted[0]?.index ?? Infinity))
  for (const line of inTime) {
    if (
      line.heading !== 'Danger' ||
      line.quoted.length === 0 ||
      isPlain(line.quoted, talk, { isElsewhere: false })
    ) {
      settled.push(line)
      continue
    }
    const at = settled.findLastIndex(({ heading }) => heading === 'Danger')
    const before = settled[at]
    const joined = before === undefined ? null : goOn(before.quoted, line.quoted, talk)
    if (before === undefined || joined === null) {
      const accident = line.quoted.flatMap((said) => findAccident(said, talk))
      const quoted = union(accident, line.quoted)
      settled.push({ ...line, section: reportSection, heading: 'Other', label: '', quoted })
    } else settled[at] = { ...before, quoted: joined }
  }
  return settled
}

/** `isElsewhere`: it was not taken for danger before; then somebody has to take it up, or more is told of it. */
const isPlain = (quoted: readonly Said[], talk: Talk, { isElsewhere }: { isElsewhere: boolean }): boolean =>
  quoted.some(
    (said) =>
      said.isTyped ||
      (!isOfPanic(said.raw) &&
        findAccident(said, talk).length === 0 &&
        (asksRisk(said, quoted) ||
          tellsGravely(said, quoted) ||
          tellsDanger(said, talk, isElsewhere && !isTold(quoted)))),
  )

const toldSentencesMin = 3

const isTold = (quoted: readonly Said[]): boolean =>
  quoted.filter((said) => isAt(said, saidAt)).length >= toldSentencesMin

/** Of words that are hardly ever a way of speaking either figure is enough, and a low one. */
const graveAt = 0.3

/** "I sat in the car in the garage, and I thought about, you know. Leaving it running.": a turn, read as one. */
function tellsGravely(said: Said, quoted: readonly Said[]): boolean {
  const turn = quoted.filter((one) => one.turn === said.turn && one.index >= said.index)
  return (
    Math.max(said.figures.places.danger ?? 0, heatOfSaid(said)) >= graveAt &&
    (hasGraveWord(said.raw) || hasGraveWord(turn.map(({ raw }) => raw).join(' '))) &&
    (!isAsked(said) || quoted.some(({ index, speaker }) => index > said.index && speaker !== 'clinician'))
  )
}

/** What the encoder must say at least: of a question that asks for danger in so many words, and of anything else that has a word for it. */
const askedAt = { sentence: 0.15, item: 0.3 }
const saidAt = { sentence: 0.5, item: 0.7 }

const isAt = (said: Said, { sentence, item }: typeof saidAt): boolean =>
  (said.figures.places.danger ?? 0) >= sentence && heatOfSaid(said) >= item

/** Somebody else has to speak behind it: a question alone is no danger. Of the two one may be in doubt to the encoder. */
function asksRisk(said: Said, quoted: readonly Said[]): boolean {
  const answer = quoted.find(({ index, speaker }) => index > said.index && speaker !== 'clinician')
  if (said.speaker !== 'clinician' || answer === undefined) return false
  const isAskedFor = readAskedDanger(said.raw) !== null
  if (hasPlainestWord(said) && (isAskedFor || asksOverdose.test(said.raw))) return true
  if (!isAt(said, askedAt)) return false
  if (isAskedFor) return true
  return (
    hasDangerWord([said]) &&
    (isAt(said, saidAt) || (isAsked(said) && isAt(answer, saidAt))) &&
    (isAsked(said) || !mayBeFigure(said))
  )
}

/** "Any overdoses?" */
const asksOverdose = /^\W*(?:(?:and|so|okay),? )*(?:any|ever|have you|did you)\b[^?]{0,40}\boverdos\w{1,4}\b/i

/** "I wanted to die" of a misprint: nobody asks about it, and nothing else around it speaks of danger. */
function tellsDanger(said: Said, talk: Talk, isLone: boolean): boolean {
  // Most of a talk is far from it, and words cost more to read than figures.
  if (heatOfSaid(said) < plainestAt.item || !hasDangerWord([said]) || mayBeFigure(said)) return false
  if (hasPlainestWord(said) && namesDanger(said.raw)) return isAt(said, plainestAt)
  return (
    isAt(said, saidAt) &&
    (isTakenUp(said, talk) || (!isLone && isAt(said, aloneAt) && !hasFigurative.test(toPlain(said.raw))))
  )
}

/** Figures for words of which nobody makes a figure of speech; and, in `aloneAt`, for others where nobody takes them up. */
const plainestAt = { sentence: 0, item: 0.5 }
const aloneAt = { sentence: 0.8, item: 0.9 }

/** "I could have died", "I'll murder him": of these most people make figures of speech. */
const hasFigurative =
  /\b(?:die[ds]?|dying|dead|death|kill\w*|murder\w*|shoot\w*|shot|stab\w*|throttl\w*|drown\w*|beat\w*|hit(?:s|ting)?|slap\w*|punch\w*|attack\w*|belt|pistol|gun|bomb\w*|mad|crazy|psycho)\b/

/** So far around it somebody takes up what was told. */
const takenUpSentences = 8

const isTakenUp = (said: Said, { sentences }: Talk): boolean =>
  sentences
    .slice(Math.max(0, said.index - takenUpSentences), said.index + takenUpSentences + 1)
    .some((one) => one.turn !== said.turn && isAt(one, saidAt) && hasDangerWord([one]) && !mayBeFigure(one))

/** "How many nights?" "Four, five.", right behind what was asked about danger: one stretch with it, nothing left out between them. */
function goOn(before: readonly Said[], next: readonly Said[], talk: Talk): Said[] | null {
  const [last, first] = [before.at(-1), next[0]]
  if (last === undefined || first === undefined || first.index < last.index) return null
  const between = talk.sentences.slice(last.index + 1, first.index)
  const joined = union(
    union(
      before,
      between.filter((one) => !isSilent(one, talk)),
    ),
    next,
  )
  const isNear = countSaidWords(between) <= betweenWordsMax && countSaidWords(joined) <= joinedWordsMax
  return isNear && next.some((said) => isAt(said, saidAt)) ? joined : null
}
