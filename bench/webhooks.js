// Webhook delivery by one dispatcher process: how fast with every attempt on record, against a bare undici pool that
// signs and posts the same bodies to the same receiver; how soon when idle; and whether a large backlog of one endpoint
// delays the others.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { Database } from '../packages/server/dist/kernel/db/database.js'
import { recordEvent } from '../packages/server/dist/kernel/outbox/index.js'
import { freePort, openInstallation, untilAnswers } from './installation.js'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const eventCount = Number(process.env.BENCH_EVENTS ?? 3_000)
const backlogCount = Number(process.env.BENCH_BACKLOG ?? 100_000)
const endpointCount = 8
const timedCount = 600
/** @type {import('@casenote/contract').EventType} */
const timedType = 'progress_note_generated'

const say = (line) => process.stdout.write(`${line}\n`)
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url))

export async function run() {
  const installation = await openInstallation({ poolSize: 20 })
  const owner = new pg.Client({ connectionString: installation.migrateUrl })
  const db = new Database({
    url: installation.databaseUrl,
    poolSize: 5,
    applicationName: 'bench',
    onConnectionError: () => {},
  })
  await owner.connect()
  try {
    await measure(installation, owner, db)
  } finally {
    await db.end()
    await owner.end()
    await installation.close()
  }
}

async function measure(installation, owner, db) {
  const { partnerId, clientSecret } = installation.credentials
  const receiverPort = await freePort()
  installation.startProcess([pathOf('webhook-receiver.js')], {
    ...process.env,
    RECEIVER_PORT: String(receiverPort),
  })
  const receiver = `http://127.0.0.1:${receiverPort}`
  await untilAnswers(receiver)
  const parts = { installation, owner, db, receiver, tenantId: partnerId, clientSecret }
  await measureThroughput(parts)
  const dispatcher = installation.startRole('dispatcher')
  await measureLatency(parts)
  await measureFairness(parts)
  await installation.stopProcess(dispatcher)
}

async function measureThroughput(parts) {
  const { installation, owner, receiver, tenantId, clientSecret } = parts
  const ratios = []
  for (let round = 0; round < rounds; round += 1) {
    const body = await queueEvents(parts, '/hook', eventCount)
    const total = eventCount * endpointCount
    const bare = await sendBare({ url: `${receiver}/hook`, body, secret: clientSecret, count: total })
    const dispatcher = installation.startRole('dispatcher')
    const startedAt = await untilFirst(owner, tenantId)
    await untilDone(owner, tenantId)
    const ours = (total / (performance.now() - startedAt)) * 1000
    await installation.stopProcess(dispatcher)
    await removeEndpoints(owner, tenantId)
    ratios.push(ours / bare)
    say(`  ${Math.round(ours)} deliveries/s, bare ${Math.round(bare)}: ${(ours / bare).toFixed(2)}`)
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)]
  say(
    `throughput, ${endpointCount} endpoints, events fanned out on the way: ${median.toFixed(2)} (goal 0.30)`,
  )
}

async function measureLatency({ owner, db, receiver, tenantId }) {
  await addEndpoint(owner, tenantId, `${receiver}/timed`)
  // The dispatcher is still starting, and its first delivery opens a connection.
  await untilWarm({ db, receiver, tenantId })
  const times = await timeEvents({ db, receiver, tenantId }, timedCount)
  say(
    `commit to first byte when idle: p50 ${times.p50.toFixed(1)} ms (goal 20), p99 ${times.p99.toFixed(1)} ms`,
  )
  await removeEndpoints(owner, tenantId)
}

async function measureFairness(parts) {
  const { owner, receiver, tenantId } = parts
  await addEndpoint(owner, tenantId, `${receiver}/timed`)
  const without = await timeEvents(parts, timedCount)
  await queueEvents(parts, '/slow', backlogCount, { endpoints: 1, eventType: 'transcript_ready' })
  const startedAt = performance.now()
  await untilFannedOut(owner, tenantId)
  say(`  ${Math.round((backlogCount / (performance.now() - startedAt)) * 1000)} events/s fanned out`)
  const withBacklog = await timeEvents(parts, timedCount)
  const [{ left }] = (
    await owner.query(
      `select count(*)::int as left from casenote.webhook_deliveries where status = 'pending' and tenant_id = $1`,
      [tenantId],
    )
  ).rows
  const ratio = withBacklog.p99 / without.p99
  say(
    `others' p99 beside a slow endpoint with ${left} waiting: ${withBacklog.p99.toFixed(1)} ms, ` +
      `without ${without.p99.toFixed(1)} ms: ${ratio.toFixed(2)} (goal 2)`,
  )
  await removeEndpoints(owner, tenantId)
}

