// How throughput grows with processes, what gives first, and what that means for larger installations. Starts up to 4 API, 4 worker and
// 2 dispatcher processes, each in a network namespace of its own and with a fixed processor quota, with stub engines, against one
// PostgreSQL and an S3-compatible store. Needs root, iproute2 and a cpu cgroup for that; says what it does without where one is missing.
//   node bench/scale.js [--quota 0.2] [--seconds 10] [--only workers]
// --only: one part (api, workers, dispatchers), for a machine or a moment in which all of it takes too long.
import { availableParallelism, cpus, loadavg } from 'node:os'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { openScaledInstallation } from './scale/installation.js'
import { clinic, reckon } from './scale/model.js'

const { values } = parseArgs({
  options: {
    quota: { type: 'string', default: '0.2' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
  },
})
const quota = Number(values.quota)
const seconds = Number(values.seconds)
const partNames = ['api', 'workers', 'dispatchers']
if (values.only !== undefined && !partNames.includes(values.only))
  throw new Error(`--only is one of ${partNames.join(', ')}`)
const isPart = (name) => values.only === undefined || values.only === name
const connectionsOfApi = 8
/** Jobs. More would only mean that recordings are fetched long before they are heard. */
const waitingOfWorker = 5
const sessionsOfWorker = 4
const sessionsWithinSeconds = 90
const { minutesASession: minutes } = clinic
/** 32 kbit/s, which is what browsers record speech with. */
const recordingBytes = minutes * 60 * 4_000
const eventTypes = ['transcript_ready', 'progress_note_generated', 'progress_note_finalized']

const say = (line) => process.stdout.write(`${line}\n`)
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const loadBefore = loadavg()[0]
const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopped.abort())
const installation = await openScaledInstallation({ quota, minutes, recordingBytes, say })

async function measure() {
  const { credentials } = installation
  say(
    `${availableParallelism()} cores (${cpus()[0].model}), Node ${process.versions.node}, ` +
      `PostgreSQL ${(await ask('show server_version'))[0].server_version.split(' ')[0]}; ${quota} of a core for each process, ` +
      `none for the database; ${seconds} s for each figure`,
  )
  // What the machine did meanwhile for others is what it had less for us.
  say(`load average of the machine in the minute before: ${loadBefore.toFixed(2)}`)
  const { partnerId } = credentials
  const apis = []
  for (let count = 0; count < 4; count += 1) apis.push(await installation.startRole('api'))
  const caller = await authenticate(apis[0].url, credentials)
  const ids = await pickIds(partnerId)

  const requests = isPart('api') ? await measureApi(apis, caller, ids) : null
  const workers = []
  const sessions = isPart('workers') ? await measureWorkers(workers, apis, caller, ids) : null
  const dispatchers = []
  const deliveries = isPart('dispatchers') ? await measureDispatchers(dispatchers) : null
  if (values.only === undefined) await measureTogether({ apis, workers, dispatchers }, caller, ids)
  const costs = {
    ...(requests === null ? {} : { request: costOf(requests[0]) }),
    ...(sessions === null ? {} : { session: { ...costOf(sessions.windows[0]), ...sessions.bytes } }),
    ...(deliveries === null ? {} : { delivery: costOf(deliveries[0]) }),
  }
  tellCosts(costs)
  if (values.only === undefined) tellModel(costs)
}

async function measureApi(apis, caller, ids) {
  say('\nAPI processes')
  const windows = []
  for (const count of [1, 2, 4]) {
    const used = apis.slice(0, count)
    await load(used, caller, ids, 2)
    windows.push(await window(used, () => load(used, caller, ids, seconds)))
  }
  tell(windows, 'requests/s')
  return windows
}

/** Starts them, and leaves them running. */
async function measureWorkers(workers, apis, caller, ids) {
  const { partnerId } = installation.credentials
  say('\nworkers')
  const windows = []
  const bytesBefore = await databaseBytes()
  const doneBefore = await countSessions(partnerId)
  for (const count of [1, 2, 4]) {
    while (workers.length < count) workers.push(await installation.startRole('worker'))
    const feeding = feed((over) => feedSessions(apis, caller, ids, { count, over }))
    // Until each has been through one from its beginning to its end.
    await work(partnerId, count)
    windows.push(await window(workers, () => work(partnerId, sessionsOfWorker * count)))
    await feeding.stop()
    await untilIdle()
  }
  tell(windows, 'sessions/s')
  const made = (await countSessions(partnerId)) - doneBefore
  const databaseBytesOfOne = ((await databaseBytes()) - bytesBefore) / made
  return { windows, bytes: { databaseBytes: databaseBytesOfOne, recordingBytes } }
}

