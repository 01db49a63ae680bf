import { isOfStrength, readSharedUnit, readUnit, type DoseUnit, type SaidUnit } from './dose-units.js'
import { findSaidNumbers, type SaidNumber } from './said-numbers.js'

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

/** Behind these a number counts or measures something else. */
const countsOther =
  /^(?:[ ,-]*(?:to|or|and|-) ?[\w.]+)?[ ,-]*(?:weeks?|days?|months?|years?|hours?|minutes?|seconds?|nights?(?! ?time)|o'clock|oclock|a\.?m\b|p\.?m\b|percent|%|times|x\b|tablets?|tabs?|pills?|capsules?|caps|refills?|pounds?|lbs?|kilos?|kg|by (?:a )?(?:hundred|sixty|seventy|eighty|ninety|\d{2,3})\b|points?(?! (?:zero|oh|one|two|three|four|five|six|seven|eight|nine|\d))|over|degrees?|people|drinks?|beers?|cigarettes|packs?|dollars?|bucks|visits?|sessions?|out of|or so|something|th\b|st\b|nd\b|ounces|miles|blocks|steps|calories|grand|kids|mornings|evenings|bottles?|boxes|doses|of (?:them|those|my|your|'em)|weeks'|year.old|month.old|day\b|week\b|month\b|year\b|hour\b|inches|feet|foot|men|women|in a row|more|less\b|off\b|episodes|panic|attacks|left\b|bars|sides|meetings|others|inhalers?|pens?\b|tubes?)/i
const isTime =
  /(?<!\b(?:stay|stayed|staying|keep|kept|hold|you're|still|back|start|starting|started|began|begin|beginning|top|topped|max|maxed|again|was|were|i'm|been|dose) |\b(?:keep|kept|leave|left|hold|held|put|start|started|starting|have|had|got|back) (?:you|him|her|me|it|them) )\b(?:at|around|by|until|till|past|before|after|since),? (?:(?:like|about|around|maybe|roughly|um|uh),? )*$/i
/** "I was nine", "nineteen out of thirty", "from one to ten": an age, a score, a scale. */
const isMeasured =
  /\b(?:i|he|she|we|they|you) (?:was|were|turned) (?:(?:about|like|around|maybe|only|just|almost|barely|probably) )*$|\bout of (?:a )?$|\b(?:zero|nought|one|0|1) to $|\bage(?:d| of)? $|\b(?:i|he|she|you|it) (?:feel|felt|feels|look|looked|looks|act|acts)(?: like| about)* $|\b(?:creatinine|egfr|hemoglobin|haemoglobin|ldl|hdl|cholesterol|sodium|bmi|sats?|oxygen|temp|temperature|esr|crp)(?:'s)?(?: (?:is|was|at|of|came back|came in at|down to|up to))? $|\bcount(?:s|ed|ing)? to $|\b(?:less|fewer|no more) than (?:a )?$|\byou(?:'re| were) an? $|\b(?:\d{2,3}|(?:eigh|nine|seven|six|fif|for|thir|twen)ty(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|hundred|\w{2,5}teen|eight) (?:over|by|on) (?:a )?$|\b(?:best|peak flow|reading|pressure|pulse|weight|sugars?|vitamin d|b12|ferritin|tsh|inr|a1c|psa|potassium) (?:is|was|of|at)(?: only| just| about)? $|\blevels? (?:was|is|of|came back|at|came in)(?: at)? $/i
/** "He was eighteen before that": told of a dose, not of an age. */
const wasBefore =
  /^ ?(?:mg|milligrams)?,? (?:before (?:that|this|then|we|she|he|they)|(?:until|till|up to|up until) (?:last|the|she|he|they|we|this|a)|at first|to (?:start|begin) with|originally)\b/i
/** "Any of the one-fifties left", "the ordinary five hundreds": tablets by their strength. */
export const saysStrength = /(?:hundreds|ties|[^s]ves|eights|tens|hal(?:f|ve)s)$/i
/** "Three of the eight films", "one of your fifties". */
const countsTablets =
  /^ of (?:the|my|your|those|these) (?:little |small |big )?(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|\w{2,6}(?:ty|ties|teen|teens)|hundred)s?\b)/i
/** "Two tens", "two five-hundreds": so many of them. */
const countsStrength =
  /^ (?:(?:two|three|four|five|six|eight)[ -]hundreds|(?:one|two|three|seven)[ -](?:fifties|twenty-fives|twenties|hundreds)|twos|fours|fives|sixes|eights|tens|twelves|fifteens|(?:twen|thir|for|fif|six|seven|eigh|nine)ties(?:-fives)?|(?:twenty|seventy)[ -]fives|hundreds|\d+s)\b/i
