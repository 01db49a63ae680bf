import { highestDanger } from '../../reader/danger/danger-topics.js'
import { isDoubtful } from '../../reader/danger/figures-of-speech.js'
import { namesDanger } from '../../reader/danger/names-danger.js'
import { toPlain } from '../../reader/talk/read-talk.js'
import { readAskedDanger } from './asked-danger.js'
import { hasGraveWord, isOfPanic, tellsTooMuch } from './grave-words.js'
import { betweenWordsMax, joinedWordsMax, union, type Line } from './line.js'
import { hasDangerWord } from './quote-finding.js'
import { countSaidWords, shareOfPlace, type Said, type Talk } from './read-turns.js'
import { isAsked, isSilent } from './stands.js'

/**
 * A line under Danger has two witnesses: the encoder, by which it came there, and its words, read by rules. What has only the first
 * ("Any time you felt no need for sleep?" in the middle of such questions) is one line with what it stands beside, where nothing was left
 * out between them and both speak of danger; else it stands alone only if the encoder is surest, and otherwise under Other. What two
 * lines quote is quoted once.
 */
export function keepWitnessed(
  lines: readonly Line[],
  { talk, reportSection }: { talk: Talk; reportSection: string },
): Line[] {
  const danger = joinShared(lines.filter(({ heading }) => heading === 'Danger'))
  const rest = lines.filter(({ heading }) => heading !== 'Danger')
  const kept: Line[] = []
  const open: Line[] = []
  for (const line of danger) (isWitnessed(line.quoted) ? kept : open).push(line)
  for (const line of open) {
    const at = kept.findIndex((other) => isBeside(other.quoted, line.quoted, talk))
    const beside = kept[at]
    if (beside !== undefined && isSure(line.quoted, besideAt))
      kept[at] = { ...beside, quoted: joinAll(beside.quoted, line.quoted, talk) }
    else if (isSure(line.quoted, beside === undefined ? aloneAt : besideAt)) kept.push(line)
    else rest.push({ ...line, section: reportSection, heading: 'Other', label: '' })
  }
  return [...kept.toSorted((a, b) => startOf(a) - startOf(b)), ...rest]
}

const startOf = ({ quoted }: Line): number => quoted[0]?.index ?? Infinity

/** Two lines that have a sentence in common are one. */
function joinShared(lines: readonly Line[]): Line[] {
  const joined: Line[] = []
  for (const line of lines.toSorted((a, b) => startOf(a) - startOf(b))) {
    const at = joined.findIndex(({ quoted }) => quoted.some((said) => line.quoted.includes(said)))
    const there = joined[at]
    if (there === undefined) joined.push(line)
    else joined[at] = { ...there, quoted: union(there.quoted, line.quoted) }
  }
  return joined
}

/** What the encoder must say of a line that has a word of danger with many harmless uses, of one without any beside another, and of one alone. */
const wordedAt = { best: 0.7, heat: 0.95, share: 0 }
const besideAt = { best: 0.6, heat: 0.9, share: 0.5 }
const aloneAt = { best: 0.8, heat: 0.98, share: 0.6 }

/** By the rules that read danger: a question for it, words that have it for their meaning, or too much that was taken. */
function isWitnessed(quoted: readonly Said[]): boolean {
  if (quoted.length === 0) return true
  const plain = quoted.filter(
    (said) => said.isTyped || (!isOfPanic(said.raw) && !isDoubtful(toPlain(said.raw))),
  )
  return (
    plain.some(
      ({ isTyped, raw }) => isTyped || hasGraveWord(raw) || namesDanger(raw) || tellsTooMuch(raw),
    ) ||
    plain.some((said) => isAsked(said) && readAskedDanger(said.raw) !== null) ||
    (hasDangerWord(plain) && isSure(plain, wordedAt))
  )
}

const isSure = (quoted: readonly Said[], at: typeof aloneAt): boolean =>
  Math.max(...quoted.map(({ figures }) => figures.places.danger ?? 0)) >= at.best &&
  Math.max(...quoted.flatMap(({ topics }) => topics.map(highestDanger))) >= at.heat &&
  Math.max(shareOfPlace(quoted, 'danger'), shareOfPlace(quoted.filter(isAnswer), 'danger')) >= at.share

const isAnswer = ({ speaker }: Said): boolean => speaker !== 'clinician'

/** Whether one goes on from the other, and both are not too long to be read as one. */
function isBeside(some: readonly Said[], others: readonly Said[], talk: Talk): boolean {
  const [first, second] = (some[0]?.index ?? 0) <= (others[0]?.index ?? 0) ? [some, others] : [others, some]
  const between = talk.sentences.slice((first.at(-1)?.index ?? 0) + 1, second[0]?.index ?? 0)
  return (
    countSaidWords(between) <= betweenWordsMax &&
    countSaidWords(some) + countSaidWords(others) + countSaidWords(between) <= joinedWordsMax
  )
}

function joinAll(some: readonly Said[], others: readonly Said[], talk: Talk): Said[] {
  const ends = [some.at(-1), others.at(-1)].map((said) => said?.index ?? 0)
  const starts = [some[0], others[0]].map((said) => said?.index ?? 0)
  const between = talk.sentences.slice(Math.min(...ends) + 1, Math.max(...starts))
  return union(
    union(some, others),
    between.filter((said) => !isSilent(said, talk)),
  )
}
