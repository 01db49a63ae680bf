import { stemWord, tokenizeWords } from '../text/tokenize-words.js'
import { findConcept } from './frame-words.js'
import type { EvidenceSentence, Standing } from './read-evidence.js'
import type { Segment } from './read-segments.js'

/** Why a sentence is not supported: a code, so that it may be counted and logged without any word of the session. */
export type EvidenceFault =
  | 'no_evidence'
  | 'word_not_said'
  | 'quote_not_said'
  | 'number_not_said'
  | 'negation_differs'
  | 'other_speaker'
  | 'other_subject'
  | 'was_discussed'

type Check = (segment: Segment, evidence: readonly EvidenceSentence[]) => EvidenceFault | null

interface Sighting {
  sentence: EvidenceSentence
  standing: Standing
  /** By the sentence itself, whatever was answered. */
  negations: number
}

/** Where a stem, or what it stands for, was said. */
const findSightings = (stem: string, evidence: readonly EvidenceSentence[]): Sighting[] => {
  const exact = evidence.flatMap((sentence) =>
    sentence.stems.flatMap((other, index) =>
      other === stem
        ? [
            {
              sentence,
              standing: sentence.standings[index] ?? 'affirmed',
              negations: sentence.negations[index] ?? 0,
            },
          ]
        : [],
    ),
  )
  const concept = findConcept(stem)
  if (exact.length > 0 || concept === null) return exact
  return evidence.flatMap((sentence) => {
    const match = concept.exec(sentence.text)
    if (match === null) return []
    // "do not want to wake up" is the thought itself: a concept's own negation is no denial of it.
    const at = sentence.tokens.findIndex((token) => token.start >= match.index)
    const isOwn =
      /n't|\bnot\b|wak\w+ up|be(?:ing)? here|worth living|exist/i.test(match[0]) && !sentence.isQuestion
    return [{ sentence, standing: isOwn ? 'affirmed' : (sentence.standings[at] ?? 'affirmed'), negations: 0 }]
  })
}

const mayCarry = (segment: Segment, sentence: EvidenceSentence): boolean => {
  if (segment.claims === null || segment.worksWith) return true
  // Whoever asks about something neither reports nor denies it.
  if (sentence.role === segment.claims)
    return !(segment.tellsOfSelf && segment.claims === 'clinician' && sentence.isQuestion)
  // What the asked person answers is theirs, the question's words with it; so is what they confirm.
  return segment.claims !== 'clinician' && (sentence.isQuestion || segment.confirms)
}

/** The words must be those of the person whom the sentence names. */
export const checkSpeaker: Check = (segment, evidence) => {
  if (segment.claims === null) return null
  if (!evidence.some((sentence) => sentence.role === segment.claims)) return 'other_speaker'
  const isOthers = segment.facts.some((index) => {
    const sightings = findSightings(segment.stems[index] ?? '', evidence)
    return sightings.length > 0 && !sightings.some(({ sentence }) => mayCarry(segment, sentence))
  })
  return isOthers ? 'other_speaker' : null
}

const plainWords = (text: string): string =>
  tokenizeWords(text)
    .map((token) => token.lower)
    .join(' ')

/** A quote is word for word, and of one speaker. */
export const checkQuotes: Check = (segment, evidence) => {
  const spoken = evidence.filter(
    (sentence) => segment.claims === null || sentence.role === segment.claims || segment.asks,
  )
  const all = ` ${plainWords(spoken.map((sentence) => sentence.text).join(' '))} `
  return segment.quotes.every((quote) => all.includes(` ${plainWords(quote)} `)) ? null : 'quote_not_said'
}

export const checkWords: Check = (segment, evidence) =>
  segment.facts.every((index) => findSightings(segment.stems[index] ?? '', evidence).length > 0)
    ? null
    : 'word_not_said'

/** How far a number's own words may stand from it; talk has more filler than a note. */
const reach = 5
const reachSaid = 8

