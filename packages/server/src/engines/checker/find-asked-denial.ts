import { CLAIM_WORDS, isSameElement } from '../reader/danger/claim-words.js'
import {
  unpackFigures,
  type DangerElement,
  type DangerFinding,
  type DangerMatter,
  type Reading,
  type Topic,
  type TopicScores,
} from '../reader/reading.js'
import { readDangerClaims } from '../reader/danger/read-danger-claims.js'
import { isQuestion } from '../text/detect-question.js'
import { readAnswer } from '../text/read-answer.js'
import { splitSentences } from '../text/split-sentences.js'
import { findAnswer, isKinMatter, wordsOfAsking } from './find-denials.js'
import type { SpokenItem, Talk } from './read-talk.js'

/** A question that a sentence cites together with its answer, a plain no. */
export interface AskedDenial {
  question: SpokenItem
  answer: SpokenItem
}

interface Denied {
  matter: DangerMatter
  element: DangerElement
}

/**
 * "Have you ever tried, before?" – "No.": the words alone do not say what was tried. That the question was about this matter is
 * known by its words, by the reader's findings at that item, or by the encoder's figure for it.
 */
export const findAskedDenials = (
  denied: Denied,
  cited: readonly number[],
  talk: Talk,
  reading: Reading,
): AskedDenial[] =>
  cited.flatMap((index) => {
    const question = talk.at(index)
    if (question === null || question.role === 'client' || !asksFor(question, denied)) return []
    const answer = findAnswer(question, talk)
    if (answer === null || !cited.includes(answer.index) || !isPlainNo(answer)) return []
    return isAbout(question, denied.matter, talk, reading) ? [{ question, answer }] : []
  })

/** Minutes of talk without a break. */
const itemLengthMax = 8_000

/** "No other thoughts of it?": what "it" is, the reader knows. */
const thoughtsOfIt = /\bthoughts (?:of|about|like) (?:it|that|this)\b/i

const asksFor = ({ text }: SpokenItem, { matter, element }: Denied): boolean => {
  const patterns = [
    wordsOfAsking(matter, element),
    ...(element === 'thoughts' ? [thoughtsOfIt] : []),
    ...CLAIM_WORDS.filter(
      (one) => isKinMatter(one.matter, matter) && isSameElement(one.element, element),
    ).map(({ words }) => words),
  ]
  return splitSentences(text.slice(0, itemLengthMax)).some(
    (sentence) => isQuestion(sentence) && patterns.some((words) => words?.test(sentence) === true),
  )
}

/** "No, except the once." */
const takesBack = /\b(?:except|unless|only|once|twice|sometimes|maybe|until|not since|anymore|used to)\b/i

const isPlainNo = ({ text }: SpokenItem): boolean => {
  const [first = ''] = splitSentences(text.slice(0, itemLengthMax))
  return readAnswer(first) === 'no' && !takesBack.test(text)
}

/** More likely than not: the denials of 24 recorded notes whose question lacks the usual words have 0.8 and more. */
const topicMin = 0.5

const topicOf: Readonly<Partial<Record<DangerMatter, Topic>>> = {
  suicide: 'risk_self',
  self_harm: 'risk_self',
  harm_to_others: 'risk_others',
  psychosis: 'psychosis',
}

const isAbout = (question: SpokenItem, matter: DangerMatter, talk: Talk, reading: Reading): boolean => {
  const topic = topicOf[matter]
  return (
    CLAIM_WORDS.some((one) => isKinMatter(one.matter, matter) && one.words.test(question.text)) ||
    reading.findings.some(
      (finding) =>
        finding.kind === 'danger' &&
        finding.certainty === 'plain' &&
        isKinMatter(finding.matter, matter) &&
        finding.items.includes(question.index),
    ) ||
    (topic !== undefined && (topicsOf(talk, reading)[question.index]?.[topic] ?? 0) >= topicMin)
  )
}

/** Figures are a text of some size for a long talk, so they are unpacked once and only if asked for. */
const topicsOf = (talk: Talk, { figures }: Reading): readonly TopicScores[] =>
  talk.remember('topics', () => (figures === '' ? [] : unpackFigures(figures).topics))

/**
 * Whether an affirmation that the reader found leaves this denial standing. The encoder joins neighbouring turns, and then an
 * answer to another question may decide about this one: such a finding holds the answer, and neither its own words nor their
 * question name the matter. And "no other thoughts of it" leaves those that were told.
 */
export const leavesStanding = (
  finding: DangerFinding,
  { question, answer }: AskedDenial,
  sentence: string,
  talk: Talk,
): boolean => {
  const hasAnswer = finding.items.includes(answer.index)
  if (!hasAnswer) return other.test(sentence) && other.test(question.text)
  const asked = finding.questionItem === null ? '' : (talk.at(finding.questionItem)?.text ?? '')
  return finding.foundBy === 'encoder' && !names(finding.matter, `${asked} ${finding.words}`)
}

/**
 * "No. I'm not hearing voices. I hear feet.": the answer denies the very thing in words of its own and says nothing of it
 * otherwise. What the encoder makes of such an answer does not undo it.
 */
export const deniesItself = ({ answer }: AskedDenial, { matter, element }: Denied): boolean => {
  const about = readDangerClaims(answer.text, matter).filter(
    (claim) => isKinMatter(claim.matter, matter) && isSameElement(claim.element, element),
  )
  return about.length > 0 && about.every(({ standing }) => standing === 'denied')
}

/**
 * Whether the very items that a repair names for a denial hold it: somebody asks in words of the matter, and the answer is a
 * plain no. Not where plain words say yes anywhere in the session.
 */
export const doItemsDeny = (
  { matter, element }: Denied,
  cited: readonly number[],
  talk: Talk,
  { findings }: Reading,
): boolean => {
  const isSaidYes = findings.some(
    (finding) =>
      finding.kind === 'danger' &&
      finding.foundBy !== 'encoder' &&
      finding.standing === 'affirmed' &&
      finding.time === 'present' &&
      finding.whose === 'client' &&
      isKinMatter(finding.matter, matter) &&
      isSameElement(finding.element, element),
  )
  return !isSaidYes && cited.some((index) => isAnsweredPlainly(index, cited, talk, matter))
}

const isAnsweredPlainly = (
  index: number,
  cited: readonly number[],
  talk: Talk,
  matter: DangerMatter,
): boolean => {
  const question = talk.at(index)
  if (question === null || question.role === 'client') return false
  const answer = findAnswer(question, talk)
  return (
    answer !== null &&
    cited.includes(answer.index) &&
    names(matter, question.text) &&
    splitSentences(question.text.slice(0, itemLengthMax)).some((sentence) => isQuestion(sentence)) &&
    isPlainNo(answer)
  )
}

const other = /\b(?:other|further|additional)\b/i

const names = (matter: DangerMatter, text: string): boolean =>
  CLAIM_WORDS.some(
    ({ matter: one, words, isDependent }) =>
      isDependent !== true && isKinMatter(one, matter) && words.test(text),
  )
