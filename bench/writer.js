// A note by quotes, from transcript to ledger, beside the bare encoder that it rests on, and how long the event loop was held
// meanwhile; and how the writer's time grows with a session: the sample's talk over and over, an hour of it and three. Three
// times the talk takes three times as long; what looks back at everything for every sentence takes nine times. A model's own
// time is measured where the model is: casenote prove.
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { makeNoteChecker } from '../packages/server/dist/engines/checker/note-checker.js'
import { loadWeights, ownWeightsFolder } from '../packages/server/dist/engines/reader/encoder/load-weights.js'
import { openSentenceModel } from '../packages/server/dist/engines/reader/encoder/sentence-model.js'
import { openReader } from '../packages/server/dist/engines/reader/open-reader.js'
import { packFigures } from '../packages/server/dist/engines/reader/reading.js'
import { cutSentences, readTalk } from '../packages/server/dist/engines/reader/talk/read-talk.js'
import { makeExtractWriter } from '../packages/server/dist/engines/writer/extract/extract-writer.js'
import { builtInTemplate } from '../packages/server/dist/engines/writer/templates/built-in-templates.js'
import { toNoteSections } from '../packages/server/dist/engines/writer/to-note-sections.js'
import { writeNote } from '../packages/server/dist/engines/writer/extract/write-note.js'

const sample = new URL('../packages/server/samples/medication-management.txt', import.meta.url)
const turns = [...readFileSync(sample, 'utf8').matchAll(/^(CLINICIAN|CLIENT): (.+)$/gm)].map(
  ([, speaker, text]) => ({ speaker: speaker.toLowerCase(), text }),
)
const turnsAnHour = 1_200
const runs = 3

/** No two turns alike: the same words twice are said once. */
const talk = (hours) =>
  Array.from({ length: hours * turnsAnHour }, (_value, index) => {
    const { speaker, text } = turns[index % turns.length]
    return {
      startTime: index * 3,
      endTime: index * 3 + 3,
      speaker,
      transcript: `${text} It was day ${index}.`,
    }
  })

/** As a reader would give it: every sentence somewhere in the note, some that need others, every second turn an answer. */
const readingOf = (transcript) => ({
  figures: packFigures({
    topics: transcript.map((_item, index) => ({ symptoms: 0.4 + (index % 5) / 10, plan: (index % 7) / 10 })),
    sentences: transcript.map(({ transcript: text }, index) =>
      cutSentences(text).map((_text, at) => ({
        places: index % 7 === 6 ? { plan: 0.9 } : { reported: 0.8, history: 0.2 },
        stands: at > 0 ? { points_back: 0.9 } : index % 3 === 0 ? { answers: 0.7, alone: 0.3 } : { alone: 1 },
        worth: ((index + at) % 10) / 10,
      })),
    ),
  }),
  findings: [],
  questionOf: Object.fromEntries(
    transcript.flatMap((item, index) => (item.speaker === 'client' && index > 0 ? [[index, index - 1]] : [])),
  ),
  version: 'bench',
})

function measure(noteType, hours) {
  const transcript = talk(hours)
  const request = { noteType, transcript, reading: readingOf(transcript), treatmentApproaches: [] }
  const before = process.cpuUsage()
  writeNote(request)
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** Seconds of the whole way, of the encoder alone in this process, and the longest hold of the event loop in milliseconds. */
async function measureNote(minutes) {
  const transcript = talk(minutes / 60)
  const { signal } = new AbortController()
  const model = await openSentenceModel(await loadWeights(ownWeightsFolder()), 2)
  await model.judge(readTalk(transcript.slice(0, 20))) // Until it is warm.
  const bareFrom = performance.now()
  await model.judge(readTalk(transcript))
  const bareSeconds = (performance.now() - bareFrom) / 1_000
  const [reader, writer, checker] = [openReader(), makeExtractWriter(), makeNoteChecker()]
  await reader.read(transcript.slice(0, 20), signal)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const from = performance.now()
  const reading = await reader.read(transcript, signal)
  const noteType = /** @type {const} */ ('soap')
  const request = { noteType, transcript, reading, treatmentApproaches: [] }
  for await (const event of writer.writeNote(request, signal)) {
    if (event.kind !== 'end') continue
    const sections = toNoteSections(builtInTemplate(noteType), event.note.sections)
    await checker.compare({ sections, findings: event.note.findings, transcript })
  }
  const seconds = (performance.now() - from) / 1_000
  delay.disable()
  await Promise.all([reader.close(), writer.close(), checker.close()])
  return { seconds, bareSeconds, heldMs: delay.max / 1e6 }
}

export async function run() {
  for (const minutes of [10, 60, 180]) {
    const { seconds, bareSeconds, heldMs } = await measureNote(minutes)
    process.stdout.write(
      `extract, ${minutes} minutes of talk: ${seconds.toFixed(1)} s, ${(seconds / bareSeconds).toFixed(2)} times the bare encoder; loop held for ${heldMs.toFixed(0)} ms at most (limit 50)\n`,
    )
  }
  for (const noteType of ['soap', 'psychiatric_evaluation']) {
    measure(noteType, 1) // Until it is compiled.
    const ratios = []
    for (let index = 0; index < runs; index += 1) ratios.push(measure(noteType, 3) / measure(noteType, 1))
    const median = ratios.toSorted((a, b) => a - b)[Math.floor(runs / 2)]
    process.stdout.write(
      `${noteType}: three hours of talk take ${median.toFixed(1)} times as long as one (limit 3)\n`,
    )
  }
}
