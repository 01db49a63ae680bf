import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSample } from '../engines/speech/speech-fixture.js'
import { CasenoteProcess, waitUntil } from '../support/casenote-process.js'
import { listEvents } from '../support/outcomes.js'
import { Supervised } from '../webhooks/kill-harness.js'
import { openPipelineRun, type PipelineRun } from './pipeline-fixture.js'

/** `PIPELINE_KILLS=60 PIPELINE_STOPS=4 PIPELINE_SESSIONS=40 npx vitest run worker-kills` for the long run. */
const kills = Number(process.env.PIPELINE_KILLS ?? 8)
const sessionCount = Number(process.env.PIPELINE_SESSIONS ?? 6)

/** How often a worker is stopped for longer than its lease of 20 s and then goes on, as a suspended machine does. */
const stops = Number(process.env.PIPELINE_STOPS ?? 0)
const stoppedMs = 25_000

/** Loading program and models takes some 3 s: some kills come before, some in the middle of the work. */
const betweenKillsMs = { from: 500, to: 3_500 }

/** Each kill may cost a lease of 20 s, several at a time; a session of the short sample takes a second or two. */
const withinMs = 70_000 + kills * 5_000 + sessionCount * 3_000 + stops * 30_000

let run: PipelineRun
let workers: Supervised[]

beforeAll(async () => {
  run = await openPipelineRun(null)
  run.files.serve('/good.ogg', readSample('go-forward.ogg'))
  workers = [0, 1].map((number) => {
    const start = (): CasenoteProcess => new CasenoteProcess(['worker'], run.env)
    return new Supervised(`worker ${number}`, start)
  })
})
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await run.close()
})

const countJobs = async (...statuses: string[]): Promise<number> => {
  const [row] = await run.rows<{ count: number }>(
    'select count(*)::int as count from casenote.jobs where tenant_id = $1 and status = any($2)',
    statuses,
  )
  return row?.count ?? 0
}

/** Claims that did not end, because their worker did. */
const countBrokenOff = async (): Promise<number> => {
  const [row] = await run.rows<{ count: number }>(
    'select sum(attempts - 1)::int as count from casenote.jobs where tenant_id = $1 and attempts > 1',
  )
  return row?.count ?? 0
}

/** Only while something is running, so that each kill may break something off. */
async function killAtRandom(): Promise<number> {
  let killed = 0
  while (killed < kills && (await countJobs('waiting', 'running')) > 0) {
    await waitUntil(async () => (await countJobs('running')) > 0, 'a worker works')
    const { from, to } = betweenKillsMs
    await new Promise((resolve) => setTimeout(resolve, from + Math.random() * (to - from)))
    workers[Math.floor(Math.random() * workers.length)]?.kill()
    killed += 1
  }
  return killed
}

async function stopAtRandom(): Promise<void> {
  for (let stopped = 0; stopped < stops && (await countJobs('waiting', 'running')) > 0; stopped += 1) {
    await waitUntil(async () => (await countJobs('running')) > 0, 'a worker works')
    const worker = workers[stopped % workers.length]
    worker?.signal('SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, stoppedMs))
    worker?.signal('SIGCONT')
  }
}

/** What there is of a session, each by its number. */
const artifactsOf = async (sessionId: string): Promise<unknown> => {
  const [row] = await run.rows(
    `select (select count(*)::int from casenote.transcripts t where t.tenant_id = $1 and t.session_id = $2
         and t.made_by is not null) as transcripts,
       (select count(*)::int from casenote.note_versions v join casenote.progress_notes n using (tenant_id, note_id)
         where n.tenant_id = $1 and n.session_id = $2) as versions,
       (select count(*)::int from casenote.summaries s where s.tenant_id = $1 and s.session_id = $2) as summaries,
       (select count(*)::int from casenote.transcription_chunks c
         where c.tenant_id = $1 and c.session_id = $2) as chunks`,
    sessionId,
  )
  return row
}

it(
  `${sessionCount} sessions are completed once each, through ${kills} kills of their workers`,
  async () => {
    const fileUrl = run.files.urlOf('/good.ogg')
    const sessionIds: string[] = []
    for (let count = 0; count < sessionCount; count += 1)
      sessionIds.push(await run.createSession({ fileUrl }))
    const [killed] = await Promise.all([killAtRandom(), stopAtRandom()])
    expect(killed).toBeGreaterThanOrEqual(Math.min(kills, 2))
    await waitUntil(async () => (await countJobs('waiting', 'running')) === 0, 'all work is done', withinMs)
    expect(await countJobs('parked')).toBe(0)
    console.info(`${killed} kills broke off ${await countBrokenOff()} claims`)
    for (const sessionId of sessionIds) {
      expect(await run.sessionEnded(sessionId)).toMatchObject({ status: 'completed' })
      const events = await listEvents(run.service, { tenantId: run.partner.partnerId }, sessionId)
      expect(events.map(({ eventType }) => eventType)).toEqual([
        'transcript_ready',
        'progress_note_generated',
      ])
      expect(await artifactsOf(sessionId)).toEqual({ transcripts: 1, versions: 1, summaries: 1, chunks: 0 })
    }
  },
  withinMs + kills * betweenKillsMs.to,
)
