import { expandContractions } from '../../text/expand-contractions.js'
import { countWords } from '../../text/tokenize-words.js'
import { ofClient } from '../statement/clinician-wording.js'

/** Where the question begins that a goal is told for. */
const asksAfter =
  /[,.]? (?:(?:so|and|okay) )?(?:where (?:are|did) (?:we|you)|how (?:is|did|has|was|are|do)|what (?:happened|got)|did you|are we|is that|does that|shall we|do you|should we)\b.*$|[?.!\s]+$/i

const named =
  /\b(?:the|your|our) (?:goal|objective|target)(?: was| is| has been)?(?<link>,? (?:at|of|to|for)|:|,)? (?<what>.+)$/i

/** "Last time we had the goal at thirty days, where are we": the goal that a question is about. */
export const readGoalAsked = (question: string): string | null => {
  const told = expandContractions(question).replace(asksAfter, '')
  const found = named.exec(told)?.groups
  const what = found?.['what'] ?? ''
  if (countWords(what) < 2 || /^(?:that|it|this|these|we|you|for|still|right|okay)\b/i.test(what)) return null
  if (found?.['link'] === undefined && !/^(?:was|is)\b/i.test(what)) return null
  const link = /^,? to$/i.test(found?.['link'] ?? '') ? 'to ' : ''
  return `goal: ${link}${ofClient(what)}`
}
