import { findSaidMedicines } from '../../lexicon/said-medicines.js'
import type { Stands } from '../../reader/reading.js'
import { readAnswer } from '../../text/read-answer.js'
import { isContentWord, tokenizeWords } from '../../text/tokenize-words.js'
import { heatOfSaid, type Said, type Talk } from './read-turns.js'
import { remember } from './remember.js'

const share = (said: Said, stands: Stands): number => said.figures.stands[stands] ?? 0

/** A clinician's question, which says nothing without its answer. */
export const isAsked = (said: Said): boolean => said.speaker === 'clinician' && said.asks

const opensPointing =
  /^(?:(?:and|but|so|then|because|or),? )*(?:it|that|this|these|those|they|he|she|makes|made|which|who|where)\b/i
const pointing =
  /\b(?:it|its|that|this|these|those|they|them|their|he|him|his|she|her|hers|one|ones|both|there|then|same|other|another|too|also|either|neither|else|instead|again)\b/i
const hasSubject = /\b(?:i|we|you|my|our|your)\b/i

/** "At four kilohertz, left more than right.", "Once a day, one minute.": what of, was said before. */
const opensFragment =
  /^(?:to|at|in|on|from|with|for|of|than|because|like|or|about|once|twice|every|plain|same|more|less|half|just|only|maybe|probably|\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:a |one |two |three |four |five |six )?(?:hundred|thousand))\b/i
const hasClause =
  /\b(?:i|we|you|he|she|they|it|there|who|my|i['’]\p{L}{1,3}|\p{L}{1,24}['’](?:s|re|m|ve|ll|d)|is|are|was|were|has|have|had|will|would|can|could|do|does|did|should|takes?|took|goes|went|got|gets?)\b/iu

/** Whether it has somebody who does something. */
export const saysClause = ({ text }: Said): boolean => hasClause.test(text)

/** A question of so many words that points nowhere says what it asks about. */
const questionWordsMin = 5
/** "Veto." is nothing by itself, whatever its figures. */
const wordsMin = 3
const sentenceWordsMin = 7
/** Next to nothing: a quote begins with it only where what it needs is not there. */
const fragmentNeed = 0.85
/** "How often?", "January?" */
const askedWordsMin = 4

/** "Any allergies?", "Any fever?" say what they ask about. */
const namesMatter = ({ text }: Said): boolean =>
  /^(?:and |so |okay,? )*(?:any|do|does|did|are|is|have|has|smoke|drink)\b/i.test(text)

/** A quote can begin with a sentence that needs less than this. */
export const standsBelow = 0.45

/** How much a sentence needs what was said before it, from 0: a quote can begin with it. */
export const needOf = remember((said: Said): number => {
  const need = ownNeed(said)
  return leavesUnnamed(said) || lacksSubject(said) ? Math.max(need, unnamedNeed) : need
})

/** What it is about was said before. */
const unnamedNeed = 0.5

/** "What dose was that?", "You're on the fifty?", "Are you taking it alright?": of which medicine? */
export const asksDose =
  /\b(?:what|which|how much|how many) (?:dose|strength|milligrams?|mils?)\b|\bhow (?:much|many)(?:,| (?:do|did|are|were|of|is|was)\b|\?)|\b(?:on|at|take|took|taking|with|(?:go|up|down|back) to) (?:the |a )?(?:monthly|weekly|(?:\d+|ten|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:one |two |three )?hundred)(?:-\w{1,6})?s?)(?=[,.?!]|$| (?:milligrams?|mg|take|at|in|for|now|today)\b)|\b(?:take|takes|took|taking|stop|stopped|start|started|ran out|run out)(?: of)? (?:it|them|that|one|this)\b|^(?:and |so )?you ran out\b|\b(?:on|at|to) (?:one|two|three|four|five|six|seven|eight|nine) (?:milligrams?|mg|mils?)\b/i
