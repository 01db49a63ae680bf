// What extracts hold, counted by what people marked in sessions (marked-sessions.js): npm run eval labelled [--only SET]
// A fact counts as held where half of the words of its sentences are quoted: of 158 facts that judges had decided one by one, 138 are decided the same. Sessions that
// rules were made in sight of prove nothing about new talk; a change that loses something here loses it elsewhere, too.
import { parseArgs } from 'node:util'
import { compareNote } from '../packages/server/dist/engines/ledger/compare-note.js'
import { openReader } from '../packages/server/dist/engines/reader/open-reader.js'
import { countWords } from '../packages/server/dist/engines/text/tokenize-words.js'
import { writeNote } from '../packages/server/dist/engines/writer/extract/write-note.js'
import { builtInTemplate } from '../packages/server/dist/engines/writer/templates/built-in-templates.js'
import { toNoteSections } from '../packages/server/dist/engines/writer/to-note-sections.js'
import { dangerOf, factsOf, readMarked, readSet, setNames } from './marked-sessions.js'

const { values: options } = parseArgs({ options: { only: { type: 'string' } } })
const heldFrom = 0.5

const reader = openReader()
const all = emptyCounts()
for (const set of setNames) {
  if (options.only !== undefined && options.only !== set) continue
  const counts = emptyCounts()
  for (const session of readSet(set)) await count(session, counts)
  print(set, counts)
  for (const [name, value] of Object.entries(counts)) all[name] += value
}
print('all', all)
await reader.close()

function emptyCounts() {
  return { sessions: 0, facts: 0, held: 0, said: 0, written: 0, danger: 0, inNote: 0, inList: 0, listed: 0 }
}

async function count(session, counts) {
  const { id, transcript } = session
  const { request, talk, quoted, marked } = await readMarked(reader, session)
  const note = writeNote(request)
  const sections = toNoteSections(builtInTemplate(request.noteType), note.sections)
  const { review } = compareNote({ sections, findings: note.findings, transcript })
  const list = plain(review.map(({ words }) => words ?? '').join('\n'))
  const sentences = marked.map(({ text, said }) => ({
    words: countWords(text),
    isQuoted: quoted.has(said),
    isListed: list.includes(plain(text)),
  }))
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
