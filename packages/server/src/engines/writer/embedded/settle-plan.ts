import { findNumbers } from '../text/find-numbers.js'
import { tokenizeWords } from '../text/tokenize-words.js'
import type { Session } from './read-session.js'
import type { Statement } from './statement.js'

/** "Phone in the kitchen at eleven." – "Eleven thirty." – "Eleven thirty.": what stands is what both said in the end. */
export const settlePlans = (statements: readonly Statement[], session: Session): Statement[] => {
  const settled = [...statements]
  for (const reply of statements) {
    const wanted = /^client proposed (?<wanted>[\w -]+)$/.exec(reply.text)?.groups?.['wanted']
    const item = reply.items.at(-1) ?? 0
    if (reply.kind !== 'intent' || wanted === undefined || !isSaidBack(wanted, item, session)) continue
    const at = settled.findLastIndex(
      ({ kind, items, text }) => kind === 'plan' && items.at(-1) === item - 1 && lastNumber(text) !== null,
    )
    const plan = settled[at]
    if (plan === undefined) continue
    settled[at] = {
      ...plan,
      text: replaceLastNumber(plan.text, wanted),
      items: [...plan.items, item, item + 1],
    }
    settled.splice(settled.indexOf(reply), 1)
  }
  return settled
}

const isSaidBack = (wanted: string, item: number, { sentences }: Session): boolean =>
  sentences.some(
    (spoken) =>
      spoken.role === 'clinician' &&
      spoken.item === item + 1 &&
      spoken.opensTurn &&
      spoken.clean.toLowerCase().includes(wanted.toLowerCase()),
  )

const lastNumber = (text: string): { start: number; end: number } | null => {
  const tokens = tokenizeWords(text)
  const number = findNumbers(tokens).at(-1)
  const [first, last] = [tokens[number?.firstToken ?? -1], tokens[number?.lastToken ?? -1]]
  return first === undefined || last === undefined ? null : { start: first.start, end: last.end }
}

const replaceLastNumber = (text: string, wanted: string): string => {
  const number = lastNumber(text)
  return number === null ? text : text.slice(0, number.start) + wanted + text.slice(number.end)
}
