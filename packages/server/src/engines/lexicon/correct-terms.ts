import { isCommonWord } from './common-words.js'
import { correctInstruments, type TermCorrection } from './correct-instruments.js'
import { correctNumberWords } from './correct-number-words.js'
import {
  findAmountBehind,
  hasMedicationTalk,
  isNumber,
  isUnit,
  judgeSlot,
  type SlotStrength,
  type TextWord,
} from './medication-slots.js'
import { findMedications, listConfusable, MEDICATIONS } from './medications.js'
import { leastSoundDistance, measureSoundDistance, toSounds } from './sound-alike.js'

/** A name is misheard as up to four words: "a seat a minivan". */
const wordsMax = 4

/**
 * How far the sounds may lie apart. Chosen on half of 270 sentences that synthetic voices spoke and Moonshine wrote down,
 * measured on the other half (eval/terms.js): beside a dose nearly everything is a medication, elsewhere plain English is
 * left alone unless it sounds the same.
 */
const distanceMax: Record<
  Exclude<SlotStrength, 'none'>,
  { odd: number; plain: number; plainWord: number }
> = {
  dose: { odd: 0.36, plain: 0.28, plainWord: 0.16 },
  // Any noun may follow "taking" or "put me on": one plain word is what was said.
  words: { odd: 0.27, plain: 0.17, plainWord: 0 },
}

/** The next medication must sound clearly less alike; a known pair of look-alikes by more. */
const leadMin = 0.06
const confusableLeadMin = 0.12

/** What people take of one strength: half a tablet to four. Another amount speaks against the name. */
const tabletCounts = [0.5, 1, 1.5, 2, 3, 4]
const oddAmountFactor = 0.6

/** Short names (Orap, Aleve) sound like too much. */
const shortSounds = 5
const shortFactor = 0.6

/** Never at the edge of a misheard name: they belong to the sentence. */
const edgeWords: ReadonlySet<string> = new Set(
  'the a an my your his her our some any and or but of to in on at for with is are was were it that this i you he she we they me him them so how what when as from by not no yes okay about still just also dose doses medication medications medicine pill pills tablet tablets prescription refill day daily morning night bedtime week weeks month months year years take taking took taken start started stop stopped increase increased decrease continue try tried add put working helping help feel'.split(
    ' ',
  ),
)

interface KnownName {
  name: string
  generic: string
  strengths: readonly number[]
  sounds: string
}

const knownNames: readonly KnownName[] = MEDICATIONS.flatMap(({ generic, brands, usualStrengths }) => {
  const strengths = usualStrengths.map(Number).filter((strength) => !Number.isNaN(strength))
  return [generic, ...brands].map((name) => ({ name, generic, strengths, sounds: toSounds(name) }))
})

interface Candidate {
  first: number
  last: number
  name: string
  distance: number
}

/**
 * Puts back names of medications and instruments that a recognizer misheard, and "two" where it wrote "to". Sound and context
 * must agree; numbers, doses and names that are in the lexicon are never touched. `context`: the turns around.
 */
export function correctTerms(
  text: string,
  context: readonly string[],
): { text: string; corrections: TermCorrection[] } {
  const corrections: TermCorrection[] = []
  const named = correctNumberWords(correctInstruments(text, corrections), corrections)
  const words = listWords(named)
  const isTalk = hasMedicationTalk(named, context)
  let corrected = named
  // From the end, so that the offsets before a change stay true.
  for (const { first, last, name } of chooseApart(listCandidates(named, words, isTalk)).toReversed()) {
    const [start, end] = [words[first]!.start, words[last]!.end]
    const written = isSentenceStart(named, start) ? name[0]!.toUpperCase() + name.slice(1) : name
    corrections.push({ heard: named.slice(start, end), corrected: written })
    corrected = corrected.slice(0, start) + written + corrected.slice(end)
  }
  return { text: corrected, corrections }
}

