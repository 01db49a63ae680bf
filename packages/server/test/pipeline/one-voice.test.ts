import { tmpdir } from 'node:os'
import type { Transcript, WidgetSession } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SpeechPool } from '../../src/engines/speech/speech-pool.js'
import { claimJob } from '../../src/jobs/jobs.sql.js'
import { fetchAudio } from '../../src/pipeline/fetch-audio.js'
import type { PipelineParts, SpeechParts } from '../../src/pipeline/pipeline-parts.js'
import { transcribe } from '../../src/pipeline/transcribe.js'
import { decoder, makeAudio } from '../engines/speech/speech-fixture.js'
import { signIn } from '../widget/widget-fixture.js'
import { openFetchRun, type FetchRun } from './fetch-fixture.js'

let run: FetchRun
let parts: PipelineParts

beforeAll(async () => {
  run = await openFetchRun()
  parts = { ...run.parts, speech }
})
afterAll(() => run.close())

/** Of every ten seconds the first six are speech. */
const pool = {
  ask: async ({ channels }: { channels: readonly Float32Array[] }) =>
    channels.map((samples) => {
      const count = Math.floor(samples.length / 160_000)
      const spans = Array.from({ length: count }, (_, at) => ({
        startSeconds: at * 10,
        endSeconds: at * 10 + 6,
      }))
      return { spans, openFromSeconds: null }
    }),
  close: async () => {},
} as unknown as SpeechPool

/** Two voices that nothing could take for each other, by turns; or one. */
let voiceCount = 1

const speech: SpeechParts = {
  pool,
  engine: {
    name: 'embedded',
    model: 'stub',
    recognize: async (clips) =>
      clips.map(() => ({ text: 'I slept badly again this week.', confidence: 0.9 })),
    close: async () => {},
  },
  openVoices: async () => ({
    track: async (_samples, _offset, spans) =>
      spans.map((span) => {
        const voice = Math.round(span.startSeconds / 10) % voiceCount
        const vector = Float32Array.from({ length: 192 }, (_, n) => Math.sin(n * (voice + 1)))
        return { ...span, vector }
      }),
    cut: async (spans) => [...spans],
    close: async () => {},
  }),
  decoder,
  scratchFolder: tmpdir(),
}

/** Long enough to tell. */
const sound = (): Buffer =>
  makeAudio('-f', 'lavfi', '-i', 'anoisesrc=a=0.1:r=16000:d=200', '-c:a', 'libopus', '-f', 'ogg')

async function hear(path: string): Promise<string> {
  const { signal } = new AbortController()
  run.files.serve(path, sound())
  const sessionId = await run.createSession({ fileUrl: run.files.urlOf(path) })
  await fetchAudio.run(parts, await run.claim(sessionId), signal)
  const [job] = await run.service.db.throughDoor(claimJob(['transcribe'], 60_000))
  if (job?.subjectId !== sessionId) throw new Error('another job was claimed')
  await transcribe.run(parts, job, signal)
  return sessionId
}

/** As a partner reads it, and as the widget does. */
async function readOneVoice(sessionId: string): Promise<[boolean | undefined, boolean]> {
  const { body } = await run.call<Transcript>('GET', `/sessions/${sessionId}/transcript`)
  expect(body.transcriptItems.length).toBeGreaterThan(0)
  const clinician = await signIn(run.service, run.partner)
  const session = (await clinician.call('GET', `/sessions/${sessionId}`)).json<WidgetSession>()
  return [body.isOneVoice, session.isOneVoice]
}

describe('a recording in which one voice is told apart', () => {
  it('says so with its transcript and in the widget', async () => {
    voiceCount = 1
    expect(await readOneVoice(await hear('/one'))).toEqual([true, true])
  })

  it('not where there are two', async () => {
    voiceCount = 2
    expect(await readOneVoice(await hear('/two'))).toEqual([undefined, false])
  })
})