/** "You were nineteen in the spring.": on which scale? */
const tellsScore =
  /^\W*(?:(?:and|so|but|okay),? )?you(?:['’]re| are| were| had| got| scored| put)(?: at)?(?: an?)? (?:\d|(?:a )?hundred|ten|eleven|twelve|\w{3,6}teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)/i
const namesScale =
  /\b(?:pounds?|kilos?|kg|stone|years?|months?|weeks?|days?|weigh\w*|bmi|score\w*|scale|pressure|pulse|over|percent|minutes?|hours?|late|early|times?|out of|phq\w*|gad\w*|pcl\w*|epds|audit)\b/i

/** "I'm going to ask geriatrics about that too.", "Is that a thought about not being around?", "Have you had any since then?" */
const pointsAtUnnamed =
  /\babout (?:that|it|them|those|this)(?=[,.?!]|$| (?:too|as well|at least|yourself|next time|again)\b)|^\W*(?:(?:and|so|but),? )?(?:is|was|were|are) (?:that|those|these)\b|\b(?:such|those|these) (?:thoughts?|urges?|feelings?|voices?|images?)\b|\bthat (?:thought|urge|feeling|voice|image)\b(?! (?:about|of|that|to)\b)|\bsince then\b|\bbefore that\b|\b(?:get|take|give|keep|keeping|put|lock|hand|bring|drop) (?:that|it|them|those|that one)\b|^then (?:i|we|let)|^did (?:he|she|they) \b|\b(?:thoughts?|thinking) of (?:it|that|them|those)\b|\blook(?:ed|ing)? at (?:it|that|them|those)\b|^[^.?!]{0,40}\bon it\?|^how old (?:is|was) (?:he|she)\b|^\W*(?:and )?what else happened\b|\bprefer you (?:didn['’]t|don['’]t)\b|\basking again\b|\bmention (?:it|that)\b|\bask you not to\b|^\W*(?:and )?recheck in\b|^\W*(?:and )?how many times a (?:day|week|night)\b|^\W*was it an?\b/i

/** Whether it speaks of a dose, a score or a matter that it does not name. */
export const leavesUnnamed = (said: Said): boolean => said.speaker === 'clinician' && isUnnamed(said)

/** "Has she dropped them yet?": of danger a name is seldom needed, and nothing of it is put off for one. */
const asksOfSomebody =
  /^\W*(?:(?:and|so|but|okay),? )*(?:did|does|do|has|have|had|is|are|was|were|will|would|can|could) (?:he|she|they)\b/i
const dangerShareMax = 0.15

/** "She's at your mom's.": the same, told. */
const opensWithSomebody = /^\W*(?:(?:and|so|but|okay),? )*(?:he|she|they)\b/i

/** Whether a clinician begins with somebody who was named before. */
export const opensUnknown = ({ speaker, raw }: Said): boolean =>
  speaker === 'clinician' && (asksOfSomebody.test(raw) || opensWithSomebody.test(raw))

const isUnnamed = (said: Said): boolean => {
  const { raw, words, figures } = said
  return (
    asksMeasureOf(raw, words) ||
    (asksOfSomebody.test(raw) && Math.max(figures.places.danger ?? 0, heatOfSaid(said)) < dangerShareMax) ||
    (asksDose.test(raw) && findSaidMedicines(raw).length === 0) ||
    (tellsScore.test(raw) && !namesScale.test(raw)) ||
    commands.test(raw) ||
    pointsAtNone(raw)
  )
}

/** "How many nights would you say?", "How strong, zero to ten?", "When was the last time?"; "Had you been drinking?" is of what was told last. */
const asksMeasure =
  /^\W*(?:(?:and|so|but|okay|or|about),? )*(?:how (?:many|often|long|much|strong|bad|intense|severe|likely)|when (?:was|were|did|is|does)|what time|since when)\b/i
const isBareAsked =
  /^\W*(?:and |so |but )?how (?:often|long|many|much)(?: (?:is|was|of) (?:it|that|them|those))?\W*$/i
/** "Right now, in this room?", "How long's it been there?" */
const isBareTime =
  /^\W*(?:(?:and|so|but|okay),? )*(?:right now|at the moment|just now|these days|today|now|here|at home)(?:, [^.?!]{1,20})?\?\s*$|^\W*(?:and |so |but )?how (?:long|often|many|much)['’]s (?:it|that|this) been\b/i
const asksOfThen = /^\W*(?:(?:and|so|but|okay),? )*had you\b/i
const measureWords = new Set(
  `night nights day days week weeks weekly month months year years hour hours minute minutes time times daily nightly zero two three four
  five six seven eight nine ten hundred scale last first say guess think tell usually normally roughly typically start started begin began
  happen happened happens come comes strong bad intense severe likely monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
  fridays saturdays sundays morning mornings evening evenings noon midnight weekdays weekends today tomorrow`.split(
    /\s+/,
  ),
)
/** A longer question says what it asks about. */
const measureWordsMax = 8

/** Nothing in it but grammar, numbers, days and hours. */
const isMeasureOnly = (raw: string): boolean => {
  const content = tokenizeWords(raw).filter(({ lower }) => isContentWord(lower))
  return content.length > 0 && content.every(({ lower }) => measureWords.has(lower) || /^\d/.test(lower))
}

const asksMeasureOf = (raw: string, words: number): boolean =>
  words <= measureWordsMax &&
  (asksOfThen.test(raw) ||
    isBareTime.test(raw) ||
    (asksMeasure.test(raw) && (isMeasureOnly(raw) || isBareAsked.test(raw))))

/** "Upload it today.", "Write them down." */
const commands =
  /^\W*(?:(?:and|so|then|just|please|now|okay),? )*(?!(?:is|was|are|were|do|does|did|has|have|had|can|could|will|would|should|may|might|if|when|that|as|so|and|but|or|because|hope|think|what|how|where|why|at|on|in|with|for|to|of|about|like|hear|is|get|take|i|you|we|they|he|she|makes?|made|not|let)\b)\p{L}{2,12} (?:it|them)\b/iu

/** "The left is clear.", "Could the second go to noon?", "The total is fourteen." */
const isHeadless =
  /^\W*(?:(?:and|so|but|okay|then),? )*(?:(?:could|can|should|would|is|was|does|did) )?the (?:left|right|first|second|third|other|others|total|rest|latter) (?:is|was|are|were|looks?|goes|go|can|could|should|stays?|comes?|has|had)\b(?!,)/i
/** "I'll put in the referral for a Monday.": to whom? */
const isReferral = /\bthe referral\b(?! (?:to|from|is|was|came|went)\b)/i

/** Whether what it speaks of is left out of it: a head without its noun, or nothing but days and hours. */
export const lacksSubject = remember(
  ({ raw, text, words, asks, isTyped }: Said): boolean =>
    !isTyped &&
    (isHeadless.test(raw) ||
      isReferral.test(raw) ||
      (!asks &&
        words >= wordsMin &&
        words <= measureWordsMax &&
        !hasClause.test(text) &&
        isMeasureOnly(text))),
)

/** "The naltrexone that he talked about, did you think about it?" names what it points at. */
const pointsAtNone = (raw: string): boolean => {
  const at = raw.search(pointsAtUnnamed)
  return at >= 0 && findSaidMedicines(raw.slice(0, at)).length === 0
}

/** What a sentence needs before it, whether or not it says what it is about. */
export function ownNeed(said: Said): number {
  const need = Math.max(0, 1 - share(said, 'alone') - share(said, 'goes_on'))
  const points = pointing.test(said.text)
  if (isAsked(said) && said.words < askedWordsMin && !namesMatter(said)) return Math.max(need, fragmentNeed)
  if (isAsked(said)) return said.words >= questionWordsMin && !points ? need * 0.3 : need * 0.7
  if (said.words < wordsMin) return Math.max(need, 0.9)
  if (opensFragment.test(said.text) && !hasClause.test(said.text)) return Math.max(need, fragmentNeed)
  if (opensPointing.test(said.text)) return Math.min(1, need + 0.2)
  return !points && hasSubject.test(said.text) && said.words >= sentenceWordsMin ? need * 0.6 : need
}

/** "Did you get out, follow him, anything like that?", "I'll ring them.": somebody or something that was named before. */
const pointsOutside =
  /\b(?:it|them|him|they|those|these|he|she|hers?)\b|\b(?:that|this)(?=[,.?!]|$| (?:one|time|night|day|way|thing|up|down)\b)/i
/** What a pronoun behind it may stand for. */
const namesThing = /\b(?:my|your|our|the|an?|his|some|any|no|every|each|this|that|these|those) \p{L}{3,}|\d/iu
const namesSomebody = /\p{Ll}[,;]? \p{Lu}\p{Ll}{2,}/u
/** "Is it …", "It's been raining", "it hurts": of nothing that was named. */
const isOfNothing = /\b(?:it['’]s|it is|it was|is it|was it|it hurts|it feels|make it|made it)\b/gi

/** Whether it speaks of somebody or something by a pronoun alone, so that nobody who begins to read there knows whom or what. */
export const pointsAtUnknown = remember(({ text }: Said): boolean => {
  const told = text.replace(isOfNothing, ' ')
  const match = pointsOutside.exec(told)
  if (match === null) return false
  const before = told.slice(0, match.index)
  return !namesThing.test(before) && !namesSomebody.test(before) && findSaidMedicines(before).length === 0
})

/** So many sentences of one turn may stand between two questions that one answer is to. */
const breathSentencesMax = 2

/**
 * "Is your tetanus up to date? Are you allergic to anything?" "I had all my jabs.": of questions in one breath a quote has all
 * or none, for nobody can say which of them is answered.
 */
export const cutsBreath = (said: Said, { sentences }: Talk): boolean =>
  isAsked(said) &&
  sentences
    .slice(Math.max(0, said.index - breathSentencesMax), said.index)
    .some((before) => before.turn === said.turn && isAsked(before) && !isHollow(before))

/** How much a sentence that asks nothing needs what comes after it. */
export const goesOn = (said: Said): number => share(said, 'goes_on')

/** Who somebody is stands on every record already. */
const asksWho =
  /\b(?:date of birth|first line of your address|your (?:home |full )?address|your (?:full )?name for me|postcode|zip code)\b/i

/** How little a sentence says: chatter, or a shred. */
export const emptinessOf = (said: Said): number =>
  isAsked(said) && asksWho.test(said.raw) ? 1 : Math.max(said.figures.places.none ?? 0, share(said, 'shred'))

/** A quote does not begin with it, and can pass over it. */
export const isHollow = (said: Said): boolean => emptinessOf(said) >= 0.7

/** What follows a question is its answer, unless nobody could take it for one. */
const surelyEmptyAt = 0.95

/** What is lost if a quote passes over it: next to nothing of listening, little of chatter; what says something is not passed over. */
export function passOver(said: Said, talk: Talk): number {
  if (isSilent(said, talk)) return 0.02
  // What is said next may be the answer to it.
  if (said.asks) return Infinity
  const before = lastSaid(said, talk)
  const answers = before !== undefined && before.asks && before.speaker !== said.speaker
  const isAnswer =
    answers && (readAnswer(said.text) !== 'open' || /\d/.test(said.raw) || emptinessOf(said) < surelyEmptyAt)
  return !isAnswer && isHollow(said) ? 0.05 : Infinity
}

/** More of them in a row are no longer listening. */
const listeningMax = 4

/** What was said before a sentence, without what only shows that somebody listens. */
function lastSaid({ index }: Said, { sentences }: Talk): Said | undefined {
  return sentences.slice(Math.max(0, index - listeningMax), index).findLast((one) => !one.isBackchannel)
}

/** Nothing but listening, or said in the middle of another's sentence that went on. */
export function isSilent(said: Said, talk: Talk): boolean {
  const before = talk.sentences[said.index - 1]
  return said.isBackchannel || (before?.items.at(-1) ?? 0) > (said.items[0] ?? 0)
}

/** About what was said, by its words: "How often?", "Even Saturday?", "Did it help?"; "Alcohol?" is of something else. */
const opensAgain =
  /^\W*(?:(?:and|so|but|okay|or),? )*(?:how (?:often|long|many|much|bad|is (?:it|that)|was (?:it|that)|does (?:it|that))|when|since when|where|who|which|what (?:then|else|dose|time|happened)|out of|every|even|still|just|were you|was it|did it|did you|does it|is (?:it|that)|are you|once|twice|more than)\b/i
const asksAge = /\bhow old\b/i
const pointsBack = /\b(?:it|that|them|those|then|there|this)\b/i

export const asksAgain = (said: Said): boolean =>
  isAsked(said) &&
  needOf(said) >= standsBelow &&
  !asksAge.test(said.raw) &&
  (opensAgain.test(said.raw) || pointsBack.test(said.raw))
