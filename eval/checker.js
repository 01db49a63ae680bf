// npm run eval checker FOLDER: what the exact checks mark without a model. FOLDER holds `sessions/*.jsonl` (turns and
// statements, all true) and `false/*.jsonl` (sentences about them, true and false, by kind). Goals: at most 3 % of the true
// sentences marked; no number with a unit, dose or name of a medicine passes that stands neither in the cited items nor beside
// them. What stands beside is looked up here a second time, by spelling the numbers out, not by the checker's own reading.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWhatIsStale } from '../bin/build.js'

const [folder = process.env.CASENOTE_READER_DATA ?? '', shown = ''] = process.argv.slice(2)
if (!existsSync(join(folder, 'sessions')) || !existsSync(join(folder, 'false'))) {
  process.stderr.write('Where are the sessions? npm run eval checker FOLDER [KIND to print]\n')
  process.exit(1)
}

buildWhatIsStale()
const engines = '../packages/server/dist/engines'
const { checkSentence } = await import(`${engines}/checker/check-sentence.js`)
const { readTalk } = await import(`${engines}/checker/read-talk.js`)
const { correctTerms } = await import(`${engines}/lexicon/correct-terms.js`)
const { findMedications } = await import(`${engines}/lexicon/medications.js`)

const markedSharePercentMax = 3
const beside = 3

const readLines = (name) =>
  readdirSync(join(folder, name))
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(join(folder, name, file), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))

const speakers = { T: 'clinician', C: 'client', O: 'speaker_1' }
const sessions = new Map(readLines('sessions').map((session) => [session.id, session]))
const talks = new Map()

/** As a transcript is kept: misheard names put right with three turns around. */
function toTranscript({ turns }) {
  const texts = turns.map(([, text]) => text)
  return texts.map((text, index) => {
    const around = [...texts.slice(Math.max(0, index - 3), index), ...texts.slice(index + 1, index + 4)]
    const { text: transcript, corrections } = correctTerms(text, around)
    const speaker = speakers[turns[index][0]] ?? 'speaker_1'
    return { startTime: index * 5, endTime: index * 5 + 4, speaker, transcript, corrections }
  })
}

function talkOf(id) {
  if (!talks.has(id)) {
    const transcript = toTranscript(sessions.get(id))
    talks.set(id, { transcript, talk: readTalk(transcript) })
  }
  return talks.get(id)
}

const reading = { figures: '', findings: [], questionOf: {}, version: 'none' }
const counts = new Map()
const missed = []

function judge(id, items, text, kind) {
  const { transcript, talk } = talkOf(id)
  const reason = checkSentence({ text, transcriptItems: items }, talk, reading)?.reason ?? null
  const count = counts.get(kind) ?? { all: 0, marked: 0, reasons: {} }
  counts.set(kind, count)
  count.all += 1
  if (reason !== null) {
    count.marked += 1
    count.reasons[reason] = (count.reasons[reason] ?? 0) + 1
  } else if (kind !== 'statements' && kind !== 'true')
    missed.push(...listAbsent(text, items, transcript, kind))
  if (kind === shown) process.stdout.write(`${reason ?? 'passed'}\t${id} ${items}\t${text}\n`)
}

for (const { id, items, text, true: isTrue, kind } of readLines('false'))
  judge(id, items, text, isTrue ? 'true' : kind)
for (const { id, statements } of sessions.values())
  for (const [, items, text] of statements) judge(id, items, text, 'statements')

