// The Partner API on one API process, against the bare server on copies of the same tables without row security: same
// pool size, interleaved rounds, median of the ratios. With a million clients in one clinic, and how the cost grows
// from a clinic of a thousand.
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import pg from 'pg'
import { loadClients } from './clients-data.js'
import { freePort, openInstallation, untilAnswers } from './installation.js'

const poolSize = 20
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const clientCount = Number(process.env.BENCH_CLIENTS ?? 1_000_000)
/** Part of a name, to measure just that. */
const only = process.env.BENCH_ONLY ?? ''
const smallCount = 1_000
const connections = 64

const say = (line) => process.stdout.write(`${line}\n`)

export async function run() {
  const installation = await openInstallation({ poolSize })
  try {
    await measure(installation)
  } finally {
    await installation.close()
  }
}

async function measure(installation) {
  const { credentials, port, migrateUrl } = installation
  const idleBytes = await installation.apiMemoryBytes()
  say(`idle memory of the API process: ${Math.round(idleBytes / 1e6)} MB (limit 200)`)
  const api = await authenticate(`http://127.0.0.1:${port}/v2`, credentials)
  const data = await prepareData(migrateUrl, credentials)
  const barePort = await startBareServer(installation)
  const bare = `http://127.0.0.1:${barePort}`
  say(
    `${rounds} rounds of ${seconds} s, ${connections} connections, pool of ${poolSize}, ${clientCount} clients`,
  )
  const cases = listCases(api, bare, credentials, data).filter(({ name }) => name.includes(only))
  for (const one of cases) await compare(one)
  await measureGrowth(api, data)
}

async function authenticate(baseUrl, { clientId, clientSecret, apiKey }) {
  const key = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ clientId, clientSecret })
  const call = { url: `${baseUrl}/partners/authenticate`, method: 'POST', headers: key, body }
  /** @type {any} */
  const answer = await (await fetch(call.url, call)).json()
  return { baseUrl, call, headers: { ...key, 'access-token': answer.accessToken } }
}

/** The large clinic is the sandbox's second one below, a small one beside it; the bare tables are copies. */
async function prepareData(migrateUrl, { partnerId, organizationId }) {
  const client = new pg.Client({ connectionString: migrateUrl })
  await client.connect()
  /** @returns {Promise<any[]>} */
  const ask = async (text, values) => (await client.query(text, values)).rows
  const [large, small] = ['Large', 'Small'].map((name) => ({ name, id: crypto.randomUUID() }))
  for (const { name, id } of [large, small]) {
    await ask(
      'insert into casenote.clinics (tenant_id, clinic_id, organization_id, name) values ($1, $2, $3, $4)',
      [partnerId, id, organizationId, name],
    )
  }
  say('loading clients …')
  await loadClients(migrateUrl, { tenantId: partnerId, clinicId: small.id, count: smallCount })
  await loadClients(migrateUrl, { tenantId: partnerId, clinicId: large.id, count: clientCount })
  await client.query(`create schema bare;
    create table bare.api_keys as select * from casenote.api_keys;
    create index on bare.api_keys (key_hash);
    create table bare.organizations as select * from casenote.organizations;
    create unique index on bare.organizations (organization_id);
    create table bare.clinics as select * from casenote.clinics;
    create unique index on bare.clinics (clinic_id);
    create table bare.client_programs as select * from casenote.client_programs;
    create index on bare.client_programs (client_id);
    create table bare.clinicians as select * from casenote.clinicians;
    create unique index on bare.clinicians (clinician_id);
    create table bare.clients (like casenote.clients including all);
    insert into bare.clients overriding system value select * from casenote.clients;
    select setval(pg_get_serial_sequence('bare.clients', 'seq'), (select max(seq) from bare.clients));
    create unique index on bare.clients (client_id);
    create index on bare.clients (clinic_id, seq);
    create index on bare.clients (clinic_id, last_name, seq);`)
  await client.query('vacuum analyze bare.clients, bare.clinics, bare.client_programs')
  const pick = async ({ id }) => {
    const text = `select client_id as "clientId", clinician_id as "clinicianId", last_name as "lastName", name_folded as name
      from casenote.clients where clinic_id = $1 order by seq offset 500 limit 1`
    const [found] = await ask(text, [id])
    // The second word is this client's own syllable: a rare one.
    const { clientId, clinicianId, lastName, name } = found
    return { clientId, clinicianId, lastName, clinicId: id, word: name.split(' ')[1] }
  }
  const picked = { large: await pick(large), small: await pick(small) }
  await client.end()
  return picked
}

