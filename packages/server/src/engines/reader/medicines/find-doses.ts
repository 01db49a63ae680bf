import type { Medication } from '../../lexicon/medications.js'
import { findNumbers } from '../../text/find-numbers.js'
import { tokenizeWords, type WordToken } from '../../text/tokenize-words.js'
import { beforeUnit, readSharedUnit, readUnit, type DoseUnit, type SaidUnit } from './dose-units.js'

export interface SaidDose {
  /** Offsets into the text. */
  start: number
  end: number
  amount: string
  unit: DoseUnit | null
  /** Tablets, puffs and the like, said or meant: the dose only where no strength is said. */
  isCount: boolean
  /** Taken back in the same breath: "a hundred, no wait, seventy-five". */
  isWithdrawn: boolean
}

/** "Two of the fifties", "the five hundreds", "two of the eights": tablets by their strength. */
const toSingular = (lower: string): string =>
  /^(?:twen|thir|for|fif|six|seven|eigh|nine)ties$/.test(lower)
    ? `${lower.slice(0, -3)}y`
    : /^(?:ones|twos|threes|fours|fives|sixes|sevens|eights|nines|tens|twelves|fifteens|hundreds|thousands)$/.test(
          lower,
        )
      ? lower.replace(/(?<=x)es$|s$/, '')
      : lower

/** Behind these a number counts or measures something else. */
const countsOther =
  /^(?:[ ,-]*(?:to|or|and|-) ?[\w.]+)?[ ,-]*(?:weeks?|days?|months?|years?|hours?|minutes?|seconds?|nights?(?! ?time)|o'clock|oclock|a\.?m\b|p\.?m\b|percent|%|times|x\b|tablets?|tabs?|pills?|capsules?|caps|refills?|pounds?|lbs?|kilos?|kg|points?|over|degrees?|people|drinks?|beers?|cigarettes|packs?|dollars?|bucks|visits?|sessions?|out of|or so|something|th\b|st\b|nd\b|ounces|miles|blocks|steps|calories|grand|kids|mornings|evenings|bottles?|boxes|doses|of (?:them|those|my|your|'em)|weeks'|year.old|month.old|day\b|week\b|month\b|year\b|hour\b|inches|feet|foot|men|women|in a row|more|less\b|off\b|at a time|episodes|panic|attacks)/i
const isTime =
  /(?<!\b(?:stay|keep|kept|you|hold|you're|still|him|her|me|it|back|down|up|start|starting|again|was|were|i'm|been|dose) )\b(?:at|around|by|until|till|past|before|after|since) (?:(?:like|about|around|maybe|roughly) )*$/i
/** "I was nine", "nineteen out of thirty", "from one to ten": an age, a score, a scale. */
const isMeasured =
  /\b(?:i|he|she|we|they|you) (?:was|were|turned) (?:(?:about|like|around|maybe|only|just|almost|barely|probably) )*$|\bout of (?:a )?$|\b(?:zero|one|0|1) to $|\bage(?:d| of)? $|\b(?:best|peak flow|reading|pressure|pulse|weight|sugars?) (?:is|was|of|at) $|\blevels? (?:was|is|of|came back|at|came in)(?: at)? $/i
/** "Three of the eight films", "one of your fifties". */
const countsTablets =
  /^ of (?:the|my|your|those|these) (?:little |small |big )?(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|\w{2,6}(?:ty|ties|teen|teens)|hundred)s?\b)/i
/** Up to here a number may be an hour. */
const hourMax = 12

