import { isDoseUnit, isSameMeasure, type Unit } from '../text/measure-units.js'
import type { Amount } from '../text/read-amounts.js'
import { besideItems, type ExactCheck } from './exact-check.js'
import type { Claim } from './read-claim.js'
import type { SpokenItem } from './read-talk.js'

/** Every number of a sentence was said in its items or beside them, and of the same unit where one was said. */
export const checkNumbers: ExactCheck = (claim, talk) => {
  const wanted = claim.amounts.filter((amount) => mustBeSaid(claim, amount))
  if (wanted.length === 0) return null
  const near = listMeasures(talk.around(claim.items, besideItems))
  const missing = wanted.find((amount) => !isSaid(amount, near))
  if (missing === undefined) return null
  return { reason: isDoseUnit(missing.unit) ? 'dose' : 'number', part: quoteAmount(claim, missing) }
}

/** The number as written, with the word behind it where that is its unit. */
const quoteAmount = ({ text, tokens }: Claim, { firstToken, lastToken, unit }: Amount): string => {
  const behind = unit === null || unit === 'clock' ? undefined : tokens[lastToken + 1]
  const end = behind ?? tokens[lastToken]
  return text.slice(tokens[firstToken]?.start ?? 0, end?.end)
}

/** "one glass" is "a glass", "two goals" may be counted and "both" need not be said: digits and measures must be. */
const mustBeSaid = (claim: Claim, amount: Amount): boolean => {
  if (amount.form === 'implied') return false
  const [value = ''] = amount.values
  if (value === '1' && !isDoseUnit(amount.unit) && amount.unit !== 'clock') return false
  if (amount.form === 'digits') return !isPartOfName(claim, amount) && !isEndOfScale(claim, amount)
  if (amount.form === 'ordinal') return false
  return amount.unit !== null && Number(value) >= 2
}

/** "PHQ-9", "B12", "DSM-5": the number belongs to a name. */
const isPartOfName = ({ text, tokens }: Claim, { firstToken }: Amount): boolean => {
  const start = tokens[firstToken]?.start ?? 0
  const before = text.slice(Math.max(start - 2, 0), start)
  return /[A-Za-z]$/.test(before) || /[A-Z][-–]$/.test(before)
}

/** "6 out of 10", "on a 0 to 10 scale", "4 of 7 days": nobody says the ten with every answer. */
const isEndOfScale = ({ text, tokens }: Claim, { firstToken, values }: Amount): boolean => {
  const start = tokens[firstToken]?.start ?? 0
  if (/\bout of \d$|\bof 7$/i.test(text.slice(Math.max(start - 8, 0), start + 1))) return true
  return (
    ['0', '5', '7', '10', '100'].includes(values[0] ?? '') &&
    /\b(?:scale|line|to 10)\b/i.test(text.slice(Math.max(start - 30, 0), start + 30))
  )
}

/** Lines that every clinician gives out; whoever says "the crisis line" means them. */
const crisisLines = new Set(['988', '911'])
const namesCrisisLine = /\b(?:hotline|lifeline|crisis|emergency|ambulance)\b/i

interface NearMeasures {
  amounts: readonly Amount[]
  namesCrisisLine: boolean
}

/** Each value with its unit once, however often it was said. */
const listMeasures = (near: readonly SpokenItem[]): NearMeasures => {
  const byKey = new Map<string, Amount>()
  for (const { amounts } of near)
    for (const amount of amounts) byKey.set(`${amount.values.join(' ')} ${amount.unit ?? ''}`, amount)
  return {
    amounts: [...byKey.values()],
    namesCrisisLine: near.some(({ text }) => namesCrisisLine.test(text)),
  }
}

const isSaid = (amount: Amount, near: NearMeasures): boolean => {
  if (near.namesCrisisLine && amount.values.some((value) => crisisLines.has(value))) return true
  return partsOf(amount).every((values) =>
    near.amounts.some((said) => agrees(values, amount.unit, said) || agreesInShort(values, said)),
  )
}

/** "120/80" is two numbers; of "7/10" only the first is an answer. */
const partsOf = ({ values }: Amount): (readonly string[])[] => {
  const [whole = ''] = values
  if (!/^\d+\/\d+$/.test(whole)) return [values]
  const [top = '', bottom = ''] = whole.split('/')
  const isRating = ['5', '7', '10', '100'].includes(bottom) || Number(top) <= Number(bottom)
  return isRating
    ? [[whole, top, ...values.slice(3)]]
    : [
        [whole, top],
        [whole, bottom],
      ]
}

/** "the third" is a date or a place in a row, and no three of anything. */
const agrees = (values: readonly string[], unit: Unit | null, said: Amount): boolean =>
  !(said.form === 'ordinal' && said.unit === null && unit !== null && unit !== 'clock') &&
  said.values.some((saidValue) => values.some((value) => isSameMeasure(value, unit, saidValue, said.unit)))

/**
 * Short ways of saying a number: "ninety-eight" for the year 1998, whatever word follows; of sums of money "nine" for 9,000 and
 * "fifteen" for 1,500.
 */
const agreesInShort = (values: readonly string[], said: Amount): boolean =>
  values.some(
    (value) =>
      (/^(?:19|20)\d\d$/.test(value) && said.values.includes(String(Number(value.slice(2))))) ||
      (/^\d{1,3}000$/.test(value) && said.unit === null && said.values.includes(value.slice(0, -3))) ||
      (/^\d\d00$/.test(value) && said.unit === null && said.values.includes(value.slice(0, -2))),
  )
