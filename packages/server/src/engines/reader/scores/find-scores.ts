import { findNumbers } from '../../text/find-numbers.js'
import { tokenizeWords, type WordToken } from '../../text/tokenize-words.js'
import { makeFindingId, sortItems } from '../finding-id.js'
import type { ScoreFinding, TopicScores } from '../reading.js'
import type { Sentence, Turn } from '../talk/read-talk.js'

/** A measure, how it is called, and the values it can have. */
interface Measure {
  name: string
  pattern: RegExp
  min: number
  max: number
}

const measure = (name: string, pattern: RegExp, min: number, max: number): Measure => ({
  name,
  pattern,
  min,
  max,
})

const measures: readonly Measure[] = [
  measure(
    'PHQ-9',
    /\bp\.?h\.?q\.?(?:[ -]?(?:9|nine))?\b|\bdepression (?:score|questionnaire|scale|screen\w*)\b/,
    0,
    27,
  ),
  measure(
    'GAD-7',
    /\bg\.?a\.?d\.?(?:[ -]?(?:7|seven))\b|\bgad\b|\banxiety (?:score|questionnaire|scale|screen\w*)\b/,
    0,
    21,
  ),
  measure('PCL-5', /\bpcl(?:[ -]?(?:5|five))?\b/, 0, 80),
  measure('AUDIT', /\baudit(?:[ -]c)?\b/, 0, 40),
  measure('MoCA', /\bmoca\b|\bmontreal\b/, 0, 30),
  measure('MMSE', /\bmmse\b|\bmini[ -]?mental\b/, 0, 30),
  measure('Y-BOCS', /\by[ -]?bocs\b|\byale[ -]?brown\b/, 0, 40),
  measure('AIMS', /\baims\b/, 0, 40),
  measure('ASRS', /\basrs\b/, 0, 24),
  measure('ISI', /\bisi\b|\binsomnia (?:severity|score)\b/, 0, 28),
  measure('EPDS', /\bepds\b|\bedinburgh\b/, 0, 30),
  measure('MADRS', /\bmadrs\b/, 0, 60),
  measure('Beck', /\bbdi\b|\bbeck\b/, 0, 63),
  measure('DAST-10', /\bdast\b/, 0, 10),
  measure('WHO-5', /\bwho[ -]?(?:5|five)\b/, 0, 100),
  measure(
    'questionnaire',
    /\b(?:questionnaire|your form|the form|screener)\b(?= (?:was|is|came|says|score\w*))/,
    0,
    80,
  ),
  measure('A1c', /\ba[ -]?1[ -]?c\b|\ba one c\b|\bhemoglobin a1c\b|\bhba1c\b/, 3, 20),
  measure('pulse', /\b(?:pulse|heart rate|resting rate)\b/, 30, 220),
  measure('temperature', /\btemp(?:erature)?\b|\bfever (?:of|was)\b/, 34, 110),
  measure(
    'oxygen saturation',
    /\b(?:o2|oxygen|o two|sat|sats|saturation|pulse ox)(?: sat\w*| saturation| level)?\b/,
    50,
    100,
  ),
  measure('respiratory rate', /\b(?:respiratory rate|respirations|breathing rate)\b/, 5, 60),
  measure('BMI', /\bbmi\b|\bb\.m\.i\b|\bbody mass\b/, 10, 90),
  measure('weight', /\bweigh(?:t|ed|ing|s)?\b|\bon the scale\b/, 20, 700),
  measure('TSH', /\btsh\b|\bt\.s\.h\b/, 0, 150),
  measure('lithium level', /\blithium level\b|\blevel (?:was|is|of|came|from)\b/, 0, 3),
  measure('creatinine', /\bcreatinine\b/, 0.2, 20),
  measure('potassium', /\bpotassium\b/, 1.5, 9),
  measure('sodium', /\bsodium\b/, 100, 180),
  measure('glucose', /\b(?:glucose|blood sugar|fasting sugar|sugars?)\b/, 3, 700),
  measure('cholesterol', /\bcholesterol\b/, 2, 500),
  measure('LDL', /\bldl\b/, 1, 400),
  measure('HDL', /\bhdl\b/, 0.5, 150),
  measure('triglycerides', /\btriglycerides?\b/, 0.3, 3000),
  measure('hemoglobin', /\b(?:hemoglobin|haemoglobin)\b(?! a1c)/, 4, 200),
  measure('ferritin', /\bferritin\b/, 1, 3000),
  measure('vitamin D', /\bvitamin d(?:3)?(?: level)?\b/, 3, 200),
  measure('vitamin B12', /\b(?:vitamin )?b[ -]?12(?: level)?\b/, 50, 2000),
  measure('ALT', /\balt\b/, 3, 3000),
  measure('AST', /\bast\b/, 3, 3000),
  measure('GGT', /\bggt\b/, 3, 3000),
  measure('eGFR', /\be?gfr\b/, 3, 150),
  measure('prolactin', /\bprolactin\b/, 1, 1000),
  measure('ANC', /\banc\b|\bneutrophils?\b/, 0.1, 20_000),
  measure('white count', /\bwhite (?:blood )?(?:cell )?count\b|\bwbc\b/, 0.5, 100_000),
  measure('platelets', /\bplatelets?\b/, 5, 1_000_000),
  measure('INR', /\binr\b/, 0.5, 12),
]

