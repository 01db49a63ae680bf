// node eval/prose/record.js SESSION PENDING-FOLDER [SETS-FOLDER]: goes on with a session until a question has no answer, and
// says where its prompt lies; the answer is expected beside it, as NAME.answer.json for NAME.prompt.txt.
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { makeNoteChecker } from '../../packages/server/dist/engines/checker/note-checker.js'
import { openReader } from '../../packages/server/dist/engines/reader/open-reader.js'
import { makeProseWriter } from '../../packages/server/dist/engines/writer/prose/prose-writer.js'
import { NotRecorded, RecordedModel } from './recorded-model.js'
import { readWholeSessions, toTranscript } from './read-sets.js'

const [id, pending, sets] = process.argv.slice(2)
const session = readWholeSessions(sets).find((one) => one.id === id)
if (session === undefined) throw new Error(`no session ${id}`)
const file = fileURLToPath(new URL(`recorded/${id}.json`, import.meta.url))
const model = new RecordedModel(file, join(pending, id))
const reader = openReader()
const checker = makeNoteChecker()
const signal = new AbortController().signal
try {
  const transcript = toTranscript(session.turns)
  const reading = await reader.read(transcript, signal)
  const writer = makeProseWriter(model, checker)
  const request = { noteType: session.noteType, transcript, reading, treatmentApproaches: [] }
  for await (const event of writer.writeNote(request, signal)) {
    if (event.kind === 'end') process.stdout.write(`done: ${id}, ${model.asked} questions\n`)
  }
} catch (error) {
  if (!(error instanceof NotRecorded)) throw error
  process.stdout.write(`pending: ${error.promptFile}\n`)
} finally {
  await reader.close()
  await checker.close()
}
