// The limit: node:http + pg with nothing in between. No authentication, no row security, no audit, no limits.
import { createServer } from 'node:http'
import pg from 'pg'

const { BARE_PORT, BARE_DATABASE_URL, BARE_POOL } = process.env
const pool = new pg.Pool({ connectionString: BARE_DATABASE_URL, max: Number(BARE_POOL) })

const readOrganization = {
  name: 'read_organization',
  text: 'select organization_id as id, name, created_at as "createdAt" from bare.organizations where organization_id = $1',
}

function answerJson(response, body) {
  const text = JSON.stringify(body)
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text)
}

createServer((request, response) => {
  if (request.method === 'GET') {
    const id = request.url.slice(request.url.lastIndexOf('/') + 1)
    pool.query({ ...readOrganization, values: [id] }).then(
      ({ rows }) => answerJson(response, rows[0] ?? null),
      () => response.writeHead(500).end(),
    )
    return
  }
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    const { clientId } = JSON.parse(body)
    answerJson(response, {
      accessToken: `${clientId}.${'x'.repeat(200)}`,
      expiresIn: 3600,
      tokenType: 'Bearer',
    })
  })
}).listen(Number(BARE_PORT), '127.0.0.1')
