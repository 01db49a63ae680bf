import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EngineFault } from '../../src/engines/engine-fault.js'
import { makeEmbeddedWriter } from '../../src/engines/writer/embedded/embedded-writer.js'
import type { WriterEngine } from '../../src/engines/writer/writer-engine.js'
import { claimJob, type Job } from '../../src/jobs/jobs.sql.js'
import { systemClock } from '../../src/kernel/clock.js'
import { describeFault } from '../../src/kernel/log.js'
import type { PipelineParts } from '../../src/pipeline/pipeline-parts.js'
import { writeNote } from '../../src/pipeline/write-note.js'
import { makeNoteCalls, type NoteCalls } from '../support/note-calls.js'
import { makeTestService, type TestService } from '../support/test-service.js'

let service: TestService
let notes: NoteCalls

beforeAll(async () => {
  service = await makeTestService()
  notes = await makeNoteCalls(service, await service.addPartner())
})
afterAll(() => service.close())

/** The partner has other notes to be written: their jobs stay claimed. */
async function claim(generationId: string): Promise<Job> {
  const [job] = await service.db.throughDoor<Job & Record<string, unknown>>(claimJob(['write_note'], 20_000))
  if (job === undefined) throw new Error('nothing was due')
  return job.subjectId === generationId ? job : claim(generationId)
}

/** Runs the job of this generation with this writer; the answer is what was logged. */
async function write(generationId: string, writer: WriterEngine): Promise<unknown[]> {
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString())
      done()
    },
  })
  const log = pino({ serializers: { err: describeFault } }, stream)
  const { db, keys } = service
  const parts: Partial<PipelineParts> = { db, keys, clock: systemClock, publicUrl: 'http://x', log, writer }
  await writeNote.run(parts as PipelineParts, await claim(generationId), new AbortController().signal)
  return lines.map((line) => JSON.parse(line) as unknown)
}

const refusing = (message: string): WriterEngine => ({
  ...makeEmbeddedWriter(),
  writeNote: () => {
    throw new EngineFault('refused', message)
  },
})

it('a note that its engine refuses fails, and the log says what the engine answered', async () => {
  const { sessionId, generationId } = await notes.begin()
  const logged = await write(generationId, refusing('the writer server answered 401 (invalid_api_key)'))
  expect(await notes.noteOf(sessionId)).toMatchObject({ status: 'failed', isLoading: false, note: [] })
  expect(logged).toEqual([
    expect.objectContaining({
      sessionId,
      msg: 'no note was written',
      err: expect.objectContaining({
        kind: 'EngineFault',
        told: 'refused: the writer server answered 401 (invalid_api_key)',
      }),
    }),
  ])
})

it('of any other fault no word is told', () => {
  expect(JSON.stringify(describeFault(new Error('I slept four hours')))).not.toContain('slept')
})