function listWords(text: string): TextWord[] {
  return [...text.matchAll(/[\p{L}\p{N}]+(?:[.'’-](?=[\p{L}\p{N}])[\p{L}\p{N}]+)*/gu)].map((match) => ({
    text: match[0],
    lower: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }))
}

const isSentenceStart = (text: string, start: number): boolean => /(?:^|[.?!]\s+)$/.test(text.slice(0, start))

function listCandidates(text: string, words: readonly TextWord[], isTalk: boolean): Candidate[] {
  const known = findMedications(text)
  const isFree = ({ start, end, lower }: TextWord): boolean =>
    !isNumber(lower) && !isUnit(lower) && !known.some((mention) => mention.start < end && start < mention.end)
  const candidates: Candidate[] = []
  for (let first = 0; first < words.length; first++) {
    for (let last = first; last < Math.min(words.length, first + wordsMax); last++) {
      if (!isFree(words[last]!) || (last > first && !isJoined(text, words[last - 1]!, words[last]!))) break
      if (edgeWords.has(words[first]!.lower) || edgeWords.has(words[last]!.lower)) continue
      const slot = judgeSlot(words, first, last, text, isTalk)
      if (slot === 'none') continue
      const found = findSoundAlike(words.slice(first, last + 1), slot, findAmountBehind(words, last))
      if (found !== null) candidates.push({ first, last, ...found })
    }
  }
  return candidates
}

/** A comma or the end of a sentence is no part of a name; the point of "M. Sam" is. */
function isJoined(text: string, before: TextWord, after: TextWord): boolean {
  const between = text.slice(before.end, after.start)
  return /^[\s-]+$/.test(between) || (before.text.length === 1 && /^\.\s?$/.test(between))
}

function findSoundAlike(
  heard: readonly TextWord[],
  slot: Exclude<SlotStrength, 'none'>,
  amount: number | null,
): Pick<Candidate, 'name' | 'distance'> | null {
  const sounds = toSounds(heard.map(({ text }) => text).join(' '))
  const limitAtMost = distanceMax[slot][kindOf(heard)]
  if (limitAtMost === 0) return null
  let best: KnownName | null = null
  let distance = Infinity
  const distances = new Map<string, number>()
  for (const known of knownNames) {
    if (leastSoundDistance(known.sounds, sounds) > limitAtMost + confusableLeadMin) continue
    const found = measureSoundDistance(known.sounds, sounds)
    distances.set(known.name.toLowerCase(), found)
    if (found < distance) [best, distance] = [known, found]
  }
  if (best === null) return null
  const limit = limitAtMost * factorFor(best, slot === 'dose' ? amount : null)
  if (distance > limit || !isAhead(best, distance, distances)) return null
  return { name: best.name, distance }
}

function kindOf(heard: readonly TextWord[]): 'odd' | 'plain' | 'plainWord' {
  if (!heard.every(({ text }) => isCommonWord(text))) return 'odd'
  return heard.length === 1 && !heard[0]!.text.includes('-') ? 'plainWord' : 'plain'
}

function factorFor({ sounds, strengths }: KnownName, amount: number | null): number {
  const isUsual =
    amount === null ||
    strengths.length === 0 ||
    strengths.some((strength) => tabletCounts.some((count) => count * strength === amount))
  return (isUsual ? 1 : oddAmountFactor) * (sounds.length <= shortSounds ? shortFactor : 1)
}

function isAhead(best: KnownName, distance: number, distances: ReadonlyMap<string, number>): boolean {
  const alike = new Set(listConfusable(best.name))
  return knownNames.every((other) => {
    if (other.generic === best.generic) return true
    const lead = (distances.get(other.name.toLowerCase()) ?? Infinity) - distance
    return lead >= (alike.has(other.name.toLowerCase()) ? confusableLeadMin : leadMin)
  })
}

/** The best-sounding first; what overlaps a better one is left out. In the order of the text. */
function chooseApart(candidates: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = []
  for (const candidate of candidates.toSorted((a, b) => a.distance - b.distance))
    if (chosen.every(({ first, last }) => last < candidate.first || candidate.last < first))
      chosen.push(candidate)
  return chosen.toSorted((a, b) => a.first - b.first)
}
