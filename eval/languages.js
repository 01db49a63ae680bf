// npm run eval languages [MINUTES]: of recordings of a minute, read by people in English and in other languages, how many are told to
// be in a language that nobody here knows. Goals: no English one, and all others.
import {
  isNotUnderstood,
  measureUnderstood,
} from '../packages/server/dist/engines/speech/is-not-understood.js'
import { isUnknownLanguage } from '../packages/server/dist/engines/text/is-unknown-language.js'
import { conditions, rate } from './speech/conditions.js'
import { code, decode, join, openTools, transcribe } from './speech/hear.js'
import { readForeignSets, readHumanSets } from './speech/human-sets.js'

const minutesUsual = 6
const recordingSeconds = 60

/** Utterances one after another, until each recording is long enough; every nth, so that they are from all of the set. */
function* makeRecordings(utterances, count) {
  let next = 0
  for (let made = 0; made < count && next < utterances.length; made += 1) {
    const sounds = []
    let seconds = 0
    while (seconds < recordingSeconds && next < utterances.length) {
      const samples = decode(utterances[next].input)
      next += 1
      sounds.push(samples)
      seconds += samples.length / rate
    }
    if (seconds >= recordingSeconds / 2) yield join(sounds)
  }
}

async function measure({ name, utterances }, condition, tools, count) {
  const shares = []
  let refused = 0
  for (const samples of makeRecordings(utterances, count)) {
    const chunks = []
    const bytes = code(condition.change(samples, 0), condition.coding)
    const { items, durationSeconds } = await transcribe(bytes, tools, {
      onChunk: (chunk) => chunks.push(chunk),
    }).catch(() => ({ items: [], durationSeconds: samples.length / rate }))
    const heard = measureUnderstood(chunks)
    shares.push(heard?.understood ?? 0)
    const isRefused =
      isNotUnderstood(heard, durationSeconds) || isUnknownLanguage(items.map(({ transcript }) => transcript))
    if (isRefused) refused += 1
  }
  const ordered = shares.toSorted((a, b) => a - b).map((share) => share.toFixed(2))
  process.stdout.write(
    `${name}, ${condition.name}: ${refused} of ${shares.length} told to be another language; understood ${ordered.join(' ')}\n`,
  )
  return { refused, recordings: shares.length }
}

async function run(minutes) {
  const count = Number(minutes ?? minutesUsual)
  const { tools, close } = await openTools()
  let missed = 0
  for (const condition of conditions) {
    for (const set of readHumanSets()) missed += (await measure(set, condition, tools, count)).refused
    for (const set of readForeignSets()) {
      const { refused, recordings } = await measure(set, condition, tools, count)
      missed += recordings - refused
    }
  }
  await close()
  if (missed > 0) {
    process.stdout.write(`goal missed: ${missed} recordings on the wrong side\n`)
    process.exitCode = 1
  }
}

await run(process.argv[2])
