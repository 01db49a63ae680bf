import type { ScoreFinding } from '../reading.js'
import type { Sentence } from '../talk/read-talk.js'
import { measures, smallMeasureMax, type Measure } from './measures.js'
import { beforeFollowing, countsOther, listValues, toFinding, withUnit, type Value } from './said-values.js'

/** Between a measure and its value; further away it is another's. */
const betweenWordsMax = 9

/** "Fill in the Y-BOCS in the waiting room, and I've got, hang on, it's twenty-one." */
const isNear = (between: string): boolean => {
  const count = between.trim().split(/\s+/).length
  return (
    count <= betweenWordsMax ||
    (count <= 2 * betweenWordsMax && (beforeFollowing.test(between) || addsUp.test(between)))
  )
}

const addsUp =
  /\b(?:c[ao]mes? (?:out|to)|scored?|add (?:it|that|them) up|i'd call it|you got|filled in|marked)\b/i
/** How a number goes on that is part of a blood pressure, which is read apart. */
const isPressurePart = /^,? (?:over|by) /i
const isLowerPart = /\b(?:over|by) (?:a )?$/i
/** "Over thirty" is a threshold, unless it is what was found: "viral load is less than fifty". */
const isThreshold = /\b(?:over|under|above|below|(?:less|more|higher|lower) than) $/i
const isFoundBelow = /\b(?:is|was|came back) (?:(?:under|below|less than)) $/i
/** "Lost five kilos": by how much, not how much. */
const isChange =
  /\b(?:lost|gained|lose|gain|put on|dropped|shed|up|down by|by|another|extra)(?: (?:about|like|maybe|around|some|almost|nearly|me))* $/i
/** Only a baby weighs less, and is weighed to the tenth. */
const wholeWeightMin = 20

const genericName =
  /\b(?<name>(?:[a-z][a-z'-]{1,20} ){1,3}(?:score|index|inventory|questionnaire|survey|screener|checklist))\b/
const isNoPart =
  /^(?:your|the|a|an|my|that|this|his|her|their|our|and|on|in|of|so|to|for|with|today's|today|got|did|do|does|what|is|was|it's|that's|you|we|i|filled|out|me|let's|let|see|have|had|last|new|little|short|whole|same|from|by|at|or|as|if|get|gets|give|gives|then|but|quick|total|overall|full)$/
/** A questionnaire that no list has is called as it is said, and adds up to no more. */
const genericMax = 300

const readGeneric = (lower: string): Measure | null => {
  const said = genericName.exec(lower)?.groups?.['name']
  if (said === undefined) return null
  const words = said.split(' ')
  const from = words.findLastIndex((word) => isNoPart.test(word)) + 1
  const name = words.slice(from).join(' ')
  return name === '' ? null : { name, pattern: genericName, min: 0, max: genericMax }
}

/** The measure that a sentence names: of the list, else by what it calls itself. */
export const findMeasure = ({ plain }: Sentence): Measure | null =>
  measures.find(({ pattern }) => pattern.test(plain)) ?? readGeneric(plain)

const saysTwoFigures =
  /^(?:one|two|three|four|five|six|seven|eight|nine) (?:one|two|three|four|five|six|seven|eight|nine)$/i

/** What is said, where the measure can have it; "eight six" of a small one is 8.6. Null where it cannot be. */
export const fitValue = ({ name, min, max }: Measure, { value, said }: Value): string | null => {
  const number = Number(value)
  if (name === 'weight' && number < wholeWeightMin && !value.includes('.')) return null
  if (number >= min && number <= max) return value
  const isTenth = max <= smallMeasureMax && saysTwoFigures.test(said)
  return isTenth && number / 10 >= min ? `${value[0]}.${value[1]}` : null
}

const hasNumber =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|zero|nought|point)\b/

export const readMeasures = (sentence: Sentence): ScoreFinding[] => {
  const { text, plain } = sentence
  if (!hasNumber.test(plain)) return []
  const lower = text.toLowerCase().replaceAll('’', "'")
  const listed = measures.flatMap((measure) => {
    const match = measure.pattern.exec(lower)
    return match === null ? [] : [{ measure, start: match.index, end: match.index + match[0].length }]
  })
  const generic = listed.length > 0 ? null : readGeneric(lower)
  const at = generic === null ? -1 : lower.indexOf(generic.name)
  const named =
    generic === null || at < 0 ? listed : [{ measure: generic, start: at, end: at + generic.name.length }]
  const values = listValues(text).filter(
    ({ start, end }) =>
      !named.some((one) => start >= one.start && end <= one.end) &&
      !isPressurePart.test(text.slice(end)) &&
      !isLowerPart.test(text.slice(0, start)) &&
      (!isThreshold.test(text.slice(0, start)) || isFoundBelow.test(text.slice(0, start))),
  )
  return named.flatMap(({ measure, start, end }) => {
    const nextName = Math.min(
      ...named.filter((other) => other.start > end).map((other) => other.start),
      text.length,
    )
    return pickValues(text, values, { measure, start, end, nextName }).map((value) =>
      toFinding(
        measure.name,
        withUnit(text, { ...value, value: fitValue(measure, value) ?? value.value }),
        [sentence.item],
        text,
      ),
    )
  })
}

/** Between the first value and the one it is compared with. */
const compares =
  /^(?:,? (?:to|down to|up to|(?:and |but )?(?:it|he|she|you|i|that|last)?(?: (?:was|is))?(?: (?:now|down|up))?(?: from| at| to)?|,? and (?:the |your )?last (?:one|time)(?: it)? was|,? (?:and )?(?:now|then)(?: it's| it was)?))\s$/i

/** The value behind the name, else the one right before it, and one that it is compared with. */
const pickValues = (
  text: string,
  values: readonly Value[],
  { measure, start, end, nextName }: { measure: Measure; start: number; end: number; nextName: number },
): Value[] => {
  const fits = (value: Value) =>
    fitValue(measure, value) !== null &&
    !(measure.name === 'weight' && isChange.test(text.slice(0, value.start)))
  const isBehind = (value: Value) =>
    value.start < nextName && fits(value) && !countsOther.test(text.slice(value.end))
  const behind = values.find(
    (value) => value.start >= end && isBehind(value) && isNear(text.slice(end, value.start)),
  )
  const before = values.findLast(
    (value) =>
      value.end <= start &&
      fits(value) &&
      /^ (?:on|for) (?:the|your|a|that|this) $/i.test(text.slice(value.end, start)),
  )
  // "nineteen out of thirty on the MMSE"
  const whole = values.find(
    (value) => before !== undefined && /^ out of $/i.test(text.slice(value.end, before.start)),
  )
  const first = behind ?? whole ?? before
  if (first === undefined) return []
  const further = values.filter(
    (value) =>
      value.start > first.end &&
      isBehind(value) &&
      compares.test(text.slice(first.end, value.start)) &&
      text.slice(first.end, value.start).trim() !== '',
  )
  return [first, ...further.slice(0, 1)]
}
