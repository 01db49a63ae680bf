import { readAnswer } from '../../text/read-answer.js'
import { union, type Line } from './line.js'
import type { Said, Talk, Turn } from './read-turns.js'
import { numbersOf } from './said-numbers.js'
import { isSilent } from './stands.js'

/*
 * "Prednisone, forty a day." "Could I do less?" "Thirty, for five." "I'll do thirty.": a plan that ends with its first figure says the opposite of what was agreed. Where somebody does
 * not simply take what is offered, a line of the plan goes on to what both came to, by the sentences that carry it.
 */

const turnsMax = 9
const wordsMax = 80
/** A longer sentence tells something else, too. */
const bearingWordsMax = 22
/** "I'll do thirty. Three times." */
const restWordsMax = 6

/** "Deal.", "Half I can live with.", "I'll do thirty.", "Go on then." */
const accepts =
  /^\W*(?:(?:okay|ok|right|well|um|uh|oh|hm+|yeah|look),? )*(?:deal|fine|go on\b|fair enough|suits? (?:me|us|him|her)|(?:all ?right|alright)\b(?! but)|right so|grand\b|perfect\b|sounds (?:good|fine|okay)|works for me|if I must|done\b|settled\b|agreed\b|\p{L}+(?: \p{L}+){0,2} it is\b|(?:half|that|those|this|it|\p{L}+(?: o['’]clock)?) (?:i|we) (?:can|could) (?:do|live with|manage|take|try)|i (?:can|could) (?:do|live with|manage|take|try|make)\b|(?:i['’]?ll|we['’]?ll|i will|we will) (?:do|take|try|have|go|come|be there|give it)\b|that(?:['’]s|['’]ll| will| would)(?: be)? (?:fine|good|okay|grand|better|all ?right|do|work))/iu

/** "Could I do less?", "Make it six.", "Not the third.", "I'd rather…", "Friday's too late." */
const counters =
  /\b(?:(?:could|can|couldn['’]t|can['’]t) (?:i|we|he|she|it|you)(?: not)? (?:do|have|take|try|make|keep|stay|wait|go|just|start|come|be|not)\b|what (?:if|about)|how about|do i (?:have|need) to|make it|not the (?!same)\p{L}+|rather|too (?:much|early|late|far|soon|many|long)|instead|earlier|later|less\b|i(?:['’]d| would) be in a)/iu

const refuses =
  /\b(?:no,? (?:ma['’]am|sir|way|chance|thanks?|thank you)|not (?:down there|again|for me)\b|never again|rather not|don['’]?t want|won['’]?t (?:do|take|have|go)|i['’]m not (?:having|doing|going|taking))\b/iu

/** "Alright, not that.", "What about half?", "Then a once-a-week shot.", "I'm going to take that back." */
const offersAnew =
  /^\W*(?:(?:okay|ok|right|so|well|alright|all right|fine|and|no),? )*(?:then\b|what (?:about|if)|how about|not (?:that|it|those)\b|instead\b|could you|can you)|\btake (?:that|it) back\b|\bscratch that\b|\binstead\b|\bthen\W*$/iu

export function followOffers(lines: readonly Line[], talk: Talk, sections: ReadonlySet<string>): Line[] {
  const sectionOf = new Map(lines.flatMap(({ quoted }, at) => quoted.map((said) => [said, at] as const)))
  return lines.map((line, at) => {
    if (!sections.has(line.section) || line.heading === 'Danger' || line.heading === 'Allergies') return line
    const settled = findSettled(line, talk)
    const isThere = settled.some((said) => (sectionOf.get(said) ?? at) !== at)
    const more = isThere ? settled.filter((said) => !sectionOf.has(said)) : settled
    if (more.length === 0) return line
    for (const said of more) sectionOf.set(said, at)
    return { ...line, label: '', quoted: union(line.quoted, more) }
  })
}

/** The sentences behind a line that carry what was offered, answered and settled; none where it was simply taken. */
function findSettled(line: Line, talk: Talk): readonly Said[] {
  const last = line.quoted.at(-1)
  if (last === undefined || last.isTyped) return []
  const from = last.speaker === 'clinician' ? last.turn + 1 : last.turn
  // "Glipizide, ten. Any lows?" "No.": said to something else.
  if (
    last.speaker === 'clinician' &&
    talk.turns[last.turn]?.sentences.some((said) => said.index > last.index && said.asks)
  )
    return []
  const turns = talk.turns
    .slice(from, from + turnsMax)
    .filter((turn) => !isListening(turn, talk) || (turn.speaker !== 'clinician' && isYes(turn)))
  const [reply] = turns
  const offered = line.quoted
    .filter(({ speaker }) => speaker === 'clinician')
    .flatMap(({ raw }) => numbersOf(raw))
  if (reply === undefined || reply.speaker === 'clinician' || !isPushback(reply, offered, turns[1])) return []
  const { taken, isSettled } = walk(turns, talk)
  const words = taken.reduce((sum, said) => sum + said.words, 0)
  const isOnlyYes = taken.every(({ raw }) => accepts.test(raw))
  const added =
    isSettled && words <= wordsMax && !isOnlyYes ? taken : isNo(reply) ? reply.sentences.slice(0, 1) : []
  return added.filter((said) => !line.quoted.includes(said) && isShort(said))
}

/** The sentences that carry it, up to the turn in which somebody takes what the other offered. */
function walk(turns: readonly Turn[], talk: Talk): { taken: readonly Said[]; isSettled: boolean } {
  const taken: Said[] = []
  let before: Turn | undefined
  let closedAt = 0
  for (const turn of turns) {
    const bearing = turn.sentences.filter((said) => !isSilent(said, talk) && doesBear(said, turn.speaker))
    if (before !== undefined && takes(turn, before)) {
      const rest = turn.sentences
        .slice(1, 2)
        .filter((said) => said.words <= restWordsMax && bearing.includes(said))
      return { taken: [...taken, ...turn.sentences.slice(0, 1), ...rest], isSettled: true }
    }
    before = turn
    if (
      turn.speaker === 'clinician' &&
      turn.sentences.some((said) => isQuestion(said) && asksElse.test(said.raw))
    )
      break
    // What is said behind it would read as an answer to something else.
    if (bearing.length === 0) break
    taken.push(...bearing)
    const nod = findNod(turn, bearing)
    if (nod !== undefined && before !== turns[0]) return { taken: [...taken, nod], isSettled: true }
    if (bearing.some(({ raw }) => closes.test(raw))) closedAt = taken.length
  }
  return { taken: taken.slice(0, closedAt), isSettled: closedAt > 0 }
}

/** "Okay.", said to what a clinician offered; by its words it is listening, and stands in the clinician's turn. */
const findNod = ({ speaker, sentences }: Turn, bearing: readonly Said[]): Said | undefined =>
  speaker === 'clinician'
    ? sentences.find(
        (said) =>
          said.speaker !== speaker &&
          said.index > (bearing.at(-1)?.index ?? Infinity) &&
          (accepts.test(said.raw) || readAnswer(said.text) === 'yes'),
      )
    : undefined

/** "Quetiapine as needed, how many left?" */
const asksElse = /\b(?:how (?:many|much|often|long|['’]?s|is|are)|any|which|where|who)\b/i

/** "Alright, not that.", "I'm going to take that back.": settled by whoever offered. */
const closes =
  /^\W*(?:(?:okay|alright|all right|fine|right|so),? )*not (?:that|it|those)\b|\btake (?:that|it) back\b/iu

const isQuestion = ({ asks, raw }: Said): boolean => asks || /\?\s*$/.test(raw)

const isShort = ({ words }: Said): boolean => words <= bearingWordsMax

const isListening = ({ sentences }: Turn, talk: Talk): boolean =>
  sentences.every((said) => isSilent(said, talk))

const isNo = ({ sentences: [first] }: Turn): boolean =>
  first !== undefined && !isQuestion(first) && (readAnswer(first.text) === 'no' || refuses.test(first.raw))

const isYes = ({ sentences: [first] }: Turn): boolean =>
  first !== undefined && (accepts.test(first.raw) || readAnswer(first.text) === 'yes')

function isPushback(reply: Turn, offered: readonly string[], next: Turn | undefined): boolean {
  if (isNo(reply)) return true
  const raws = reply.sentences.filter(isShort).map(({ raw }) => raw)
  const isCounter = raws.some((raw) => counters.test(raw))
  if (isCounter || isYes(reply) || (reply.sentences.length === 1 && repeats(reply.sentences[0], offered)))
    return isCounter
  const isOther = raws.some((raw) => numbersOf(raw).some((one) => !offered.includes(one)))
  const isTakenUp = raws.some((raw) => asksOrExclaims.test(raw) && hasOneOf(raw, offered))
  return (
    (isOther || isTakenUp) &&
    next?.speaker === 'clinician' &&
    next.sentences.some((said) => isAnew(said, offered))
  )
}

const asksOrExclaims = /[!?]\s*$/

const hasOneOf = (raw: string, numbers: readonly string[]): boolean =>
  numbersOf(raw).some((one) => numbers.includes(one))

const isAnew = ({ raw }: Said, offered: readonly string[]): boolean =>
  offersAnew.test(raw) || (offered.length > 0 && numbersOf(raw).some((one) => !offered.includes(one)))

/** "Nine and nine.": the same figures once more, and nothing else. */
const repeats = (said: Said | undefined, offered: readonly string[]): boolean =>
  said !== undefined &&
  !isQuestion(said) &&
  said.words <= restWordsMax &&
  numbersOf(said.raw).length > 0 &&
  numbersOf(said.raw).every((one) => offered.includes(one))

const doesBear = (said: Said, speaker: string): boolean =>
  isShort(said) &&
  (numbersOf(said.raw).length > 0 ||
    refuses.test(said.raw) ||
    counters.test(said.raw) ||
    (speaker === 'clinician' ? offersAnew.test(said.raw) : accepts.test(said.raw)))

/** Said to what another offered: yes, or the same figure once more. */
function takes({ speaker, sentences: [first] }: Turn, before: Turn): boolean {
  if (first === undefined || speaker === before.speaker || isQuestion(first)) return false
  if (counters.test(first.raw) && !accepts.test(first.raw)) return false
  if (accepts.test(first.raw)) return true
  const offered = before.sentences.flatMap(({ raw }) => numbersOf(raw))
  return repeats(first, offered) || (readAnswer(first.text) === 'yes' && offered.length > 0)
}
