// The limit: node:http + pg with nothing in between. No authentication, no row security, no audit, no limits; one plain
// statement for each result.
import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import pg from 'pg'

const { BARE_PORT, BARE_DATABASE_URL, BARE_POOL } = process.env
const pool = new pg.Pool({ connectionString: BARE_DATABASE_URL, max: Number(BARE_POOL) })

/** The same result as ours has: where a client belongs and its programs included. */
const columns = `c.client_id as id, c.clinician_id as "clinicianId", c.clinic_id as "clinicId",
  k.organization_id as "organizationId", c.first_name as "firstName", c.last_name as "lastName",
  c.date_of_birth::text as "dateOfBirth", c.email, c.phone_number as "phoneNumber", c.external_id as "externalId",
  c.status, array(select program_id from bare.client_programs p where p.client_id = c.client_id) as "programIds",
  c.created_at as "createdAt"`
const clients = 'bare.clients c join bare.clinics k on k.clinic_id = c.clinic_id'

const statements = {
  partner: 'select tenant_id as id from bare.api_keys where key_hash = $1',
  organization: `select organization_id as id, name, created_at as "createdAt" from bare.organizations
    where organization_id = $1`,
  client: `select ${columns} from ${clients} where c.client_id = $1`,
  page: `select ${columns} from ${clients} where c.clinic_id = $1 order by c.seq limit 10`,
  total: 'select sum(clients) as total from casenote.client_counts where list_id = $1',
  filtered: `select ${columns} from ${clients} where c.clinic_id = $1 and c.last_name = $2 order by c.seq limit 10`,
  filteredTotal: 'select count(*) as total from bare.clients where clinic_id = $1 and last_name = $2',
  create: `insert into bare.clients (tenant_id, client_id, clinician_id, clinic_id, first_name, last_name, name_folded,
      date_of_birth, email, phone_number, external_id)
    select tenant_id, $1, clinician_id, clinic_id, $3, $4, $5, $6, $7, $8, $9 from bare.clinicians where clinician_id = $2
    returning client_id as id, clinic_id as "clinicId", status, created_at as "createdAt"`,
}

/** @returns {Promise<any[]>} */
const run = async (name, values) => (await pool.query({ name, text: statements[name], values })).rows

/** A pattern must be planned with its value, so this one is not named. */
async function search(clinicId, word) {
  const where = 'c.clinic_id = $1 and c.name_folded like $2'
  const values = [clinicId, `%${word}%`]
  const [{ rows: data }, { rows: count }] = await Promise.all([
    pool.query(`select ${columns} from ${clients} where ${where} order by c.seq limit 10`, values),
    pool.query(`select count(*) as total from bare.clients c where ${where}`, values),
  ])
  return page(data, count)
}

/** @type {(data?: any[], count?: any[]) => object} */
const page = (data, [{ total }]) => ({ data, meta: { totalItems: Number(total) } })

const answers = {
  organizations: async (id) => (await run('organization', [id]))[0] ?? null,
  clients: async (id) => (await run('client', [id]))[0],
  list: async (id) => page(...(await Promise.all([run('page', [id]), run('total', [id])]))),
  filter: async (id, query) => {
    const values = [id, query.get('lastName')]
    return page(...(await Promise.all([run('filtered', values), run('filteredTotal', values)])))
  },
  search: (id, query) => search(id, query.get('name')),
  create: async (id, _query, body) => {
    const { firstName, lastName, dateOfBirth, email, phoneNumber, externalId } = body
    const folded = `${firstName} ${lastName}`.toLowerCase()
    const values = [
      randomUUID(),
      id,
      firstName,
      lastName,
      folded,
      dateOfBirth,
      email,
      phoneNumber,
      externalId,
    ]
    return (await run('create', values))[0]
  },
  authenticate: async (_id, _query, { clientId }, headers) => {
    const [partner] = await run('partner', [createHash('sha256').update(headers['x-api-key']).digest()])
    if (partner === undefined) throw new Error('unknown API key')
    return { accessToken: `${clientId}.${'x'.repeat(200)}`, expiresIn: 3600, tokenType: 'Bearer' }
  },
}

function answerJson(response, body) {
  const text = JSON.stringify(body)
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text)
}

function dispatch(request, response, body) {
  const [path, query = ''] = request.url.split('?')
  const [, name, id] = path.split('/')
  answers[name](id, new URLSearchParams(query), body, request.headers).then(
    (answer) => answerJson(response, answer),
    () => response.writeHead(500).end(),
  )
}

createServer((request, response) => {
  if (request.method === 'GET') {
    dispatch(request, response, null)
    return
  }
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => dispatch(request, response, JSON.parse(body)))
}).listen(Number(BARE_PORT), '127.0.0.1')
