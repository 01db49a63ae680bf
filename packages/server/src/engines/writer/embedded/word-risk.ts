import { hasNegation } from '../text/find-negation.js'
import { countWords } from '../text/tokenize-words.js'
import { asList, deniable, readAsked } from './ask-indirectly.js'
import type { NameHider } from './hide-names.js'
import { howOften, readRiskAnswer } from './read-risk-answer.js'
import type { Spoken } from './read-session.js'
import {
  active,
  findUnwanted,
  passive,
  past,
  thoughtOfIt,
  wishesNotToLive,
  type RiskElement,
} from './risk-words.js'
import { isMachineTalk } from './topics.js'

/** Rule table 1.5 of the clinical sheet; `told` is quoted, and for the reader to judge. */
export type RiskState = 'denied' | 'endorsed' | 'past' | 'unclear' | 'told'

export const labels: Readonly<Record<RiskElement, string>> = {
  suicidal_ideation: 'suicidal ideation',
  past_attempts: 'past suicide attempts',
  homicidal_ideation: 'thoughts of hurting someone',
  nssi: 'self-harm',
  means: 'access to firearms',
  plan: 'a plan',
  intent: 'intent',
}

/** The question's own words wherever they can be had, so that no more is denied than was asked. */
export const nameMatter = (
  element: RiskElement,
  question: Spoken,
  answers: readonly Spoken[],
  names: NameHider,
): string => {
  const own = answers
    .map(({ clean }) => /\bI (?:don't|do not) have (?:a |any )?(plan|intent\w*)/i.exec(clean)?.[1])
    .find((word) => word !== undefined)
  if (own !== undefined && (element === 'plan' || element === 'intent'))
    return own.toLowerCase() === 'plan' ? 'having a plan' : `having ${own.toLowerCase()}`
  const would =
    /\bwould you (?:ever )?(?<act>hurt|harm|kill) (?<whom>yourself|anyone|someone|somebody|anybody)\b/i.exec(
      question.clean,
    )?.groups
  // Whether they would is no question of whether they did.
  if (would !== undefined)
    return `that they would ${would['act'] ?? ''} ${(would['whom'] ?? '').replace('yourself', 'themselves')}`
  const matter = readAsked(names.hide(question.clean)).matter
  const asked = matter === null ? null : asList(deniable(matter.replace(/, any\b/, ' or any')))
  return asked !== null && countWords(asked) <= matterWordsMax && !/\b(?:that|those|it)$/i.test(asked)
    ? asked.replace(/^(?=(?:wish|urge|desire|intent\w*|plan)\b)/i, 'any ')
    : (ownWords(element, question.clean) ?? labels[element])
}

/** Two things that were asked in one breath take as many. */
const matterWordsMax = 18

/** Deny only what was asked: thoughts of killing oneself are not all of suicidal ideation. */
const ownWords = (element: RiskElement, question: string): string | null => {
  if (element !== 'suicidal_ideation') return null
  const told = ownWording.find(([pattern]) => pattern.test(question))
  if (told !== undefined && !/\bsuicid/i.test(question)) return told[1]
  const verb = /\b(kill|hurt|harm|end)(?:ing)? (yourself|your (?:own )?life|it all)/i.exec(question)
  if (verb === null) return /\bsuicid/i.test(question) ? 'thoughts of suicide' : null
  const whom = (verb[2] ?? '').toLowerCase().replace('yourself', 'themselves').replace('your', 'their')
  return `thoughts of ${(verb[1] ?? '').toLowerCase()}ing ${whom}`
}

const ownWording: readonly (readonly [RegExp, string])[] = [
  [/\bwant(?:ing|ed)? to die\b/i, 'wanting to die'],
  [/\bwant(?:ing|ed)? to be dead\b/i, 'wanting to be dead'],
  [/\bbetter off dead\b/i, 'thoughts of being better off dead'],
  [/\blife(?:'s| is| was)?(?:n't| not) worth it\b/i, 'thoughts that life is not worth it'],
  [/\blife(?:'s| is| was)?(?:n't| not) worth living\b/i, 'thoughts that life is not worth living'],
]

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

export const matterOfPast = (element: RiskElement): string =>
  element === 'suicidal_ideation' ? 'suicidal thoughts' : labels[element].replace(/^past /, '')

/** "Every night." answers how it is; a longer sentence with "every" in it may be about anything. */
const shortAnswerWords = 6

/** "I had that in the spring", "I haven't had that since": what is denied now was so once. */
const hadBefore = /\b(?:had|felt|thought) (?:that|it|those|them|like that)\b|n't\b.*\bsince\b/i

/** As long as a quote may be (clinical style), and as short as it may be without losing its sense. */
const quoteWordsMax = 15

/** The words up to and with what tells, as many as a quote may have. */
export const clipTo = (said: string, telling: RegExp): string => {
  const match = telling.exec(said)
  const end = match === null ? said.length : match.index + match[0].length
  return said.slice(0, end).split(' ').slice(-quoteWordsMax).join(' ').replaceAll('"', "'")
}

/** An evasive answer is best known by how it begins. */
const openingWords = (answers: readonly Spoken[], names: NameHider): string | null => {
  let text = ''
  for (const { said } of answers) {
    const longer = `${text} ${said}`.trim()
    if (countWords(longer) > quoteWordsMax || names.hide(longer) !== longer) break
    text = longer
  }
  return text === '' ? null : text.replace(/[.!?…"]+$/g, '').replaceAll('"', "'")
}

/** Of a sentence that is too long to be quoted, the words in which the wish is said; "but" and what follows is no part of them. */
const clipLong = (said: string): string => {
  if (countWords(said) <= quoteWordsMax) return said
  const wish = new RegExp(
    `(?:${[wishesNotToLive, passive, active].map(({ source }) => source).join('|')})`,
    'gi',
  )
  const last = [...said.matchAll(wish)].at(-1)
  return last === undefined ? said : clipTo(said, new RegExp(`^.{${last.index + last[0].length}}`, 's'))
}

export const findQuote = (
  answers: readonly Spoken[],
  names: NameHider,
): { text: string; order: number } | null => {
  const candidates = answers
    .map(({ said, order }) => ({
      text: clipLong(said)
        .replace(/[.!?…"]+$/g, '')
        .replaceAll('"', "'")
        .trim(),
      order,
    }))
    .filter(
      ({ text }) => names.hide(text) === text && countWords(text) <= quoteWordsMax && !isMachineTalk(text),
    )
  const weight = ({ text }: { text: string }): number =>
    (past.test(text) || hadBefore.test(text) ? 8 : 0) +
    (/^but\b/i.test(text) ? -4 : 0) +
    (passive.test(text) || active.test(text) || thoughtOfIt.test(text) ? 6 : 0) +
    (/\bI (?:took|tried|cut|jumped|hung|hanged|overdosed|shot)\b/i.test(text) ? 5 : 0) +
    (/\bI\b/.test(text) ? 3 : 0) +
    Math.min(countWords(text), 6) / 3
  return candidates.toSorted((a, b) => weight(b) - weight(a) || a.order - b.order).at(0) ?? null
}
