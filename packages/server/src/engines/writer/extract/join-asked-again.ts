import { readAnswer } from '../../text/read-answer.js'
import { tokenizeWords } from '../../text/tokenize-words.js'
import { joinedWordsMax, union, type Line } from './line.js'
import { countSaidWords, type Said, type Talk } from './read-turns.js'
import { isAsked, isSilent } from './stands.js'

/** So many of the words of a question, and so large a part of them, were asked right before: it is the same. */
const sharedWordsMin = 4
const sharedShareMin = 0.6
/** Words of what is said to the question that was asked again. */
const answerWordsMax = 30
const answerSentencesMax = 6

/**
 * "Do the voices tell you to do things?" "These are the good ones, with the chocolate." "Do they tell you to do things?": asked once more, it was not
 * answered. The line goes on to what is said then, and takes in the line that has it.
 */
export function joinAskedAgain(lines: readonly Line[], talk: Talk): Line[] {
  const joined = [...lines]
  for (const [at, line] of joined.entries()) {
    const again = findAgain(line.quoted, talk)
    if (again.length === 0) continue
    const others = joined.filter(
      (other) => other !== line && other.quoted.some((said) => again.includes(said)),
    )
    const isOne = others.every(({ section, heading }) => section === line.section && heading === line.heading)
    const quoted = others.reduce((all, other) => union(all, other.quoted), union(line.quoted, again))
    if (!isOne || countSaidWords(quoted) > joinedWordsMax) continue
    joined[at] = { ...line, quoted, label: others.length === 0 ? line.label : '' }
    for (const other of others) joined[joined.indexOf(other)] = { ...other, quoted: [] }
  }
  return joined.filter(({ quoted }, at) => quoted.length > 0 || lines[at]?.quoted.length === 0)
}

/** The question that asks once more what a quote ends with, and what is said to it. */
function findAgain(quoted: readonly Said[], talk: Talk): Said[] {
  const { turns, sentences } = talk
  const last = quoted.at(-1)
  if (last === undefined || last.isTyped || last.speaker === 'clinician') return []
  const reply = quoted.filter(({ turn }) => turn === last.turn)
  const asked = quoted.findLast((said) => said.turn === last.turn - 1 && isAsked(said))
  if (asked === undefined || reply.some(({ text }) => readAnswer(text) !== 'open')) return []
  const next = turns[last.turn + 1]?.sentences ?? []
  const again = next.findIndex((said) => isAsked(said) && asksSame(said, asked))
  const answer = (turns[last.turn + 2]?.sentences ?? []).slice(0, answerSentencesMax)
  const told = answer.filter((_, at) => at === 0 || countSaidWords(answer.slice(0, at + 1)) <= answerWordsMax)
  if (again < 0 || told.length === 0 || sentences[last.index + 1]?.turn !== last.turn + 1) return []
  return [...next.slice(again), ...told].filter((said) => !isSilent(said, talk))
}

/** By all of its words: "Do they tell you to do things?" has few that mean anything by themselves. */
function asksSame(again: Said, asked: Said): boolean {
  const before = new Set(wordsOf(asked.raw))
  const own = wordsOf(again.raw)
  const shared = own.filter((word) => before.has(word)).length
  return shared >= sharedWordsMin && shared >= sharedShareMin * own.length
}

const wordsOf = (raw: string): string[] => tokenizeWords(raw).map(({ lower }) => lower)
