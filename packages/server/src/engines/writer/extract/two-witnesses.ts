import { namesDanger } from '../../reader/danger/names-danger.js'
import { readAskedDanger } from './asked-danger.js'
import { hasGraveWord, isOfPanic, tellsTooMuch } from './grave-words.js'
import { hasDangerWord } from './quote-finding.js'
import { heatOfSaid, mayBeFigure, shareOfPlace, type Said } from './read-turns.js'
import { isAsked } from './stands.js'

/*
 * The two witnesses of danger: what the encoder says of items and sentences, and what rules read in the words. Neither is believed
 * alone under Danger: the encoder was sure of a lift and of a desk job, and words have harmless uses.
 */

/** What the encoder must say: the best sentence, the best item, and all of it by its words. */
export interface Sureness {
  best: number
  heat: number
  share: number
}

/** How sure the encoder must be of words of danger that have many harmless uses, and of those that speak of it only where it is surest. */
const wordedAt: Sureness = { best: 0.7, heat: 0.95, share: 0 }
const hintedAt: Sureness = { best: 0.5, heat: 0.97, share: 0.5 }

export const isSure = (quoted: readonly Said[], at: Sureness): boolean =>
  Math.max(...quoted.map(({ figures }) => figures.places.danger ?? 0)) >= at.best &&
  Math.max(...quoted.map(heatOfSaid)) >= at.heat &&
  Math.max(shareOfPlace(quoted, 'danger'), shareOfPlace(quoted.filter(isAnswer), 'danger')) >= at.share

const isAnswer = ({ speaker }: Said): boolean => speaker !== 'clinician'

/** What may be a way of speaking, or is what panic is like, bears witness to nothing. */
const listPlain = (quoted: readonly Said[]): Said[] =>
  quoted.filter((said) => said.isTyped || (!isOfPanic(said.raw) && !mayBeFigure(said)))

/** By the rules that read danger: a question for it, words that have it for their meaning, too much that was taken, or a hint of which the encoder is surest. */
export function isWitnessed(quoted: readonly Said[]): boolean {
  if (quoted.length === 0) return true
  const plain = listPlain(quoted)
  return (
    plain.some(({ isTyped, raw }) => isTyped || hasGraveWord(raw) || namesDanger(raw) || tellsTooMuch(raw)) ||
    plain.some((said) => isAsked(said) && readAskedDanger(said.raw) !== null) ||
    hasGraveTurn(plain) ||
    (plain.some((said) => isAsked(said) && asksSafe.test(said.raw)) && isSure(plain, safeAt)) ||
    (hasDangerWord(plain) && isSure(plain, wordedAt)) ||
    isHinted(plain)
  )
}

const overdose = /\boverdos\w{0,4}\b/i
const isOwn = /\b(?:i|me|my|myself|you|your|yourself|we|us)\b/i
const isThird = /\b(?:he|she|him|her|they|them|his|hers)\b/i

/** "Any overdoses?" asks for one's own. */
const asksAny = /^\W*(?:(?:and|so|okay),? )*(?:any|ever|have|has|had|did|no)\b/i
const tellingSentences = 2

/** "An overdose?" "That's what they say. She found him.": of how another died, where nobody says that it was meant. */
export const isAnothersOverdose = (quoted: readonly Said[]): boolean => {
  const worded = quoted.filter((said) => hasDangerWord([said]))
  const answer = quoted.filter(isAnswer).slice(0, tellingSentences)
  return (
    worded.length > 0 &&
    worded.every(({ raw }) => overdose.test(raw) && !isOwn.test(raw) && !asksAny.test(raw)) &&
    answer.some(({ raw }) => isThird.test(raw)) &&
    !answer.some(({ raw }) => isOwn.test(raw))
  )
}

/** "Is she safe, are you two safe with each other?" */
const asksSafe =
  /\b(?:un)?safe (?:at home|with|there|tonight|together|around|from)\b|\b(?:home|house|you|she|he|they|kids)\b[^?]{0,30}\b(?:un)?safe\b/i
const safeAt: Sureness = { best: 0.5, heat: 0.85, share: 0 }

