import { isCommonWord, isOrdinaryWord } from '../../lexicon/common-words.js'
import { MEDICATIONS, type Medication } from '../../lexicon/medications.js'
import { toSounds } from '../../lexicon/sound-alike.js'
import { makeSoundIndex } from '../../lexicon/sound-index.js'
import { findNumbers } from '../../text/find-numbers.js'
import { tokenizeWords, type WordToken } from '../../text/tokenize-words.js'

export interface MisheardName {
  medication: Medication
  said: string
  start: number
  end: number
}

/** A name is misheard as up to four words: "sir tra lean", "quiet a peen". */
const wordsMax = 4
/** Shorter sounds are like too many words. */
const soundsMin = 6
/**
 * How far the sounds may lie apart: beside a number, and elsewhere; less for words that are plain English. "quiet a peen" is 0.09 from
 * quetiapine, "sir tra lean" 0.04 from sertraline.
 */
const distanceMax = { number: { odd: 0.26, plain: 0.16 }, none: { odd: 0.17, plain: 0.08 } }
/** A single odd word is often a word that the list of common ones lacks: "prolactin" is 0.15 from Prolixin, "booster" 0.16 from BuSpar. */
const singleFactor = 0.6
/** So long a word is no piece of a name. */
const wholeWordMin = 7
/** The next medicine must sound clearly less alike. */
const leadMin = 0.04

const edgeWords: ReadonlySet<string> = new Set(
  "the a an my your his her our some any and or but of to in on at for with is are was were it that this i you he she we they me him them so how what when as from by not no yes yeah okay about still just also dose doses medication medications medicine pill pills tablet tablets prescription refill day daily morning night bedtime week weeks month months year years take taking took taken start started stop stopped increase increased decrease continue try tried add put working helping help feel get got been have had has did do does don't if then than there these those up down out off all more".split(
    ' ',
  ),
)

const known = makeSoundIndex(
  MEDICATIONS.flatMap((medication) =>
    [medication.generic, ...medication.brands]
      .map((name) => ({ medication, sounds: toSounds(name) }))
      .filter(({ sounds }) => sounds.length >= soundsMin),
  ),
)

interface SoundingToken extends WordToken {
  sounds: string
}

interface Candidate extends MisheardName {
  distance: number
}

/** Names that a recognizer wrote as other words, in talk that is known to be about medicines. */
export const findMisheard = (
  text: string,
  taken: readonly { start: number; end: number }[],
): MisheardName[] => {
  // A word has its sounds whichever words stand around it.
  const tokens = tokenizeWords(text).map((token) => ({ ...token, sounds: toSounds(token.text) }))
  const numbers = findNumbers(tokens)
  const numberStarts = new Set(numbers.map(({ firstToken }) => firstToken))
  const inNumber = new Set(
    numbers
      .filter(({ readings }) => !readings.includes('1'))
      .flatMap(({ firstToken, lastToken }) => [firstToken, lastToken]),
  )
  const candidates: Candidate[] = []
  for (let first = 0; first < tokens.length; first++)
    for (let count = 1; count <= wordsMax && first + count <= tokens.length; count++) {
      // "One forty-eight over" is no name.
      if (inNumber.has(first + count - 1)) break
      const words = tokens.slice(first, first + count)
      const candidate = readCandidate(text, words, numberStarts.has(first + count))
      if (
        candidate !== null &&
        !taken.some(({ start, end }) => candidate.start < end && candidate.end > start)
      )
        candidates.push(candidate)
    }
  return chooseApart(candidates)
}

const readCandidate = (
  text: string,
  words: readonly SoundingToken[],
  isBeforeNumber: boolean,
): Candidate | null => {
  const [first, last] = [words[0], words.at(-1)]
  if (first === undefined || last === undefined) return null
  if (edgeWords.has(first.lower) || edgeWords.has(last.lower) || words.some(({ lower }) => /\d/.test(lower)))
    return null
  if (words.some((word, at) => at > 0 && word.start - (words[at - 1]?.end ?? 0) > 1)) return null
  const isPlain = words.every(
    ({ lower }) => isCommonWord(lower) || (lower.length >= wholeWordMin && isOrdinaryWord(lower)),
  )
  // One plain English word is what was said.
  if (words.length === 1 && isOrdinaryWord(first.lower)) return null
  const limit =
    distanceMax[isBeforeNumber ? 'number' : 'none'][isPlain ? 'plain' : 'odd'] *
    (words.length === 1 ? singleFactor : 1)
  const sounds = words.map((word) => word.sounds).join('')
  if (sounds.length < soundsMin - 1) return null
  let best: { medication: Medication; distance: number } | null = null
  let next = Number.POSITIVE_INFINITY
  // Beyond the lead nobody comes into question, nor stands in the way of who does.
  for (const { name, distance } of known.findWithin(sounds, {
    leastMax: limit,
    distanceMax: limit + leadMin,
  })) {
    if (best === null || distance < best.distance) {
      if (best !== null && best.medication.generic !== name.medication.generic) next = best.distance
      best = { medication: name.medication, distance }
    } else if (name.medication.generic !== best.medication.generic) next = Math.min(next, distance)
  }
  if (best === null || best.distance > limit || next - best.distance < leadMin) return null
  return {
    medication: best.medication,
    said: text.slice(first.start, last.end),
    start: first.start,
    end: last.end,
    distance: best.distance,
  }
}

/** Candidates that do not overlap: of those that do, the nearest. */
const chooseApart = (candidates: readonly Candidate[]): MisheardName[] => {
  const chosen: Candidate[] = []
  for (const candidate of candidates.toSorted((a, b) => a.distance - b.distance))
    if (!chosen.some(({ start, end }) => candidate.start < end && candidate.end > start))
      chosen.push(candidate)
  return chosen.map(({ medication, said, start, end }) => ({ medication, said, start, end }))
}
