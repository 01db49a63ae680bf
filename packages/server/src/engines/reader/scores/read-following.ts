import type { ScoreFinding } from '../reading.js'
import type { Sentence, Turn } from '../talk/read-talk.js'
import { questionnaires, type Measure } from './measures.js'
import { fitValue } from './read-measures.js'
import { beforeFollowing, countsOther, listValues, toFinding, withUnit } from './said-values.js'

/** The measure that was named last. */
export interface Spoken {
  measure: Measure
  item: number
}

/** Up to so many items later, "it was …" and a number that is said alone still belong to the measure that was named. */
const followReach = 2
const aloneReach = 2
/** A questionnaire is gone through question by question, and added up at the end. */
const totalReach = 40
/** "Three hundred and ninety metres.", "One sixty-one point something.", "Second go. Fifty-nine kilos, good." */
const isNothingElse =
  /^(?:(?:um|uh|so|and|yeah|yes|oh|now|right|okay|it's|that's|you're|i'm|about|at|like|just|only|a|an|bang on|exactly|today|this morning|love|good|fine|great|lovely|perfect|point something|or so|kilos?|kilograms?|kgs?|pounds|lbs?|percent|degrees|met(?:re|er)s|centimet(?:re|er)s|cms?|beats|is it|i think|i believe|out of \w+(?:-\w+)?)\b|[^a-z0-9])*$/
/** A person "was nine" at nine years, unless a time is named at which they were measured. */
const comparesTime =
  /\b(?:last (?:time|visit|month|year|week|spring|summer|fall|winter)|today|now|when you (?:started|came)|in (?:the (?:spring|summer|fall|winter)|january|february|march|april|may|june|july|august|september|october|november|december)|before|at (?:intake|the start))\b/
const beforeLength = 60
/** "Adding that up I get eleven", "you filled in thirty-one", "it came to thirteen". */
const isTotal =
  /\b(?:add(?:s|ed|ing)?(?: (?:it|that|them|those|these|all)){0,2} up|totals?|totall?(?:ed|ing)|com(?:es?|ing) (?:out )?(?:to|at)|came (?:out )?(?:to|at|up to|back at|in at)|scored?|scoring|i(?:'d)? (?:get|got|count|make (?:it|that)|call it)|you(?:'ve)? (?:got|get|scored|filled in|marked|come out at|came out at)|so that's|that's)(?:,? (?:to|at|a|an|about|like|today|up|me|you|now|all of them|is|it|as|that's|so)){0,5},? $/i

/** "The PCL. Let me add it. Fifty-one." – "It was fifty-eight in September.": the measure was named before. */
export const readFollowing = (
  sentence: Sentence,
  turn: Turn,
  { measure, item }: Spoken,
  isMeasured: boolean,
): ScoreFinding[] => {
  const back = turn.item - item
  if (back > totalReach || sentence.asks) return []
  const { text, plain } = sentence
  const isAsked = questionnaires.includes(measure)
  const value = listValues(text).find((one) => {
    const { start, end } = one
    if (fitValue(measure, one) === null || countsOther.test(text.slice(end))) return false
    if (/^ ?(?:mgs?|mcg|milli|micro|units|over)\b/i.test(text.slice(end))) return false
    const before = text.slice(Math.max(0, start - beforeLength), start)
    if (isAsked && isMeasured && turn.role === 'clinician' && isTotal.test(before)) return true
    if (back > followReach) return false
    const isAlone =
      back <= aloneReach && isNothingElse.test(`${text.slice(0, start)} ${text.slice(end)}`.toLowerCase())
    const isOwn = turn.role === 'clinician' || comparesTime.test(plain) || (isAsked && back === 0)
    return isAlone || (isOwn && (beforeFollowing.test(before) || isTotal.test(before)))
  })
  return value === undefined
    ? []
    : [
        toFinding(
          measure.name,
          withUnit(text, { ...value, value: fitValue(measure, value) ?? value.value }),
          [item, sentence.item],
          text,
        ),
      ]
}
