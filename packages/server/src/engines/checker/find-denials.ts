import { CLAIM_WORDS } from '../reader/danger/claim-words.js'
import type { DangerElement, DangerMatter } from '../reader/reading.js'
import { doesAsk } from '../text/detect-question.js'
import { countNegations, hasNegation } from '../text/find-negation.js'
import { readAnswer } from '../text/read-answer.js'
import { splitSentences } from '../text/split-sentences.js'
import { tokenizeWords } from '../text/tokenize-words.js'
import type { SpokenItem, Talk } from './read-talk.js'

/** A place where something dangerous was denied in the talk: asked and answered no, or said in plain words. */
export interface SpokenDenial {
  item: number
  /** Where who denies it speaks: the answer to a question, and to what a clinician says. */
  deniedAt: number
  matter: DangerMatter
  element: DangerElement
}

/** An answer may come after a "mm-hmm" or the question said again. */
const answerWithinItems = 3

/** Longer sentences are read to here; a recognizer that hears no stop gives whole turns as one. */
const sentenceLengthMax = 2_000

/** Read once for a talk, in one pass over it. */
export const findDenials = (talk: Talk): readonly SpokenDenial[] =>
  talk.remember('denials', () => {
    const denials: SpokenDenial[] = []
    for (let index = 0; index < talk.length; index++) {
      const item = talk.at(index)
      if (item === null || !mayMatter(item.text)) continue
      for (const sentence of splitSentences(item.text))
        denials.push(...readSentence(sentence.slice(0, sentenceLengthMax), item, talk))
    }
    return denials
  })

const mayMatter = (text: string): boolean => CLAIM_WORDS.some(({ words }) => words.test(text))

const readSentence = (sentence: string, item: SpokenItem, talk: Talk): SpokenDenial[] => {
  const found = CLAIM_WORDS.flatMap(({ matter, element, words }) => {
    const match = words.exec(sentence)
    return match === null ? [] : [{ matter, element, at: match.index }]
  })
  if (found.length === 0) return []
  const denied =
    item.role !== 'client' && isAnsweredNo(item, talk, doesAsk(sentence, item.role === 'clinician'))
  const place = { item: item.index, deniedAt: denied ? answerTo(item, talk) : deniedBy(item, talk) }
  if (denied || opensWithNo.test(sentence))
    return found.map(({ matter, element }) => ({ ...place, matter, element }))
  const tokens = tokenizeWords(sentence)
  const negations = countNegations(sentence, tokens)
  return found
    .filter(({ at }) => (negations[tokens.findIndex((token) => token.end > at)] ?? 0) > 0)
    .map(({ matter, element }) => ({ ...place, matter, element }))
}

const answerTo = (item: SpokenItem, talk: Talk): number => findAnswer(item, talk)?.index ?? item.index

/** What a clinician says to be so ("no thoughts of suicide, then") is of who answers. */
const deniedBy = (item: SpokenItem, talk: Talk): number =>
  item.role === 'clinician' ? answerTo(item, talk) : item.index

/** "No, no thoughts like that.", "Never." */
const opensWithNo = /^\W*(?:(?:um+|uh+|oh|so|and|okay|well|then),? )*(?:no|nope|never|nothing|none|not)\b/i

/** What somebody else says next, close enough to be the answer. */
export const findAnswer = (item: SpokenItem, talk: Talk): SpokenItem | null => {
  for (let index = item.index + 1; index <= item.index + answerWithinItems; index++) {
    const answer = talk.at(index)
    if (answer === null || answer.speaker !== item.speaker) return answer
  }
  return null
}

/** Without a stop a question looks like a statement; then only a plain "no" answers it. */
const isAnsweredNo = (item: SpokenItem, talk: Talk, isQuestion: boolean): boolean => {
  const answer = findAnswer(item, talk)
  if (answer === null) return false
  const [first = '', second = ''] = splitSentences(answer.text.slice(0, sentenceLengthMax))
  const isNo = readAnswer(first) === 'no' || (readAnswer(first) === 'open' && readAnswer(second) === 'no')
  return isNo || (isQuestion && /\b(?:no|never|not|nothing|none|nobody)\b|n't\b/i.test(first))
}

/** How each is asked about when its own words are not used: "Ever tried?", "Would you act on it?" */
const askedAbout: Readonly<Partial<Record<DangerElement, RegExp>>> = {
  attempt: /\b(?:attempt\w*|tried|try|before|ever|past|history|other times?|since)\b/i,
  plan: /\b(?:plan\w*|how|would you|do it|do anything|steps?|thought about)\b/i,
  intent: /\b(?:act\w*|intent\w*|going to|gonna|would you|do it|do anything|wouldn't)\b/i,
  means: /\b(?:guns?|weapons?|access|firearms?|rifles?|pills|in the house|at home)\b/i,
  thoughts: /\b(?:harm\w*|hurt\w*|alive|life|safe\w*|ending|like that|that bad|urges?|die|dying|dead)\b/i,
  wish_to_be_dead:
    /\b(?:thoughts?|thinking|wish\w*|alive|life|die|dying|dead|wake|here|like that|that bad)\b/i,
  act: /\b(?:cut\w*|hurt\w*|harm\w*|burn\w*|urges?|act\w*)\b/i,
  voices: /\b(?:hear\w*|voices?|see\w*|real|there)\b/i,
  commands: /\b(?:voices?|tell\w*|command\w*|say\w*)\b/i,
  beliefs: /\b(?:watch\w*|follow\w*|trust\w*|paranoi\w*|suspicious|after you|out to get|messages?|minds?)\b/i,
  threat: /\b(?:threat\w*|said|told)\b/i,
  violence: /\b(?:hit\w*|violen\w*|physical\w*|hurt\w*|fight\w*|push\w*)\b/i,
}

/** "Anyone else?" behind a question about oneself: harm to others is denied only where others are asked about. */
const askedOfOthers =
  /\b(?:any(?:one|body)|some(?:one|body)|others?|other people|people|him|her|them|else|homicid\w*|violen\w*)\b/i

/** Words with which a question asks about it. */
export const wordsOfAsking = (matter: DangerMatter, element: DangerElement): RegExp | undefined =>
  matter === 'harm_to_others' && element === 'thoughts' ? askedOfOthers : askedAbout[element]

/** "Hurting yourself" asks about suicide and about self-harm; people answer both. */
export const isKinMatter = (one: DangerMatter, other: DangerMatter): boolean =>
  one === other || [one, other].every((matter) => matter === 'suicide' || matter === 'self_harm')

/** Whether, beside these items, something was asked or spoken of in such words and denied by one of those who count. */
export const isDeniedNear = (
  { matter, element }: { matter: DangerMatter; element: DangerElement },
  items: readonly number[],
  talk: Talk,
  { reach, counts }: { reach: number; counts: (deniedAt: number) => boolean },
): boolean => {
  const words = wordsOfAsking(matter, element)
  if (words === undefined) return false
  return talk.around(items, reach).some((item) => {
    if (!words.test(item.text)) return false
    if (item.role !== 'client' && isAnsweredNo(item, talk, item.text.includes('?')))
      if (counts(answerTo(item, talk))) return true
    if (!counts(deniedBy(item, talk))) return false
    return splitSentences(item.text.slice(0, itemLengthMax)).some(
      (sentence) => words.test(sentence) && (hasNegation(sentence) || opensWithNo.test(sentence)),
    )
  })
}

/** Minutes of talk without a break. */
const itemLengthMax = 8_000