/** "I sat in the car in the garage, and I thought about, you know. Leaving it running.": what one said without being interrupted. */
const hasGraveTurn = (plain: readonly Said[]): boolean =>
  [...new Set(plain.map(({ turn }) => turn))].some((turn) =>
    hasGraveWord(plain.flatMap((said) => (said.turn === turn ? [said.raw] : [])).join(' ')),
  )

/**
 * Whether words that hint at danger ("watch your back", "I hear them") and the encoder, at its surest, agree in an exchange with an answer. In
 * 120 tagged sessions 38 of 38 such that stood elsewhere were danger; in 32 consultations and 48 sessions full of what only sounds like it none was raised.
 */
export const isTwiceWitnessed = (exchange: readonly Said[]): boolean =>
  // What costs nothing to look at comes first.
  exchange.some(isAnswer) && isSure(exchange, { ...hintedAt, share: 0 }) && isHinted(listPlain(exchange))

const isHinted = (plain: readonly Said[]): boolean =>
  plain.length > 0 && isSure(plain, hintedAt) && hasHint(plain)

/** Whether words only hint at danger; with nothing else they mean nothing. */
export const hasHint = (quoted: readonly Said[]): boolean =>
  quoted.some(({ raw }) => hints.some((hint) => hint.test(raw)))

/** What harm is done with and where; what people do to each other; threats; what is heard and believed; traces; what is taken away from somebody. */
const hints: readonly RegExp[] = [
  /\b(?:kni(?:fe|ves)|scissors|hammers?|tire iron|machete|hatchet|crowbar|razors?|blades?|shells|bullets|shotgun|rifles?|pistol|glock|guns?|gauge|ammo)\b/i,
  /\b(?:under|front of) (?:a|the) (?:train|bus|truck|lorry)\b|\b(?:off|from|over) (?:a|the|that) (?:bridge|roof|balcony|pier|platform|cliff|ledge)\b|\btoward the (?:river|water|tracks)\b|\bnot (?:to )?wake up\b|\bdrive (?:it |the \w+ )?into\b/i,
  /\b(?:hurt|harm)(?:s|ing)? (?:you|me|him|her|us|them|any ?one|any ?body|some ?one|yourself|myself)\b|\btouch(?:ed|es|ing)? (?:you|me|her|him)\b|\b(?:raised?|lifted|laid|lays?|put) (?:his|her|a|their|my|your) hands?\b|\bhand on (?:me|you|her|him)\b|\b(?:hitter|aggressive|violent)\b|\bby the (?:neck|throat|hair|arm)\b|\b(?:hit|hits|beat|kicked|punched|shoved|pushed|grabbed|choked|slapped|strangled) (?:me|you|us|him|her|them|my (?:mom|mum|mother|sister|brother))\b|\bpushing,? (?:grabbing|throwing|hitting)\b|\bpushing,? throwing\b/i,
  /\b(?:scared|afraid|frightened|frightening) (?:of )?(?:you|him|her|them|each other|me)\b/i,
  /\b(?:follow(?:ed|ing)? (?:him|her|them|me|you)|watch your back|know where (?:you|he|she|they) lives?|in the ground|bust (?:his|her|their) head|threaten(?:ed|ing|s)?)\b/i,
  /\bhear(?:s|ing|d)? (?:them|him|her|things|anything|people|voices?|someone|somebody)\b|\btalk(?:s|ing)? (?:about|back to) (?:me|you)\b|\bthe voices?\b|\b(?:they|he|she|it) (?:says?|tells?|told) (?:me|you) to\b|\bmeant for (?:you|me)\b|\bmessages?\b|\bspecial (?:job|powers|mission|meaning)\b|\bcameras?\b|\bwatching (?:me|you|us)\b|\b(?:poison|switched|chosen|tracker|bugged)\w{0,3}\b/i,
  /\b(?:marks?|cuts?|lines|scars?|bruis\w{1,3}) on (?:her|his|my|your) (?:arms?|legs?|thighs?|wrists?|neck|face)\b/i,
  /\b(?:keeps?|holds?|took|takes|has) (?:my|your|me|his|her) (?:check|card|money|passport|phone|pension|wages|keys)\b|\b(?:goes|go|went) through (?:my|me|your|her|his) phone\b|\block(?:s|ed)? (?:the \w+ door on )?(?:me|him|her)\b/i,
]
