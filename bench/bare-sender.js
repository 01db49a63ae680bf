// The limit: an undici pool that signs and posts the same bodies, and writes nothing down. Prints posts per second.
import { createHmac, randomUUID } from 'node:crypto'
import { Pool } from 'undici'

const { SENDER_URL, SENDER_BODY, SENDER_SECRET, SENDER_COUNT, SENDER_CONNECTIONS } = process.env
const { origin, pathname } = new URL(SENDER_URL)
const pool = new Pool(origin, { connections: Number(SENDER_CONNECTIONS) })
const key = Buffer.from(SENDER_SECRET.replace('whsec_', ''), 'base64')
const body = Buffer.from(SENDER_BODY)
let left = Number(SENDER_COUNT)

async function sendAll() {
  while (left > 0) {
    left -= 1
    const id = randomUUID()
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    }
    const answer = await pool.request({ path: pathname, method: 'POST', headers, body })
    await answer.body.dump()
  }
}

const startedAt = performance.now()
await Promise.all(Array.from({ length: Number(SENDER_CONNECTIONS) }, sendAll))
process.stdout.write(String((Number(SENDER_COUNT) / (performance.now() - startedAt)) * 1000))
process.exit(0)
