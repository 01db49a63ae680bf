import { FIREARM_WORDS } from '../lexicon/firearm-words.js'
import type { DangerElement, DangerFinding } from '../reader/reading.js'
import { hasNegation } from '../text/find-negation.js'
import { CLAIM_WORDS, isSameElement } from '../reader/danger/claim-words.js'
import type { NoteSentence, SentencePart } from './index-note.js'
import { namesOther, readDangerClaims, readTense } from '../reader/danger/read-danger-claims.js'
import { countShared, stemsOf } from './share-words.js'

/** What was said of a danger, as a sentence that cites it may tell it without any word for danger. */
export interface SaidWords {
  stems: ReadonlySet<string>
  /** The words are plain by themselves; then a sentence must be, too. */
  isPlain: boolean
  isNegated: boolean
  isOnlyThought: boolean
}

/** With fewer of its words a sentence may tell something else that was said there. */
const sharedMin = 3
const shareMin = 0.6

export const readWords = ({ words, matter }: DangerFinding): SaidWords => ({
  stems: stemsOf(words),
  isPlain: CLAIM_WORDS.some((one) => one.matter === matter && one.words.test(words)),
  isNegated: hasNegation(words),
  isOnlyThought: onlyThought.test(words),
})

/** What was done is not told by a thought of it. */
const onlyThought =
  /\b(?:think\w*|thought\w*|consider\w*|plan(?:s|ned|ning)? to|might|may|imagin\w*|wish\w*|wants? to|wanted to|urges?|hop(?:es?|ing) to|inten\w+)\b/i

/**
 * "I give the dog to Dale. I wrote out where the shutoffs are" is told by "Client gave their dog to their brother and wrote out
 * the shutoffs": one part of the sentence, between its stops, with most of the words, of the same person, no more negated and
 * no more a thought than they are. Where the words name the danger, the part must name it, too. In doubt it is not told: else
 * nobody would hear of it.
 */
export const tellsInItsWords = (finding: DangerFinding, said: SaidWords, sentence: NoteSentence): boolean => {
  const { stems, isPlain, isNegated, isOnlyThought } = said
  const { time, standing, whose } = finding
  const least = whose === 'other' ? 2 : Math.min(sharedMin, stems.size)
  if (least < 2 || (whose === 'other' && !namesOther(sentence.plain))) return false
  if (standing === 'affirmed' && time === 'present' && !wasSaidAsPast(finding))
    if (readTense(sentence.plain) === 'past') return false
  return sentence.parts.some((part) => {
    const shared = countShared(stems, part.stems)
    if (shared < least || shared < stems.size * shareMin) return false
    if (standing === 'denied') return true
    if (standing === 'affirmed' && !isNegated && isDeniedIn(part, stems)) return false
    if (!isOnlyThought && onlyThought.test(part.text)) return false
    return isOfPerson(finding, part.text) && (!isPlain || namesDanger(finding, part.text))
  })
}

/** A quote of what it was for ("so nobody has to hunt for it") denies nothing of this, unless it speaks of it. */
const isDeniedIn = ({ isNegated, denyingQuotes }: SentencePart, stems: ReadonlySet<string>): boolean =>
  isNegated || denyingQuotes.some((quote) => !quote.isPurpose || countShared(quote.stems, stems) > 0)

/**
 * A part of a sentence is about the person it begins with. That counts for suicide and self-harm alone: in violence, and in what
 * a family tells of a psychosis, others act.
 */
const isOfPerson = ({ whose, matter }: DangerFinding, part: string): boolean =>
  whose === 'other' ||
  (matter !== 'suicide' && matter !== 'self_harm') ||
  !namesOther(part.trim().split(' ', headWords).join(' '))

/** "The client's older brother" */
const headWords = 4

const acts: ReadonlySet<DangerElement> = new Set<DangerElement>(['act', 'attempt', 'violence'])

const namesDanger = ({ matter, element, standing }: DangerFinding, part: string): boolean =>
  readDangerClaims(part).some(
    (claim) =>
      claim.matter === matter &&
      claim.standing === standing &&
      (isSameElement(element, claim.element) || (acts.has(element) && acts.has(claim.element))),
  )

/** How a denial is written behind its question, without a word for danger: "denies ever having tried". */
const askedWords: Readonly<Partial<Record<DangerElement, RegExp>>> = {
  attempt:
    /\b(?:(?:ever |having ){1,3}tried|ever tr(?:ied|ying)|attempt\w*|nothing (?:like (?:that|it) )?since|only time)\b/i,
  plan: /\b(?:thought(?:s)? (?:of )?how|(?:thinking )?of how|thought about how|plan\w*|method)\b/i,
  intent:
    /\b(?:inten\w+|act(?:ing)? on|going to|want(?:s|ing)? to (?:hurt|harm|kill|die|do)|do (?:it|anything|something))\b/i,
  preparation:
    /\b(?:put (?:anything |something )?aside|set aside|sav(?:ed|ing) up|prepar\w+|letters?|notes?)\b/i,
  thoughts:
    /\b(?:mak(?:e|ing) (?:it|that|this) happen|bring(?:ing)? (?:it|that|death) about|thoughts? like that|do(?:ing)? (?:anything|something))\b/i,
  wish_to_be_dead: /\b(?:not (?:be|being) (?:alive|here)|thoughts? like that|rather not)\b/i,
  violence: /\b(?:nothing (?:like (?:that|it) )?since|none since)\b/i,
}

/** No sentence of a note has more. */
const clausesMax = 12

const denies = /\b(?:den(?:y|ie[sd]|ying)|no|not|never|nothing|none)\b|n't\b/i

/** "denies … when asked", with the very question and answer cited: what the encoder could not name, the note need not name either. */
const deniesWhenAsked = /\bden(?:y|ie[sd])\b.{1,200}\bwhen asked\b|\bden(?:y|ie[sd]) when asked\b/i

export const deniesAsAsked = (
  { element, whose, questionItem, items }: DangerFinding,
  { plain, items: cited }: NoteSentence,
): boolean => {
  if (whose !== 'client') return false
  if (element === 'unspecified')
    return (
      questionItem !== null &&
      cited.includes(questionItem) &&
      items.some((item) => item > questionItem && cited.includes(item)) &&
      deniesWhenAsked.test(plain)
    )
  return plain
    .split(/;|\bbut\b/, clausesMax)
    .some((part) => denies.test(part) && askedWords[element]?.test(part) === true)
}

/** "I had a shotgun", "I gave the rifles to my grandson": a weapon that is gone, whatever time the reader gave it. */
export const wasSaidAsPast = ({ element, words }: DangerFinding): boolean =>
  element === 'means' && hadWeapon.test(words) && !hasItNow.test(words)

const hadWeapon = new RegExp(
  `\\bI (?:had|used to have|owned|gave|sold|got rid of) (?:(?!(?:to|up|for|and|but|at|about|in|until)\\b)[\\w'’-]+ ){0,4}(?:${FIREARM_WORDS}|thirty.thirty)\\b`,
  'i',
)
const hasItNow =
  /\b(?:still|is|it's|it’s|are|they're|they’re|I have|I['’]ve|has|keeps?|kept|keeping|bought|buy|got (?:a|an|another|one|it|mine)|now|again|tonight|today|yesterday|last (?:night|week|month)|this (?:morning|week|month)|hand|mouth|head|lap|other|more)\b/i
