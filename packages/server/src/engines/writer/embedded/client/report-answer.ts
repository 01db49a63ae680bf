import { startsWithName } from '../../text/report-speech.js'
import { countWords, isContentWord, tokenizeWords } from '../../text/tokenize-words.js'
import { asList, deniable, readAsked } from '../talk/ask-indirectly.js'
import { isRunOn } from '../talk/clause-shape.js'
import type { NameHider } from '../talk/hide-names.js'
import { capitalOf, isUncommon } from '../talk/keep-capital.js'
import { findLabel, labelAnswer, labelMatter } from '../talk/label-answer.js'
import { mergeAnswer } from './merge-answer.js'
import { readAnswer, withoutAnswerWord } from '../talk/read-answer.js'
import type { Spoken } from '../talk/read-session.js'
import { findOtherCase, findRated, findRating, isRating, type Rated, wordCases } from './report-rating.js'
import { namesThing, needsQuestion, quoteWordsMax, toFragment } from './report-fragment.js'
import type { Wording } from '../statement/wording.js'

/** A question and an answer that does not stand by itself, as one sentence; null if it cannot be put safely. */
export const wordAnswer = (
  answers: readonly Spoken[],
  names: NameHider,
  before: Rated | null = null,
): Wording | null => {
  const [first] = answers
  if (first === undefined || first.question === null) return null
  const asked = readAsked(names.hide(withTopic(first.question)))
  const items = [first.question.item, ...new Set(answers.map(({ item }) => item))]
  const said = names.hide(
    answers
      .map(({ clean }, index) => `${index === 0 ? '' : linkTo(clean)}${withoutStop(clean, index > 0)}`)
      .join(''),
  )
  const none = readNone(first.clean)
  const client = first.role === 'client' ? 'client' : 'a participant'
  if (none !== null) return answers.length > 1 ? null : { ...plain(`${client} denied ${none}`), items }
  const read = readAnswer(answers.map((sentence) => sentence.said).join(' '))
  // "No energy." says what there is none of.
  const answer = read === 'no' && asked.matter === null && /^no [a-z]+/i.test(first.clean) ? 'other' : read
  const whole = toFragment(withoutAnswerWord(said))
  const rest =
    whole !== null && isRunOn(whole) && !isOneThought(whole) ? null : whole === 'whatever' ? '' : whole
  const rating = rest === null || !isRating(first.question, first.clean) ? null : findRating(rest)
  const label = labelOf(first.question.clean) ?? findLabel(names.hide(first.question.clean))
  const cases = rest === null || !isRating(first.question, first.clean) ? null : wordCases(rest)
  const what = findRated(names.hide(first.question.clean))
  if (cases !== null && what !== null)
    return { ...plain(`${rateOf(client, what.replace(/ (?:right now|now|today)$/, ''))} ${cases}`), items }
  if (rating !== null) {
    const other = findOtherCase(first.question.clean)
    const worded =
      what === null
        ? wordRating(before?.lead ?? null, [...(before?.items ?? []), ...items], {
            ...rating,
            more: other ?? rating.more,
          })
        : wordRating(rateOf(client, what), items, rating)
    if (worded !== null) return worded
    if (label !== null) return { ...plain(joinRest(labelAnswer(label, rating.rating), rating.more)), items }
  }
  const since = /^not (?<since>(?:since|in|for) [^;,]+)$/i.exec(rest ?? '')?.groups?.['since']
  if (label !== null && since !== undefined && first.role === 'client')
    return { ...plain(`client reported no ${label} ${since}`), items }
  if (answer === 'no' && asked.matter !== null && !/^(?:not|no|never)\b/i.test(asked.matter)) {
    const only = denyOnly(asked.matter, rest)
    return {
      ...plain(
        only === null
          ? joinRest(`${client} denied ${asList(deniable(asked.matter))}`, restOfDenial(asked.matter, rest))
          : `${client} denied ${only}`,
      ),
      items,
    }
  }
  // "Ever been in the hospital?" – "Once, in 2012."
  if (
    answer === 'other' &&
    asked.matter !== null &&
    rest !== null &&
    /^(?:once|twice|a (?:few|couple) times)\b/i.test(rest)
  )
    return { ...plain(joinRest(`${client} endorsed ${asked.matter}`, rest)), items }
  if (answer === 'yes' && asked.matter !== null)
    return { ...plain(joinRest(`${client} endorsed ${asked.matter}`, rest)), items }
  // "Every day. Eight at night I missed.": the second sentence is another matter.
  const [often = ''] = rest?.split(/[,;] /) ?? []
  if (
    answers.length > 1 &&
    asked.matter !== null &&
    labelMatter(asked.matter, often) !== null &&
    /\b(?:they|he|she) [a-z]+/.test(rest ?? '')
  )
    return null
  const labelled =
    answer === 'other' && asked.matter !== null && rest !== null && first.role === 'client'
      ? labelMatter(asked.matter, rest)
      : null
  if (labelled !== null) return { ...plain(labelled), items }
  if (asked.statement !== null && answer === 'yes' && !refersBack.test(asked.statement))
    return { ...plain(joinRest(`${client} confirmed that ${asked.statement}`, rest)), items }
  const bare =
    rest === null ||
    rest === '' ||
    (needsQuestion(rest) && first.question.medicines.length === 0) ||
    /^(?:in|on|at|with|for|to|that|because|if|when|about|up)\b/i.test(rest)
      ? {}
      : { bare: `${client} reported ${rest}` }
  const merged =
    answer === 'other' && rest !== null && rest !== '' ? mergeAnswer(first.question.clean, rest) : null
  if (merged !== null) return { ...plain(`${client} reported ${merged}`), items }
  if (label !== null && rest?.startsWith(`no ${label}`) === true)
    return { ...plain(`${client} reported ${rest}`), ...bare, items }
  if (label !== null && answer === 'other' && rest !== null && rest !== '' && !tellsOfClient.test(rest))
    return { ...plain(labelAnswer(label, rest)), ...bare, items }
  if (answer === 'other' && rest !== null && rest !== '') {
    if (
      !needsQuestion(rest) &&
      ((!asked.isOpen && namesThing.test(rest) && countWords(rest) > 1) ||
        speaksForItself(rest, asked.isOpen))
    )
      return { ...plain(`${client} reported ${rest}`), ...bare, items }
  }
  if (asked.indirect === null) return null
  const lead = `asked ${asked.indirect}, ${client}`
  const doing = /^how (?:they are|are they|they have been) (\w+ing)\b/i.exec(asked.indirect)?.[1]
  if (answer === 'no' && doing !== undefined)
    return { ...plain(joinRest(`${client} reported not ${doing}`, rest)), items }
  if (answer === 'other' && rest !== null && asksNothing.test(first.question.clean)) {
    const told = rest.replace(/^because (?=(?:they|it|their|the|he|she|there)\b)/i, '')
    if (told !== '' && !needsQuestion(told)) return { ...plain(`${client} reported ${told}`), items }
  }
  // "How have you been on it?" – "Yeah, so, better.": no yes was asked for.
  if (asked.isOpen && answer === 'yes')
    return rest === null || rest === '' ? null : { ...plain(`${lead} reported ${rest}`), ...bare, items }
  if (answer === 'no' || answer === 'yes')
    return { ...plain(joinRest(`${lead} answered ${answer}`, rest)), items }
  if (answer === 'unclear') return null
  if (rest === null || rest === '') return null
  const quote = misfits(asked.indirect, rest) ? quoteAnswer(first, names) : null
  return quote === null
    ? { ...plain(`${lead} reported ${rest}`), ...bare, items }
    : { ...plain(`${lead} stated, "${quote}"`), items }
}

