import { hasNegation } from '../../text/find-negation.js'
import { clipTo, findQuote } from './find-risk-quote.js'
import type { NameHider } from '../talk/hide-names.js'
import { labels, matterOfPast } from './name-risk-matter.js'
import type { Spoken } from '../talk/read-session.js'
import { toRiskStatement, type RiskFinding, type RiskState } from './risk-finding.js'
import {
  active,
  doubled,
  figure,
  findUnwanted,
  isAboutAnother,
  ofOthers,
  ofSelf,
  ownAttempt,
  ownIntent,
  ownPlan,
  passive,
  past,
  type RiskElement,
} from '../talk/risk-words.js'

/**
 * What the client says of their own accord, in talk that is near danger or not, and what they add to it: a denial is only
 * one if it is plain.
 */
export const readVolunteered = (
  spoken: Spoken,
  { isNear, added }: { isNear: boolean; added: string },
  names: NameHider,
): RiskFinding | null => {
  if (spoken.asks || isAboutAnother(spoken.clean)) return null
  const found = findVolunteered(spoken, isNear)
  if (found === null) return null
  const { text, state, isPassive = false } = wordVolunteered(spoken, { ...found, added }, names)
  return {
    statement: toRiskStatement(text, spoken.order, [spoken.item], spoken.role),
    orders: [spoken.order],
    element: found.element,
    state,
    isPassive,
    said: spoken.said,
  }
}

interface Volunteered {
  element: RiskElement
  pattern: RegExp
}

/** A plan or an intent is only one where danger is being talked about: letters are written for many reasons. */
const findVolunteered = ({ said }: Spoken, isNear: boolean): Volunteered | null => {
  if (figure.test(said) && !active.test(said)) return null
  if ((isNear || ofSelf.test(said)) && ownIntent.test(said)) return { element: 'intent', pattern: ownIntent }
  if (isNear && ownPlan.test(said)) return { element: 'plan', pattern: ownPlan }
  if (ownAttempt.test(said)) return { element: 'past_attempts', pattern: ownAttempt }
  if (ofSelf.test(said)) {
    const isNssi = /\b(?:cut|cutting|self.?harm)\b/i.test(said)
    return { element: isNssi ? 'nssi' : 'suicidal_ideation', pattern: ofSelf }
  }
  return ofOthers.test(said) ? { element: 'homicidal_ideation', pattern: ofOthers } : null
}

const wordVolunteered = (
  spoken: Spoken,
  { element, pattern, added }: Volunteered & { added: string },
  names: NameHider,
): { text: string; state: RiskState; isPassive?: boolean } => {
  const { said, clean } = spoken
  const client = spoken.role === 'client' ? 'client' : 'a participant'
  if (/\b(?:I'm|I am) not suicidal\b/i.test(said) && !doubled.test(said))
    return { text: `${client} denied being suicidal`, state: 'denied' }
  const unwanted = findUnwanted(clean)
  if (unwanted !== null) return { text: `${client} denied ${unwanted}`, state: 'denied' }
  const words = findQuote([spoken], names)?.text ?? clipTo(said, pattern)
  const quote = names.hide(words) === words ? words : null
  if (
    /\bI(?:'d| would|'ll| will) never (?:hurt|harm|kill)\b/i.test(said) &&
    !/\bbut\b/i.test(said) &&
    quote !== null
  )
    return { text: `${client} stated, "${quote}"`, state: 'denied' }
  const isPassive = passive.test(said) && !active.test(said)
  // "I took a bottle of Advil" says what was done, and not why.
  if (past.test(`${said} ${added}`) && element === 'past_attempts' && quote !== null)
    return { text: `${client} stated, "${quote}"`, state: 'past' }
  if (past.test(said))
    return { text: withQuote(`${client} reported past ${matterOfPast(element)}`, quote), state: 'past' }
  const isPlain =
    !hasNegation(said.replace(/(?:n't|not) (?:wake up|be here|want to live)/gi, '')) &&
    !/\b(?:if|would|joke|kidding|never|movie|song|book)\b|be better off(?! dead| without me)/i.test(
      said.replace(/would be easier|would be better/gi, ''),
    )
  const isIdeation = element === 'suicidal_ideation' || element === 'nssi'
  if (isPlain && isIdeation && !/\bwanted to die\b/i.test(said)) {
    const what = isPassive
      ? 'passive suicidal ideation'
      : element === 'nssi'
        ? 'self-harm'
        : 'suicidal thoughts'
    return { text: withQuote(`${client} endorsed ${what}`, quote), state: 'endorsed', isPassive }
  }
  const told = quote === null ? `${client} spoke of ${labels[element]}` : `${client} stated, "${quote}"`
  return {
    text: `${told}; clinician review required`,
    state: isPlain && !isIdeation ? 'endorsed' : 'unclear',
  }
}

const withQuote = (text: string, quote: string | null): string =>
  quote === null ? text : `${text} ("${quote}")`
