import { hasNegation } from '../../text/find-negation.js'
import { countWords } from '../../text/tokenize-words.js'
import { clipTo, findQuote, hadBefore, openingWords, quoteWordsMax } from './find-risk-quote.js'
import type { NameHider } from '../talk/hide-names.js'
import { labels, matterOfPast } from './name-risk-matter.js'
import { howOften, readRiskAnswer } from './read-risk-answer.js'
import type { Spoken } from '../talk/read-session.js'
import type { RiskState } from './risk-finding.js'
import { active, findUnwanted, passive, past, thoughtOfIt, type RiskElement } from '../talk/risk-words.js'

const deniedThing =
  /^\W*(?:no\W+)?(?:no|there(?:'s| is| are) no|(?:I|we) have no|(?:I|we) (?:don't|do not) (?:have|own|keep)(?: an?| any)?) (?<one>[a-z]+)\b/i

/** "No guns. My husband has some Vicodin.": of two things that were asked, the one that is denied. */
const namesOne = (matter: string, said: string): string => {
  const one = deniedThing.exec(said.replaceAll('’', "'"))?.groups?.['one']?.toLowerCase()
  const asked = matter.toLowerCase()
  if (one === undefined || !/ or /.test(asked) || !asked.includes(one)) return matter
  return asked.includes(`a ${one}`) ? `a ${one}` : one
}

/** "No. My brother did.": somebody else's story, which the reader should know. */
const relative =
  /\bmy (?:\w+ )?(?:brother|sister|mother|mom|father|dad|son|daughter|husband|wife|uncle|aunt|cousin|friend|grand\w+)\b.{0,20}\b(?:did|died|has|killed|tried)\b/i

export interface Finding {
  text: string | null
  state: RiskState
  isPassive?: boolean
  orders: readonly number[]
}