const units = /^ ?(?:percent|%|pounds|lbs?|kilos?|kg|degrees|bpm|beats)\b/i
/** Behind a number: it counts something else. */
const countsOther =
  /^[ -]*(?:weeks?|days?|months?|years?|hours?|times|milligrams?|mg|mcg|minutes?|o'clock|a\.?m|p\.?m|visits?|sessions?|nights?|tablets?|pounds? (?:since|down|up|less|more|from|in)|(?:pounds|kilos|lbs) (?:lost|gained))\b/i
/** Between a measure and its value; further away it is another's. */
const betweenWordsMax = 9
/** From here the encoder takes an item to hold measures. */
const foundAt = 0.25

export const findScores = (
  turns: readonly Turn[],
  topics: readonly TopicScores[],
  questionOf: Readonly<Record<number, number>>,
): ScoreFinding[] => {
  const found: ScoreFinding[] = []
  for (const turn of turns) {
    const score = topics[turn.item]?.scores ?? 0
    const asked = questionOf[turn.item]
    for (const sentence of turn.sentences) {
      found.push(
        ...readPressure(sentence, score, asked),
        ...readMeasures(sentence),
        ...readRatings(sentence, turns[asked ?? -1]),
      )
    }
    if (asked !== undefined && turn.role !== 'clinician') found.push(...readAnswered(turn, turns[asked]))
  }
  return withoutRepeats(found)
}

const toFinding = (name: string, value: string, items: readonly number[], words: string): ScoreFinding => ({
  kind: 'score',
  id: makeFindingId('score', name, value, items[0] ?? 0),
  items: sortItems(items),
  words,
  name,
  value,
})

/** "one oh eight" is 108. */
const readOh = (tokens: readonly WordToken[]): WordToken[] =>
  tokens.map((token, at) =>
    /^o(?:h)?$/.test(token.lower) &&
    /^(?:one|two|three|four|five|six|seven|eight|nine)$/.test(tokens[at - 1]?.lower ?? '') &&
    /^(?:one|two|three|four|five|six|seven|eight|nine)$/.test(tokens[at + 1]?.lower ?? '')
      ? { ...token, lower: 'zero' }
      : token,
  )

interface Value {
  value: string
  start: number
  end: number
}

const listValues = (text: string): Value[] => {
  const tokens = readOh(tokenizeWords(text))
  return findNumbers(tokens).flatMap((number) => {
    const [first, last] = [tokens[number.firstToken], tokens[number.lastToken]]
    const [value = ''] = number.readings
    if (first === undefined || last === undefined || /^(?:half|once|twice|dozen)$/i.test(number.text))
      return []
    const point = /\bpoint $/i.exec(text.slice(0, first.start))
    return [
      {
        value: point !== null && !value.includes('.') ? `0.${value}` : value,
        start: first.start,
        end: last.end,
      },
    ]
  })
}

/** "one thirty over eighty-five", "130/85". A beer over dinner has no such numbers. */
const readPressure = (sentence: Sentence, score: number, asked: number | undefined): ScoreFinding[] => {
  const { text } = sentence
  const values = listValues(text)
  const found: ScoreFinding[] = []
  const add = (value: string) => {
    const [high = 0, low = 0] = value.split('/').map(Number)
    if (high >= 70 && high <= 260 && low >= 35 && low <= 160 && high > low)
      found.push(
        toFinding('blood pressure', value, [sentence.item, ...(asked === undefined ? [] : [asked])], text),
      )
  }
  for (const [at, { value, end }] of values.entries()) {
    const next = values[at + 1]
    if (/^\d{2,3}\/\d{2,3}$/.test(value)) {
      if (score >= foundAt || /\b(?:pressure|bp|b\.p)\b/.test(sentence.plain)) add(value)
    } else if (next !== undefined && /^,? over (?:a )?$/i.test(text.slice(end, next.start)))
      add(`${value}/${next.value}`)
  }
  return found
}

const readMeasures = (sentence: Sentence): ScoreFinding[] => {
  const { text, plain } = sentence
  if (
    !/\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|zero|point)\b/.test(
      plain,
    )
  )
    return []
  const lower = text.toLowerCase().replaceAll('’', "'")
  const named = measures.flatMap(({ name, pattern, min, max }) => {
    const match = pattern.exec(lower)
    return match === null ? [] : [{ name, min, max, start: match.index, end: match.index + match[0].length }]
  })
  const values = listValues(text).filter(
    ({ start, end }) => !named.some((one) => start >= one.start && end <= one.end),
  )
  return named.flatMap(({ name, min, max, start, end }) => {
    const fits = ({ value }: Value) => Number(value) >= min && Number(value) <= max
    const nextName = Math.min(
      ...named.filter((other) => other.start > end).map((other) => other.start),
      text.length,
    )
    const behind = values.find(
      (value) =>
        value.start >= end &&
        value.start < nextName &&
        fits(value) &&
        !countsOther.test(text.slice(value.end)) &&
        text.slice(end, value.start).trim().split(/\s+/).length <= betweenWordsMax,
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
        value.start < nextName &&
        fits(value) &&
        !countsOther.test(text.slice(value.end)) &&
        /^(?:,? (?:to|down to|up to|(?:and |but )?(?:it|he|she|you|i|that|last)?(?: (?:was|is))?(?: (?:now|down|up))?(?: from| at| to)?))\s$/i.test(
          text.slice(first.end, value.start),
        ) &&
        text.slice(first.end, value.start).trim() !== '',
    )
    return [first, ...further.slice(0, 1)].map((value) =>
      toFinding(name, withUnit(text, value), [sentence.item], text),
    )
  })
}