/** "their daughter brings casseroles": a sentence of its own, and no value of what was asked about. */
const tellsOfClient = /^(?:they|he|she|we|(?:their|the) \w+ \w+s)\b/i

/** "that they bring it home and she gets sick and it is on them": long, and still one fear. */
const isOneThought = (whole: string): boolean =>
  /^that (?:they|it|he|she|their|nobody|everyone)\b/.test(whole) && countWords(whole) <= thoughtWordsMax

const thoughtWordsMax = 24

/** "that is new": what is meant was said before the question. */
const refersBack = /^(?:that|it|this|he|she)\b/i

/** "One, in June. None since then.": what is denied is told apart from what is not. */
const linkTo = (clean: string): string => (/^(?:none|not|never|no(?= [a-z]))\b/i.test(clean) ? '; ' : ', ')

/** "And the strips. Are you taking them?": what was named just before, where no comma was heard. */
const withTopic = ({ clean, previous }: Spoken): string =>
  previous !== null && /^(?:(?:and|so|okay) )*(?:the|your) [a-z]+(?: [a-z]+)?$/i.test(previous.said)
    ? `${previous.said}, ${clean.charAt(0).toLowerCase()}${clean.slice(1)}`
    : clean

/** "Alcohol no.": one of the things that were asked about. */
const readNone = (clean: string): string | null => {
  const what = /^(?<what>[a-z]+(?: [a-z]+)?),? (?:no|nope|none|never)[.!]?$/i.exec(clean)?.groups?.['what']
  return what === undefined || /^(?:no|nope|nah|not|never|um|well|god|honestly|i|oh|still)\b/i.test(what)
    ? null
    : what.toLowerCase()
}