export const wordFinding = (
  element: RiskElement,
  matter: string,
  answers: readonly Spoken[],
  names: NameHider,
): Finding => {
  const said = answers.map((spoken) => spoken.said).join(' ')
  const client = answers[0]?.role === 'client' ? 'client' : 'a participant'
  const answer = readRiskAnswer(said, element)
  const quote = findQuote(answers, names)
  const opening = answer === 'unclear' || howOften.test(said) ? openingWords(answers, names) : null
  const quoted = quote === null ? '' : ` ("${opening ?? quote.text}")`
  const orders = answers
    .slice(0, 1)
    .map(({ order }) => order)
    .concat(quote === null ? [] : [quote.order])
  if (answer === 'no') {
    const isFirm =
      quote !== null && countWords(quote.text) > 2 && !/^no\b/i.test(quote.text) && hasNegation(quote.text)
    const isHistory = quote !== null && (past.test(quote.text) || hadBefore.test(quote.text))
    const isQuoted = isFirm || isHistory
    const denied = namesOne(matter, said)
    const ofRelative = answers.find((spoken) => relative.test(spoken.said))?.said.replace(/[.!?…"]+$/, '')
    if (
      ofRelative !== undefined &&
      names.hide(ofRelative) === ofRelative &&
      countWords(ofRelative) <= quoteWordsMax
    )
      return { text: `${client} denied ${denied} when asked ("${ofRelative}")`, state: 'denied', orders }
    return {
      text: `${client} denied ${denied} when asked${isQuoted ? quoted : ''}`,
      state: 'denied',
      // What was added and is not quoted may stand by itself: "I've got a grandchild coming."
      orders: [
        ...(isQuoted ? orders : orders.slice(0, 1)),
        ...answers
          .filter(({ clean }) => countWords(clean) < 4 || saysNoAgain.test(clean))
          .map(({ order }) => order),
      ],
    }
  }
  // Two things were asked at once, and one of them was answered.
  if (/\b(?:the )?(?:first|second|former|latter|other) (?:one|part)\b/i.test(said) && quote !== null)
    return {
      text: `asked about ${matter}, ${client} responded, "${quote.text}"`,
      state: 'endorsed',
      isPassive: passive.test(matter),
      orders,
    }
  const unwanted = answers.map(({ clean }) => findUnwanted(clean)).find((what) => what !== null)
  if (answer === 'other' && unwanted !== undefined)
    return {
      text: `${client} denied ${unwanted} when asked`,
      state: 'denied',
      orders: [
        ...orders.slice(0, 1),
        ...answers.filter(({ clean }) => findUnwanted(clean) !== null).map(({ order }) => order),
      ],
    }
  const told = answers.find((spoken) => thoughtOfIt.test(spoken.said))
  if (answer === 'other' && told !== undefined) {
    const words = clipTo(told.said, thoughtOfIt)
    return names.hide(words) === words
      ? {
          text: `asked about ${matter}, ${client} responded, "${words}"`,
          state: 'endorsed',
          orders: [...orders, told.order],
        }
      : { text: `${client} endorsed ${matter}`, state: 'endorsed', orders }
  }
  const isHistorical =
    past.test(said) &&
    !/\b(?:now|still|lately|this week|today)\b/i.test(
      said.replace(/\b(?:not|n't|no longer)(?: \w+)? (?:now|lately|this week|today)\b/gi, ''),
    )
  if (element === 'means' && answer === 'other') return { text: null, state: 'told', orders: [] }
  if (isHistorical && answer !== 'unclear' && (answer === 'yes' || isOfThatTime(quote?.text ?? '')))
    return {
      text: `${client} reported past ${namesPast(element, matter) ? matter : matterOfPast(element)}${quoted}`,
      state: 'past',
      orders,
    }
  if (
    answer === 'yes' ||
    (answer === 'other' &&
      (passive.test(said) ||
        active.test(said) ||
        (countWords(said) <= shortAnswerWords &&
          /\b(?:times|every|once|twice|often|days|nights)\b/i.test(said))))
  ) {
    const isPassive = element === 'suicidal_ideation' && passive.test(said) && !active.test(said)
    return {
      text: `${client} endorsed ${isPassive ? 'passive suicidal ideation' : matter}${quoted}`,
      state: 'endorsed',
      isPassive,
      orders,
    }
  }
  if (
    answer === 'other' &&
    quote !== null &&
    element !== 'suicidal_ideation' &&
    element !== 'homicidal_ideation'
  )
    return { text: `asked about ${matter}, ${client} responded, "${quote.text}"`, state: 'told', orders }
  return {
    text: `asked about ${matter}, ${client} gave an unclear response${quoted}; clinician review required`,
    state: 'unclear',
    orders,
  }
}

/** "No, I'm tired, I'm not, no." */
const saysNoAgain = /^no\b.*\bno\W*$/i

/** An answer that says neither yes nor no tells of the past only if it speaks of the thing asked. */
const isOfThatTime = (quote: string): boolean =>
  past.test(quote) &&
  /\b(?:thought|think|thoughts|tried|suicid\w*|kill|wanted|took|hurt|cut|scratch\w*|it)\b/i.test(quote)

/** The matter stands in a statement of the clinician: only the client's own words tell of it. */
export const wordTold = (element: RiskElement, answers: readonly Spoken[], names: NameHider): Finding => {
  const quote = findQuote(answers, names)
  if (quote === null || countWords(quote.text) < 4) return { text: null, state: 'told', orders: [] }
  return {
    text: `asked about ${labels[element]}, ${answers[0]?.role === 'client' ? 'client' : 'a participant'} responded, "${quote.text}"`,
    state: 'told',
    orders: [quote.order],
  }
}

/** Of a wish or of harm no more is told than was asked: neither is all of suicidal ideation. */
const namesPast = (element: RiskElement, matter: string): boolean =>
  element === 'homicidal_ideation' ||
  (element === 'suicidal_ideation' && !/\bsuicid|\bkill|\bend(?:ing)? /i.test(matter))

/** "Every night." answers how it is; a longer sentence with "every" in it may be about anything. */
const shortAnswerWords = 6
