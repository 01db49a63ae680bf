import type { ScoreFinding } from '../reading.js'
import type { Sentence, Turn } from '../talk/read-talk.js'
import { measures } from './measures.js'
import { fitValue } from './read-measures.js'
import { countsOther, listValues, toFinding, withUnit, type Value } from './said-values.js'

/** "a seven out of ten", "four on a scale of one to ten". */
export const readRatings = (sentence: Sentence, question: Turn | undefined): ScoreFinding[] => {
  const { text, plain } = sentence
  const values = listValues(text)
  return values.flatMap(({ value, end, start }) => {
    const behind = text.slice(end)
    const isRated =
      /^ ?(?:(?:out of|outta|outa) (?:10|ten)\b|\/ ?10\b|of (?:10|ten)\b|on (?:a|the|that) (?:scale|one to ten|ten.point))/i.test(
        behind,
      ) || /^\d+\/10$/.test(value)
    const number = Number(value.split('/')[0])
    if (!isRated || number < 0 || number > 10) return []
    const asked = question === undefined ? [] : [question.item]
    return [
      toFinding(
        nameRating(plain, text.slice(0, start), question),
        `${value.split('/')[0] ?? value}/10`,
        [sentence.item, ...asked],
        text,
      ),
    ]
  })
}

const rated =
  /\b(pain|anxiety|mood|depression|sadness|anger|stress|craving|cravings|urge|urges|distress|suds?|confidence|importance|readiness|motivation|energy|sleep|panic|fear|worry|guilt|shame|irritability|focus|belief|hope|headache|nausea|fatigue|wanting to die|suicidal\w*|breathlessness)\b/
const nameRating = (plain: string, before: string, question: Turn | undefined): string =>
  rated.exec(before.toLowerCase())?.[1] ??
  rated.exec(plain)?.[1] ??
  rated.exec(question?.plain ?? '')?.[1] ??
  'rating'

const scaleOfTen =
  /\b(?:zero|nought|naught|0|one|1) to (?:ten|10)\b|\bout of (?:ten|10)\b|\bscale (?:of|from)\b/
const scaleOfHundred = /\b(?:zero|0|one|1) to (?:a |one )?(?:hundred|100)\b|\bsuds?\b/
const asksAgain =
  /\b(?:same scale|(?:on|where on) (?:the|that) scale|(?:what's|what is) (?:the|your) number|your number|number(?: now)?\?|where are you(?: at)?(?: now)?\?|where is it now\?|and now\?)/
/** "Oh, those. Seven. Six and a half. No, put seven.": the number is said at the beginning, and the last one stands. */
const answerSentencesMax = 4
const answerWordsMax = 5

const isOnCondition = /^(?:but |and |maybe )?(?:when|if|at night|on a bad|sometimes|at (?:its|the) worst)\b/
const saysNow = /\b(?:was|were) [^.;]{1,40}\bnow\b[^.;]{0,30}$/i

const readAnswerValue = (turn: Turn): { value: Value; sentence: Sentence } | null => {
  let said: { value: Value; sentence: Sentence } | null = null
  for (const sentence of turn.sentences.slice(0, answerSentencesMax)) {
    const values = listValues(sentence.text)
    // "I was sixty-one, now fifty-four."
    const value = values.find(({ start }) => saysNow.test(sentence.text.slice(0, start))) ?? values[0]
    // "Three. When I shift, six."
    if (said !== null && isOnCondition.test(sentence.plain)) break
    if (value !== undefined && !countsOther.test(sentence.text.slice(value.end))) said = { value, sentence }
    else if (said !== null || sentence.plain.split(' ').length > answerWordsMax) break
  }
  return said
}

interface AnswerTalk {
  /** Something was rated on a scale before. */
  isRating: boolean
  /** Whether a sentence names its measure itself. */
  hasOwn: (sentence: Sentence) => boolean
}

/** "How bad, zero to ten?" – "A seven."; "What's your weight?" – "One sixty-one."; "Number?" – "Eighty-five." */
export const readAnswered = (
  turn: Turn,
  question: Turn,
  { isRating, hasOwn }: AnswerTalk,
): ScoreFinding[] => {
  const answer = readAnswerValue(turn)
  if (answer === null) return []
  const { value, sentence } = answer
  const items = [question.item, turn.item]
  const number = Number(value.value)
  const rate = (most: number) =>
    toFinding(nameRating('', '', question), `${value.value}/${most}`, items, sentence.text)
  if (scaleOfTen.test(question.plain)) {
    if (number > 10 || /out of|outta|\/ ?10/i.test(sentence.text.slice(value.end))) return []
    return [rate(10)]
  }
  if (scaleOfHundred.test(question.plain)) return number > 100 ? [] : [rate(100)]
  const last = question.sentences.findLast(({ asks }) => asks)
  if (last !== undefined && isRating && asksAgain.test(last.plain))
    return number > 100 ? [] : [rate(number > 10 ? 100 : 10)]
  const asked = measures.find(
    (measure) => last !== undefined && measure.pattern.test(last.plain) && fitValue(measure, value) !== null,
  )
  const isShort = turn.wordCount <= 20
  return asked === undefined || !isShort || hasOwn(sentence)
    ? []
    : [
        toFinding(
          asked.name,
          withUnit(sentence.text, { ...value, value: fitValue(asked, value) ?? value.value }),
          items,
          sentence.text,
        ),
      ]
}