/** A "not" of the clinician's is theirs: in their words, and no denial of the client's. */
const rateOf = (client: string, what: string): string => {
  const at = what.search(/\bnot\b/)
  return at < 0 ? `${client} rated ${what} at` : `rated ${what.slice(0, at)}"${what.slice(at)}" at`
}

/** A number alone says nothing: without what it rates it is left to the transcript. */
const wordRating = (
  lead: string | null,
  items: readonly number[],
  { rating, more }: NonNullable<ReturnType<typeof findRating>>,
): Wording | null => {
  const isBound = /^(?:when|if|because|now|at|by|before|after|with)\b/i.test(more)
  return lead === null
    ? null
    : { ...plain(isBound ? `${lead} ${rating} ${more}` : joinRest(`${lead} ${rating}`, more)), items }
}

/** "How do you feel about that?" – "In the little nervous": no answer to such a question begins so; it was misheard. */
const misfits = (indirect: string, rest: string): boolean =>
  /^how (?:they|it|that|this)\b.*\b(?:feel|feels|felt|is|was|are|were)\b/i.test(indirect) &&
  /^(?:in|of|to|by|at|on|for) (?:a|the) \w+/i.test(rest)

const quoteAnswer = ({ said, clean }: Spoken, names: NameHider): string | null => {
  const words = said.replace(/[.!?…]+$/, '').replace(/["“”]/g, '')
  return countWords(clean) > quoteWordsMax || names.hide(words) !== words ? null : words
}

/** "How's sleep?" – a heading says it shorter than the question. Only a word that was said is one. */
const labelOf = (question: string): string | null => {
  const match =
    /\b(sleep|appetite|mood|energy|anxiety|alcohol|cannabis|concentration|motivation)(?:ing)?\b/i.exec(
      question,
    )
  return match === null ||
    /\b(?:when|why|where|who|last|to (?:help you )?sleep|tak(?:e|ing))\b/i.test(question)
    ? null
    : (match[1] ?? '').toLowerCase()
}

/** Questions that only hand over the word. */
export const asksNothing =
  /^(?:(?:so|and|okay|but|then|well|now)[, ]+)*(?:what else|what (?:happened|changed)|what's (?:going on|different|been|up|on your)|what do you (?:notice|see|make|think(?=\W*$| (?:about|of|now|when|happen\w*)\b))|how (?:was|is|did|does|'s) (?:that|it|this)\b|how's (?:it|that|everything)|what (?:was|is) (?:that|it) like|what's that like|how come|why|tell me|how are (?:you|things)|how have (?:you|things) been|like what|what comes up|say more|can you say more|what are you noticing)\b/i

/** An answer of so many words of its own needs no question: fewer where it was a yes or no that was asked for. */
const speaksForItself = (rest: string, isOpen: boolean): boolean =>
  tokenizeWords(rest).filter(({ lower }) => isContentWord(lower)).length >= (isOpen ? 6 : 3) &&
  !/^(?:that|in|on|at|with|for|to|because|if|when)\b/i.test(rest)

const withoutStop = (clean: string, isInside: boolean): string => {
  const text = clean.replace(/[.!?…]+$/, '')
  const isNamed =
    capitalOf(text) !== null || startsWithName(text) || isUncommon(text) || /^(?:I\b|[A-Z]{2})/.test(text)
  return isInside && !isNamed ? text.charAt(0).toLowerCase() + text.slice(1) : text
}

/** "Sweats, teeth problems?" – "No sweats.": of several things the one that was denied, and no other. */
const denyOnly = (matter: string, rest: string | null): string | null => {
  const denied = /^no (?<what>[a-z]+(?: [a-z]+)?)$/i.exec(rest ?? '')?.groups?.['what']?.toLowerCase()
  const asked = matter.toLowerCase()
  const isOneOfMore =
    denied !== undefined &&
    asked.includes(denied) &&
    countWords(asked) > countWords(denied) &&
    !asked.endsWith(denied)
  return isOneOfMore ? denied : null
}

/** "No. No rash.": what is said again after a denial adds nothing. */
const restOfDenial = (matter: string, rest: string | null): string | null => {
  const again = /^no (?<what>\w+)$/i.exec(rest ?? '')?.groups?.['what']
  return again !== undefined && matter.toLowerCase().includes(again.toLowerCase()) ? null : rest
}

const plain = (text: string): { text: string; frame: null } => ({ text, frame: null })

const joinRest = (text: string, rest: string | null): string =>
  rest === null || rest === '' ? text : `${text} (${rest})`
