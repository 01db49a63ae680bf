import { describe, expect, it, onTestFinished } from 'vitest'
import { waitUntil } from '../support/casenote-process.js'
import { openKillRun, startProducing, writeNotes, type KillRun } from './kill-harness.js'

/** `WEBHOOK_KILLS=200 npx vitest run kills` for the long run. */
const kills = Number(process.env.WEBHOOK_KILLS ?? 12)
const betweenKillsMs = 1_200

/** Reproducible: mulberry32. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Watching {
  /** Milliseconds for which something was due while the database was there. */
  mostOverdueMs: number
  /** Deliveries whose attempt number fell. */
  fallen: number
  stop(): Promise<void>
}

interface WatchedRow {
  id: string
  attempts: number
  /** Null: it is under way. */
  dueMs: number | null
  nowMs: number
}

/** Looks at the queue all the time, past every role. A database that is away lets nobody send: that is not counted. */
function watch({ hooks, partner }: KillRun): Watching {
  const attempts = new Map<string, number>()
  let awayAtMs = 0
  const seen: Watching = { mostOverdueMs: 0, fallen: 0, stop: async () => {} }
  const over = new AbortController()
  const judgeRow = ({ id, attempts: now, dueMs, nowMs }: WatchedRow): void => {
    if (now < (attempts.get(id) ?? 0)) seen.fallen += 1
    attempts.set(id, now)
    if (dueMs === null) return
    seen.mostOverdueMs = Math.max(seen.mostOverdueMs, nowMs - Math.max(dueMs, awayAtMs))
  }
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      try {
        const rows = await hooks.run(
          `select d.delivery_id as id, d.attempt_count as attempts,
             case when d.status = 'pending'
               then extract(epoch from greatest(d.next_attempt_at, w.held_until))::float * 1000 end as "dueMs",
             extract(epoch from now())::float * 1000 as "nowMs"
           from casenote.webhook_deliveries d join casenote.webhook_endpoints w using (tenant_id, endpoint_id)
           where d.tenant_id = $1 and d.status in ('pending', 'delivering')`,
          [partner.partnerId],
        )
        for (const row of rows) judgeRow(row as unknown as WatchedRow)
      } catch {
        awayAtMs = Date.now()
      }
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
  const looking = look()
  seen.stop = async () => {
    over.abort()
    await looking
  }
  return seen
}

/** How many deliveries were answered with 2xx. */
const countAccepted = ({ receivers }: KillRun): number =>
  receivers.reduce((sum, { accepted }) => sum + accepted.size, 0)

