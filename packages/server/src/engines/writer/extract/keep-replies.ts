import { setApart } from './keep-asked.js'
import type { Line } from './line.js'
import { countSaidWords, type Said, type Talk } from './read-turns.js'
import { isAsked, isSilent } from './stands.js'

/** A sentence that was replied to: with so many words it is put between, and with so many a line of its own begins with it. */
const betweenWordsMax = 30
const openingWordsMax = 60
/** The beginning of a reply, or of a question, without which it may be to something else. */
const startWordsMax = 15

/**
 * "I'm going to ask our social worker to phone you." "I'm not a group person.": what was offered in between was left out, and a call is turned down
 * that was accepted. So nobody's words stand behind others but those that they were said to: the sentence right before a reply stands with it,
 * or the reply in another line. What a clinician asks opens something else and is no reply.
 */
export function keepReplies(line: Line, talk: Talk, reportSection: string): Line[] {
  if (line.quoted.some(({ isTyped }) => isTyped)) return [line]
  const parts: Said[][] = [[]]
  for (const said of line.quoted) {
    const part = parts.at(-1) ?? []
    const before = part.at(-1)
    const { to, start, pointsAway } = before === undefined ? nothing : findLeft(before, said, talk)
    const isBetween =
      !pointsAway && countSaidWords(to) <= betweenWordsMax && !(before?.asks === true && to.length > 0)
    if (isBetween) part.push(...to, ...start, said)
    else if (line.heading === 'Danger') part.push(...start, said)
    else parts.push([...(countSaidWords(to) <= openingWordsMax ? to : []), ...start, said])
  }
  return parts.flatMap((quoted, at) => {
    const whole = askAll(withoutAskedBack(quoted), talk)
    return at === 0 ? [{ ...line, quoted: whole }] : setApart(line, whole, reportSection)
  })
}

/** What is left out between two sentences that read as if one were the reply to the other. */
interface Left {
  /** What the second was said to. */
  to: readonly Said[]
  /** What its turn began with. */
  start: readonly Said[]
  /** It speaks of what is left out, and not of what stands before it. */
  pointsAway: boolean
}

const nothing: Left = { to: [], start: [], pointsAway: false }

function findLeft(before: Said, said: Said, talk: Talk): Left {
  if (said.turn === before.turn || isAsked(said)) return nothing
  const between = talk.sentences.slice(before.index + 1, said.index).filter((one) => !isSilent(one, talk))
  const own = between.filter(({ turn }) => turn === said.turn)
  const others = between.filter(({ speaker }) => speaker !== said.speaker)
  if (said.speaker === before.speaker) {
    // A clinician goes on where they were; whoever tells something replies, and so does who says "that one".
    const pointsAway = said.speaker === 'clinician' && opensPointing.test(said.raw)
    const isReply = said.speaker !== 'clinician' || pointsAway
    return isReply && others.length > 0
      ? { to: pointsAway ? endOf(others) : others.slice(-1), start: [], pointsAway }
      : nothing
  }
  const isStart = countSaidWords(own) <= startWordsMax && (said.speaker !== 'clinician' || before.asks)
  return { to: others.slice(-1), start: isStart ? own : [], pointsAway: false }
}

/** "That one I'd stop." */
const opensPointing = /^\W*(?:(?:and|so|but|okay|well),? )*(?:(?:that|this) one|(?:those|these) ones?)\b/i

/** The last of a turn, as much as goes before what is said to it. */
function endOf(others: readonly Said[]): Said[] {
  const turn = others.at(-1)?.turn
  const last = others.filter((one) => one.turn === turn)
  return last.filter((_, at) => countSaidWords(last.slice(at)) <= betweenWordsMax || at === last.length - 1)
}

const asks = /\?\s*$/

/** "Is it serious? Did he talk?" "His exam's normal.": of what anybody asks in one breath, all or nothing; what answers may be to the first. */
function askAll(quoted: readonly Said[], { sentences }: Talk): Said[] {
  return quoted.flatMap((said, at) => {
    const [before, next] = [quoted[at - 1], quoted[at + 1]]
    if (!asks.test(said.raw) || next === undefined || next.turn === said.turn) return [said]
    const asked: Said[] = []
    for (let one = sentences[said.index - 1]; one !== undefined; one = sentences[one.index - 1]) {
      if (one.turn !== said.turn || one === before || !asks.test(one.raw)) break
      asked.unshift(one)
    }
    return countSaidWords(asked) <= startWordsMax ? [...asked, said] : [said]
  })
}

/** "I'm sorry, what's the name of that?" "You can take some paracetamol.": who did not hear is not answered by what comes next. */
const asksToRepeat =
  /\bwhat(?:['’]s| is| was) (?:the name of )?(?:that|it)(?: called)?(?: again)?\W*$|\b(?:say (?:that|it) again|come again|pardon(?: me)?)\W*$/i

const withoutAskedBack = (quoted: readonly Said[]): readonly Said[] => {
  const [first, next] = quoted
  const isOpening = first !== undefined && next !== undefined && first.speaker !== 'clinician' && first.asks
  return isOpening && next.turn !== first.turn && asksToRepeat.test(first.raw) ? quoted.slice(1) : quoted
}
