// GET /organizations/{id} and POST /partners/authenticate on one API process, against the bare server on the same
// tables (copied, without row security), same pool size, interleaved rounds, median.
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import pg from 'pg'
import { freePort, openInstallation, untilAnswers } from './installation.js'

const poolSize = 20
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const connections = 64

export async function run() {
  const installation = await openInstallation({ poolSize })
  try {
    await measure(installation)
  } finally {
    await installation.close()
  }
}

async function measure(installation) {
  const { credentials, port } = installation
  const idleBytes = await installation.apiMemoryBytes()
  const barePort = await startBareServer(installation)
  const { clientId, clientSecret, apiKey, organizationId } = credentials
  const key = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ clientId, clientSecret })
  const authenticate = { method: 'POST', headers: key, body }
  const answer = await fetch(`http://localhost:${port}/v2/partners/authenticate`, authenticate)
  const { accessToken } = await answer.json()
  const read = { method: 'GET', headers: { ...key, 'access-token': accessToken } }
  const cases = [
    {
      name: 'GET /organizations/{id}',
      reach: 0.6,
      ours: { url: `http://127.0.0.1:${port}/v2/organizations/${organizationId}`, ...read },
      bare: { url: `http://127.0.0.1:${barePort}/organizations/${organizationId}`, ...read },
    },
    {
      name: 'POST /partners/authenticate',
      reach: 0.4,
      ours: { url: `http://127.0.0.1:${port}/v2/partners/authenticate`, ...authenticate },
      bare: { url: `http://127.0.0.1:${barePort}/authenticate`, ...authenticate },
    },
  ]
  process.stdout.write(`${rounds} rounds of ${seconds} s, ${connections} connections, pool of ${poolSize}\n`)
  for (const one of cases) await compare(one)
  process.stdout.write(`idle memory of the API process: ${Math.round(idleBytes / 1e6)} MB (limit 200)\n`)
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
  process.stdout.write(`${name}: ${median.ratio.toFixed(2)} (${numbers}; to reach: ${reach.toFixed(2)})\n`)
}

async function load(target, duration) {
  const result = await autocannon({ ...target, connections, duration })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${target.url}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`)
  }
  return result.requests.average
}

async function startBareServer({ migrateUrl, startProcess }) {
  const client = new pg.Client({ connectionString: migrateUrl })
  await client.connect()
  await client.query(`create schema bare; create table bare.organizations as select * from casenote.organizations;
    create unique index on bare.organizations (organization_id); analyze bare.organizations`)
  await client.end()
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