/** "Go up two units every three days", "increase by ten": by how much, not how much. */
const isStep =
  /\b(?:(?:go(?:ing|es)?|went|gone|come|coming|came|bump\w*|move|moving|mov(?:e|ing) (?:it|you)|push\w*|(?:bump\w*|put|take|bring) (?:it|you|me|him|her|that)) (?:back )?(?:up|down)(?: (?:by|another|a further|an extra))?|(?:increas\w+|rais(?:e|ed|ing)|lower(?:ed|ing)?|reduc\w+|drop(?:ped|ping)?|cut(?:ting)?|titrat\w+|adjust\w*)(?: (?:it|you|the dose|that|up|down))* by|(?:another|an extra|an additional|a further)) (?:(?:about|like|maybe) )?$/i
/** "At, um, two thirty": an hour with its minutes. */
const isHourBefore = /\b(?:at|around|by|until|till|about),?(?: (?:um|uh|like|about|maybe),?){0,4} $/i
const opensDose =
  /^, (?:the )?[\w.-]+(?: [\w-]+)? (?:mgs?|milligrams?|micrograms?|mls?|mils?|units|puffs|tablets|sachets)\b/i
const isClock = /^(?:[1-9]|1[0-2])(?:15|30|45)$/

/** Up to here a number may be an hour. */
const hourMax = 12

