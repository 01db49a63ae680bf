import { readAsked } from '../talk/ask-indirectly.js'
import { expandContractions } from '../../text/expand-contractions.js'
import { lowerFirst } from '../../text/report-speech.js'
import { countWords } from '../../text/tokenize-words.js'
import type { Gathering } from '../statement/gathering.js'
import type { Spoken } from '../talk/read-session.js'
import { quoteWordsMax } from './report-fragment.js'

const scale =
  /,? (?:on a scale (?:of|from) |on a |from |out of )?(?:(?:zero|one) to (?:ten|a hundred)|out of (?:ten|a hundred))\b/i

const asksDegree =
  /\bhow (?:confident|important|ready|sure|likely|doable|strong|strongly|intense|anxious|scared|scary|motivated|willing)\b|\bhow much do you (?:believe|trust|want)\b/i

/** Whether a question asks for a number of a scale. */
const asksRating = (question: string): boolean =>
  scale.test(` ${question}`) ||
  /\bhow (?:much|strongly) do you believe\b|\brate (?:it|that|this)\b|\bwhat(?:'s| is| was)? (?:the )?number\b|\bthe number now\b|\bwhere(?:'s| is) (?:that|it|the \w+) now\b/i.test(
    question,
  ) ||
  asksDegree.test(question)

const number =
  '(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\\w+)?|a hundred|\\d+)'
const rated = new RegExp(
  `^(?:(?:it|that|this|now it) (?:is|was) )?(?:(?:about|maybe|probably|like|still|more like|now) )*(?<rating>(?:an? )?${number}(?: percent)?(?:,? (?:or |maybe )?(?:an? )?${number})?)(?<more>[,;(] .*| (?:when|if|because|now|at|by|before|after)\\b.*)?$`,
  'i',
)

/** "Like a five", "It's a four now", "sixty percent", and what was added to it; null for an answer without a number. */
export const findRating = (rest: string): { rating: string; more: string } | null => {
  const found = rated.exec(rest)?.groups
  return found === undefined
    ? null
    : {
        rating: (found['rating'] ?? '').replace(/\ban? (?!hundred)/g, ''),
        more: (found['more'] ?? '')
          .replace(/^[,;(] /, '')
          .replace(/\)$/, '')
          .trim(),
      }
}

const earlier = new RegExp(`(?<=\\b(?:at|an?) ${number}(?: percent)?); it was (an? )?(${number})(?=$|[;,])`)

/** "client rated the back at six; it was an eight": what it was before stands with it. */
export const joinEarlier = (text: string): string =>
  text.includes('; it was ') ? text.replace(earlier, ' (was $1$2)') : text

interface Case {
  rating: string
  /** "at work", "when they are by themselves" */
  when: string | null
}

const caseWords = "(?:(?:when|if|at|in|with|on|around|without|by) [a-z][a-z'’ ]*?|now|today|before|at first)"
const inCase = new RegExp(
  `^(?<when>${caseWords})(?: (?:it (?:is|was)|(?:I|they) would say|maybe|like|about|probably|more like))* (?:an? )?(?<rating>${number})$`,
  'i',
)
const onlyCase = new RegExp(`^(?<when>${caseWords})$`, 'i')
const onlyNumber = new RegExp(`^(?:(?:maybe|about|like|probably) )*(?:an? )?(?<rating>${number})$`, 'i')

/** "At work I'd say an eight, at a party four": numbers of one thing, each with when it is so; null for anything else. */
const findCases = (rest: string): Case[] | null => {
  const cases: Case[] = []
  let when: string | null = null
  for (const part of rest.split(/[,;] /)) {
    const found = inCase.exec(part)?.groups ?? onlyNumber.exec(part)?.groups
    if (found !== undefined) {
      cases.push({ rating: found['rating'] ?? '', when: found['when'] ?? when })
      when = null
    } else if (when === null && onlyCase.test(part)) when = part
    else return null
  }
  const told = cases.filter(
    ({ rating, when: own }) =>
      own !== null || !cases.some((other) => other.when !== null && other.rating === rating),
  )
  return when !== null || !told.some((each) => each.when !== null) ? null : told
}

/** "eight at work, four at a party" */
export const wordCases = (rest: string): string | null =>
  findCases(rest)
    ?.map(({ rating, when }) => (when === null ? rating : `${rating} ${lowerFirst(when)}`))
    .join(', ') ?? null

/** "Three. When I'm by myself, three.": the second goes with the first. */
export const isCase = (answer: string): boolean =>
  findCases(expandContractions(answer).replace(/[.!?…]+$/, '')) !== null

