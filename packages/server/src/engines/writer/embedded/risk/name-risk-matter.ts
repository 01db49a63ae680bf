import { countWords } from '../../text/tokenize-words.js'
import { asList, deniable, readAsked } from '../talk/ask-indirectly.js'
import type { NameHider } from '../talk/hide-names.js'
import type { Spoken } from '../talk/read-session.js'
import type { RiskElement } from '../talk/risk-words.js'

export const labels: Readonly<Record<RiskElement, string>> = {
  suicidal_ideation: 'suicidal ideation',
  past_attempts: 'past suicide attempts',
  homicidal_ideation: 'thoughts of hurting someone',
  nssi: 'self-harm',
  means: 'access to firearms',
  plan: 'a plan',
  intent: 'intent',
}

export const matterOfPast = (element: RiskElement): string =>
  element === 'suicidal_ideation' ? 'suicidal thoughts' : labels[element].replace(/^past /, '')

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
