import { findNumbers } from '../../text/find-numbers.js'
import { tokenizeWords, type WordToken } from '../../text/tokenize-words.js'
import { beforeUnit, halfOfOne } from './dose-units.js'

export interface SaidNumber {
  start: number
  end: number
  amount: string
}

/** Numbers as doses are said: in digits, in words, in halves and quarters, and tablets by their strength. */
export const findSaidNumbers = (text: string): SaidNumber[] => joinHalves(text, readTokens(text))

/** "Two of the fifties", "the five hundreds", "two of the eights": tablets by their strength. */
const toSingular = (lower: string): string =>
  /^(?:halfs|halves)$/.test(lower)
    ? 'half'
    : /^(?:twen|thir|for|fif|six|seven|eigh|nine)ties$/.test(lower)
      ? `${lower.slice(0, -3)}y`
      : /^(?:ones|twos|threes|fours|fives|sixes|sevens|eights|nines|tens|twelves|fifteens|hundreds|thousands)$/.test(
            lower,
          )
        ? lower.replace(/(?<=x)es$|s$/, '')
        : lower

const pluralStrength =
  /^ (?:(?:five|two|three|four|six|eight) hundreds|(?:twos|fours|fives|sixes|eights|tens|twelves|fifteens|(?:twen|thir|for|fif|six|seven|eigh|nine)ties))\b/i

/** What is a number only by what stands beside it: "the one percent", "a gram", "two five-hundreds", "point oh three". */
const readTokens = (text: string): WordToken[] => {
  const tokens = tokenizeWords(text)
  return tokens.map((token, index) => {
    const behind = text.slice(token.end, token.end + wordReach)
    const before = text.slice(Math.max(0, token.start - wordReach), token.start)
    const lower = toSingular(token.lower)
    // "The six-fifty ones": tablets, whose strength has been said.
    if (token.lower === 'ones' && before.endsWith(' ') && endsFigure.test(before))
      return { ...token, lower: 'it' }
    // "Stay at point seven five one more week": the one is of the week.
    if (
      /^(?:one|two|three|four)$/.test(lower) &&
      /^ (?:more|last|final|extra) /i.test(behind) &&
      endsFigure.test(before)
    )
      return { ...token, lower: 'it' }
    // "The twenty-four twenty-six one": a figure behind a figure would be a tenth, and nobody says it so.
    if (
      lower === 'one' &&
      behindFigure.test(before) &&
      (!/\bpoint [a-z ]{0,20}$/i.test(before) || /\bthe point [a-z]+ $/i.test(before))
    )
      return { ...token, lower: 'it' }
    // "The hundred one", "the fifty one.": of two, that one.
    if (lower === 'one' && isOfTwo.test(before) && /^(?:[.,;?!]|$)/.test(behind))
      return { ...token, lower: 'it' }
    if (/^(?:nought|naught|oh|o)$/.test(lower))
      return isZero(tokens, index) ? { ...token, lower: 'zero' } : token
    const isSmall = /^(?:one|two|three|four)$/.test(lower) && !continuesFigures.test(before)
    if (
      isSmall &&
      (/^ times\b/i.test(behind) || (behind.startsWith(' ') && pluralStrength.test(behind.replace('-', ' '))))
    )
      return { ...token, lower: smallDigits[lower] ?? lower }
    if (lower === 'one' && isThatOne.test(before) && /^ (?:to|or)\b/i.test(behind))
      return { ...token, lower: 'it' }
    // "One, for a week": at the beginning it is no pronoun.
    const isOne =
      lower === 'one' &&
      ((index === 0 && /^[,.]/.test(behind)) ||
        (/(?:[a-z],|\bthen) $/i.test(before) && /^(?:[.;]|$)/.test(behind)) ||
        (beforeUnit.test(behind) && !/[a-z]-$/i.test(before)))
    // "Clonidine, point one".
    if (
      lower === 'one' &&
      /(?:^|[,.] |\bthe |[a-z]{6} )point $/i.test(before) &&
      !/\b(?:nought|naught) point $/i.test(before) &&
      !continuesPoint.test(behind)
    )
      return { ...token, lower: '1' }
    const isA =
      lower === 'a' &&
      /^ (?:(?:milli|micro)?grams?|puff|mil|drop(?= (?:in|into|each|every|once|twice|at night)\b)|sachet|pump|squirt|spray|capful|scoop|spoon(?:ful)?|teaspoon(?:ful)?|tablespoon(?:ful)?)\b/i.test(
        behind,
      ) &&
      !/\b(?:half|quarter|third|tenth|of|and|not) $/i.test(before)
    if ((isOne && !endsNumber.test(before)) || isA) return { ...token, lower: '1' }
    if (lower === 'quarter' && beforeUnit.test(behind)) return { ...token, lower: '0.25' }
    if (lower === 'couple' && /^ of (?:puffs|drops|sprays|pumps|tablets|pills|capsules)\b/i.test(behind))
      return { ...token, lower: '2' }
    return { ...token, lower }
  })
}

const continuesPoint = /^[ -](?:of|or|zero|oh|one|two|three|four|five|six|seven|eight|nine|\w+ty)s?\b/i
/** "The point two fives", "the one-two-fives": figures said one by one. */
const continuesFigures = /\b(?:point|zero|oh|one|two|three|four|five|six|seven|eight|nine)[ -]$/i
/** "Drop the evening one to fourteen". */
const isThatOne =
  /\b(?:the|this|that|which|other|morning|evening|night|bedtime|lunchtime|second|first|last|big|little|small|new|old|white|blue|pink|brown|purple|yellow|green|red|orange) $/i
