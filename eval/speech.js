// npm run eval speech [COUNT [CONDITION]]: word errors of the whole way from bytes to transcript beside those of the bare model, which
// gets each utterance cut out by hand. Goals: within 1 point of it, and at most 5 % on clean 16 kHz speech.
import { findMoonshineFiles } from '../packages/server/dist/engines/speech/model-files.js'
import { openMoonshine } from '../packages/server/dist/engines/speech/moonshine/moonshine-model.js'
import {
  findQuietestFrame,
  measureLevels,
} from '../packages/server/dist/engines/speech/silero/find-speech.js'
import { frameLength } from '../packages/server/dist/engines/speech/silero/silero-model.js'
import { conditions, rate } from './speech/conditions.js'
import { countErrors, wordsOf } from './speech/count-errors.js'
import { code, decode, join, openTools, transcribe } from './speech/hear.js'
import { readHumanSets } from './speech/human-sets.js'

const utterancesUsual = 100
const pieceSecondsMax = 12
/** Where chance has a part, as many rooms are drawn as make so many words: of 70 a single one is 1.4 points. */
const drawnWordsMin = 700
const framesOf = (seconds) => Math.round((seconds * rate) / frameLength)
const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`

async function run(args) {
  const count = Number(args[0] ?? utterancesUsual)
  const { tools, close } = await openTools()
  const bare = await openMoonshine(findMoonshineFiles(), 2)
  for (const { name, utterances } of readHumanSets()) {
    const step = Math.max(1, utterances.length / count)
    const chosen = utterances.filter(
      (_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step),
    )
    process.stdout.write(`${name}: ${chosen.length} utterances\n`)
    const wanted = conditions.filter((condition) => condition.name.includes(args[1] ?? ''))
    for (const condition of wanted) await measure(chosen, condition, tools, bare)
  }
  await close()
  await bare.close()
}

async function measure(utterances, condition, tools, bare) {
  const started = performance.now()
  const said = utterances.flatMap(({ text }) => wordsOf(text))
  const sounds = utterances.map(({ input }) => decode(input))
  const draws = condition.isDrawn ? Math.ceil(drawnWordsMin / said.length) : 1
  const coded = (samples, draw) => code(condition.change(samples, draw), condition.coding)
  let bareErrors = 0
  let ownErrors = 0
  for (let draw = 0; draw < draws; draw += 1) {
    for (const [index, samples] of sounds.entries()) {
      const heard = decode(['-i', 'pipe:0'], coded(samples, draw))
      bareErrors += countErrors(wordsOf(utterances[index].text), wordsOf(await hearPieces(bare, heard)))
    }
    ownErrors += countErrors(said, wordsOf(await transcribeText(coded(join(sounds), draw), tools)))
  }
  const wordCount = said.length * draws
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  process.stdout.write(
    `  ${condition.name}: ${percent(ownErrors, wordCount)} (bare model ${percent(bareErrors, wordCount)}), ` +
      `${wordCount} words, ${seconds} s\n`,
  )
}

const transcribeText = async (bytes, tools) =>
  (await transcribe(bytes, tools)).items.map((item) => item.transcript).join(' ')

/** The model loops on more than it can hear at once: one prompt of 73 s was 276 errors of 401. It is cut where it is quietest. */
async function hearPieces(bare, samples) {
  const levels = measureLevels(samples)
  const texts = []
  let start = 0
  while (samples.length - start > pieceSecondsMax * rate) {
    const from = Math.round(start / frameLength)
    const cut = findQuietestFrame(levels, from + framesOf(6), from + framesOf(pieceSecondsMax)) * frameLength
    texts.push((await bare.hear(samples.slice(start, cut))).text)
    start = cut
  }
  texts.push((await bare.hear(samples.slice(start))).text)
  return texts.join(' ')
}

await run(process.argv.slice(2))
