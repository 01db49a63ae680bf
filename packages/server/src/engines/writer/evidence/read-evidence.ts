import type { TranscriptItem } from '@casenote/contract'
import { doesAsk } from '../text/detect-question.js'
import { countNegations } from '../text/find-negation.js'
import { findNumbers, type NumberMention } from '../text/find-numbers.js'
import { splitSpoken } from '../text/split-spoken.js'
import { stemWord, tokenizeWords, type WordToken } from '../text/tokenize-words.js'

export type Role = 'client' | 'clinician' | 'unknown'

/** `asked`: it was asked and neither affirmed nor denied. */
export type Standing = 'affirmed' | 'denied' | 'asked'

export interface EvidenceSentence {
  role: Role
  text: string
  tokens: readonly WordToken[]
  stems: readonly string[]
  /** For each token, how the speakers left it. */
  standings: readonly Standing[]
  /** For each token, by how many negations of the sentence itself it is denied, whatever was answered. */
  negations: readonly number[]
  numbers: readonly NumberMention[]
  isQuestion: boolean
  /** A question that asks for more than yes or no takes what it says for granted. */
  isOpenQuestion: boolean
}

const roleOf = (speaker: string): Role =>
  speaker === 'client' || speaker === 'clinician' ? speaker : 'unknown'

/** The named items, sentence by sentence, each word with what became of it: a question is no statement until it is answered. */
export const readEvidence = (
  transcript: readonly TranscriptItem[],
  indexes: readonly number[],
): EvidenceSentence[] =>
  indexes.flatMap((index, position) => {
    const item = transcript[index]
    if (item === undefined) return []
    const answer = findAnswer(transcript, indexes, position)
    return splitSpoken(item.transcript).map((text) => readSentence(roleOf(item.speaker), text, answer))
  })

/** Only what is named as evidence may answer: an answer that was left out proves nothing. */
const findAnswer = (
  transcript: readonly TranscriptItem[],
  indexes: readonly number[],
  position: number,
): Standing => {
  const speaker = transcript[indexes[position] ?? -1]?.speaker
  for (const index of indexes.slice(position + 1)) {
    const item = transcript[index]
    if (item !== undefined && item.speaker !== speaker) return readAnswer(item.transcript)
  }
  return 'asked'
}

const unclear =
  /^(?:\W|um|uh|well|i mean|you know)*(?:not really|not exactly|i'm not not|i am not not|kind of|kinda|sort of|i don't know|i dunno|hard to say|i guess|no comment|next question)/i
const denial =
  /^(?:\W|um+|uh+|oh|god|gosh|heavens|lord|well|ha|honestly|only \w+\. i'm kidding\.)*(?:no\b(?! (?:more than|one\b|idea|comment))|nope|nah|never|not at all|none(?! of your)|nothing(?! (?:matters|i'd|i would))|not since|not anymore|not lately|not this|not today|i (?:don't|do not)(?! (?:mind|care|think so|have the (?:energy|nerve)|want to (?:be here|be alive|wake up|live)))|i haven't(?! decided)|i'm not|i am not|i didn't|i would never|i (?:wouldn't|would not)(?! (?:mind|care))|absolutely not|definitely not)/i
const affirmation =
  /^(?:\W|um+|uh+|oh|god|well|ha|honestly)*(?:yes|yeah|yep|yup|uh.?huh|mhm|sure|definitely|absolutely|i (?:do|have|am|did)(?=\W*$|[.,!;]| (?:think|thought|had|felt|feel|get|have|still|sometimes|wish\w*)\b)|i (?:wouldn't|would not) (?:mind|care) if|i (?:don't|do not) want to (?:be here|be alive|wake up|live)\b|once\b|twice\b|sometimes|(?:some|a few) (?:nights|days|mornings|evenings|times)\b|every\b|always|usually|mostly|most\b|a little|a bit|of course|right|correct|exactly|okay|ok\b|that's right|maybe (?:once|twice|\w+ (?:times|nights|days)))/i

const readAnswer = (text: string): Standing => {
  if (unclear.test(text)) return 'asked'
  if (denial.test(text)) return 'denied'
  const isLateYes = /^(?:[\w']+,? ){1,4}(?:yeah|yes|sometimes)\b/i.test(text)
  return isLateYes || affirmation.test(text) ? 'affirmed' : 'asked'
}

const readSentence = (role: Role, text: string, answer: Standing): EvidenceSentence => {
  const tokens = tokenizeWords(text)
  const negations = countNegations(text, tokens)
  // "Alcohol no."
  const isNone = /^[a-z]+(?: [a-z]+)?,? (?:no|nope|none|never)[.!]?$/i.test(text)
  const asks = doesAsk(text, role === 'clinician')
  return {
    role,
    text,
    tokens,
    stems: tokens.map((token) => stemWord(token.lower)),
    standings: tokens.map((_token, index) => {
      const isDenied = (negations[index] ?? 0) > 0 || isNone
      // A yes to "thoughts of not wanting to be here" affirms the "not".
      if (asks) return isDenied && answer === 'affirmed' ? 'denied' : answer
      return isDenied ? 'denied' : 'affirmed'
    }),
    negations,
    numbers: findNumbers(tokens),
    isQuestion: asks,
    isOpenQuestion: asks && /\b(?:what|how|when|where|who|which|why)\b/i.test(text),
  }
}