const isFigure = /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|point|twenty|nought|naught|oh|o)$/

/** "Nought point five", "point oh three", "one-oh-five". */
const isZero = (tokens: readonly WordToken[], index: number): boolean => {
  const [before, here, next] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  if (here === undefined || next === undefined || next.start - here.end > 1) return false
  if (here.lower.startsWith('n')) return isFigure.test(next.lower)
  return (
    before !== undefined &&
    here.start - before.end <= 1 &&
    isFigure.test(before.lower) &&
    isFigure.test(toSingular(next.lower))
  )
}

const isOfTwo = /\bthe (?:[a-z]+[ -])?(?:hundred|thirty|forty|fifty|sixty|seventy|eighty|ninety) $/i
const behindFigure = /[ -](?:one|two|three|four|five|six|seven|eight|nine) $/i
const smallDigits: Readonly<Record<string, string>> = { one: '1', two: '2', three: '3', four: '4' }
/** As much of the text beside a word as decides what it is. */
const wordReach = 40
const endsNumber = /(?:ty|hundred|thousand|point|and)[ -]$/i
const endsFigure =
  /\b(?:\w+ty|\w+teen|hundred|thousand|zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d+)[ -]$/i

const shareBefore =
  /(?<!\band a )\b(?<said>(?<share>half|quarter) (?:of|(?:of )?(?:an?|the|my|your|one)) (?<point>point )?)$/i
const shares: Readonly<Record<string, number>> = { half: 0.5, quarter: 0.25 }

/** "Seven and a half" is 7.5, "half a milligram" 0.5, "point five" 0.5, "a quarter" 0.25. */
const joinHalves = (text: string, tokens: readonly WordToken[]): SaidNumber[] => {
  const found: SaidNumber[] = []
  for (const number of findNumbers(tokens)) {
    const [first, last] = [tokens[number.firstToken], tokens[number.lastToken]]
    const amount = number.readings[0] ?? ''
    if (
      first === undefined ||
      last === undefined ||
      /^\d\/\d$/.test(amount) ||
      /^(?:once|twice|dozen)$/i.test(number.text)
    )
      continue
    const before = found.at(-1)
    const between = before === undefined ? '' : text.slice(before.end, first.start)
    if (
      amount === '0.5' &&
      before !== undefined &&
      /^ and a $/i.test(between) &&
      // "A fifty and a half": a tablet and half of one.
      !/\ba $/i.test(text.slice(0, before.start)) &&
      /^\d+$/.test(before.amount)
    ) {
      before.amount = `${before.amount}.5`
      before.end = last.end
      continue
    }
    // "Eight over five hundred", "fifty over a thousand": the two strengths of a combination, which no blood pressure has.
    if (
      before !== undefined &&
      /^ over (?:a |the )?$/i.test(between) &&
      /^(?:300|325|500|850|1000)$/.test(amount)
    ) {
      before.amount = `${before.amount}/${amount}`
      before.end = last.end
      continue
    }
    const quarter = /^ and a quarter\b/i.exec(text.slice(last.end, last.end + wordReach))
    if (quarter !== null && /^\d+$/.test(amount)) {
      found.push({ start: first.start, end: last.end + quarter[0].length, amount: `${amount}.25` })
      continue
    }
    const quarters = /^ quarters?\b/i.exec(text.slice(last.end))
    if (quarters !== null && amount === '3') {
      const isPart = before !== undefined && /^ and $/i.test(between) && /^\d+$/.test(before.amount)
      if (isPart) Object.assign(before, { amount: `${before.amount}.75`, end: last.end + quarters[0].length })
      else found.push({ start: first.start, end: last.end + quarters[0].length, amount: '0.75' })
      continue
    }
    // "Half of a fifty", "a quarter of the point five": of a tablet of that strength.
    const share = shareBefore.exec(text.slice(Math.max(0, first.start - wordReach), first.start))?.groups
    if (share !== undefined && Number(amount) > 0) {
      const isTenth = share['point'] !== undefined && /^\d{1,3}$/.test(amount)
      const whole = Number(isTenth ? `0.${amount}` : amount)
      const part = String(Number((whole * (shares[share['share']?.toLowerCase() ?? ''] ?? 1)).toPrecision(6)))
      const start = first.start - (share['said']?.length ?? 0)
      const half = before !== undefined && before.end > start ? found.pop() : undefined
      found.push({ start: half?.start ?? start, end: last.end, amount: part })
      continue
    }
    const isHalf = first.lower === 'half'
    if (isHalf) {
      const behind = text.slice(last.end, last.end + wordReach)
      const a = beforeUnit.exec(behind)
      if (a === null && !halfOfOne.test(behind) && !/^ (?:at|every|in the|a day)\b/i.test(behind)) continue
      found.push({
        start: first.start,
        end: last.end + Math.max(0, (a?.[0].length ?? 0) - 1),
        amount: '0.5',
      })
      continue
    }
    const isPoint = /\bpoint $/i.test(text.slice(0, first.start)) && /^\d{1,3}$/.test(amount)
    // ".5", as some write it.
    if (/(?:^|[^\d\w])\.$/.test(text.slice(0, first.start)) && /^\d+$/.test(amount)) {
      found.push({ start: first.start - 1, end: last.end, amount: `0.${amount}` })
      continue
    }
    const start = isPoint ? text.slice(0, first.start).toLowerCase().lastIndexOf('point') : first.start
    found.push({ start, end: last.end, amount: isPoint ? `0.${amount}` : amount })
  }
  return found
}
