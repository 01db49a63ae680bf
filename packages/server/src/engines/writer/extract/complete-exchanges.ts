import { readAnswer } from '../../text/read-answer.js'
import { union, type Line } from './line.js'
import type { Said, Talk } from './read-turns.js'
import { numbersOf } from './said-numbers.js'

/** "Sure.", before what the same turn goes on to. */
const leadWordsMax = 6
/** A question, a remark or a sentence before, of which the rest is understood. */
const beforeWordsMax = 12
const asks = /\?\s*$/
const showsListening = /^\W*(?:okay|ok|right|all ?right)\b/i
/** What was offered with the figure that is taken. */
const offerWordsMax = 20

/**
 * Of two turns that stand together, what makes them an exchange: "No names, sure?" is answered by "Sure.", not by the question behind it; "I'll do thirty." takes up the
 * "Thirty, for five." that the turn before it began with.
 */
export function completeExchanges(lines: readonly Line[], talk: Talk): Line[] {
  const quoted = new Set(lines.flatMap((line) => line.quoted))
  return lines.map((line) => {
    // What stands under Danger begins and ends with it.
    if (line.heading === 'Danger' || line.quoted.some(({ isTyped }) => isTyped)) return line
    const added = findLeft(line, talk).filter((said) => !quoted.has(said))
    for (const said of added) quoted.add(said)
    return added.length === 0 ? line : { ...line, quoted: union(line.quoted, added) }
  })
}

const findLeft = (line: Line, talk: Talk): Said[] =>
  line.quoted.flatMap((said, at) => {
    const before = line.quoted[at - 1]
    if (before === undefined) return startsFrom(said, talk)
    if (said.turn === before.turn) return []
    const asked = saidTo(said, before, talk)
    if (asked.length > 0 || said.turn > before.turn + 1) return asked
    return asks.test(before.raw) ? startOfReply(said, talk) : takenUp(said, before, { line, talk })
  })

/** "With naproxen, together.": what it is with stands before it. */
const opensBare = /^\W*(?:with|together|also|both|or)\b/i

/** "How have you been?" is understood without it. */
const opensTalk =
  /^\W*(?:(?:so|and|okay|well|right|hi|hello),? )*(?:how (?:have|are|is|was|were|did)\b|how['’]s (?:it|things|life|the week)|what (?:brings|brought)|what['’]s (?:on your|been|new))/i

/** A short question before a line, and what a bare beginning goes on from. */
function startsFrom(first: Said, { sentences }: Talk): Said[] {
  const before = sentences[first.index - 1]
  if (before === undefined || before.isTyped || before.words > beforeWordsMax) return []
  const isAsked =
    before.words > 1 &&
    asks.test(before.raw) &&
    !opensTalk.test(before.raw) &&
    before.turn === first.turn - 1 &&
    before.speaker !== first.speaker
  return isAsked || (before.turn === first.turn && opensBare.test(first.raw)) ? [before] : []
}

/** "I'll get a sitting service." "He'll hate a sitter." "Hate who?"; a raised toilet seat, "And a pendant?" "He won't wear it." */
function saidTo(said: Said, last: Said, { sentences }: Talk): Said[] {
  const before = sentences[said.index - 1]
  if (before === undefined || before.index <= last.index || before.speaker === said.speaker) return []
  const isOthers = before.speaker !== 'clinician' && said.speaker !== 'clinician'
  return before.words <= beforeWordsMax && (isOthers || asks.test(before.raw)) ? [before] : []
}

/** Of a clinician who was asked; what others answer is settled before. */
function startOfReply(said: Said, talk: Talk): Said[] {
  if (said.speaker !== 'clinician') return []
  const left = (talk.turns[said.turn]?.sentences ?? []).filter(({ index }) => index < said.index)
  const isAnswer = left.some(({ text }) => readAnswer(text) !== 'open' && !showsListening.test(text))
  return isAnswer && left.reduce((sum, { words }) => sum + words, 0) <= leadWordsMax ? left : []
}

function takenUp(said: Said, before: Said, { line, talk }: { line: Line; talk: Talk }): Said[] {
  if (said.speaker === before.speaker) return []
  const reply = line.quoted.filter(({ turn }) => turn === said.turn)
  const offered = line.quoted.filter(({ turn }) => turn === before.turn)
  const known = new Set(offered.flatMap(({ raw }) => numbersOf(raw)))
  const wanted = new Set(reply.flatMap(({ raw }) => numbersOf(raw)).filter((one) => !known.has(one)))
  return (talk.turns[before.turn]?.sentences ?? []).filter(
    (one) =>
      !offered.includes(one) &&
      one.words <= offerWordsMax &&
      numbersOf(one.raw).some((number) => wanted.has(number)),
  )
}