/** What may stand between a name and its bare dose: "sertraline, the generic, fifty". */
const betweenNameAndDose =
  /^[\s,:;.-]*(?:(?:at|the|is|was|to|of|er|xr|xl|sr|cr|ir|la|extended|release|dose|now|up|down|from|about|like|only|just|still|a|an|been|on|for|it's|um|uh|generic|decanoate|patch|patches|spray|gel|cream|film|films|strips?|shot|injection|inhaler|tablets?|capsules?|long|acting|i'm|we|you|went|go|you're|that's|currently|your|my|me|have|take|taking|takes|took|at|around|think|i|i've|got|by|stays|stay|and|one|raised|lowered|increased|increase|started|say|says|says|which)[\s,.:;-]+){0,6}$/i
/** What stands before a bare dose of something named elsewhere. */
const beforeBare =
  /(?:^|\b(?:to|at|on|from|the|of|take|taking|took|takes|dose|doses|dose is|dose was|now|currently|was|it's|is|you're|say|says|said|than|by|stay|keep|still|just|only|about|like|maybe|um|uh|yeah|yes|no|naw|nah|nope|wait|sorry|ma'am|sir|okay|then|plus|used to be|except|mentioned it|said|or|and|with|at about|do|doing|did|got|gave|your|my|a|whole|half|those|these|that's|i'm|had|have|need|want|try|low|be|for|through|hit|reach|stays|weeks?|nights?|days?|months?|increase|start|starting|started|tablet|tabs?|ones?|so|make it|make that|call it|makes it|suggest|recommend|prefer|target|target's|target is|having|has|used|using|giving|give|gives|him|her|me|put|go|going|went|wanted|tried|wants|gave you|given you|thinking(?: of| about| maybe)?)[\s,.:;-]+)$/i

const withdraws =
  /\b(?:no,? (?:wait|sorry|hang on|hold on|actually|i mean|it's|that's)|wait|sorry|i mean|correction|(?<!\b(?:let's|we'll|i'll|could|would|we|to) )make (?:that|it)|scratch that|my mistake|i misspoke)\b|^[\s,.—-]*(?:no|rather|actually|er)[\s,.]/i

/** What the talk around says of a number of pieces, with its unit or without. */
export interface CountRules {
  mayBeCount: (number: SaidNumber, unit: SaidUnit) => boolean
  mayBeBareCount: (number: SaidNumber, last: SaidDose | undefined) => boolean
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
  for (const number of findSaidNumbers(text)) {
    const behind = text.slice(number.end)
    const unit = readUnit(behind, number.amount) ?? readSharedUnit(behind, number.amount)
    if (unit !== null && isNoDose(text, number, unit)) continue
    const isWeight = unit !== null && !unit.isCount && unit.unit !== '%'
    if (unit !== null && !isWeight && !counts.mayBeCount(number, unit)) continue
    let isCount = unit?.isCount ?? false
    if (unit === null) {
      // "Nurofen, two of 'em": how many, not how much.
      if (
        isOther(text, number, behind) &&
        !(isOfThem.test(behind) && counts.mayBeBareCount(number, doses.at(-1)))
      )
        continue
      const last = doses.findLast((dose) => !dose.isCount)
      const isCorrection =
        last !== undefined &&
        number.start - last.end <= withdrawalReach &&
        withdraws.test(text.slice(last.end, number.start))
      if (!isCorrection && !mayBeBare(number, last)) {
        if (!counts.mayBeBareCount(number, doses.at(-1))) continue
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

export const isOfThem = /^ of (?:them|'em|those)\b/i

/** A step up or down, and an hour that stands before the dose: "at two thirty, five mils". */
const isNoDose = (text: string, { start, amount }: SaidNumber, { isOwn }: SaidUnit): boolean => {
  const front = text.slice(Math.max(0, start - measuredReach), start)
  return isStep.test(front) || (!isOwn && isClock.test(amount) && isHourBefore.test(front))
}

/** "Any of the fifties left?" */
const isKept = /^ (?:left|or so)\b/i

/** Longer than any words that make a number an age or a score. */
const measuredReach = 60

/** Numbers that are called. */
const emergencyNumbers = new Set(['111', '911', '988', '999'])

const isOther = (text: string, { start, amount }: SaidNumber, behind: string): boolean =>
  (isClock.test(amount) && isHourBefore.test(text.slice(0, start)) && opensDose.test(behind)) ||
  emergencyNumbers.has(amount) ||
  namesOther.test(text.slice(Math.max(0, start - measuredReach), start)) ||
  (countsOther.test(behind) &&
    !isOfStrength(/^[ -]([a-z]+)\b/i.exec(behind)?.[1] ?? '', amount) &&
    !(saysStrength.test(text.slice(start, text.length - behind.length)) && isKept.test(behind))) ||
  (Number(amount) <= hourMax && countsStrength.test(behind)) ||
  (Number(amount) > hourMax && /^ at a time\b/i.test(behind)) ||
  isStep.test(text.slice(Math.max(0, start - measuredReach), start)) ||
  (Number(amount) <= hourMax && countsTablets.test(behind)) ||
  (Number(amount) <= hourMax && isTime.test(text.slice(0, start))) ||
  /^[:/]\d/.test(behind) ||
  (isMeasured.test(text.slice(Math.max(0, start - measuredReach), start)) && !wasBefore.test(behind)) ||
  /[:/$#]$/.test(text.slice(0, start))

/** "Week twenty", "ward seven", "smoking, still twenty a day", "a score of sixty-four": of something else, whatever is sold in it. */
const namesOther =
  /\b(?:weeks?|ward|room|page|grade|year|level|stage|step|unit|bed|floor|number|channel|bus|route) $/i
const tellsOther =
  /\b(?:smok\w+|cigarettes?|vap(?:e|ing)|fags|ciggies|scores?|conners|phq|gad|audit|moca|mmse|weigh\w*|kilos?|pounds?|stone|bmi|heart rate|viral load|cd4|birthday|bucks|quid|pints?)\b/i

const clauseEnd = /[;.]|,? (?:and|but|so) /
const ownClauseEnd = /[;,.]|,? (?:and|but|so) /

/**
 * Whether a number counts no dose, in a sentence that names no medicine: by what stands before the number and in its own clause. In the answer to "how much?" only
 * by its clause: "It's up to forty and my weight is the same."
 */
export const isOfSomethingElse = (text: string, start: number, isDoseAnswer: boolean): boolean => {
  const front = text.slice(0, start)
  const own = text.slice(start).split(isDoseAnswer ? ownClauseEnd : clauseEnd, 1)[0] ?? ''
  const before = isDoseAnswer ? (front.split(ownClauseEnd).at(-1) ?? '') : front
  return namesOther.test(front.slice(-measuredReach)) || tellsOther.test(`${before}${own}`)
}

export const standsBesideName = (between: string): boolean => betweenNameAndDose.test(between)
export const standsWhereDosesStand = (before: string): boolean => beforeBare.test(before)

/** How near the right dose follows the wrong one. */
const withdrawalReach = 45

const negated = /(?<!\b(?:why|if|or) )\bnot (?:(?:the|a|on|at|my|your) )*$/i

const markWithdrawn = (text: string, doses: readonly SaidDose[]): SaidDose[] =>
  doses.map((dose, index) => {
    // "Not fifty, a hundred", "the ten, not the twenty-five".
    if (doses.length > 1 && negated.test(text.slice(Math.max(0, dose.start - withdrawalReach), dose.start)))
      return { ...dose, isWithdrawn: true }
    const next = doses[index + 1]
    if (next === undefined || next.start - dose.end > withdrawalReach) return dose
    // "Two mil... two milligrams": begun, and said again.
    if (
      next.amount === dose.amount &&
      next.unit !== dose.unit &&
      /^ ?(?:\.{2,}|…|-+|—|–) ?(?:um,? |uh,? )?$/i.test(text.slice(dose.end, next.start))
    )
      return { ...dose, isWithdrawn: true }
    return {
      ...dose,
      isWithdrawn: withdraws.test(text.slice(dose.end, next.start)) && next.amount !== dose.amount,
    }
  })
