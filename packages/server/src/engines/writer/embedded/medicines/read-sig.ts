import { lowerFirst } from '../../text/report-speech.js'
import { findNumbers } from '../../text/find-numbers.js'
import { tokenizeWords, type WordToken } from '../../text/tokenize-words.js'

/** How much of a medicine is taken, and how, in the words that were said. */
export interface Sig {
  dose: string
  /** The dose in digits, for comparing. */
  amount: string
  /** "in the morning with breakfast"; empty where it was not said. */
  how: string
}

const unit = '(?:milligrams?|mg|micrograms?|mcg|grams?|units?|puffs?)'

const part = [
  '(?:once|twice|(?:one|two|three|four) times?)(?: (?:a|per|each) (?:day|night|week|month))?',
  '(?:a|per|each|every) (?:other )?(?:day|night|morning|evening|week|month)',
  'every (?:two|three|four|six|eight|twelve|\\d+) (?:hours|weeks|months)',
  'daily|nightly|weekly|monthly|as needed|when needed',
  '(?:at|before) (?:night|bed|bedtime)|in the (?:morning|evening|afternoon)s?',
  'with (?:breakfast|lunch|dinner|supper|food|meals)',
  'since (?:january|february|march|april|may|june|july|august|september|october|november|december|last \\w+|the (?:spring|summer|fall|winter))',
  'for (?:the |my |their )?(?!the\\b|my\\b|an?\\b|now\\b|about|like\\b|one\\b|two\\b|three\\b|four\\b|five\\b|six\\b|good\\b|it\\b|that\\b|me\\b|you\\b|years|months|weeks|ever\\b|some|sure)[a-z]+',
  'extended release|immediate release|XR|XL|SR|ER|CR',
].join('|')

const ofMedicine = new RegExp(`^(?: ${unit})?(?: of)?(?: the| my| your)? $`, 'i')
const amountTail = new RegExp(`^(?<half> and a half)?(?: ?${unit})?\\b`, 'i')

const nextPart = new RegExp(
  `^,?\\s*(?:(?:and|the|like|um|just|take it|I take it|one) )*?(?<part>(?:(?:two|three) )?(?:${part}))\\b`,
  'i',
)

/** How it is taken, from where its name or its dose ends. */
export const readHow = (text: string): string => {
  const parts: string[] = []
  for (let rest = text; ;) {
    const match = nextPart.exec(rest)
    const found = match?.groups?.['part']
    if (match === null || found === undefined) return parts.join(' ')
    parts.push(found.replace(/\b(?:my|your)\b/i, 'their'))
    rest = rest.slice(match[0].length)
  }
}

/** A number that counts days or pounds is no dose, nor is one that only rates. */
const countsOther =
  /^(?:weeks?|months?|days?|years?|hours?|times?|pounds|minutes|percent|nights?|mornings?|of the|out|more|less|in a row|or|things?|people|kids|doses?|pills?|point)$/

/** What may stand between a medicine and its dose. */
const between =
  /^(?:[\s,:]|'s|\b(?:is|was|at|on|the|an?|of|to|up|it's|that's|you're|you are|I'm|I am|we're|still|now|just|like|about|maybe|um|uh|I think|think|dose|taking|XR|XL|SR|ER|CR|extended release)\b)*$/i

/** "sixteen eight and eight": two numbers that are no one number may be any dose. */
const unclear = /^(?:ten|eleven|twelve|\w+teen) (?:one|two|three|four|five|six|seven|eight|nine)$/i

/** The dose that is said right behind a place in the text, and how it is taken. */
export const readSigBehind = (text: string): Sig | null => {
  const tokens = tokenizeWords(text)
  const number = findNumbers(tokens).find(({ text: said }) => !/^(?:once|twice|half|dozen)$/i.test(said))
  if (number === undefined) return null
  const first = tokens[number.firstToken]
  const last = tokens[number.lastToken]
  if (first === undefined || last === undefined || !between.test(text.slice(0, first.start))) return null
  return isCount(tokens, number.lastToken) || unclear.test(number.text)
    ? null
    : toSig(text, { start: first.start, end: last.end }, number)
}

/** "a hundred of Lamictal", "three milligrams of melatonin": a dose before its name has nothing but its unit between. */
export const readDoseBefore = (text: string): Sig | null => {
  const tokens = tokenizeWords(text)
  const number = findNumbers(tokens).at(-1)
  if (number === undefined) return null
  const first = tokens[number.firstToken]
  const last = tokens[number.lastToken]
  const rest = text.slice(last?.end)
  if (first === undefined || last === undefined) return null
  return ofMedicine.test(rest)
    ? { ...toSig(text, { start: first.start, end: last.end }, number), how: '' }
    : null
}

const isCount = (tokens: readonly WordToken[], last: number): boolean =>
  countsOther.test(tokens[last + 1]?.lower ?? '')

const toSig = (
  text: string,
  { start, end }: { start: number; end: number },
  number: { text: string; readings: readonly string[] },
): Sig => {
  const behind = amountTail.exec(text.slice(end))
  const added = behind?.[0] ?? ''
  const article = /^(?:hundred|thousand)\b/i.test(number.text) ? 'a ' : ''
  return {
    dose: `${article}${lowerFirst(text.slice(start, end))}${added}`,
    amount: `${number.readings[0] ?? ''}${behind?.groups?.['half'] === undefined ? '' : '.5'}`,
    how: readHow(text.slice(end + added.length)),
  }
}