const withUnit = (text: string, { value, end }: Value): string => {
  const unit = units.exec(text.slice(end))?.[0].trim().toLowerCase()
  const short: Readonly<Record<string, string>> = {
    percent: '%',
    '%': '%',
    pounds: ' lb',
    lb: ' lb',
    lbs: ' lb',
    kilos: ' kg',
    kilo: ' kg',
    kg: ' kg',
  }
  return unit === undefined ? value : `${value}${short[unit] ?? ''}`
}

/** "a seven out of ten", "four on a scale of one to ten". */
const readRatings = (sentence: Sentence, question: Turn | undefined): ScoreFinding[] => {
  const { text, plain } = sentence
  const values = listValues(text)
  return values.flatMap(({ value, end, start }) => {
    const behind = text.slice(end)
    const isRated =
      /^ ?(?:out of (?:10|ten)\b|\/ ?10\b|of (?:10|ten)\b|on (?:a|the|that) (?:scale|one to ten|ten.point))/i.test(
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

/** "How bad, zero to ten?" – "A seven."; "What's your weight?" – "One sixty-one." */
const readAnswered = (turn: Turn, question: Turn | undefined): ScoreFinding[] => {
  const first = turn.sentences[0]
  if (question === undefined || first === undefined) return []
  const [value] = listValues(first.text)
  if (value === undefined || countsOther.test(first.text.slice(value.end))) return []
  const items = [question.item, turn.item]
  const number = Number(value.value)
  if (/\b(?:zero|0|one|1) to (?:ten|10)\b|\bout of (?:ten|10)\b|\bscale (?:of|from)\b/.test(question.plain)) {
    if (number > 10 || /out of|\/ ?10/i.test(first.text.slice(value.end))) return []
    return [toFinding(nameRating('', '', question), `${value.value}/10`, items, first.text)]
  }
  const last = question.sentences.findLast(({ asks }) => asks)
  const asked = measures.find(
    ({ pattern, min, max }) =>
      last !== undefined && pattern.test(last.plain) && number >= min && number <= max,
  )
  const isShort = turn.wordCount <= 20
  return asked === undefined || !isShort || readMeasures(first).length > 0
    ? []
    : [toFinding(asked.name, withUnit(first.text, value), items, first.text)]
}

const withoutRepeats = (found: readonly ScoreFinding[]): ScoreFinding[] => {
  const seen = new Map<string, ScoreFinding>()
  for (const finding of found) {
    const key = `${finding.name} ${finding.value}`
    const before = seen.get(key)
    seen.set(
      key,
      before === undefined ? finding : { ...before, items: sortItems([...before.items, ...finding.items]) },
    )
  }
  return [...seen.values()]
}
