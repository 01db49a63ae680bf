import { FIREARM_WORDS } from '../lexicon/firearm-words.js'
import { suicideWords, threatWords } from '../lexicon/jotted-danger.js'
import { isSameElement } from '../reader/danger/claim-words.js'
import {
  namesOther,
  readDangerClaims,
  readTense,
  soundsUnclear,
  type DangerClaim,
} from '../reader/danger/read-danger-claims.js'
import type { DangerElement, DangerMatter, Standing, Time, Whose } from '../reader/reading.js'
import { countNegations } from '../text/find-negation.js'
import { tokenizeWords } from '../text/tokenize-words.js'
import { withoutHarmless } from './harmless-words.js'

/** `weapon`: whatever it may be for. `any`: no more is said than that there is danger, or what to do in it. */
export type DangerTopic = DangerMatter | 'weapon' | 'any'

/** A danger that a sentence of a note, of a summary or of an instruction states, and how. */
export interface StatedDanger {
  topic: DangerTopic
  element: DangerElement
  standing: Standing
  time: Time
  whose: Whose
  words: string
}

interface TopicWords {
  topic: DangerTopic
  words: readonly RegExp[]
}

const isWeapon = new RegExp(`\\b(?:${FIREARM_WORDS}|weapons?|knife|knives)\\b`, 'i')

/** Words that mean danger by themselves, wherever they stand in a note. What is compared with a finding knows more (`CLAIM_WORDS`). */
const topicWords: readonly TopicWords[] = [
  {
    topic: 'suicide',
    words: [
      /\bsuicid\w*|\bSI\b|\b(?:kill|hang|shoot|drown)(?:s|ed|ing)? (?:my|your|him|her|them|their|one)sel(?:f|ves)\b|\b(?:end|tak)(?:s|e|ed|ing)? (?:my|your|his|her|their) (?:own )?li(?:fe|ves)\b|\boverdos\w*|\bbetter off dead\b|\bwish(?:es)? to (?:be dead|die)\b/i,
      ...suicideWords,
    ],
  },
  {
    topic: 'self_harm',
    words: [/\bself[- ]?harm\w*|\bNSSI\b|\bhurt(?:ing)? (?:my|your|him|her|them)sel\w+/i],
  },
  {
    topic: 'harm_to_others',
    words: [
      /\bhomicid\w*|\bHI\b|\bkill\w*|\bviolen\w*|\bharm to others\b|\b(?:harm|hurt|kill)(?:ing)? (?:others|someone|anyone|other people)\b/i,
      ...threatWords,
    ],
  },
  {
    topic: 'abuse',
    words: [
      /\babuse\w*|\bdomestic violence\b|\bneglect\b|\b(?:DV|IPV)\b|\bmolest\w*|\brap(?:e|ed|es|ing|ist)\b|\bstrangl\w*|\bsexual(?:ly)? assault\w*/i,
    ],
  },
  {
    topic: 'psychosis',
    words: [/\bvoices\b|\bpsycho(?:sis|tic)\b|\bhallucinat\w*|\bAVH\b|\bparanoi\w*|\bdelusion\w*/i],
  },
  { topic: 'weapon', words: [isWeapon] },
  { topic: 'any', words: [/\bdanger\b|\bcrisis\b|\b988\b/i] },
]

interface NamedTopic {
  topic: DangerTopic
  words: string
  at: number
}

const listNamed = (told: string): NamedTopic[] =>
  topicWords.flatMap(({ topic, words }) => {
    for (const one of words) {
      const found = one.exec(told)
      if (found !== null) return [{ topic, words: found[0].trim(), at: found.index }]
    }
    return []
  })

/** What a text speaks of, stated or denied. The one judgement of whether it speaks of danger at all. */
export const listDangerTopics = (text: string): DangerTopic[] =>
  listNamed(withoutHarmless(text)).map(({ topic }) => topic)

/** What a text states of danger: affirmed, denied or unclear, of now or of the past, of the client or of somebody else. */
export const readDangers = (text: string): StatedDanger[] => {
  const told = withoutHarmless(text)
  const named = listNamed(told)
  if (named.length === 0) return []
  const topics = new Set(named.map(({ topic }) => topic))
  const claimed = readDangerClaims(told)
    .filter((claim) => isStated(claim, topics, told))
    .map(({ matter, element, standing, time, words, ...claim }): StatedDanger => {
      const topic = isWeapon.test(words) && element === 'means' ? 'weapon' : matter
      const whose = isOfSubject(told, words) ? 'other' : claim.whose
      return { topic, element, standing, time, whose, words }
    })
  const further = named.filter(({ topic }) => !claimed.some((one) => isKin(one.topic, topic)))
  return dropRepeated([...claimed, ...further.map((one) => readNamed(one, told))])
}