/** A number must have been said, and of the same thing: one of the words around it is around it in the evidence too. */
export const checkNumbers: Check = (segment, evidence) => {
  const isSaid = segment.numbers.every((mention) => {
    const near = segment.facts.filter(
      (index) => index >= mention.firstToken - reach && index <= mention.lastToken + reach,
    )
    const nearStems = new Set(near.map((index) => segment.stems[index] ?? ''))
    return evidence.some((sentence, position) => {
      if (!mayCarry(segment, sentence)) return false
      return sentence.numbers.some((said) => {
        if (!said.readings.some((reading) => mention.readings.includes(reading))) return false
        if (nearStems.size === 0) return true
        const around = sentence.stems.slice(
          Math.max(said.firstToken - reachSaid, 0),
          said.lastToken + reachSaid + 1,
        )
        const context = isShort(sentence) ? [...around, ...neighbours(evidence, position)] : around
        return context.some((stem) => nearStems.has(stem)) || isByConcept(nearStems, sentence)
      })
    })
  })
  return isSaid ? null : 'number_not_said'
}

/** "One fifty at bedtime." has its subject in the question before it, or in the sentence before it. */
const isShort = (sentence: EvidenceSentence): boolean => sentence.tokens.length <= 8
const neighbours = (evidence: readonly EvidenceSentence[], position: number): string[] =>
  evidence.slice(Math.max(position - 3, 0), position + 3).flatMap((sentence) => [...sentence.stems])

const isByConcept = (stems: ReadonlySet<string>, sentence: EvidenceSentence): boolean =>
  [...stems].some((stem) => findConcept(stem)?.test(sentence.text) === true)

const denies = (sightings: readonly Sighting[]): boolean =>
  sightings.some(({ standing }) => standing === 'denied')

/** Whether the words may stand without a negation. */
const mayAffirm = (segment: Segment, all: readonly Sighting[]): boolean => {
  // What somebody says of it themselves goes before what they were asked.
  const own = all.filter(({ sentence }) => !sentence.isQuestion)
  const sightings = segment.claims === 'client' && own.length > 0 ? own : all
  return sightings.some(
    ({ sentence, standing }) =>
      standing === 'affirmed' ||
      (standing === 'asked' && (segment.asks || sentence.isOpenQuestion || segment.claims !== 'client')),
  )
}

/** The first fact behind a negation decides; a number where there is no fact, and any denial at all where there is neither. */
const isScopeDenied = (
  segment: Segment,
  evidence: readonly EvidenceSentence[],
  first: number,
  last: number,
): boolean => {
  const head = segment.facts.find((index) => index >= first && index <= last)
  const number = segment.numbers.find(({ firstToken }) => firstToken >= first && firstToken <= last)
  if (number !== undefined && (head === undefined || head > number.lastToken)) {
    return evidence.some((sentence) =>
      sentence.numbers.some(
        ({ readings, firstToken }) =>
          readings.some((reading) => number.readings.includes(reading)) &&
          sentence.standings[firstToken] === 'denied',
      ),
    )
  }
  if (head !== undefined) return denies(findSightings(segment.stems[head] ?? '', evidence))
  const stems = new Set(segment.facts.map((index) => segment.stems[index] ?? ''))
  return evidence.some(
    (sentence) =>
      sentence.standings.includes('denied') &&
      (stems.size === 0 || sentence.isQuestion || sentence.stems.some((stem) => stems.has(stem))),
  )
}

/** "At a four, at a nine", where "not at a nine" was said. */
const countsDenied = (segment: Segment, evidence: readonly EvidenceSentence[]): boolean =>
  segment.numbers.some(({ firstToken: at, readings }) => {
    const said = evidence.flatMap((sentence) =>
      sentence.numbers
        .filter((number) => number.readings.some((reading) => readings.includes(reading)))
        .map(({ firstToken }) => sentence.standings[firstToken]),
    )
    return (
      (segment.negations[at] ?? 0) === 0 && said.length > 0 && said.every((standing) => standing === 'denied')
    )
  })

/** "Asked whether they are not sleeping": the question has to have had the "not". */
const isAskedSo = (
  segment: Segment,
  evidence: readonly EvidenceSentence[],
  first: number,
  last: number,
): boolean => {
  const head = segment.facts.find((index) => index >= first && index <= last)
  const stem = head === undefined ? null : segment.stems[head]
  return evidence.some((sentence) =>
    sentence.stems.some(
      (other, index) => (stem === null || other === stem) && (sentence.negations[index] ?? 0) > 0,
    ),
  )
}

/** "No thoughts of suicide?" – "No.": the answer agrees with it. */
const opensWithNo = /^\W*(?:(?:so|and|okay|then),? )*no\b/i

