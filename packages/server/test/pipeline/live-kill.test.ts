import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { LiveLines, Transcript } from '@casenote/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OpenAiTestServer, type SpeechForm } from '../engines/openai-server.js'
import { makeAudio } from '../engines/speech/speech-fixture.js'
import { CasenoteProcess, waitUntil } from '../support/casenote-process.js'
import { openRecording, signIn, uploadSegment, type SignedIn } from '../widget/widget-fixture.js'
import { openPipelineRun, type PipelineRun } from './pipeline-fixture.js'

const sample = fileURLToPath(new URL('../../samples/medication-management.ogg', import.meta.url))

/** As a recorder leaves a segment: 75 s, of which 20 are settled when they are all there, and what was said after it. */
const record = (from: string, seconds: string): Buffer => {
  const coded = ['-ac', '1', '-c:a', 'libopus', '-b:a', '32k', '-f', 'webm']
  return makeAudio('-ss', from, '-t', seconds, '-i', sample, ...coded)
}
const segments = [record('22.2', '75'), record('97.2', '50')]

/** Other words for every other sound, so that what is heard twice is seen. */
const wordsOf = ({ wav }: SpeechForm): string => {
  const number = createHash('sha256').update(wav).digest().readUInt32BE() % 1_000_000
  return `I think that it was ${number} and that we will see what comes of it.`
}

const server = new OpenAiTestServer({
  apiKey: null,
  writeAsModel: () => '{}',
  transcribe: (form) => ({ text: wordsOf(form) }),
})

let run: PipelineRun
let clinician: SignedIn
let worker: CasenoteProcess

beforeAll(async () => {
  run = await openPipelineRun(null, {
    CASENOTE_SPEECH_ENGINE: 'openai',
    CASENOTE_SPEECH_URL: await server.start(),
    CASENOTE_SPEECH_MODEL: 'whisper',
  })
  clinician = await signIn(run.service, run.partner)
})
afterAll(async () => {
  await worker.end('SIGTERM')
  await run.close()
  await server.close()
})

/** A killed worker's job waits for its lease to end, on a machine that does other work. */
const takenOverWithinMs = 240_000

const readSettled = async (sessionId: string): Promise<string[]> => {
  const answer = await clinician.call('GET', `/sessions/${sessionId}/live-lines`)
  return answer.json<LiveLines>().lines.map(({ text }) => text)
}

const readItems = async (sessionId: string): Promise<Transcript['transcriptItems']> => {
  const { body } = await run.call<Transcript>('GET', `/sessions/${sessionId}/transcript`)
  return body.transcriptItems
}

/** With both segments there before anybody listens. */
async function hearAfterwards(): Promise<Transcript['transcriptItems']> {
  const { sessionId } = await openRecording(clinician, run.partner.clientId)
  const uploadIds: string[] = []
  for (const [segment, bytes] of segments.entries())
    uploadIds.push(await uploadSegment(clinician, sessionId, bytes, segment))
  await clinician.call('POST', `/sessions/${sessionId}/recording`, { uploadIds })
  worker = new CasenoteProcess(['worker'], run.env)
  expect(await run.sessionEnded(sessionId, takenOverWithinMs)).toMatchObject({ status: 'completed' })
  await worker.end('SIGTERM')
  return readItems(sessionId)
}

it('a worker that is killed between two segments costs what was not settled, and the words are the file’s', async () => {
  const afterwards = await hearAfterwards()
  expect(afterwards.length).toBeGreaterThan(5)

  worker = new CasenoteProcess(['worker'], run.env)
  const { sessionId } = await openRecording(clinician, run.partner.clientId)
  const first = await uploadSegment(clinician, sessionId, segments[0] ?? Buffer.alloc(0), 0)
  await waitUntil(
    async () => (await readSettled(sessionId)).length > 0,
    'something is settled',
    takenOverWithinMs,
  )
  await worker.end('SIGKILL')
  const settled = await readSettled(sessionId)
  const heardBefore = server.forms.length

  const second = await uploadSegment(clinician, sessionId, segments[1] ?? Buffer.alloc(0), 1)
  worker = new CasenoteProcess(['worker'], run.env)
  await waitUntil(
    async () => (await readSettled(sessionId)).length > settled.length,
    'another worker goes on behind it',
    takenOverWithinMs,
  )
  expect((await readSettled(sessionId)).slice(0, settled.length)).toEqual(settled)
  await clinician.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [first, second] })
  expect(await run.sessionEnded(sessionId, takenOverWithinMs)).toMatchObject({ status: 'completed' })
  const heardAgain = new Set(server.forms.slice(heardBefore).map(wordsOf))
  expect(settled.filter((words) => heardAgain.has(words))).toEqual([])
  expect(await readItems(sessionId)).toEqual(afterwards)
}, 1_200_000)