/** "Client's brother reports having access to a rifle": who a clause begins with, unless the client comes between. */
const isOfSubject = (told: string, words: string): boolean => {
  const at = told.indexOf(words)
  const clause =
    told
      .slice(Math.max(0, at - subjectMax), Math.max(0, at))
      .split(clauseEnd)
      .at(-1) ?? ''
  const head = subject.exec(clause)?.[0]
  return head !== undefined && namesOther(head) && !ofClient.test(clause.slice(head.length))
}

/** As long as a clause is, and no pasted text. */
const subjectMax = 160
const clauseEnd = /[.;!?]|\b(?:but|however|although)\b/
/** "The client's older brother" */
const subject = /^\s*(?:[\w'’-]{1,30} ){0,3}[\w'’-]{1,30}/
const ofClient = /\b(?:client|patient|they|them|their)\b/i

const isOfSelf = (topic: DangerTopic): boolean => topic === 'suicide' || topic === 'self_harm'
export const isKin = (one: DangerTopic, other: DangerTopic): boolean =>
  one === other || (isOfSelf(one) && isOfSelf(other))

/** A plan that is one for danger: "safety plan" and "plans to call" are none. */
const planOfDanger =
  /\b(?:suicid\w{0,4}|specific|concrete|an?|no|any|or|with|without|current|clear) plans?\b(?! to (?:call|contact|tell|go))|\bplan(?:s|ned|ning)? to (?:kill|hang|shoot|end|take|overdose|jump|die|drown|harm|hurt)\b|, plans?\b/i
const ofCare = /\b(?:safety|treatment|crisis|care|follow-?up|coping|discharge) plans?\b/gi

/** The everyday words of a matter count only beside its plain ones, and of suicide and self-harm alone. */
const isStated = (
  { matter, element, words }: DangerClaim,
  topics: ReadonlySet<DangerTopic>,
  told: string,
): boolean => {
  if (element === 'means')
    return isWeapon.test(words)
      ? matter === 'suicide' || !topics.has('suicide')
      : /^(?:pills|ropes?)$/i.test(words)
  if (isOfSelf(matter)) {
    if (!topics.has('suicide') && !topics.has('self_harm')) return false
    return element !== 'plan' || planOfDanger.test(told.replace(ofCare, ''))
  }
  return topicWords.some(
    ({ topic, words: plain }) => topic === matter && plain.some((one) => one.test(words)),
  )
}

const elements: readonly DangerElement[] = [
  'thoughts',
  'plan',
  'means',
  'preparation',
  'act',
  'threat',
  'commands',
  'voices',
  'beliefs',
  'violence',
  'neglect',
  'control',
]

/** One element for those that a note does not tell apart. */
const familyOf = (element: DangerElement): DangerElement =>
  elements.find((one) => isSameElement(one, element)) ?? element

/** How far before the words somebody else is named whose it is. */
const beforeMax = 40

const readNamed = ({ topic, words, at }: NamedTopic, told: string): StatedDanger => {
  // From the clause that it stands in: what is longer was pasted, and is not read to its end.
  const from = Math.max(0, at - contextMax)
  const context = told.slice(from, at + contextMax)
  const tokens = tokenizeWords(context)
  const place = tokens.findIndex(({ end }) => end > at - from)
  const isDenied = (countNegations(context, tokens)[place] ?? 0) > 0
  return {
    topic,
    element: 'unspecified',
    standing: soundsUnclear(context) ? 'unclear' : isDenied ? 'denied' : 'affirmed',
    time: readTense(context) === 'past' ? 'past' : 'present',
    whose: namesOther(told.slice(Math.max(0, at - beforeMax), at)) ? 'other' : 'client',
    words,
  }
}

const contextMax = 1_000

const dropRepeated = (stated: readonly StatedDanger[]): StatedDanger[] => {
  const seen = new Set<string>()
  return stated.filter((one) => {
    const key = keyOfDanger(one)
    return !seen.has(key) && seen.add(key) !== undefined
  })
}

/** What is the same danger, stated in the same way. */
export const keyOfDanger = ({ topic, element, standing, time, whose }: StatedDanger): string =>
  [isOfSelf(topic) ? 'self' : topic, familyOf(element), standing, time, whose].join(' ')