/** "Denied thoughts of wanting to be alive", where "not wanting" was asked: a "not" was lost on the way. */
const losesNegation = (segment: Segment, evidence: readonly EvidenceSentence[]): boolean =>
  segment.facts.some((index) => {
    if (segment.negations[index] !== 1) return false
    const sightings = findSightings(segment.stems[index] ?? '', evidence)
    return (
      sightings.length > 0 &&
      sightings.every(
        ({ sentence, negations }) =>
          sentence.isQuestion &&
          !opensWithNo.test(sentence.text) &&
          sentence.standings[0] === 'denied' &&
          negations > 0,
      )
    )
  })

/**
 * What is denied was denied, what is stated was not. Of each negation its first fact counts: how far it reaches beyond
 * that is the least certain part of reading one.
 */
export const checkNegation: Check = (segment, evidence) => {
  // What was asked about is neither so nor not so; but a "not" in it was said.
  if (segment.asks)
    return segment.scopes.every(({ first, last }) => isAskedSo(segment, evidence, first, last))
      ? null
      : 'negation_differs'
  for (const { first, last } of segment.scopes)
    if (!isScopeDenied(segment, evidence, first, last)) return 'negation_differs'
  if (losesNegation(segment, evidence) || countsDenied(segment, evidence)) return 'negation_differs'
  const stated = segment.facts.filter((index) => (segment.negations[index] ?? 0) === 0)
  const isFlipped = stated.some((index) => {
    const stem = segment.stems[index] ?? ''
    const sightings = findSightings(stem, evidence)
    return (
      !segment.asks &&
      sightings.length > 0 &&
      !mayAffirm(segment, sightings) &&
      !(segment.asks && !denies(sightings)) &&
      isHead(stem, sightings)
    )
  })
  return isFlipped ? 'negation_differs' : null
}

/** Whether the stem is among the first two facts after a negation of the evidence; a question denied is denied as a whole. */
const isHead = (stem: string, sightings: readonly Sighting[]): boolean =>
  sightings.some(({ sentence }) => {
    if (sentence.isQuestion) return true
    return sentence.standings.some(
      (standing, index) =>
        standing === 'denied' &&
        sentence.standings[index - 1] !== 'denied' &&
        sentence.stems.slice(index, index + 4).includes(stem),
    )
  })

const roleWords =
  'husband|wife|partner|spouse|boyfriend|girlfriend|mom|mother|mum|dad|father|parents?|sister|brother|son|daughter|kids?|children|child|friend|boss|manager|supervisor|coworker|colleague|roommate|neighbor|uncle|aunt|cousin|grandmother|grandfather|grandma|grandpa|ex|therapist|doctor|psychiatrist|teacher|sponsor|landlord'
const startsWithOther = new RegExp(
  `^(?:\\W|and|but|so|well|um|yeah|because|then)*(?:my |the )?(?:\\w+ )?(${roleWords}|he|she)\\b(?! and (?:i|me)\\b)`,
  'i',
)
const otherStems = new Set(
  [...roleWords.replaceAll('?', '').split('|'), 'he', 'she', 'him', 'her', 'his', 'father', 'mother'].map(
    stemWord,
  ),
)

/** What was said of somebody else is not said of the client: the somebody must be in the sentence. */
export const checkSubject: Check = (segment, evidence) => {
  if (segment.claims !== 'client' || segment.facts.length === 0) return null
  const facts = segment.facts.map((index) => segment.stems[index] ?? '')
  const clauses = evidence
    .filter((sentence) => sentence.role === 'client')
    .flatMap((sentence) =>
      sentence.text.split(/[,;] (?:and |but |so |because )?|\b(?:and|but) (?=(?:my|he|she|I)\b)/i),
    )
  const overlap = (clause: string): number => {
    const stems = new Set(tokenizeWords(clause).map((token) => stemWord(token.lower)))
    return facts.filter((stem) => stems.has(stem)).length
  }
  const [best] = clauses.toSorted((a, b) => overlap(b) - overlap(a))
  if (best === undefined || overlap(best) === 0 || !startsWithOther.test(best)) return null
  return segment.stems.some((stem) => otherStems.has(stem)) ? null : 'other_subject'
}