/** "Where's the number now?" – "It's a four.": a whole sentence, and still only a number. */
export const isRating = ({ clean: question }: Spoken, answer: string): boolean =>
  (findRating(expandContractions(answer).replace(/[.!?…]+$/, '')) !== null || isCase(answer)) &&
  (asksRating(question) ||
    asksAgain.test(question) ||
    (/^(?:and |so )*how\b/i.test(question) && /^(?:that|it)(?:'s| is)\b/i.test(answer)))

/** "And now?", "And with someone there?": for another number of the same. */
const asksAgain =
  /^(?:(?:and|so|okay|what about)[, ]+)*(?:now|(?<other>with (?!that\b|it\b)\w+.*?))\b[^?]*\?/i

/** What a number is asked for anew: "with someone there". */
export const findOtherCase = (question: string): string | null =>
  asksAgain.exec(question)?.groups?.['other'] === undefined
    ? null
    : lowerFirst(question.replace(/^.*?(?=with )/i, '').replace(/[?.\s]+$/, ''))

/** What a question asks to be rated: "how confident they are", "the anxiety"; null where it says only "it" or "the number". */
export const findRated = (question: string): string | null => {
  const plain = question
    .replace(scale, '')
    .replace(/^(?:(?:so|and|okay)[, ]+)+/i, '')
    .replace(/\b(believe(?: that)?) I(?:'m| am)\b/i, '$1 you are')
  const named =
    /\bwhere(?:'s| is| are) (?:the|your) (?<thing>(?!number|scale)[a-z]+)/i.exec(plain)?.groups?.['thing'] ??
    /^how(?:'s|s| is| was) (?:the|your) (?<thing>[a-z]+)(?=\W*$|, | (?:that|which|now|today)\b)/i.exec(plain)
      ?.groups?.['thing'] ??
    /\bwhat number (?:is|was) (?:the|your) (?<thing>[a-z]+)/i.exec(plain)?.groups?.['thing'] ??
    /^the (?<thing>[a-z ]+?)(?:, [^,]+)?, where(?:'s| is) (?:that|it)\b/i.exec(plain)?.groups?.['thing']
  if (named !== undefined) return `the ${named.toLowerCase()}`
  const degree = /^how (?<degree>confident|ready|sure|likely|willing|motivated|important)[?.\s]*$/i.exec(
    plain,
  )?.groups?.['degree']
  if (degree !== undefined)
    return `how ${degree.toLowerCase()} ${degree === 'important' ? 'it is' : 'they are'}`
  const isAsked =
    asksDegree.test(plain) || scale.test(` ${question}`) || /^how (?:would|does|did|is|was)\b/i.test(plain)
  if (!isAsked || !/\bhow\b/i.test(plain)) return null
  const { indirect } = readAsked(plain.replace(/^.*?(?=\bhow\b)/i, ''))
  return indirect === null || !indirect.startsWith('how ') || /\b(?:it|that|this)$/.test(indirect)
    ? null
    : indirect
}

export interface Rated {
  /** What comes before the number: "client rated the exposure at". */
  lead: string
  items: readonly number[]
}

/** What "it" is in a question for a number: what was rated last, what the client just said, or what is being done. */
export const findRatedBefore = (
  { statements, session, names }: Gathering,
  question: Spoken,
): Rated | null => {
  for (const { text, items } of statements.slice(-reach).toReversed()) {
    const lead = /^(?:client rated|during .+, client rated) .+? at(?= )/.exec(text)?.[0]
    if (lead !== undefined) return { lead, items }
  }
  const said = /\bbelieve (?:that|it|this)\b/i.test(question.clean)
    ? session.sentences.findLast(({ role, item }) => role === 'client' && item < question.item)
    : undefined
  const words =
    said?.said
      .replace(/["“”]/g, '')
      .replace(/^(?:maybe|um|like|well),? /i, '')
      .replace(/[.!?…]+$/, '') ?? ''
  if (said !== undefined && countWords(words) <= quoteWordsMax && names.hide(words) === words)
    return { lead: `client rated how much they believe "${words}" at`, items: [said.item] }
  for (const { kind, text, items } of statements.slice(-reach).toReversed()) {
    const thing = kind === 'intervention' ? practised.exec(text)?.groups?.['thing'] : undefined
    if (thing !== undefined) return { lead: `during the ${thing}, client rated it at`, items }
  }
  return null
}

const practised =
  /\b(?:an?|the) (?<thing>(?:\w+ )?(?:exposure|exercise|visualization|role play|experiment|practice))\b/

/** Statements back to which a number may refer. */
const reach = 8
