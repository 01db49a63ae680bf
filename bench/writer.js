// How the embedded writer's time grows with a session: the sample's talk over and over, an hour of it and three. Three
// times the talk takes three times as long; what looks back at everything for every sentence takes nine times.
import { readFileSync } from 'node:fs'
import { writeNote } from '../packages/server/dist/engines/writer/embedded/write-note.js'

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

async function measure(noteType, hours) {
  const request = { noteType, transcript: talk(hours), treatmentApproaches: [] }
  const before = process.cpuUsage()
  const drafts = writeNote(request, new AbortController().signal)
  while (!(await drafts.next()).done);
  const { user, system } = process.cpuUsage(before)
  return user + system
}

export async function run() {
  for (const noteType of ['soap', 'psychiatric_evaluation']) {
    await measure(noteType, 1) // Until it is compiled.
    const ratios = []
    for (let index = 0; index < runs; index += 1)
      ratios.push((await measure(noteType, 3)) / (await measure(noteType, 1)))
    const median = ratios.toSorted((a, b) => a - b)[Math.floor(runs / 2)]
    process.stdout.write(
      `${noteType}: three hours of talk take ${median.toFixed(1)} times as long as one (limit 3)\n`,
    )
  }
}