/** Finalizes through the API until every note is; returns those that the API has acknowledged. */
async function finalizeAll({ url, partner }: KillRun, noteIds: readonly string[]): Promise<Set<string>> {
  const acknowledged = new Set<string>()
  for (let round = 0; round < 50 && acknowledged.size < noteIds.length; round += 1) {
    for (const id of noteIds.filter((one) => !acknowledged.has(one))) {
      const answer = await fetch(`${url}/v2/progress-notes/${id}/finalize`, {
        method: 'POST',
        headers: partner.headers,
        signal: AbortSignal.timeout(5_000),
      }).catch(() => null)
      if (answer?.status === 200) acknowledged.add(id)
      else await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return acknowledged
}

/** Hours pass in which the receivers are well: what waits for its next attempt is due. */
async function settle({ hooks, partner, receivers }: KillRun): Promise<void> {
  for (const one of receivers) one.recover()
  await waitUntil(
    async () => {
      await hooks.run(`update casenote.webhook_endpoints set held_until = null where tenant_id = $1`, [
        partner.partnerId,
      ])
      await hooks.run(
        `update casenote.webhook_deliveries set next_attempt_at = now()
         where tenant_id = $1 and status = 'pending' and next_attempt_at > now()`,
        [partner.partnerId],
      )
      const [row] = await hooks.run(
        `select (select count(*) from casenote.events where tenant_id = $1 and fanned_out_at is null)::int as events,
           (select count(*) from casenote.webhook_deliveries d join casenote.webhook_endpoints w
              using (tenant_id, endpoint_id) where d.tenant_id = $1 and w.deleted_at is null
              and d.status <> 'succeeded')::int as deliveries`,
        [partner.partnerId],
      )
      return row?.events === 0 && row.deliveries === 0
    },
    'everything has arrived',
    180_000,
  )
}

async function judge(run: KillRun, { mayRepeat }: { mayRepeat: boolean }): Promise<void> {
  const { hooks, partner, receivers, endpointIds } = run
  const events = (await hooks.run(
    `select event_id as id from casenote.events e where tenant_id = $1
       and exists (select from casenote.webhook_deliveries d where d.tenant_id = e.tenant_id and d.event_id = e.event_id
         and d.endpoint_id = any($2))`,
    [partner.partnerId, endpointIds],
  )) as { id: string }[]
  const committed = new Set(events.map(({ id }) => id))
  const interrupted = (await hooks.run(
    `select d.event_id || '/' || d.endpoint_id as key, count(*)::int as count
     from casenote.webhook_attempts a join casenote.webhook_deliveries d using (tenant_id, delivery_id)
     where a.tenant_id = $1 and a.error = 'interrupted' group by 1`,
    [partner.partnerId],
  )) as { key: string; count: number }[]
  const excused = new Map(interrupted.map(({ key, count }) => [key, count]))
  const [numbers] = await hooks.run(
    `select count(*)::int as wrong from casenote.webhook_deliveries d where tenant_id = $1 and attempt_count <>
       (select count(*) from casenote.webhook_attempts a where a.tenant_id = d.tenant_id and a.delivery_id = d.delivery_id)`,
    [partner.partnerId],
  )
  expect(numbers?.wrong).toBe(0)
  for (const [index, { receiver, accepted }] of receivers.entries()) {
    const missing = [...committed].filter((id) => !accepted.has(id))
    expect(missing, 'committed and never accepted').toEqual([])
    const strangers = receiver.received.filter(({ headers }) => !committed.has(String(headers['webhook-id'])))
    expect(strangers, 'delivered and not committed').toEqual([])
    const repeated = [...accepted].filter(
      ([id, count]) => count - 1 > (excused.get(`${id}/${endpointIds[index]}`) ?? 0),
    )
    expect(repeated, 'sent again after 2xx without a kill in between').toEqual([])
  }
  if (!mayRepeat) expect(interrupted).toEqual([])
}

const scaledMs = 180_000 + kills * betweenKillsMs * 6

/** What a machine that is busy with other tests may take beyond what is promised. */
const busySlackMs = 20_000

describe('webhooks', { timeout: scaledMs }, () => {
  it(`lose nothing through ${kills} kills of API, worker, dispatchers and PostgreSQL`, async () => {
    const random = makeRandom(20261115)
    const run = await openKillRun(random)
    onTestFinished(() => run.close())
    const notes = await writeNotes(run, 40)
    const seen = watch(run)
    const producing = startProducing(run, 220)
    const finalizing = finalizeAll(run, notes)
    for (let kill = 0; kill < kills; kill += 1) {
      const accepted = countAccepted(run)
      await new Promise((resolve) => setTimeout(resolve, betweenKillsMs * (0.5 + random())))
      // On a slow machine all would die before they have begun, again and again.
      await waitUntil(
        async () => countAccepted(run) > accepted,
        'something arrives between two kills',
        180_000,
      )
      // Every tenth is the database itself.
      if (kill % 10 === 9) process.kill(run.postmasterPid(), 'SIGKILL')
      else run.processes[Math.floor(random() * run.processes.length)]?.kill()
    }
    const { perSecond } = await producing.stop()
    const acknowledged = await finalizing
    await settle(run)
    await seen.stop()
    const finalized = (await run.hooks.run(
      `select convert_from(body, 'UTF8')::jsonb -> 'payload' ->> 'progressNoteId' as id from casenote.events
       where tenant_id = $1 and event_type = 'progress_note_finalized'`,
      [run.partner.partnerId],
    )) as { id: string }[]
    const told = finalized.map(({ id }) => id)
    expect(
      [...acknowledged].filter((id) => !told.includes(id)),
      'acknowledged and not told of',
    ).toEqual([])
    expect(new Set(told).size, 'told of once').toBe(told.length)
    await judge(run, { mayRepeat: true })
    expect(seen.mostOverdueMs).toBeLessThan(60_000)
    expect(seen.fallen).toBe(0)
    // A rate is a measurement, not a promise of whatever machine this runs on.
    const overdueS = Math.round(seen.mostOverdueMs / 1000)
    console.info(`${kills} kills at ${Math.round(perSecond)} events/s, at most ${overdueS} s overdue`)
  })

  it('arrive once where nothing is killed, though receivers fail, stall and reset', async () => {
    const run = await openKillRun(makeRandom(7))
    onTestFinished(() => run.close())
    const producing = startProducing(run, 220)
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    await producing.stop()
    await settle(run)
    await judge(run, { mayRepeat: false })
  })

  it('resume within 10 s of a kill of PostgreSQL, with no restart by hand', async () => {
    const run = await openKillRun(() => 0)
    onTestFinished(() => run.close())
    const [{ receiver }] = run.receivers as [KillRun['receivers'][number]]
    await run.hooks.happen()
    await waitUntil(async () => receiver.received.length === 1, 'the first arrived')
    process.kill(run.postmasterPid(), 'SIGKILL')
    const killedAtMs = performance.now()
    await waitUntil(async () => {
      await run.hooks.happen()
      return true
    }, 'the next is committed')
    await waitUntil(async () => receiver.received.length >= 2, 'the next arrived')
    expect(performance.now() - killedAtMs).toBeLessThan(10_000 + busySlackMs)
  })
})
