import type { DangerElement, DangerFinding } from '../reader/reading.js'
import { hasNegation } from '../text/find-negation.js'
import { DANGER_WORDS } from './danger-words.js'
import type { NoteSentence } from './index-note.js'
import { readDangerClaims, readTense } from './read-danger-claims.js'
import { countShared, stemsOf } from './share-words.js'

/** What was said of a danger, as a sentence that cites it may tell it without any word for danger. */
export interface SaidWords {
  stems: ReadonlySet<string>
  /** The words are plain by themselves; then a sentence must be, too. */
  isPlain: boolean
  isNegated: boolean
}

/** With fewer of its words a sentence may tell something else that was said there. */
const sharedMin = 3
const shareMin = 0.6

export const readWords = ({ words, matter }: DangerFinding): SaidWords => ({
  stems: stemsOf(words),
  isPlain: DANGER_WORDS.some((one) => one.matter === matter && one.words.test(words)),
  isNegated: hasNegation(words),
})

/**
 * "I give the dog to Dale. I wrote out where the shutoffs are" is told by "Client gave their dog to their brother and wrote out
 * the shutoffs": one part of the sentence, between its stops, with most of the words, as negated as they are. Where the words
 * name the danger, the sentence must name it, too. What is at stake is a danger that nobody would be told of.
 */
export const tellsInItsWords = (finding: DangerFinding, said: SaidWords, sentence: NoteSentence): boolean => {
  const { stems, isPlain, isNegated } = said
  const isOfOther = finding.whose === 'other'
  const least = isOfOther ? 2 : Math.min(sharedMin, stems.size)
  if (least < 2) return false
  const { time, standing, matter } = finding
  if (standing === 'affirmed' && time === 'present' && readTense(sentence.plain) === 'past') return false
  return sentence.text.split(/;|, but |, though /, partsMax).some((part) => {
    if (standing === 'affirmed' && !isNegated && hasNegation(part)) return false
    if (isPlain && standing !== 'denied' && !namesMatter(matter, standing, part)) return false
    const shared = countShared(stems, stemsOf(part))
    return shared >= least && shared >= stems.size * shareMin
  })
}

/** No sentence of a note has more. */
const partsMax = 12

const namesMatter = (
  matter: DangerFinding['matter'],
  standing: DangerFinding['standing'],
  part: string,
): boolean => readDangerClaims(part).some((claim) => claim.matter === matter && claim.standing === standing)

/** How a denial is written behind its question, without a word for danger: "denies ever having tried". */
const askedWords: Readonly<Partial<Record<DangerElement, RegExp>>> = {
  attempt:
    /\b(?:(?:ever |having )+tried|ever tr(?:ied|ying)|attempt\w*|nothing (?:like (?:that|it) )?since|only time)\b/i,
  plan: /\b(?:thought(?:s)? (?:of )?how|(?:thinking )?of how|thought about how|plan\w*|method)\b/i,
  intent:
    /\b(?:inten\w+|act(?:ing)? on|going to|want(?:s|ing)? to (?:hurt|harm|kill|do)|do (?:it|anything|something))\b/i,
  preparation:
    /\b(?:put (?:anything |something )?aside|set aside|sav(?:ed|ing) up|prepar\w+|letters?|notes?)\b/i,
  thoughts:
    /\b(?:mak(?:e|ing) (?:it|that|this) happen|bring(?:ing)? (?:it|that|death) about|thoughts? like that|do(?:ing)? (?:anything|something))\b/i,
  wish_to_be_dead: /\b(?:not (?:be|being) (?:alive|here)|thoughts? like that|rather not)\b/i,
  violence: /\b(?:nothing (?:like (?:that|it) )?since|none since)\b/i,
}

const denies = /\b(?:den(?:y|ie[sd]|ying)|no|not|never|nothing|none)\b|n't\b/i

export const deniesAsAsked = ({ element, whose }: DangerFinding, { plain }: NoteSentence): boolean =>
  whose === 'client' &&
  plain
    .split(/;|\bbut\b/, partsMax)
    .some((part) => denies.test(part) && askedWords[element]?.test(part) === true)