async function untilWarm({ db, receiver, tenantId }) {
  await db.write({ tenantId }, (tx) =>
    recordEvent(tx, { ...makeEvent(crypto.randomUUID()), nowMs: Date.now() }),
  )
  for (;;) {
    const arrivals = await readArrivals(receiver)
    if (arrivals.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Committed and announced as the API does it, one every 20 ms on average. */
async function timeEvents({ db, receiver, tenantId }, count) {
  const committed = new Map()
  for (let index = 0; index < count; index += 1) {
    const marker = crypto.randomUUID()
    await db.write({ tenantId }, (tx) => recordEvent(tx, { ...makeEvent(marker), nowMs: Date.now() }))
    committed.set(marker, performance.timeOrigin + performance.now())
    await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 20))
  }
  const ids = await db.read(
    { tenantId },
    {
      text: `select event_id as id, convert_from(body, 'UTF8')::jsonb -> 'payload' ->> 'sessionId' as marker
        from casenote.events where tenant_id = $1 order by seq desc limit $2`,
      values: [tenantId, count],
    },
  )
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const arrivals = await readArrivals(receiver)
  const arrived = new Map(arrivals)
  const times = ids.map(({ id, marker }) => arrived.get(id) - committed.get(marker)).filter(Number.isFinite)
  if (times.length < count) say(`  ${count - times.length} of ${count} had not arrived`)
  const sorted = times.toSorted((a, b) => a - b)
  return { p50: sorted[Math.floor(sorted.length / 2)], p99: sorted[Math.floor(sorted.length * 0.99)] }
}

async function readArrivals(receiver) {
  /** @type {any} */
  const { arrivals } = await (await fetch(`${receiver}/arrivals`)).json()
  return arrivals
}

const makeEvent = (sessionId) => ({
  eventType: timedType,
  payload: {
    sessionId,
    clientId: crypto.randomUUID(),
    clinicianId: crypto.randomUUID(),
    clinicId: crypto.randomUUID(),
    organizationId: crypto.randomUUID(),
    organization: crypto.randomUUID(),
    progressNoteId: crypto.randomUUID(),
    progressNoteUrl: `http://localhost:8080/v2/sessions/${sessionId}/progress-note`,
  },
})

async function queueEvents(
  { owner, receiver, tenantId },
  path,
  count,
  { endpoints = endpointCount, eventType = timedType } = {},
) {
  for (let index = 0; index < endpoints; index += 1)
    await addEndpoint(owner, tenantId, receiver + path, eventType)
  const body = JSON.stringify({ ...makeEvent(crypto.randomUUID()), timeStamp: new Date().toISOString() })
  await owner.query(
    `insert into casenote.events (tenant_id, event_id, event_type, body)
     select $1, gen_random_uuid(), $4, convert_to($2, 'UTF8') from generate_series(1, $3)`,
    [tenantId, body, count, eventType],
  )
  return body
}

/** @param {import('@casenote/contract').EventType} eventType */
const addEndpoint = (owner, tenantId, url, eventType = timedType) =>
  owner.query(
    `insert into casenote.webhook_endpoints (tenant_id, endpoint_id, url, event_types)
     values ($1, gen_random_uuid(), $2, array[$3])`,
    [tenantId, url, eventType],
  )

const removeEndpoints = (owner, tenantId) =>
  owner.query(
    'update casenote.webhook_endpoints set deleted_at = now() where tenant_id = $1 and deleted_at is null',
    [tenantId],
  )

async function sendBare({ url, body, secret, count }) {
  const env = {
    ...process.env,
    SENDER_URL: url,
    SENDER_BODY: body,
    SENDER_SECRET: secret,
    SENDER_COUNT: String(count),
    SENDER_CONNECTIONS: '256',
  }
  const { stdout } = await promisify(execFile)(process.execPath, [pathOf('bare-sender.js')], { env })
  return Number(stdout)
}

const untilFirst = (owner, tenantId) =>
  until(
    owner,
    `select from casenote.webhook_deliveries where tenant_id = $1 and status <> 'pending' limit 1`,
    [tenantId],
  )

const untilFannedOut = (owner, tenantId) =>
  until(
    owner,
    'select where not exists (select from casenote.events where tenant_id = $1 and fanned_out_at is null)',
    [tenantId],
  )

const untilDone = (owner, tenantId) =>
  until(
    owner,
    `select where not exists (select from casenote.events where tenant_id = $1 and fanned_out_at is null)
       and not exists (select from casenote.webhook_deliveries where tenant_id = $1
         and status in ('pending', 'delivering'))`,
    [tenantId],
  )

async function until(owner, text, values) {
  for (;;) {
    if ((await owner.query(text, values)).rowCount > 0) return performance.now()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
