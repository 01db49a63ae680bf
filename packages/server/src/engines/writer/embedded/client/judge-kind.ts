import type { Gathering } from '../statement/gathering.js'
import { findNumbers } from '../../text/find-numbers.js'
import { tokenizeWords } from '../../text/tokenize-words.js'
import { isAnaphoric, isFullClause } from '../talk/clause-shape.js'
import type { Wording } from '../statement/wording.js'
import type { Spoken } from '../talk/read-session.js'
import { isResponseTo } from './read-response.js'
import { isRiskQuestion } from '../talk/risk-words.js'
import type { Statement, StatementKind } from '../statement/statement.js'
import { complaintQuestion, type Topic } from '../talk/topics.js'

/** What a sentence of the client is in a note: a report, a response, a goal, an intention, or part of the risk. */
export const judgeKind = (
  { risk, intervention, session, statements }: Gathering,
  spoken: Spoken,
  topics: readonly Topic[],
  wording: Wording,
): StatementKind => {
  // Why somebody came is told before anything was done about it.
  const isComplaint = spoken.question !== null && complaintQuestion.test(spoken.question.clean)
  const isResponse = isResponseTo(intervention, spoken) && !isComplaint
  const isIntent = !/\bcry\b/i.test(spoken.clean) && statesIntent(spoken, session.sentences.length)
  if (risk.isWithinRisk(spoken) && !isResponse) return isIntent ? 'intent' : 'risk'
  if (spoken.question !== null && isRiskQuestion(spoken.question.clean)) return 'risk'
  if (isIntent || repliesToPlan(statements, spoken, wording)) return 'intent'
  const asked = (spoken.question ?? spoken.open)?.clean ?? ''
  const isGoal =
    topics.includes('goal') &&
    (/\bI (?:want|would like|'d like|hope)\b/i.test(spoken.clean) || asked !== '') &&
    !complaintQuestion.test(asked)
  if (isGoal && !/\btreatment plan|where are we\b/i.test(asked)) return 'goal'
  return isResponse ? 'response' : 'report'
}

/** "Phone in the kitchen at eleven." – "Eleven thirty.": a number that is held against the one of a plan. */
const repliesToPlan = (
  statements: readonly Statement[],
  { clean, item }: Spoken,
  { text, frame }: Wording,
): boolean =>
  frame === null &&
  findNumbers(tokenizeWords(text)).length > 0 &&
  !isFullClause(clean) &&
  statements
    .slice(-planReach)
    .some(({ kind, items }) => (kind === 'plan' || kind === 'order') && items.at(-1) === item - 1)

/** Statements of one turn that are looked at. */
const planReach = 6

const statesIntent = ({ clean, order }: Spoken, sentences: number): boolean =>
  (/^I (?:can|could) (?:ask|call|try|walk|go|do|text|talk)\b/i.test(clean) && order > sentences * 0.5) ||
  /^I(?:'ll| will|'m going to| am going to|'m gonna| plan to) (?!work\b|school\b|church\b|bed\b|college\b|class\b|therapy\b|the\b|a\b|my\b|meetings\b|be\b|never\b|not\b|say\b|have\b|lose\b|die\b|tell you)/i.test(
    clean,
  )

export const asIntent = (spoken: Spoken, wording: Wording): Wording => {
  const will = /^they (?:will|are going to|plan to) (.+)$/.exec(wording.text)
  const subject = spoken.role === 'client' ? 'client' : 'a participant'
  const reply = /^(?:asked .+, )?client reported (?<words>[^;(]+)$/.exec(wording.text)?.groups?.['words']
  if (reply !== undefined) return { ...wording, frame: null, text: `${subject} proposed ${reply}` }
  return will === null || wording.frame === null
    ? wording
    : { ...wording, frame: null, text: `${subject} plans to ${will[1] ?? ''}` }
}

/** "That calmed me down" after an exercise: what "that" is stands in the sentence before. */
export const asResponse = ({ intervention }: Gathering, spoken: Spoken, wording: Wording): Wording => {
  if (wording.frame === null || !isAnaphoric(spoken.clean) || intervention === null) return wording
  const subject = spoken.role === 'client' ? 'client' : 'a participant'
  const text = wording.text.replace(
    /^(?:it|that|this)\b(?! (?:I|they|he|she|it|there|their|nobody|everyone|the|a|if|when)\b)/i,
    'this',
  )
  return {
    text: `in response, ${subject} reported ${text}`,
    frame: null,
    items: [...intervention.items, ...wording.items],
  }
}
