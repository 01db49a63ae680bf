import { isQuestion } from '../../text/detect-question.js'
import type { Turn } from '../talk/read-talk.js'
import { opensLikeAnswer, saysNothingAlone } from './read-answer.js'

/** Further back nobody remembers what was asked. */
const lookBackMax = 6
/** Said behind a question, so many sentences do not make another matter of the turn: "Any thoughts like that? I ask everybody." */
const sentencesBehindMax = 2
/** "Like what?", "How do you mean?" */
const counterWordsMax = 9
/** A turn of so few words may be no more than the beginning of an answer. */
const unfinishedWordsMax = 12

/** For each item that answers a question, the item in which it was asked. */
export const findQuestions = (turns: readonly Turn[]): Record<number, number> => {
  const found: Record<number, number> = {}
  for (const turn of turns) {
    if (turn.text.trim() === '' || asksOnly(turn)) continue
    const asked = findAsked(turns, turn, found)
    if (asked !== null) found[turn.item] = asked
  }
  return found
}

const findAsked = (
  turns: readonly Turn[],
  turn: Turn,
  found: Readonly<Record<number, number>>,
): number | null => {
  for (let at = turn.item - 1; at >= 0 && turn.item - at <= lookBackMax; at--) {
    const before = turns[at]
    if (before === undefined) return null
    if (before.role === turn.role) {
      const own = found[at]
      if (own !== undefined && isUnfinished(before) && !opensAnew(turn)) return own
      if (before.isBackchannel || saysNothingAlone(before.plain)) continue
      return null
    }
    // Two people in the room answer the same question.
    if (turn.role !== 'clinician' && before.role !== 'clinician') {
      if (asks(before)) return at
      continue
    }
    if (asks(before)) return turn.isBackchannel && turn.role === 'clinician' ? null : firstPart(turns, at)
    if (before.isBackchannel) continue
    if (turn.role === 'clinician') return null
    const counter = turns[at - 1]
    const first = turns[at - 2]
    const isCounter = counter?.role === turn.role && asksOnly(counter) && counter.wordCount <= counterWordsMax
    if (isCounter && first?.role === before.role && asks(first)) return firstPart(turns, at - 2)
    return isChecked(before) && opensLikeAnswer(turn.plain) ? firstPart(turns, at) : null
  }
  return null
}

/** Whether a turn ends in a question, or in a few words behind one. */
const asks = ({ sentences, role }: Turn): boolean => {
  const last = sentences.findLastIndex((sentence) => sentence.asks && !isTag(sentence.plain))
  if (last < 0) return false
  const behind = sentences.length - 1 - last
  return behind === 0 || (role === 'clinician' && behind <= sentencesBehindMax)
}

const isTag = (plain: string): boolean =>
  /^(?:(?:and|so|you)[, ]+)*(?:okay|ok|right|yeah|you know|huh|all right|alright|know what i mean|you know what i mean|really|oh yeah|did you|is that right)\?*$/.test(
    plain,
  )

const asksOnly = ({ sentences, isBackchannel }: Turn): boolean =>
  !isBackchannel && sentences.length > 0 && sentences.every((sentence) => sentence.asks)

const isUnfinished = ({ text, wordCount }: Turn): boolean =>
  wordCount <= unfinishedWordsMax ||
  !/[.!?]["”’')]*$/.test(text.trimEnd()) ||
  /(?:\.\.|…)$/.test(text.trimEnd())

const opensAnew = ({ plain }: Turn): boolean =>
  /^(?:(?:oh|so|but|and|also|well)[, ]+)*(?:by the way|anyway|one more thing|another thing|i (?:wanted|forgot) to|speaking of|what about|the other thing)\b/.test(
    plain,
  )

/** "So you're still on the fifty.", "Past attempts": not asked in form, but said to be confirmed. */
const isChecked = ({ sentences, role }: Turn): boolean => {
  const last = sentences.at(-1)
  if (last === undefined || role !== 'clinician') return false
  const count = last.plain.split(' ').length
  return isTag(last.plain) || /\b(?:you|your|you're|you've|you'd)\b/.test(last.plain) || count <= 8
}

/** A question that was broken by a "mm-hmm" begins in the turn before: "And have you had any" – "Mm-hmm." – "thoughts of dying?" */
const firstPart = (turns: readonly Turn[], at: number): number => {
  const here = turns[at]
  for (let before = at - 1; before >= Math.max(0, at - 2); before--) {
    const turn = turns[before]
    if (turn === undefined || here === undefined) return at
    if (turn.role !== here.role) {
      if (turn.isBackchannel) continue
      return at
    }
    const isBroken =
      !/[.!?]["”’')]*\s*$/.test(turn.text) &&
      /(?:,|-|–|—|\b(?:any|of|to|the|a|your|you|had|have|about|and|or|with|been))\s*$/i.test(turn.text)
    return isBroken && /^[a-z]/.test(here.text.trim()) && isQuestion(`${turn.text} ${here.text}`)
      ? before
      : at
  }
  return at
}
