// What extracts hold, counted by labels: npm run eval labelled [--only SET]
// People wrote down for each key fact of 448 sessions the sentences that a reader has to be shown to find it (eval/extract/labels/facts.jsonl), and for 232 of
// them every sentence that is talk about danger (danger.jsonl); sentences are counted through a session, as the reader cuts them. A fact is held where half of
// the words of its sentences are quoted: of 158 facts that judges had decided one by one, 138 are decided the same. Sessions that rules were made in sight of
// prove nothing about new talk; a change that loses something here loses it elsewhere, too.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compareNote } from '../packages/server/dist/engines/ledger/compare-note.js'
import { openReader } from '../packages/server/dist/engines/reader/open-reader.js'
import { cutSentences } from '../packages/server/dist/engines/reader/talk/read-talk.js'
import { countWords } from '../packages/server/dist/engines/text/tokenize-words.js'
import { readTurns } from '../packages/server/dist/engines/writer/extract/read-turns.js'
import { settleLines } from '../packages/server/dist/engines/writer/extract/settle-lines.js'
import { writeNote } from '../packages/server/dist/engines/writer/extract/write-note.js'
import { builtInTemplate } from '../packages/server/dist/engines/writer/templates/built-in-templates.js'
import { toNoteSections } from '../packages/server/dist/engines/writer/to-note-sections.js'

const { values: options } = parseArgs({ options: { only: { type: 'string' } } })
const readLines = (name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))

const heldFrom = 0.5
const speakers = { T: 'clinician', C: 'client', O: 'speaker_3' }
const wordsPerSecond = 2.5

const sets = [
  ...'uvwxyzkmnq'.split('').map((set) => [set, `extract/sessions/${set}.jsonl`]),
  ...'abcdefghijklopqr'.split('').map((set) => [`whole-${set}`, `reader/opened/whole-${set}.jsonl`]),
  ...'st'.split('').map((set) => [`whole-${set}`, `reader/whole-${set}.jsonl`]),
]
const factsOf = new Map(readLines('extract/labels/facts.jsonl').map(({ id, facts }) => [id, facts]))
const dangerOf = new Map(readLines('extract/labels/danger.jsonl').map(({ id, danger }) => [id, danger]))

const reader = openReader()
const all = emptyCounts()
for (const [set, file] of sets) {
  if (options.only !== undefined && options.only !== set) continue
  const counts = emptyCounts()
  for (const session of readLines(file)) await count(session, counts)
  print(set, counts)
  for (const [name, value] of Object.entries(counts)) all[name] += value
}
print('all', all)
await reader.close()

function emptyCounts() {
  return { sessions: 0, facts: 0, held: 0, said: 0, written: 0, danger: 0, inNote: 0, inList: 0, listed: 0 }
}

async function count(session, counts) {
  const { id, turns } = session
  const noteType = session.noteType ?? 'soap'
  let seconds = 0
  const transcript = turns.map(([who, text]) => {
    const startTime = seconds
    seconds += text.split(' ').length / wordsPerSecond
    return { startTime, endTime: seconds, speaker: speakers[who], transcript: text }
  })
  const reading = await reader.read(transcript, new AbortController().signal)
  const request = { noteType, transcript, reading, treatmentApproaches: [] }
  const talk = readTurns(transcript, reading)
  const quoted = new Set(settleLines(request, talk).lines.flatMap((line) => line.quoted))
  const note = writeNote(request)
  const sections = toNoteSections(builtInTemplate(noteType), note.sections)
  const { review } = compareNote({ sections, findings: note.findings, transcript })
  const list = plain(review.map(({ words }) => words ?? '').join('\n'))
  const sentences = transcript.flatMap(({ transcript: text }, item) =>
    cutSentences(text).map((sentence) => {
      const said = talk.byItem[item].find(({ raw }) => raw.includes(sentence.trim()))
      return {
        words: countWords(sentence),
        isQuoted: quoted.has(said),
        isListed: list.includes(plain(sentence)),
      }
    }),
  )
  counts.sessions += 1
  counts.said += talk.words
  counts.written += sum(
    note.sections.flatMap((section) => section.sentences).map(({ text }) => countWords(text)),
  )
  counts.listed += sum(
    review.filter(({ kind }) => kind === 'danger').map(({ words }) => countWords(words ?? '')),
  )
  for (const fact of factsOf.get(id) ?? []) {
    const own = fact.map((at) => sentences[at]).filter((one) => one !== undefined)
    const share = sumWords(own.filter(({ isQuoted }) => isQuoted)) / (sumWords(own) || 1)
    counts.facts += 1
    if (share >= heldFrom) counts.held += 1
  }
  for (const [from, to] of dangerOf.get(id) ?? []) {
    const own = sentences.slice(from, to + 1)
    counts.danger += sumWords(own)
    counts.inNote += sumWords(own.filter(({ isQuoted }) => isQuoted))
    counts.inList += sumWords(own.filter(({ isQuoted, isListed }) => !isQuoted && isListed))
  }
}

function plain(text) {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

function sum(numbers) {
  return numbers.reduce((total, one) => total + one, 0)
}

function sumWords(sentences) {
  return sum(sentences.map(({ words }) => words))
}

function print(set, counts) {
  if (counts.sessions === 0) return
  const { sessions, facts, held, said, written, danger, inNote, inList, listed } = counts
  const neither = danger - inNote - inList
  process.stdout.write(
    `${set}: facts held ${percent(held, facts)} of ${facts}, words ${percent(written, said)} of the talk; of the words about danger ${percent(inNote, danger)} in the note, ` +
      `${percent(inList, danger)} in the list alone, ${percent(neither, danger)} in neither; danger in the list ${(listed / sessions).toFixed(0)} words a session\n`,
  )
}

function percent(part, whole) {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
}