/** Starts them, and leaves them running. */
async function measureDispatchers(dispatchers) {
  const { receiver, credentials } = installation
  const { partnerId } = credentials
  say('\ndispatchers')
  const windows = []
  await addEndpoints(partnerId, receiver)
  for (const count of [1, 2]) {
    while (dispatchers.length < count) dispatchers.push(await installation.startRole('dispatcher'))
    const feeding = feed((over) => feedEvents(partnerId, over))
    await wait(1_500)
    windows.push(await window(dispatchers, () => deliver(receiver)))
    await feeding.stop()
  }
  tell(windows, 'deliveries/s')
  return windows
}

async function measureTogether({ apis, workers, dispatchers }, caller, ids) {
  const { receiver, credentials } = installation
  const { partnerId } = credentials
  say('\nall together: 4 API, 4 worker and 2 dispatcher processes')
  const all = [...apis, ...workers, ...dispatchers]
  const feedings = [
    feed((over) => feedSessions(apis, caller, ids, { count: workers.length, over })),
    feed((over) => feedEvents(partnerId, over)),
  ]
  await work(partnerId, 1)
  const together = await window(all, async () => {
    const before = await countSessions(partnerId)
    const [first, second] = await Promise.all([
      load(apis, caller, ids, 2 * seconds),
      deliver(receiver, 2 * seconds),
    ])
    const made = (await countSessions(partnerId)) - before
    return { rate: first.rate, p99Ms: first.p99Ms, sessions: made / (2 * seconds), deliveries: second.rate }
  })
  for (const feeding of feedings) await feeding.stop()
  const { rate, p99Ms, sessions: made, deliveries: sent } = together.result
  say(
    `  ${rate.toFixed(0)} requests/s (p99 ${p99Ms} ms), ${made.toFixed(2)} sessions/s, ${sent.toFixed(0)} deliveries/s`,
  )
  await tellLimits(together, { apis, workers, dispatchers })
}

/** @returns {Promise<any[]>} */
const ask = async (text, given = []) => (await installation.owner.query(text, given)).rows

async function authenticate(url, { clientId, clientSecret, apiKey }) {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ clientId, clientSecret })
  const answer = await fetch(`${url}/v2/partners/authenticate`, { method: 'POST', headers, body })
  /** @type {any} */
  const { accessToken } = await answer.json()
  return { ...headers, 'access-token': accessToken }
}

async function pickIds(partnerId) {
  const rows = await ask(
    `select client_id as "clientId", clinician_id as "clinicianId", clinic_id as "clinicId" from casenote.clients
     where tenant_id = $1 and external_id like 'load-%' and status <> 'archived' order by seq limit 200`,
    [partnerId],
  )
  return rows
}

/** What a partner's backend asks for most: eight reads, a search and a change. */
async function load(apis, headers, ids, duration) {
  const path = (index) => `/v2/clients/${ids[index % ids.length].clientId}`
  const [{ clinicId, clinicianId }] = ids
  const get = (url) => ({ method: 'GET', path: url })
  const body = JSON.stringify({
    firstName: 'Bench',
    lastName: 'Testwell',
    dateOfBirth: '1990-01-31',
    email: 'bench@example.com',
    phoneNumber: '+12025550100',
    externalId: 'bench-1',
  })
  const requests = [
    ...Array.from({ length: 6 }, (_, index) => get(path(17 * index))),
    get(`/v2/clinics/${clinicId}/clients`),
    get(`/v2/clinicians/${clinicianId}/clients`),
    get(`/v2/clinics/${clinicId}/clients?name=maria`),
    { method: 'POST', path: `/v2/clinicians/${clinicianId}/clients`, body },
  ]
  const results = await Promise.all(
    apis.map(({ url }) => autocannon({ url, headers, requests, duration, connections: connectionsOfApi })),
  )
  const failed = results.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0)
  if (failed > 0) throw new Error(`${failed} requests failed`)
  return {
    done: results.reduce((sum, { requests: { total } }) => sum + total, 0),
    rate: results.reduce((sum, { requests: { average } }) => sum + average, 0),
    p50Ms: Math.max(...results.map(({ latency }) => latency.p50)),
    p99Ms: Math.max(...results.map(({ latency }) => latency.p99)),
  }
}

const countSessions = async (partnerId) =>
  Number(
    (
      await ask(`select count(*) from casenote.sessions where tenant_id = $1 and status = 'completed'`, [
        partnerId,
      ])
    )[0].count,
  )

