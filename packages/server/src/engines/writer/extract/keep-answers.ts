import { findSaidMedicines } from '../../lexicon/said-medicines.js'
import { readAnswer } from '../../text/read-answer.js'
import { findGround } from './find-ground.js'
import { union, type Line } from './line.js'
import { hasDangerWord } from './quote-finding.js'
import { countSaidWords, type Said, type Talk } from './read-turns.js'
import { isAsked, isHollow, isSilent } from './stands.js'

/** More between a question and what is quoted next, and the next is a line of its own. */
const betweenWordsMax = 45
/** "No.", "Yeah, I do.": what is said behind it may turn it round. */
const bareWordsMax = 3
const behindWordsMax = 30

/**
 * Behind a question nothing is left out until it is answered: with a gap between them nobody could say that what is quoted
 * next answers it. Where the gap is too long to be quoted, the line is parted there, and the question, which then has no answer,
 * goes; so does one behind which the line ends.
 */
export function keepAnswers(line: Line, talk: Talk): Line[] {
  const [first] = line.quoted
  if (first === undefined || first.isTyped) return [line]
  const parts: Said[][] = [[]]
  for (const said of withSame(line.quoted, talk)) {
    const part = parts.at(-1) ?? []
    const before = part.at(-1)
    if (before === undefined || !isOpen(before, said, part)) {
      part.push(said)
      continue
    }
    const between = talk.sentences.slice(before.index + 1, said.index)
    if (countSaidWords(between) <= betweenWordsMax)
      part.push(...between.filter((one) => saysSomething(one, talk)), said)
    else parts.push([said])
  }
  return parts.flatMap((part): Line[] => {
    const quoted = union(part, [
      ...turnedRound(part, talk),
      ...takenBack(part, talk),
      ...putRight(part, talk),
    ])
    const told =
      parts.length === 1 ? quoted : quoted.slice(0, quoted.findLastIndex((said) => !isAsked(said)) + 1)
    const [head] = told
    if (head === undefined) return []
    return [{ ...line, quoted: part === parts[0] ? told : union(findGround(head, talk), told) }]
  })
}

/** Whether something was left out between a question that is not answered yet and what is quoted next, or before one that points back. */
const isOpen = (before: Said, said: Said, part: readonly Said[]): boolean => {
  if (said.index - before.index <= 1) return false
  if (isAsked(before) || (said.turn !== before.turn && needsBefore(said))) return true
  // "Can you see out of it? I'm sorry to ask." – and what was said to it.
  return (
    said.turn !== before.turn &&
    part.some((one) => one.turn === before.turn && isAsked(one) && one.index < before.index)
  )
}

/** A question that points back, and a yes or a no, which may be to what does not sound like a question. */
const needsBefore = (said: Said): boolean =>
  said.speaker === 'clinician' ? isAsked(said) && pointsBack.test(said.raw) : readAnswer(said.text) !== 'open'

/** "When did you think that?": behind a gap it would be asked about something else. */
const pointsBack =
  /\b(?:that|those|it|this|then|there|them)(?: (?:time|night|day|one|thought|feeling))?\W*\?\s*$|^\W*(?:(?:and|so|but),? )*(?:how often|when was (?:that|it)|how long|since when|what then|how many|when|where|why|who|what happened)\b[^?]{0,25}\?\s*$/i

const asksSame =
  /\b(?:same question|(?:what|how) about you|and you,? \p{Lu}\p{Ll}+)\b|^\W*(?:and )?you(?:, \p{Lu}\p{Ll}+)?\?/u

/** "Marlene, same question?": with the question that is meant, and what was said to it. */
function withSame(quoted: readonly Said[], { sentences }: Talk): Said[] {
  const meant = quoted.flatMap((said) => {
    if (said.speaker !== 'clinician' || !asksSame.test(said.raw)) return []
    const there = sentences.slice(Math.max(0, said.index - sameSentencesMax), said.index)
    const at = there.findLastIndex((one) => isAsked(one) && one.turn !== said.turn)
    return at < 0 || countSaidWords(there.slice(at)) > betweenWordsMax ? [] : there.slice(at)
  })
  return union(quoted, meant)
}
const sameSentencesMax = 10

/** The sentence behind a bare yes or no, in its turn. */
const turnedRound = (part: readonly Said[], talk: Talk): Said[] =>
  part.flatMap((said, at) => {
    const before = part[at - 1]
    const next = talk.sentences[said.index + 1]
    const isBare =
      before !== undefined && isAsked(before) && said.speaker !== 'clinician' && said.words <= bareWordsMax
    return isBare && next?.turn === said.turn && next.words <= behindWordsMax && saysSomething(next, talk)
      ? [next]
      : []
  })

/** "I didn't take any.", "I mean, not literally." */
const takesBack =
  /^\W*(?:(?:but|well|though|and|oh|um|uh|or|so|like),? ){0,3}(?:i mean|not (?:really|literally|that|like|the)|no\b|nah\b|never\b|i (?:didn['’]t|don['’]t|did not|haven['’]t|hadn['’]t|wouldn['’]t|couldn['’]t|never|stopped|quit)|(?:just|only) (?:kidding|joking)|i['’]m (?:joking|kidding|not)|(?:it|that)['’]s (?:not|just an?))\b/i
const backWordsMax = 15

/** Of a medicine or danger the next sentence of a turn stands with it where it takes it back. */
const takenBack = (part: readonly Said[], { sentences }: Talk): Said[] =>
  part.flatMap((said) => {
    const next = sentences[said.index + 1]
    if (said.speaker === 'clinician' || next?.turn !== said.turn || next.words > backWordsMax) return []
    if (!takesBack.test(next.raw)) return []
    return hasDangerWord([said]) || findSaidMedicines(said.raw).length > 0 ? [next] : []
  })

/** "Except weekends at Dad's.", "No, four.", "Well, not every day.", "So I wasn't alone." */
const puts =
  /^\W*(?:(?:but|well|oh|um|uh|actually|sorry|okay|or),? ){0,3}(?:except|unless|apart from|other than|not (?:always|every|quite|all|anymore|any more)|actually|no, (?:wait|\p{L})|wait|scratch that|i take (?:it|that) back|i mean|so i (?:wasn['’]t|didn['’]t|haven['’]t)|i (?:wasn['’]t|stopped|didn['’]t|forgot)|on weekends)\b/iu
/** Who asked may have nodded meanwhile. */
const rightSentences = 2

/** What puts an answer right right behind it, said by whoever knows better, stands with it. */
const putRight = (part: readonly Said[], talk: Talk): Said[] => {
  const last = part.at(-1)
  if (last === undefined || last.speaker === 'clinician') return []
  const next = talk.sentences
    .slice(last.index + 1, last.index + 1 + rightSentences)
    .find((said) => !isSilent(said, talk))
  return next !== undefined &&
    next.speaker !== 'clinician' &&
    next.words <= backWordsMax &&
    puts.test(next.raw)
    ? [next]
    : []
}

/** "Um.", and what only shows that somebody listens, are left out anywhere. */
const saysSomething = (said: Said, talk: Talk): boolean =>
  !isSilent(said, talk) && !(isHollow(said) && said.words <= 1 && readAnswer(said.text) === 'open')
