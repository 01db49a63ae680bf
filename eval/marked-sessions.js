// The opened sessions in which people marked sentences: `factsOf` has for each key fact of a session the sentences that a reader has to be shown to find it
// (eval/extract/labels/facts.jsonl, 448 sessions), `dangerOf` the stretches that are talk about danger (danger.jsonl, 232 of them). Sentences are counted
// through a session, as the reader cuts them.
import { readFileSync } from 'node:fs'
import { cutSentences } from '../packages/server/dist/engines/reader/talk/read-talk.js'
import { readTurns } from '../packages/server/dist/engines/writer/extract/read-turns.js'
import { settleLines } from '../packages/server/dist/engines/writer/extract/settle-lines.js'

const readLines = (name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))

const speakers = { T: 'clinician', C: 'client', O: 'speaker_3' }
const wordsPerSecond = 2.5

const pathsOf = (sets, toPath) => Object.fromEntries(sets.split('').map(toPath))
const files = {
  ...pathsOf('uvwxyzkmnq', (set) => [set, `extract/sessions/${set}.jsonl`]),
  ...pathsOf('abcdefghijklopqr', (set) => [`whole-${set}`, `reader/opened/whole-${set}.jsonl`]),
  ...pathsOf('st', (set) => [`whole-${set}`, `reader/whole-${set}.jsonl`]),
}
export const setNames = Object.keys(files)

export const factsOf = new Map(readLines('extract/labels/facts.jsonl').map(({ id, facts }) => [id, facts]))
export const dangerOf = new Map(
  readLines('extract/labels/danger.jsonl').map(({ id, danger }) => [id, danger]),
)

export const readSet = (set) => readLines(files[set]).map(toTranscript)

function toTranscript({ id, noteType = 'soap', turns }) {
  let seconds = 0
  const transcript = turns.map(([who, text]) => {
    const startTime = seconds
    seconds += text.split(' ').length / wordsPerSecond
    return { startTime, endTime: seconds, speaker: speakers[who], transcript: text }
  })
  return { id, noteType, transcript }
}

/** `marked`: each sentence as people counted it, with the one of the talk that has it; `quoted`: those that an extract quotes. */
export async function readMarked(reader, { noteType, transcript }) {
  const reading = await reader.read(transcript, new AbortController().signal)
  const request = { noteType, transcript, reading, treatmentApproaches: [] }
  const talk = readTurns(transcript, reading)
  const quoted = new Set(settleLines(request, talk).lines.flatMap((line) => line.quoted))
  const marked = transcript.flatMap(({ transcript: said }, item) =>
    cutSentences(said).map((text) => ({
      text,
      said: talk.byItem[item].find(({ raw }) => raw.includes(text.trim())),
    })),
  )
  return { request, talk, quoted, marked }
}
