import type { Gathering } from './gathering.js'
import { isAnaphoric, type Wording } from './report-client.js'
import type { Spoken } from './read-session.js'
import { isResponseTo } from './read-response.js'
import { isRiskQuestion } from './risk-words.js'
import type { StatementKind } from './statement.js'
import { complaintQuestion, type Topic } from './topics.js'

/** What a sentence of the client is in a note: a report, a response, a goal, an intention, or part of the risk. */
export const judgeKind = (
  { risk, intervention, session }: Gathering,
  spoken: Spoken,
  topics: readonly Topic[],
): StatementKind => {
  const isResponse = isResponseTo(intervention, spoken)
  const isIntent = !/\bcry\b/i.test(spoken.clean) && statesIntent(spoken, session.sentences.length)
  if (risk.isWithinRisk(spoken) && !isResponse) return isIntent ? 'intent' : 'risk'
  if (spoken.question !== null && isRiskQuestion(spoken.question.clean)) return 'risk'
  if (isIntent) return 'intent'
  const asked = (spoken.question ?? spoken.open)?.clean ?? ''
  const isGoal =
    topics.includes('goal') &&
    (/\bI (?:want|would like|'d like|hope)\b/i.test(spoken.clean) || asked !== '') &&
    !complaintQuestion.test(asked)
  if (isGoal && !/\btreatment plan|where are we\b/i.test(asked)) return 'goal'
  return isResponse ? 'response' : 'report'
}

const statesIntent = ({ clean, order }: Spoken, sentences: number): boolean =>
  (/^I (?:can|could) (?:ask|call|try|walk|go|do|text|talk)\b/i.test(clean) && order > sentences * 0.5) ||
  /^I(?:'ll| will|'m going to| am going to|'m gonna| plan to) (?!work\b|school\b|church\b|bed\b|college\b|class\b|therapy\b|the\b|a\b|my\b|meetings\b|be\b|never\b|not\b|say\b|have\b|lose\b|die\b|tell you)/i.test(
    clean,
  )

export const asIntent = (spoken: Spoken, wording: Wording): Wording => {
  const will = /^they (?:will|are going to|plan to) (.+)$/.exec(wording.text)
  const subject = spoken.role === 'client' ? 'client' : 'a participant'
  return will === null || wording.frame === null
    ? wording
    : { ...wording, frame: null, text: `${subject} plans to ${will[1] ?? ''}` }
}

/** "That calmed me down" after an exercise: what "that" is stands in the sentence before. */
export const asResponse = ({ intervention }: Gathering, spoken: Spoken, wording: Wording): Wording => {
  if (wording.frame === null || !isAnaphoric(spoken.clean) || intervention === null) return wording
  const subject = spoken.role === 'client' ? 'client' : 'a participant'
  const text = wording.text.replace(/^(?:it|that|this)\b/i, 'this')
  return {
    text: `in response, ${subject} reported ${text}`,
    frame: null,
    items: [...intervention.items, ...wording.items],
  }
}
