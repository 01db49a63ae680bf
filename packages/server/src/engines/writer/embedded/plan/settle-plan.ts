import { findNumbers } from '../../text/find-numbers.js'
import { tokenizeWords } from '../../text/tokenize-words.js'
import type { Session } from '../talk/read-session.js'
import type { Statement } from '../statement/statement.js'

/** "Phone in the kitchen at eleven." – "Eleven thirty." – "Eleven thirty.": what stands is what both said in the end. */
export const settlePlans = (statements: readonly Statement[], session: Session): Statement[] => {
  const agreed = findAgreed(session)
  if (agreed.size === 0) return [...statements]
  const settled = [...statements]
  const replied = new Set<number>()
  for (const [item, wanted] of agreed) {
    // A number is held against the last one that was named.
    const at = settled.findLastIndex(
      ({ kind, items, text }) => kind === 'plan' && items.at(-1) === item && lastNumber(text) !== null,
    )
    const plan = settled[at]
    const number = lastNumber(plan?.text ?? '')
    if (plan === undefined || number === null || number.text === wanted) continue
    settled[at] = {
      ...plan,
      text: plan.text.slice(0, number.start) + wanted + plan.text.slice(number.end),
      items: [...plan.items, item + 1, item + 2],
    }
    replied.add(item + 1)
  }
  return settled.filter(
    ({ kind, text, items }) =>
      kind !== 'intent' || !text.startsWith('client proposed') || !replied.has(items.at(-1) ?? 0),
  )
}

const counter =
  /^(?:(?:ugh|okay|no|well|um|but|how about|what about|make it|maybe|more like|can we (?:do|say|make it)|could we (?:do|say|make it))[, ]+)*(?<wanted>[a-z0-9: -]{1,30}?)[?.!]*$/i

/** Numbers that a client answered the clinician with, and the clinician said back: by the item that was answered. */
const findAgreed = ({ sentences }: Session): Map<number, string> => {
  const wanted = new Map<number, string>()
  const agreed = new Map<number, string>()
  for (const { role, item, clean, opensTurn } of sentences) {
    const words = role === 'client' ? counter.exec(clean)?.groups?.['wanted'] : undefined
    if (words !== undefined && isNumber(words)) wanted.set(item - 1, words.toLowerCase())
    const before = role === 'clinician' && opensTurn ? wanted.get(item - 2) : undefined
    if (before !== undefined && clean.toLowerCase().includes(before)) agreed.set(item - 2, before)
  }
  return agreed
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
