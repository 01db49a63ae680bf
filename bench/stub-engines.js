// Engines that answer at once, and the step of recognizing replaced by what it keeps: for what an installation costs beside
// its engines.
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { builtInTemplate } from '../packages/server/dist/engines/writer/templates/built-in-templates.js'
import { makeExtractWriter } from '../packages/server/dist/engines/writer/extract/extract-writer.js'
import { findSession, showProgress } from '../packages/server/dist/features/sessions/index.js'
import { completeTranscript, makeCheckpoints } from '../packages/server/dist/features/transcripts/index.js'
import { finishJob } from '../packages/server/dist/jobs/enqueue-job.js'
import { openBlob } from '../packages/server/dist/kernel/blobs/index.js'
import { openChange } from '../packages/server/dist/kernel/change-context.js'

export const system = { actor: { kind: /** @type {const} */ ('system'), id: null }, requestId: null }

/** The recording is read, a chunk is saved for every minute, and progress is told as often as while an hour is heard. */
export async function transcribeAtOnce(parts, job, { minutes = 60, progressTimes = 360 } = {}) {
  const { db, blobs } = parts
  const sessionId = job.subjectId
  const { audioBlobId, clientId } = await findSession(db, job, sessionId)
  await pipeline(await openBlob(blobs, job, audioBlobId), new Writable({ write: (_c, _e, done) => done() }))
  const checkpoints = makeCheckpoints(parts, job, { sessionId, clientId })
  await checkpoints.load()
  for (let index = 0; index < minutes; index += 1) await checkpoints.save(makeChunk(index))
  for (let time = 0; time < progressTimes; time += 1)
    await showProgress(db, job, { sessionId, progress: 0.1 + 0.6 * (time / progressTimes) })
  const context = await openChange(parts, job, system)
  await db.write(job, async (tx) => {
    await finishJob(tx, job)
    await completeTranscript(tx, context, { sessionId, items: makeItems(minutes), madeBy: 'bench' })
  })
}

/** 36 KB of voice vectors and some words, as measured of a minute. */
const makeChunk = (index) => ({
  index,
  plannedSeconds: 60,
  model: 'bench',
  nextStartSeconds: [60 * index],
  clips: [
    {
      channel: 0,
      startSeconds: 60 * index,
      endSeconds: 60 * (index + 1),
      text: 'word '.repeat(150),
      confidence: 0.9,
      level: -20,
      voices: [randomBytes(27_000).toString('base64')],
    },
  ],
})

const makeItems = (minutes) =>
  Array.from({ length: 15 * minutes }, (_, index) => ({
    startTime: 4 * index,
    endTime: 4 * index + 3.5,
    speaker: index % 2 === 0 ? 'clinician' : 'client',
    transcript: 'I have slept better since we raised the dose last week.',
  }))

/**
 * Every section of the template at once, and nothing to think about.
 * @returns {import('../packages/server/dist/engines/writer/writer-engine.js').WriterEngine}
 */
export const makeStubWriter = () => ({
  ...makeExtractWriter(),
  async *writeNote({ noteType }) {
    const sentence = {
      text: 'Slept better.',
      transcriptItems: [1],
      judgement: /** @type {const} */ ('exact_checks_only'),
      reason: null,
    }
    const sections = builtInTemplate(noteType).sections.map(({ key }) => ({
      key,
      layout: /** @type {const} */ ('paragraph'),
      sentences: [sentence],
    }))
    for (const section of sections) yield { kind: 'section', section }
    yield { kind: 'end', note: { sections, findings: [] } }
  },
  deriveMdm: async () => ({
    problemsAddressed: [],
    riskOfComplications: { level: 'low', rationale: 'None.', evidence: [] },
    crisisInterventionIdentified: false,
    crisisInterventionRationale: '',
    crisisInterventionEvidence: [],
  }),
  summarize: async () => 'Slept better.',
})

export const makeStubReader = () => ({
  version: 'bench',
  read: async () => ({ figures: '', findings: [], questionOf: {}, version: 'bench' }),
  close: async () => {},
})
