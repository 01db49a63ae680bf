import { findNumbers } from '../text/find-numbers.js'
import { tokenizeWords } from '../text/tokenize-words.js'
import type { Session } from './read-session.js'
import type { Statement } from './statement.js'

/** "Phone in the kitchen at eleven." – "Eleven thirty." – "Eleven thirty.": what stands is what both said in the end. */
export const settlePlans = (statements: readonly Statement[], session: Session): Statement[] => {
  const settled = [...statements]
  for (const [at, plan] of statements.entries()) {
    const item = plan.items.at(-1) ?? 0
    const wanted = plan.kind === 'plan' && isLastOfTurn(statements, at) ? findAgreed(item, session) : null
    const number = lastNumber(plan.text)
    if (wanted === null || number === null || number.text === wanted.toLowerCase()) continue
    settled[at] = {
      ...plan,
      text: plan.text.slice(0, number.start) + wanted.toLowerCase() + plan.text.slice(number.end),
      items: [...plan.items, item + 1, item + 2],
    }
  }
  return settled.filter(
    ({ kind, text, items }) =>
      kind !== 'intent' ||
      !/^client proposed\b/.test(text) ||
      !settled.some((plan) => plan.kind === 'plan' && plan.items.includes(items.at(-1) ?? 0)),
  )
}

/** A number is held against the last one that was named. */
const isLastOfTurn = (statements: readonly Statement[], at: number): boolean => {
  const item = statements[at]?.items.at(-1)
  return !statements
    .slice(at + 1)
    .some(({ kind, items, text }) => kind === 'plan' && items.at(-1) === item && lastNumber(text) !== null)
}

const counter =
  /^(?:(?:ugh|okay|no|well|um|but|how about|what about|make it|maybe|more like|can we (?:do|say|make it)|could we (?:do|say|make it))[, ]+)*(?<wanted>[a-z0-9: -]+?)[?.!]*$/i

/** A number that the client answers a plan with, and the clinician says back. */
const findAgreed = (item: number, { sentences }: Session): string | null => {
  const wanted = sentences
    .filter((spoken) => spoken.item === item + 1 && spoken.role === 'client')
    .map(({ clean }) => counter.exec(clean)?.groups?.['wanted'] ?? '')
    .find((words) => isNumber(words))
  const reply = sentences.find(
    (spoken) => spoken.item === item + 2 && spoken.opensTurn && spoken.role === 'clinician',
  )
  return wanted !== undefined && reply?.clean.toLowerCase().includes(wanted.toLowerCase()) === true
    ? wanted
    : null
}

const isNumber = (words: string): boolean => {
  const number = lastNumber(words)
  return number !== null && number.start === 0 && number.end === words.length
}

const lastNumber = (text: string): { text: string; start: number; end: number } | null => {
  const tokens = tokenizeWords(text)
  const number = findNumbers(tokens).at(-1)
  const [first, last] = [tokens[number?.firstToken ?? -1], tokens[number?.lastToken ?? -1]]
  return first === undefined || last === undefined
    ? null
    : { text: text.slice(first.start, last.end).toLowerCase(), start: first.start, end: last.end }
}