/** What is kept: space that deleted rows leave is used again, and is no growth. */
async function databaseBytes() {
  await ask('vacuum full')
  return Number((await ask('select pg_database_size(current_database()) as bytes'))[0].bytes)
}

/** Something that goes on until it is stopped. */
function feed(act) {
  const over = new AbortController()
  const feeding = act(over.signal)
  return {
    stop: () => {
      over.abort()
      return feeding
    },
  }
}

const countJobs = async () =>
  Number((await ask(`select count(*) from casenote.jobs where status in ('waiting', 'running')`))[0].count)

/** Some recordings wait for each worker all the time; they come in as partners send them. */
async function feedSessions(apis, headers, ids, { count, over }) {
  let created = 0
  while (!over.aborted) {
    const room = count * waitingOfWorker - (await countJobs())
    for (let index = 0; index < room; index += 1) await createSession(apis, headers, ids, (created += 1))
    await wait(200)
  }
}

/** Until so many more sessions are complete. */
async function work(partnerId, wanted) {
  const before = await countSessions(partnerId)
  const startedMs = performance.now()
  for (;;) {
    const done = (await countSessions(partnerId)) - before
    const elapsed = (performance.now() - startedMs) / 1_000
    if (done >= wanted || elapsed > sessionsWithinSeconds) return { done, rate: done / elapsed }
    await wait(50)
  }
}

async function untilIdle() {
  while ((await countJobs()) > 0) await wait(100)
}

async function createSession(apis, headers, ids, number) {
  const { clientId } = ids[number % ids.length]
  const { url } = apis[number % apis.length]
  const body = JSON.stringify({ fileUrl: `${installation.files}/recording-${number}` })
  const answer = await fetch(`${url}/v2/clients/${clientId}/sessions`, { method: 'POST', headers, body })
  if (answer.status !== 201)
    throw new Error(`a session was answered ${answer.status}: ${await answer.text()}`)
}

const endpointCount = 8
/** Deliveries that wait: more than dispatchers have in hand, and no more than they soon send. */
const waitingDeliveries = 3_000

async function addEndpoints(partnerId, receiver) {
  for (let index = 0; index < endpointCount; index += 1)
    await ask(
      `insert into casenote.webhook_endpoints (tenant_id, endpoint_id, url, event_types)
       values ($1, gen_random_uuid(), $2, $3)`,
      [partnerId, `${receiver}/hook`, eventTypes],
    )
}

/** Events come all the time, and each goes to every endpoint. */
async function feedEvents(partnerId, over) {
  const payload = { note: 'x'.repeat(300) }
  const body = JSON.stringify({ eventType: eventTypes[0], timeStamp: new Date(0), payload })
  while (!over.aborted) {
    const [{ waiting, fresh }] = await ask(
      `select (select count(*) from casenote.webhook_deliveries where tenant_id = $1 and status = 'pending')::int as waiting,
         (select count(*) from casenote.events where tenant_id = $1 and fanned_out_at is null)::int as fresh`,
      [partnerId],
    )
    const room = Math.floor((waitingDeliveries - waiting) / endpointCount) - fresh
    if (room > 0)
      await ask(
        `insert into casenote.events (tenant_id, event_id, event_type, body)
         select $1, gen_random_uuid(), $4, convert_to($2, 'UTF8') from generate_series(1, $3)`,
        [partnerId, body, room, eventTypes[0]],
      )
    await wait(200)
  }
}

async function deliver(receiver, duration = seconds) {
  const read = async () => {
    /** @type {any} */
    const { received } = await (await fetch(receiver)).json()
    return received
  }
  const before = await read()
  const startedMs = performance.now()
  await wait(duration * 1_000)
  const done = (await read()) - before
  return { done, rate: (done / (performance.now() - startedMs)) * 1_000 }
}

/** All processors of the machine, in seconds that they were at work. */
function machineSeconds() {
  const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]
    .split(/\s+/)
    .map(Number)
  return (user + nice + system + irq + softirq) / 100
}

/** Of this process, which makes the load. */
function ownSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** What the processes, the database and the machine took while something was done. */
async function window(processes, act) {
  stopped.signal.throwIfAborted()
  const look = () => ({
    ms: performance.now(),
    machine: machineSeconds(),
    database: installation.databaseGroup.usedSeconds(),
    around: installation.backendsGroup.usedSeconds() + ownSeconds(),
    each: processes.map(({ group }) => ({ used: group.usedSeconds(), ...group.throttled() })),
  })
  const before = look()
  const result = await act()
  const after = look()
  const elapsed = (after.ms - before.ms) / 1_000
  const each = after.each.map((one, index) => ({
    used: (one.used - before.each[index].used) / elapsed,
    throttled: (one.periods - before.each[index].periods) / Math.max(1, one.of - before.each[index].of),
  }))
  return {
    count: processes.length,
    result,
    elapsed,
    each,
    used: each.reduce((sum, { used }) => sum + used, 0),
    database: (after.database - before.database) / elapsed,
    around: (after.around - before.around) / elapsed,
    machine: (after.machine - before.machine) / elapsed,
  }
}

