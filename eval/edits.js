// What magic edits do to written notes: `npm run build && node eval/edits.js [--show]`. Each instruction on the note of each
// session in eval/notes: how many were done, how the words change, and how many sentences the checker no longer supports.
import { join, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NOTE_TEMPLATES } from '../packages/contract/dist/index.js'
import { toNoteSection } from '../packages/server/dist/engines/writer/check-evidence.js'
import { editNote } from '../packages/server/dist/engines/writer/embedded/edit-note.js'
import { writeNote } from '../packages/server/dist/engines/writer/embedded/write-note.js'
import { countWords } from '../packages/server/dist/engines/writer/text/tokenize-words.js'
import { readSessions } from './notes/read-session.js'

const here = dirname(fileURLToPath(import.meta.url))
const isShown = process.argv.includes('--show')
const { signal } = new AbortController()

const instructions = [
  'make it shorter',
  'make it longer',
  'use bullet points',
  'write it in the past tense',
  'say patient instead of client',
  'turn this into a BIRP note',
  'turn this into a DAP note and shorten the plan',
]

const sessions = ['sessions', 'held-out'].flatMap((folder) => readSessions(join(here, 'notes', folder)))
for (const instruction of instructions) {
  const counts = { done: 0, before: 0, after: 0, lost: 0, sentences: 0, ms: 0 }
  for (const { name, noteType, transcript } of sessions) {
    const note = []
    for await (const draft of writeNote({ noteType, transcript, treatmentApproaches: [] }, signal)) {
      note.push(toSection(noteType, draft, transcript))
    }
    const started = performance.now()
    const outcome = await editNote(
      { noteType, transcript, note, instructions: instruction },
      writeNote,
      signal,
    )
    counts.ms = Math.max(counts.ms, performance.now() - started)
    if (!outcome.isDone) {
      console.log(`  ${name}: ${outcome.reason}`)
      continue
    }
    counts.done += 1
    const edited = outcome.sections.map((draft) => toSection(outcome.noteType, draft, transcript))
    counts.before += wordsOf(note)
    counts.after += wordsOf(edited)
    counts.sentences += edited.flatMap(({ evidence }) => evidence).length
    const unsupportedBefore = new Set(unsupportedOf(note))
    const lost = unsupportedOf(edited).filter((sentence) => !unsupportedBefore.has(sentence))
    counts.lost += Math.max(0, unsupportedOf(edited).length - unsupportedBefore.size)
    if (isShown) for (const sentence of lost) console.log(`  ${name}: ${sentence}`)
  }
  const { done, before, after, lost, sentences, ms } = counts
  console.log(
    `${instruction}: done ${done} of ${sessions.length}, words ${Math.round((100 * after) / before)} %, ` +
      `no longer supported ${lost} of ${sentences} sentences, at most ${Math.round(ms)} ms`,
  )
}

function toSection(noteType, draft, transcript) {
  const title = NOTE_TEMPLATES[noteType].sections.find(({ key }) => key === draft.key)?.title ?? draft.key
  return toNoteSection(draft, title, transcript)
}

function wordsOf(note) {
  return note.reduce((sum, { content }) => sum + countWords(content), 0)
}

function unsupportedOf(note) {
  return note.flatMap(({ evidence }) =>
    evidence.filter(({ supported }) => !supported).map(({ sentence }) => sentence),
  )
}