function listCases({ baseUrl, call, headers }, bare, { organizationId }, { large }) {
  const get = (ours, limit) => ({
    ours: { url: `${baseUrl}${ours}`, headers },
    bare: { url: `${bare}${limit}`, headers },
  })
  const lastName = encodeURIComponent(large.lastName)
  const body = JSON.stringify({
    firstName: 'Bench',
    lastName: 'Testwell',
    dateOfBirth: '1990-01-31',
    email: 'bench@example.com',
    phoneNumber: '+12025550100',
    externalId: 'bench-1',
  })
  const create = { method: 'POST', headers, body }
  return [
    {
      name: 'GET /organizations/{id}',
      reach: 0.6,
      ...get(`/organizations/${organizationId}`, `/organizations/${organizationId}`),
    },
    {
      name: 'POST /partners/authenticate',
      reach: 0.4,
      ours: call,
      bare: { ...call, url: `${bare}/authenticate` },
    },
    { name: 'read a client', reach: 0.6, ...get(`/clients/${large.clientId}`, `/clients/${large.clientId}`) },
    {
      name: 'list by an exact filter, with total',
      reach: 0.5,
      ...get(
        `/clinics/${large.clinicId}/clients?lastName=${lastName}`,
        `/filter/${large.clinicId}?lastName=${lastName}`,
      ),
    },
    {
      name: 'list without filter, with total',
      reach: 0.4,
      ...get(`/clinics/${large.clinicId}/clients`, `/list/${large.clinicId}`),
    },
    {
      name: 'search by a rare word, with total',
      reach: 0.6,
      ...get(
        `/clinics/${large.clinicId}/clients?name=${large.word}`,
        `/search/${large.clinicId}?name=${large.word}`,
      ),
    },
    {
      name: 'create a client',
      reach: 0.4,
      ours: { url: `${baseUrl}/clinicians/${large.clinicianId}/clients`, ...create },
      bare: { url: `${bare}/create/${large.clinicianId}`, ...create },
    },
  ]
}

async function compare({ name, reach, ours, bare }) {
  await load(ours, 2)
  await load(bare, 2)
  const results = []
  for (let round = 0; round < rounds; round += 1) {
    const limit = await load(bare, seconds)
    const reached = await load(ours, seconds)
    results.push({ limit, reached, ratio: reached / limit })
  }
  const median = results.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(rounds / 2)]
  const numbers = `${Math.round(median.reached)}/s of ${Math.round(median.limit)}/s`
  say(`${name}: ${median.ratio.toFixed(2)} (${numbers}; to reach: ${reach.toFixed(2)})`)
}

/** What a request costs in the large clinic, in units of what it costs in the small one. */
async function measureGrowth({ baseUrl, headers }, { large, small }) {
  const cost = async (path) => 1 / (await load({ url: `${baseUrl}${path}`, headers }, seconds))
  const list = ({ clinicId }) => `/clinics/${clinicId}/clients`
  const growths = [
    { name: 'read', most: 1.5, toPath: ({ clientId }) => `/clients/${clientId}` },
    {
      name: 'exact filter',
      most: 1.5,
      toPath: (of) => `${list(of)}?lastName=${encodeURIComponent(of.lastName)}`,
    },
    { name: 'first page', most: 1.5, toPath: list },
    { name: 'search by a rare word', most: 3, toPath: (of) => `${list(of)}?name=${of.word}` },
  ]
  for (const { name, most, toPath } of growths) {
    const before = await cost(toPath(small))
    const growth = (await cost(toPath(large))) / before
    say(`${name}, ${smallCount} → ${clientCount}: ${growth.toFixed(2)} (at most ${most})`)
  }
  const page = Math.min(50_000, Math.floor(clientCount / 20))
  const deep = (await cost(`${list(large)}?page=${page}`)) / (await cost(list(large)))
  say(`page ${page} against page 1: ${deep.toFixed(2)} (at most 20)`)
}

async function load(target, duration) {
  const result = await autocannon({ ...target, connections, duration })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${target.url}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`)
  }
  return result.requests.average
}

async function startBareServer({ migrateUrl, startProcess }) {
  const port = await freePort()
  const env = {
    ...process.env,
    BARE_PORT: String(port),
    BARE_DATABASE_URL: migrateUrl,
    BARE_POOL: String(poolSize),
  }
  startProcess([fileURLToPath(new URL('bare-server.js', import.meta.url))], env)
  await untilAnswers(`http://127.0.0.1:${port}/organizations/00000000-0000-4000-8000-000000000000`)
  return port
}