/** What a passed sentence holds that stands in no form in its items or beside them. */
function listAbsent(text, items, transcript, kind) {
  const near = transcript
    .filter((_item, index) => items.some((item) => Math.abs(item - index) <= beside))
    .map((item) => item.transcript)
    .join(' ')
    .toLowerCase()
    .replaceAll('-', ' ')
    // "Two of the four hundreds": tablets of 400 mg.
    .replaceAll(/\b(hundred|thousand)s\b/g, '$1')
  const plain = text.replaceAll(/["“][^"”]*["”]/g, ' ')
  const numbers = [
    ...plain.matchAll(
      /(?<![\w.$/-])(\d+(?:\.\d+)?) ?(mg|mcg|mL|grams?|kg|pounds|percent|%|hours?|minutes?|days?|nights?|weeks?|months?|years?|times|miles|drinks|beers|glasses|tablets?|pills|cigarettes|dollars)\b/g,
    ),
  ]
    .filter(
      ([whole, value]) =>
        value !== '1' && !plain.includes(`of ${whole}`) && !spell(value).some((form) => hasWord(near, form)),
    )
    .map(([whole]) => ({ kind, what: whole, text }))
  const names = findMedications(plain)
    .filter(({ medication: { generic, brands } }) =>
      [generic, ...brands].every((name) => !near.includes(name.toLowerCase().replaceAll('-', ' '))),
    )
    .map(({ name }) => ({ kind, what: name, text }))
  return [...numbers, ...names]
}

function hasWord(text, form) {
  return new RegExp(`(?<![a-z0-9.])${form.replaceAll('.', '\\.')}(?![a-z0-9])`).test(text)
}

function spell(value) {
  const small =
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
      ' ',
    )
  const tens = 'x x twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
  const below100 = (n) =>
    n < 20 ? small[n] : `${tens[Math.floor(n / 10)]}${n % 10 === 0 ? '' : ` ${small[n % 10]}`}`
  const number = Number(value)
  const forms = [value, value.replace('.', ' point ')]
  if (!Number.isInteger(number)) {
    const [whole, part] = value.split('.')
    const spelled = [...part].map((digit) => small[Number(digit)]).join(' ')
    forms.push(
      `${below100(Number(whole) % 100)} point ${spelled}`,
      `point ${spelled}`,
      'half',
      'quarter',
      'quarters',
    )
    return forms
  }
  const words = {
    2: ['couple', 'twice', 'fortnight', 'both', 'pair'],
    7: ['week'],
    10: ['decade'],
    12: ['dozen', 'year'],
    14: ['two weeks', 'fortnight'],
    18: ['year and a half'],
    24: ['day'],
    30: ['half', 'month'],
    90: ['hour and a half'],
    100: ['hundred'],
    1000: ['thousand'],
  }
  forms.push(...(words[number] ?? []), `${Math.floor(number / 100)} ${String(number % 100).padStart(2, '0')}`)
  if (number < 100) forms.push(below100(number), ordinal(below100(number)))
  else if (number < 10_000) {
    const [hundreds, rest] = [Math.floor(number / 100), number % 100]
    const head = hundreds < 100 ? below100(hundreds) : ''
    forms.push(
      `${head} hundred`,
      `${head} ${rest === 0 ? 'hundred' : below100(rest)}`,
      `${small[Math.floor(number / 1000)] ?? ''} thousand`,
    )
  }
  return forms
}

function ordinal(word) {
  return word.endsWith('y') ? `${word.slice(0, -1)}ieth` : `${word}th`
}

const percent = ({ marked, all }) => (100 * marked) / all
for (const [kind, count] of [...counts].toSorted(([a], [b]) => a.localeCompare(b)))
  process.stdout.write(
    `${kind.padEnd(12)} ${String(count.marked).padStart(5)} of ${String(count.all).padStart(5)} marked (${percent(count).toFixed(1)} %) ${JSON.stringify(count.reasons)}\n`,
  )
process.stdout.write(
  `\npassed, with a number and unit or a name that stands nowhere near: ${missed.length}\n`,
)
for (const { kind, what, text } of missed) process.stdout.write(`  ${kind}: ${what} | ${text}\n`)
const isWithin = ['true', 'statements'].every((kind) => percent(counts.get(kind)) <= markedSharePercentMax)
process.exitCode = isWithin && missed.length === 0 ? 0 : 1