/** What may stand between a name and its bare dose: "sertraline, the generic, fifty". */
const betweenNameAndDose =
  /^[\s,:;.-]*(?:(?:at|the|is|was|to|of|er|xr|xl|sr|cr|ir|la|extended|release|dose|now|up|down|from|about|like|only|just|still|a|an|been|on|for|it's|um|uh|generic|decanoate|patch|patches|spray|gel|cream|film|films|strips?|shot|injection|inhaler|tablets?|capsules?|long|acting|i'm|we|you|went|go|you're|that's|currently|your|my|me|have|take|taking|takes|took|at|around|think|i|i've|got|by|stays|stay|and|one|raised|lowered|increased|increase|started|say|says|says|which)[\s,.:;-]+){0,6}$/i
/** What stands before a bare dose of something named elsewhere. */
const beforeBare =
  /(?:^|\b(?:to|at|on|from|the|of|take|taking|took|takes|dose|doses|dose is|dose was|now|currently|was|it's|is|you're|say|says|said|than|by|stay|keep|still|just|only|about|like|maybe|um|uh|yeah|yes|no|naw|nah|nope|wait|sorry|ma'am|sir|okay|then|or|and|with|at about|do|doing|did|got|gave|your|my|a|whole|half|those|these|that's|i'm|had|have|need|want|try|low|be|for|through|hit|reach|stays|weeks?|nights?|days?|months?|increase|start|starting|started|tablet|tabs?|ones?)[\s,.:;-]+)$/i

const withdraws =
  /\b(?:no,? (?:wait|sorry|hang on|hold on|actually|i mean|it's|that's)|wait|sorry|i mean|correction|make (?:that|it)|scratch that|my mistake|i misspoke|not(?! (?:more|less|over|above|to exceed|under)))\b|^[\s,.—-]*(?:no|rather|actually|er)[\s,.]/i

/** What the talk around says of a number of pieces, with its unit or without. */
export interface CountRules {
  mayBeCount: (number: SaidNumber, unit: SaidUnit) => boolean
  mayBeBareCount: (number: SaidNumber) => boolean
}

/** Where nothing is known of the talk, what has a unit is one. */
const withUnits: CountRules = { mayBeCount: () => true, mayBeBareCount: () => false }

/** Numbers with their unit; without one where the words around and the strengths of the medicine let it be a dose. */
export const findDoses = (
  text: string,
  mayBeBare: (number: SaidNumber, last: SaidDose | undefined) => boolean,
  counts: CountRules = withUnits,
): SaidDose[] => {
  const doses: SaidDose[] = []
  for (const number of joinHalves(text, readTokens(text))) {
    const behind = text.slice(number.end)
    const unit = readUnit(behind, number.amount) ?? readSharedUnit(behind, number.amount)
    const isWeight = unit !== null && !unit.isCount && unit.unit !== '%'
    if (unit !== null && !isWeight && !counts.mayBeCount(number, unit)) continue
    let isCount = unit?.isCount ?? false
    if (unit === null) {
      if (isOther(text, number, behind)) continue
      const last = doses.findLast((dose) => !dose.isCount)
      const isCorrection =
        last !== undefined &&
        number.start - last.end <= withdrawalReach &&
        withdraws.test(text.slice(last.end, number.start))
      if (!isCorrection && !mayBeBare(number, last)) {
        if (!counts.mayBeBareCount(number)) continue
        isCount = true
      }
    }
    const own = unit !== null && unit.isOwn ? unit.length : 0
    doses.push({
      start: number.start,
      end: number.end + own,
      amount: number.amount,
      unit: unit?.unit ?? null,
      isCount,
      isWithdrawn: false,
    })
  }
  return markWithdrawn(text, doses)
}

const pluralStrength =
  /^ (?:(?:five|two|three|four|six|eight) hundreds|(?:twos|fours|fives|sixes|eights|tens|twelves|fifteens|(?:twen|thir|for|fif|six|seven|eigh|nine)ties))\b/i

/** What is a number only by what stands behind it: "the one percent", "a gram", "two five-hundreds", "six hundred three times". */
const readTokens = (text: string): WordToken[] =>
  tokenizeWords(text).map((token, index) => {
    const behind = text.slice(token.end, token.end + wordReach)
    const before = text.slice(Math.max(0, token.start - wordReach), token.start)
    const lower = toSingular(token.lower)
    const isSmall = /^(?:one|two|three|four)$/.test(lower)
    if (isSmall && (/^ times\b/i.test(behind) || pluralStrength.test(behind.replace('-', ' '))))
      return { ...token, lower: smallDigits[lower] ?? lower }
    // "One, for a week": at the beginning it is no pronoun.
    const isOne =
      lower === 'one' &&
      ((index === 0 && /^[,.]/.test(behind)) || (beforeUnit.test(behind) && !/[a-z]-$/i.test(before)))
    const isA =
      lower === 'a' &&
      /^ (?:(?:milli|micro)?grams?|puff|mil|drop|sachet)\b/i.test(behind) &&
      !/\b(?:half|quarter|third|tenth|of|and) $/i.test(before)
    if ((isOne && !endsNumber.test(before)) || isA) return { ...token, lower: '1' }
    if (lower === 'quarter' && beforeUnit.test(behind)) return { ...token, lower: '0.25' }
    if (lower === 'couple' && /^ of (?:puffs|drops|sprays|tablets|pills|capsules)\b/i.test(behind))
      return { ...token, lower: '2' }
    return { ...token, lower }
  })

const smallDigits: Readonly<Record<string, string>> = { one: '1', two: '2', three: '3', four: '4' }
/** As much of the text beside a word as decides what it is. */
const wordReach = 40
const endsNumber = /(?:ty|hundred|thousand|point|and)[ -]$/i

/** Longer than any words that make a number an age or a score. */
const measuredReach = 60

const isOther = (text: string, { start, amount }: SaidNumber, behind: string): boolean =>
  countsOther.test(behind) ||
  (Number(amount) <= hourMax && countsTablets.test(behind)) ||
  (Number(amount) <= hourMax && isTime.test(text.slice(0, start))) ||
  /^[:/]\d/.test(behind) ||
  isMeasured.test(text.slice(Math.max(0, start - measuredReach), start)) ||
  /[:/$#]$/.test(text.slice(0, start))

export const standsBesideName = (between: string): boolean => betweenNameAndDose.test(between)
export const standsWhereDosesStand = (before: string): boolean => beforeBare.test(before)

export interface SaidNumber {
  start: number
  end: number
  amount: string
}

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
      /^\d+$/.test(before.amount)
    ) {
      before.amount = `${before.amount}.5`
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
    const isHalf = first.lower === 'half'
    if (isHalf) {
      const behind = text.slice(last.end, last.end + wordReach)
      const a = beforeUnit.exec(behind)
      if (a === null && !/^ (?:at|every|in the|a day)\b/i.test(behind)) continue
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

/** How near the right dose follows the wrong one. */
const withdrawalReach = 45

const markWithdrawn = (text: string, doses: readonly SaidDose[]): SaidDose[] =>
  doses.map((dose, index) => {
    const next = doses[index + 1]
    if (next === undefined || next.start - dose.end > withdrawalReach) return dose
    return {
      ...dose,
      isWithdrawn: withdraws.test(text.slice(dose.end, next.start)) && next.amount !== dose.amount,
    }
  })

/** Every small number is so many times a smaller tablet. */
const stepMin = 5
/** More than the largest tablet is taken in round amounts; "one forty" is one of forty, or an hour. */
const roundStep = 50

/** A combination's strength as it is said: "30/500", "thirty five hundred", "eight two"; null where it is none of it. */
export const readCombination = ({ usualStrengths }: Medication, amount: string): string | null => {
  for (const strength of usualStrengths) {
    const [first, second] = strength.split('-')
    if (first === undefined || second === undefined) continue
    const isSaid =
      amount === `${first}/${second}` ||
      amount === `${first}${second}` ||
      // "Thirty five hundred" is heard as thirty-five hundreds.
      (Number(first) % 10 === 0 && amount === String(Number(first) * 100 + Number(second)))
    if (isSaid) return `${first}/${second}`
  }
  return null
}

/** Half a tablet to four of one strength, or two of them added up. */
const tabletCounts = [0.5, 1, 1.5, 2, 3, 4]

/** Of a combination the first part's: "8-2" is called eight. */
export const strengthsOf = ({ usualStrengths }: Medication): number[] =>
  usualStrengths.map((strength) => Number(strength.split('-')[0]))

/** Between half of the smallest and five of the largest tablet, so that a day's dose is in it. */
export const isInRange = (medication: Medication, amount: string): boolean => {
  const strengths = strengthsOf(medication)
  const value = Number(amount)
  return strengths.length > 0 && value >= Math.min(...strengths) / 2 && value <= Math.max(...strengths) * 5
}

/** Whether people take so much of it; true where nothing is known of its strengths. */
export const fitsStrengths = (medication: Medication, amount: string): boolean => {
  const strengths = strengthsOf(medication)
  const value = Number(amount)
  if (Number.isNaN(value) || value <= 0) return false
  if (strengths.length === 0) return value >= 2
  const step = Math.min(...strengths.filter((strength) => strength >= stepMin))
  return (
    strengths.some((strength) => tabletCounts.some((count) => strength * count === value)) ||
    strengths.some((one) => strengths.some((other) => one + other === value)) ||
    // "Clozapine, three fifty": of several tablets.
    (value > step &&
      value % step === 0 &&
      (value <= Math.max(...strengths) || value % roundStep === 0) &&
      isInRange(medication, amount))
  )
}

export const isUsualStrength = (medication: Medication, amount: string): boolean =>
  strengthsOf(medication).includes(Number(amount)) || readCombination(medication, amount) !== null
