import { findUnit, type Unit } from './measure-units.js'
import { smallNumbers, tens } from './number-words.js'
import { singularNumbers } from './singular-numbers.js'
import { tokenizeWords, type WordToken } from './tokenize-words.js'

/** A number with what it counts, in digits or in words. */
export interface Amount {
  /** What it may mean, in digits: "one fifty" is 150 or 1:50. Two amounts agree if they have a value in common. */
  values: readonly string[]
  unit: Unit | null
  firstToken: number
  /** The number's last; its unit may stand behind it. */
  lastToken: number
  form: 'digits' | 'words' | 'ordinal' | 'implied'
}

const multipliers = new Map([
  ['hundred', 100],
  ['thousand', 1000],
  ['grand', 1000],
  ['million', 1_000_000],
])
const ordinals = new Map(
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
  sixteenth seventeenth eighteenth nineteenth twentieth`
    .split(/\s+/)
    .map((word, index) => [word, index + 1]),
)
ordinals.set('thirtieth', 30)
ordinals.set('hundredth', 100)

/** Words that are a number by themselves. */
const single: ReadonlyMap<string, readonly string[]> = new Map([
  ['once', ['1']],
  ['twice', ['2']],
  ['thrice', ['3']],
  ['couple', ['2']],
  ['pair', ['2']],
  ['both', ['2']],
  ['twins', ['2']],
  ['double', ['2']],
  ['doubled', ['2']],
  ['triple', ['3']],
  ['quarter', ['0.25', '15', '3']],
  ['half', ['0.5', '50', '30']],
  ['halves', ['0.5']],
  ['dozen', ['12']],
  ['decade', ['10']],
  ['none', ['0']],
  ['teens', ['13', '16', '19']],
  ['twenties', ['20', '20s']],
  ['thirties', ['30', '30s']],
  ['forties', ['40', '40s']],
  ['fifties', ['50', '50s']],
  ['sixties', ['60', '60s']],
  ['seventies', ['70', '70s']],
  ['eighties', ['80', '80s']],
  ['nineties', ['90', '90s']],
])

/** Words that are a number with its unit. */
const withUnit: ReadonlyMap<string, readonly [string, Unit]> = new Map<string, readonly [string, Unit]>([
  ['fortnight', ['2', 'week']],
  ['decade', ['10', 'year']],
  ['hourly', ['1', 'hour']],
  ['daily', ['1', 'day']],
  ['nightly', ['1', 'day']],
  ['weekly', ['1', 'week']],
  ['biweekly', ['2', 'week']],
  ['monthly', ['1', 'month']],
  ['yearly', ['1', 'year']],
  ['annual', ['1', 'year']],
  ['noon', ['12', 'clock']],
  ['midnight', ['12', 'clock']],
  ['milligram', ['1', 'mg']],
])

const isNumberWord = (lower: string): boolean =>
  smallNumbers.has(lower) || tens.has(lower) || multipliers.has(lower)

const gapBetween = (tokens: readonly WordToken[], index: number): number =>
  (tokens[index + 1]?.start ?? Infinity) - (tokens[index]?.end ?? 0)

/** Every amount of a text in its order, "an hour" and "last week" with it as one of their kind. */
export const readAmounts = (text: string, tokens: readonly WordToken[]): Amount[] => {
  const amounts: Amount[] = []
  for (let index = 0; index < tokens.length; index++) {
    const amount = readDigits(text, tokens, index) ?? readWords(text, tokens, index)
    if (amount === null) continue
    amounts.push(amount)
    index = amount.lastToken
  }
  shareUnits(tokens, amounts)
  return [...amounts, ...readClockWords(tokens), ...readPairs(tokens)]
}

/** The amounts of a text by itself, "two of the three hundreds" read as 300. */
export const readAmountsIn = (text: string): Amount[] => {
  const read = singularNumbers(text)
  return readAmounts(read, tokenizeWords(read))
}

const toText = (value: number): string => String(Math.round(value * 1000) / 1000)

const readDigits = (text: string, tokens: readonly WordToken[], index: number): Amount | null => {
  const token = tokens[index]
  if (token === undefined || !/^\d/.test(token.lower)) return null
  let last = index
  let values = readDigitValues(token.lower)
  const next = tokens[index + 1]
  const isOrdinal = next !== undefined && next.start === token.end && /^(?:st|nd|rd|th)$/.test(next.lower)
  if (isOrdinal) last += 1
  else if (next !== undefined && next.start === token.end && next.lower === 's') {
    last += 1
    values = [...values, `${values[0] ?? ''}s`]
  } else if (next !== undefined && (multipliers.has(next.lower) || next.lower === 'k')) {
    last += 1
    const factor = multipliers.get(next.lower) ?? 1000
    values = values.map((value) => toText(Number(value) * factor))
  }
  if (isAndAHalf(tokens, last)) {
    last += halfBehind(tokens, last)
    values = values.map((value) => toText(Number(value) + 0.5))
  }
  const { unit, isHalfMore } = readUnit(text, tokens, index, last)
  if (isHalfMore) values = values.map((value) => toText(Number(value) + 0.5))
  return { values, unit, firstToken: index, lastToken: last, form: isOrdinal ? 'ordinal' : 'digits' }
}

const readDigitValues = (lower: string): string[] => {
  const digits = lower.replaceAll(/,(?=\d{3})/g, '')
  if (/^\d{1,2}:\d\d$/.test(digits)) {
    const [hour = '', minute = ''] = digits.split(':')
    return minute === '00' ? [`${Number(hour)}:00`, toText(Number(hour))] : [`${Number(hour)}:${minute}`]
  }
  if (digits.includes('/')) {
    const parts = digits.split('/')
    const [top, bottom] = [Number(parts[0]), Number(parts[1])]
    const quotient = parts.length === 2 && bottom > 0 && top < bottom ? [toText(top / bottom)] : []
    return [digits, ...parts.map(trimZeros), ...quotient]
  }
  const asClock = /^(1[0-2]|[1-9])([0-5]\d)$/.exec(digits)
  return asClock === null
    ? [trimZeros(digits)]
    : [trimZeros(digits), `${asClock[1] ?? ''}:${asClock[2] ?? ''}`]
}

const trimZeros = (digits: string): string =>
  /^\d{1,15}(?:\.\d{1,6})?$/.test(digits) ? toText(Number(digits)) : digits

/** Between a number and what it counts: "four good hours", "two more weeks". */
const between = new Set(
  'good full whole more extra straight solid or so consecutive long bad separate different other of those and'.split(
    ' ',
  ),
)

/** "half an hour", "a quarter of a tablet"; but "two a night" counts no nights. */
const isFraction = (lower: string): boolean => lower === 'half' || lower === 'quarter'
const isArticle = (lower: string): boolean => lower === 'a' || lower === 'an'

interface FoundUnit {
  unit: Unit | null
  /** "an hour and a half" */
  isHalfMore: boolean
}

const readUnit = (text: string, tokens: readonly WordToken[], first: number, last: number): FoundUnit => {
  const none = { unit: null, isHalfMore: false }
  const [head, tail] = [tokens[first], tokens[last]]
  if (head === undefined || tail === undefined) return none
  const mark = text.slice(tail.end, tail.end + 6)
  if (/^\s?%/.test(mark)) return { unit: 'percent', isHalfMore: false }
  if (/^\s?[ap]\.?m\b/i.test(mark)) return { unit: 'clock', isHalfMore: false }
  if (/[$€£]\s?$/.test(text.slice(Math.max(head.start - 2, 0), head.start)))
    return { unit: 'money', isHalfMore: false }
  for (let at = last + 1; at <= last + 3; at++) {
    const token = tokens[at]
    if (token === undefined || /[.,;:!?"“”()]/.test(text.slice(tokens[at - 1]?.end ?? 0, token.start)))
      return none
    const unit = findUnit(token.lower)
    if (unit !== null) return { unit, isHalfMore: isAndAHalf(tokens, at) }
    if (!between.has(token.lower) && !(isArticle(token.lower) && isFraction(tail.lower))) return none
  }
  return none
}

/** How many words "and a half" takes behind a place; 0 if it is not there. */
const halfBehind = (tokens: readonly WordToken[], last: number): number => {
  if (tokens[last + 1]?.lower !== 'and') return 0
  if (tokens[last + 2]?.lower === 'half') return 2
  return tokens[last + 2]?.lower === 'a' && tokens[last + 3]?.lower === 'half' ? 3 : 0
}

const isAndAHalf = (tokens: readonly WordToken[], last: number): boolean => halfBehind(tokens, last) > 0

/** Before a unit these say one of it: "an hour", "per week", "last month". */
const impliesOne = new Set('a an per each every last this next that the another whole past'.split(' '))

const readWords = (text: string, tokens: readonly WordToken[], index: number): Amount | null => {
  const token = tokens[index]
  if (token === undefined) return null
  const { lower } = token
  const wholeUnit = withUnit.get(lower)
  if (
    wholeUnit !== undefined &&
    !(lower === 'milligram' && index > 0 && isNumberWord(tokens[index - 1]?.lower ?? ''))
  )
    return {
      values: [wholeUnit[0]],
      unit: wholeUnit[1],
      firstToken: index,
      lastToken: index,
      form: 'implied',
    }
  if (
    lower === 'half' &&
    /^(?:a|the)$/.test(tokens[index + 1]?.lower ?? '') &&
    tokens[index + 2]?.lower === 'dozen'
  )
    return { values: ['6'], unit: null, firstToken: index, lastToken: index + 2, form: 'words' }
  if (impliesOne.has(lower)) return readImplied(text, tokens, index)
  if (isAndAHalf(tokens, index) && !isNumberWord(lower) && findUnit(lower) === null)
    return {
      values: ['1.5'],
      unit: null,
      firstToken: index,
      lastToken: index + halfBehind(tokens, index),
      form: 'implied',
    }
  const alone = single.get(lower)
  if (alone !== undefined) {
    const { unit } = readUnit(text, tokens, index, index)
    return { values: alone, unit, firstToken: index, lastToken: index, form: 'words' }
  }
  return readRun(text, tokens, index)
}

const readImplied = (text: string, tokens: readonly WordToken[], index: number): Amount | null => {
  const next = tokens[index + 1]
  if (next === undefined) return null
  if (tokens[index]?.lower === 'a' && multipliers.has(next.lower) && gapBetween(tokens, index) === 1)
    return readRun(text, tokens, index + 1)
  const unit = findUnit(next.lower)
  if (unit === null) return null
  const isHalfMore = isAndAHalf(tokens, index + 1)
  return {
    values: [isHalfMore ? '1.5' : '1'],
    unit,
    firstToken: index,
    lastToken: index + 1,
    form: 'implied',
  }
}

/** Number words that stand together: apart by a space or a hyphen, "and" after a hundred, "point", "oh". */
const readRun = (text: string, tokens: readonly WordToken[], index: number): Amount | null => {
  const first = tokens[index]?.lower ?? ''
  const ordinal = ordinals.get(first)
  if (ordinal !== undefined) return ordinalAt(text, tokens, index, index, ordinal)
  const isPoint = first === 'point' && isNumberWord(tokens[index + 1]?.lower ?? '')
  if (!isNumberWord(first) && !isPoint) return null
  let last = index
  while (last - index < runWordsMax && continuesRun(tokens, last)) last += 1
  const words = tokens.slice(index, last + 1).map(({ lower }) => lower)
  const behind = tokens[last + 1]
  const ordinalEnd = ordinals.get(behind?.lower ?? '')
  if (
    tens.has(words.at(-1) ?? '') &&
    ordinalEnd !== undefined &&
    ordinalEnd < 10 &&
    gapBetween(tokens, last) === 1
  )
    return ordinalAt(text, tokens, index, last + 1, Number(readRunValues(words)[0]) + ordinalEnd)
  let values = readRunValues(words)
  if (isAndAHalf(tokens, last)) {
    last += halfBehind(tokens, last)
    values = values.map((value) => toText(Number(value) + 0.5))
  }
  const { unit, isHalfMore } = readUnit(text, tokens, index, last)
  if (isHalfMore) values = values.map((value) => toText(Number(value) + 0.5))
  return { values, unit, firstToken: index, lastToken: last, form: 'words' }
}

/** A telephone number with its area code, and a few more. */
const runWordsMax = 14

const ordinalAt = (
  text: string,
  tokens: readonly WordToken[],
  firstToken: number,
  lastToken: number,
  value: number,
): Amount => ({
  values: [toText(value)],
  unit: readUnit(text, tokens, firstToken, lastToken).unit,
  firstToken,
  lastToken,
  form: 'ordinal',
})

const continuesRun = (tokens: readonly WordToken[], last: number): boolean => {
  const [here, next, afterNext] = [tokens[last], tokens[last + 1], tokens[last + 2]]
  if (here === undefined || next === undefined || gapBetween(tokens, last) > 1) return false
  if (isNumberWord(next.lower)) return true
  const joins =
    next.lower === 'point' || next.lower === 'oh' || (next.lower === 'and' && multipliers.has(here.lower))
  return (
    joins && afterNext !== undefined && isNumberWord(afterNext.lower) && gapBetween(tokens, last + 1) === 1
  )
}

const readRunValues = (words: readonly string[]): string[] => {
  const pointAt = words.indexOf('point')
  if (pointAt >= 0) {
    const whole = pointAt === 0 ? '0' : compose(words.slice(0, pointAt)).map(toText).join('')
    const decimals = words.slice(pointAt + 1).map((word) => compose([word]).map(toText).join(''))
    return [trimZeros(`${whole}.${decimals.join('')}`)]
  }
  const parts = compose(words.filter((word) => word !== 'and'))
  const joined = parts.map(toText).join('')
  const [first = 0, second = 0] = parts
  // "four thousand two" is 4,200 among sums of money.
  if (parts.length < 2)
    return words.at(-2) === 'thousand' && first % 1000 < 10
      ? [joined, toText(first + (first % 1000) * 99)]
      : [joined]
  const values = [joined]
  const minutes = parts.length === 2 ? second : parts.length === 3 && second === 0 ? (parts[2] ?? 0) : 60
  if (first >= 1 && first <= 12 && minutes < 60)
    values.push(`${toText(first)}:${String(minutes).padStart(2, '0')}`)
  // "eight one" is 8.1, and so is "thirty-seven four".
  if (parts.length === 2 && second < 10) values.push(`${toText(first)}.${second}`)
  // "ten eleven hours" are two numbers; in "one fifty" the fifty alone would be another dose.
  const isTwo = (first < second && second - first <= 5) || (first < 10 && second < 10)
  if (parts.length === 2 && isTwo) values.push(toText(first), toText(second))
  return values
}

/** "one hundred fifty" is one number; "one fifty" is two, said as one. */
const compose = (words: readonly string[]): number[] => {
  const parts: number[] = []
  let isOpen = false
  for (const word of words) {
    const factor = multipliers.get(word)
    const value = smallNumbers.get(word) ?? tens.get(word) ?? 0
    const last = parts.at(-1)
    if (factor !== undefined) {
      // "eleven thousand four hundred": the hundred multiplies the four, a thousand all before it.
      const multiplied = Math.max(factor === 100 ? (last ?? 0) % 1000 : (last ?? 0), 1)
      parts[Math.max(parts.length - 1, 0)] = (last ?? multiplied) - multiplied + multiplied * factor
      isOpen = true
      continue
    }
    const base: number = last ?? 0
    const isRound = base % 100 === 0 || (base % 10 === 0 && value < 10 && value > 0)
    const joins: boolean = last !== undefined && isOpen && isRound
    if (joins) parts[parts.length - 1] = base + value
    else parts.push(value)
    isOpen = tens.has(word) || (joins && base % 1000 === 0)
  }
  return parts
}

/** "three or four nights", "from 4 to 6 hours": what the second counts, the first counts as well. */
const shareUnits = (tokens: readonly WordToken[], amounts: Amount[]): void => {
  for (let index = amounts.length - 2; index >= 0; index--) {
    const [here, next] = [amounts[index], amounts[index + 1]]
    if (here === undefined || next === undefined || here.unit !== null || next.form === 'implied') continue
    const words = tokens.slice(here.lastToken + 1, next.firstToken).map(({ lower }) => lower)
    const isRange =
      words.length === 0
        ? isClose(tokens, here, next)
        : words.length <= 2 && words.every((word) => /^(?:to|or|maybe|through|even|till|until)$/.test(word))
    if (isRange) amounts[index] = { ...here, unit: next.unit }
  }
}

/** "3-4 hours", "three, four hours"; but "Lexapro twenty, eight weeks" has a dose in it. */
const isClose = (tokens: readonly WordToken[], here: Amount, next: Amount): boolean => {
  const rise = Number(next.values[0]) - Number(here.values[0])
  return (
    rise > 0 && rise <= 5 && (tokens[next.firstToken]?.start ?? 0) - (tokens[here.lastToken]?.end ?? 0) <= 2
  )
}

/** "quarter to seven", "half past six", "ten of eight": a time beside the two numbers that it is said with. */
const readClockWords = (tokens: readonly WordToken[]): Amount[] =>
  tokens.flatMap((token, index) => {
    // "half nine" is 9:30 where English is British.
    const halfPast = token.lower === 'half' ? hourOf(tokens[index + 1]?.lower ?? '') : null
    if (halfPast !== null) return [clockAt(index, index + 1, `${halfPast}:30`)]
    const isPast = token.lower === 'past' || token.lower === 'after'
    if (!isPast && !/^(?:to|til|till|of|before)$/.test(token.lower)) return []
    const minutes = minutesOf(tokens[index - 1]?.lower ?? '')
    const hour = hourOf(tokens[index + 1]?.lower ?? '')
    if (minutes === null || hour === null) return []
    const at = isPast
      ? `${hour}:${String(minutes).padStart(2, '0')}`
      : `${hour === 1 ? 12 : hour - 1}:${60 - minutes}`
    return [clockAt(index - 1, index + 1, at)]
  })

const clockAt = (firstToken: number, lastToken: number, value: string): Amount => ({
  values: [value],
  unit: 'clock',
  firstToken,
  lastToken,
  form: 'implied',
})

/** "8 30" for 8:30, "7 4" for 7.4, as a recognizer writes them. */
const readPairs = (tokens: readonly WordToken[]): Amount[] =>
  tokens.flatMap((token, index) => {
    const isPoint = tokens[index + 1]?.lower === 'point'
    const next = tokens[index + (isPoint ? 2 : 1)]
    if (next === undefined || !/^\d{1,3}$/.test(token.lower) || gapBetween(tokens, index) > 1) return []
    if (!/^\d{1,2}$/.test(next.lower)) return []
    const value =
      next.lower.length === 2 && !isPoint
        ? `${Number(token.lower)}:${next.lower}`
        : `${token.lower}.${next.lower}`
    return [
      { values: [value], unit: null, firstToken: index, lastToken: index + 1, form: 'implied' as const },
    ]
  })

const minutesOf = (lower: string): number | null => {
  if (lower === 'quarter') return 15
  if (lower === 'half') return 30
  const value = smallNumbers.get(lower) ?? tens.get(lower) ?? (/^\d{1,2}$/.test(lower) ? Number(lower) : 0)
  return [5, 10, 15, 20, 25].includes(value) ? value : null
}

const hourOf = (lower: string): number | null => {
  const value = smallNumbers.get(lower) ?? (/^\d{1,2}$/.test(lower) ? Number(lower) : 0)
  return value >= 1 && value <= 12 ? value : null
}
