import { smallNumbers, tens } from './number-words.js'
import type { WordToken } from './tokenize-words.js'

export interface NumberMention {
  /** As said or written: "one fifty" stays "one fifty". */
  text: string
  firstToken: number
  lastToken: number
  /** What it may mean, in digits: "one fifty" is 150. Two mentions agree if they have a reading in common. */
  readings: readonly string[]
}

const multipliers = new Map([
  ['hundred', 100],
  ['thousand', 1000],
])
const singleWords = new Map([
  ['once', '1'],
  ['twice', '2'],
  ['half', '0.5'],
  ['dozen', '12'],
])

/** "one" is a number or a pronoun ("this one"): behind one of these words it is a pronoun. */
const beforePronounOne = new Set(
  'no this that which the any some another every each good bad new old first last only'.split(' '),
)
const afterPronounOne = new Set(['of', 'who', 'that', 'another', 'is', 'was'])

const isNumberWord = (lower: string): boolean =>
  smallNumbers.has(lower) || tens.has(lower) || multipliers.has(lower)

/** Numbers in digits and in words, in order. */
export const findNumbers = (tokens: readonly WordToken[]): NumberMention[] => {
  const mentions: NumberMention[] = []
  for (let index = 0; index < tokens.length; index++) {
    const mention = readDigits(tokens, index) ?? readWords(tokens, index)
    if (mention === null) continue
    mentions.push(mention)
    index = mention.lastToken
  }
  return mentions
}

const readDigits = (tokens: readonly WordToken[], index: number): NumberMention | null => {
  const token = tokens[index]
  if (token === undefined || !/^\d/.test(token.lower)) return null
  const digits = token.lower.replace(/,(?=\d{3})/g, '')
  const readings = digits.includes('/') ? [digits, ...digits.split('/')] : [digits]
  return {
    text: token.text,
    firstToken: index,
    lastToken: index,
    readings: readings.map(withoutTrailingZeros),
  }
}

function withoutTrailingZeros(digits: string): string {
  if (!/^\d+\.\d+$/.test(digits)) return digits
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, digits[end - 1] === '.' ? end - 1 : end)
}

const readWords = (tokens: readonly WordToken[], index: number): NumberMention | null => {
  const first = tokens[index]
  if (first === undefined) return null
  const single = singleWords.get(first.lower)
  if (single !== undefined) return mention(tokens, index, index, [single])
  if (!isNumberWord(first.lower) || isPronounOne(tokens, index)) return null
  let last = index
  while (continuesNumber(tokens, last)) last += 1
  const words = tokens.slice(index, last + 1).map((token) => token.lower)
  return mention(tokens, index, last, readingsOf(words))
}

const mention = (
  tokens: readonly WordToken[],
  firstToken: number,
  lastToken: number,
  readings: string[],
): NumberMention => ({
  text: tokens
    .slice(firstToken, lastToken + 1)
    .map((token) => token.text)
    .join(' '),
  firstToken,
  lastToken,
  readings,
})

const isPronounOne = (tokens: readonly WordToken[], index: number): boolean => {
  if (tokens[index]?.lower !== 'one') return false
  if (continuesNumber(tokens, index)) return false
  const [here, following] = [tokens[index], tokens[index + 1]]
  // "when I get one, fifty": it ends its clause.
  const isLast = following === undefined || following.start - (here?.end ?? 0) > 1
  const next = isLast ? '' : following.lower
  return next === '' || afterPronounOne.has(next) || beforePronounOne.has(tokens[index - 1]?.lower ?? '')
}

/** Apart by no more than a space, a hyphen, "and" after a hundred, or "point" before another number word. */
const continuesNumber = (tokens: readonly WordToken[], last: number): boolean => {
  const here = tokens[last]
  const next = tokens[last + 1]
  if (here === undefined || next === undefined || next.start - here.end > 1) return false
  if (isNumberWord(next.lower)) return true
  const afterNext = tokens[last + 2]
  const isJoined = next.lower === 'point' || (next.lower === 'and' && multipliers.has(here.lower))
  if (isJoined) return afterNext !== undefined && isNumberWord(afterNext.lower)
  return (here.lower === 'point' || here.lower === 'and') && isNumberWord(next.lower)
}

const readingsOf = (words: readonly string[]): string[] => {
  const pointAt = words.indexOf('point')
  if (pointAt > 0) {
    // "one twelve point five" is 112.5.
    const whole = compose(words.slice(0, pointAt).filter((word) => word !== 'and')).join('') || '0'
    const decimals = words.slice(pointAt + 1).map((word) => compose([word]).at(0) ?? '')
    return [`${whole}.${decimals.join('')}`]
  }
  const parts = compose(words.filter((word) => word !== 'and'))
  const [first = '', second = ''] = parts
  // "ten eleven hours" are two numbers; in "one fifty" the fifty alone would be another dose.
  return parts.length === 2 && Number(second) === Number(first) + 1 ? parts : [parts.join('')]
}

/** "one hundred fifty" is one number; "one fifty" is two, said as one. */
const compose = (words: readonly string[]): string[] => {
  const parts: number[] = []
  let isOpenForUnit = false
  for (const word of words) {
    const multiplier = multipliers.get(word)
    const value = smallNumbers.get(word) ?? tens.get(word) ?? 0
    const last = parts.at(-1)
    if (multiplier !== undefined) {
      parts[Math.max(parts.length - 1, 0)] = (last ?? 1) * multiplier
      isOpenForUnit = true
      continue
    }
    const joins = last !== undefined && isOpenForUnit && (last % 100 === 0 || (last % 10 === 0 && value < 10))
    if (joins) parts[parts.length - 1] = last + value
    else parts.push(value)
    isOpenForUnit = tens.has(word)
  }
  return parts.map(String)
}