const percent = (share) => `${Math.round(100 * share)} %`

function tell(windows, unit) {
  const [{ result: first }] = windows
  for (const { count, result, each, used, database, around, machine } of windows) {
    const { rate, p50Ms, p99Ms } = result
    const digits = rate < 20 ? 2 : 0
    const throttled = each.reduce((sum, one) => sum + one.throttled, 0) / each.length
    say(
      `  ${count}: ${rate.toFixed(digits)} ${unit}, ${(rate / first.rate).toFixed(2)} of one` +
        (p99Ms === undefined ? '' : `, p50 ${p50Ms} ms, p99 ${p99Ms} ms`) +
        `; cores: processes ${used.toFixed(2)} (held back in ${percent(throttled)} of periods), database ${database.toFixed(2)}, load and stubs ${around.toFixed(2)}, machine ${machine.toFixed(2)}`,
    )
  }
}

/** What is nearest to its end when all of it works: a role's quotas, the machine, or a wait of its own. */
async function tellLimits({ each, database, around, machine }, { apis, workers, dispatchers }) {
  const roles = { API: apis.length, workers: workers.length, dispatchers: dispatchers.length }
  let from = 0
  for (const [name, count] of Object.entries(roles)) {
    const own = each.slice(from, (from += count))
    const used = own.reduce((sum, one) => sum + one.used, 0)
    const throttled = own.reduce((sum, one) => sum + one.throttled, 0) / count
    say(
      `  ${name}: ${used.toFixed(2)} of ${(quota * count).toFixed(2)} cores, held back in ${percent(throttled)} of periods`,
    )
  }
  say(
    `  database ${database.toFixed(2)} cores, load and stubs ${around.toFixed(2)}, machine ${machine.toFixed(2)} of ${availableParallelism()}`,
  )
  for (const [index, { admin }] of apis.entries()) {
    const text = await (await fetch(`${admin}/metrics`)).text()
    const of = (pattern) => Number(pattern.exec(text)?.[1] ?? Number.NaN)
    say(
      `  API ${index + 1}: loop late p99 ${(1_000 * of(/^nodejs_eventloop_lag_p99_seconds (\S+)/m)).toFixed(0)} ms, ` +
        `${of(/^casenote_database_pool_connections\{pool="api",state="busy"\} (\S+)/m)} of ` +
        `${of(/^casenote_database_pool_size\{pool="api"\} (\S+)/m)} connections busy, ` +
        `${of(/^casenote_database_pool_waiting\{pool="api"\} (\S+)/m)} waiting`,
    )
  }
}

/** Seconds of a core for one of what was done, by one process that had what it wanted. */
const costOf = ({ result: { rate }, used, database }) => ({ own: used / rate, database: database / rate })

function tellCosts(costs) {
  const ms = (s) => `${(1_000 * s).toFixed(2)} ms`
  say('\nprocessor time of one')
  for (const [name, { own, database }] of Object.entries(costs))
    say(`  ${name}: ${ms(own)}, and ${ms(database)} of the database`)
  if (costs.session !== undefined)
    say(`  a session takes ${Math.round(costs.session.databaseBytes / 1e3)} KB in the database`)
}

function tellModel(costs) {
  say('\non paper, in the busiest hour, cores at 60 % use')
  say(
    '| clinics | sessions a day | requests/s | API | workers | dispatchers | database | speech | reader | database a year | recordings |',
  )
  say('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const clinics of [1, 10, 100, 1_000]) {
    const of = reckon(clinics, costs)
    const cores = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0))
    say(
      `| ${clinics} | ${of.sessionsADay} | ${cores(of.requestsASecond)} | ${cores(of.apiCores)} | ${cores(of.workerCores)} | ` +
        `${cores(of.dispatcherCores)} | ${cores(of.databaseCores)} | ${cores(of.speechCores)} | ${cores(of.readerCores)} | ` +
        `${cores(of.databaseGigabytesAYear)} GB | ${cores(of.recordingGigabytes)} GB |`,
    )
  }
}

try {
  await measure()
} finally {
  await installation.close()
}
