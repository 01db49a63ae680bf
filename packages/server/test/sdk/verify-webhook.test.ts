import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { dedupeKeys, verifyWebhook, WebhookVerificationError, type WebhookEvent } from '@casenote/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateSecret } from '../../src/features/partners/index.js'
import { signDelivery } from '../../src/features/webhooks/dispatch/sign-delivery.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import {
  makeHooks,
  makeReceiver,
  startDispatcher,
  type PartnerHooks,
  type Received,
  type Receiver,
} from '../webhooks/dispatch-fixture.js'

const pythonSource = fileURLToPath(new URL('../../../../sdk/python/src', import.meta.url))
const hasPython = spawnSync('python3', ['-c', 'import http.server']).status === 0

/** Either SDK: the event, or null where it is refused. */
type Verify = (
  received: Pick<Received, 'body' | 'headers'>,
  secrets: string | string[],
  toleranceSeconds?: number,
) => Promise<WebhookEvent | null>

const verifyInTypeScript: Verify = async ({ body, headers }, secrets, toleranceSeconds) => {
  const options = toleranceSeconds === undefined ? {} : { toleranceSeconds }
  return verifyWebhook(body, headers, secrets, options).catch((error: unknown) => {
    expect(error).toBeInstanceOf(WebhookVerificationError)
    return null
  })
}

const pythonProgram = `
import base64, json, sys
import casenote
given = json.load(sys.stdin)
try:
    event = casenote.verify_webhook(base64.b64decode(given["body"]), given["headers"], given["secrets"], **given["options"])
except casenote.WebhookVerificationError:
    event = None
print(json.dumps([event, event and casenote.dedupe_keys(event, given["headers"])]))
`

const verifyInPython: Verify = async ({ body, headers }, secrets, toleranceSeconds) => {
  const options = toleranceSeconds === undefined ? {} : { tolerance_seconds: toleranceSeconds }
  const input = JSON.stringify({ body: body.toString('base64'), headers, secrets, options })
  const env = { ...process.env, PYTHONPATH: pythonSource, PYTHONDONTWRITEBYTECODE: '1' }
  const said = execFileSync('python3', ['-c', pythonProgram], { input, env, encoding: 'utf8' })
  const [event, keys] = JSON.parse(said) as [WebhookEvent | null, string[] | null]
  if (event !== null) expect(keys).toEqual(dedupeKeys(event, headers))
  return event
}

let service: TestService
let partner: TestPartner
let receiver: Receiver
let hooks: PartnerHooks
let dispatcher: Awaited<ReturnType<typeof startDispatcher>>
/** Set once the first of the two has rotated it: deliveries have one signature before, and two after. */
let rotatedSecret = ''

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  receiver = await makeReceiver()
  dispatcher = await startDispatcher(service)
  hooks = await makeHooks(service, partner)
  await hooks.addEndpoint(receiver.url)
})
afterAll(async () => {
  await dispatcher.close()
  await receiver.close()
  await service.close()
})

async function receiveOne(signatures: number): Promise<Received> {
  const isThere = (one: Received | undefined): boolean =>
    String(one?.headers['webhook-signature']).split(' ').length === signatures && one !== undefined
  await waitUntil(async () => {
    await hooks.happen()
    return isThere(receiver.received.at(-1))
  }, `a delivery with ${signatures} signatures`)
  return receiver.received.at(-1) as Received
}

describe.each([
  { name: 'verifyWebhook of the SDK for TypeScript', verify: verifyInTypeScript, canRun: true },
  { name: 'verify_webhook of the SDK for Python', verify: verifyInPython, canRun: hasPython },
])('$name', ({ verify, canRun }) => {
  it('takes what the dispatcher sends and nothing else, also during a rotation', async ({ skip }) => {
    skip(!canRun, 'no python3 on this machine')
    const secret = rotatedSecret === '' ? partner.clientSecret : rotatedSecret
    const received = await receiveOne(rotatedSecret === '' ? 1 : 2)
    const event = await verify(received, secret)
    expect(event).toMatchObject({
      eventType: 'session_transcript_error',
      payload: { sessionId: partner.sessionId, failure: { code: 'audio_no_audio' } },
    })
    const other = `whsec_${randomBytes(32).toString('base64')}`
    expect(await verify(received, other)).toBeNull()
    expect(await verify(received, [])).toBeNull()
    expect(await verify(received, [other, secret])).toEqual(event)
    expect(
      await verify({ ...received, body: Buffer.concat([received.body, Buffer.from(' ')]) }, secret),
    ).toBeNull()
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { [name]: _left, ...headers } = received.headers
      expect(await verify({ ...received, headers }, secret)).toBeNull()
      const changed = { ...received.headers, [name]: `1${String(received.headers[name])}` }
      expect(await verify({ ...received, headers: changed }, secret)).toBeNull()
    }

    if (rotatedSecret === '') {
      const ring = await service.keys.get({ tenantId: partner.partnerId })
      rotatedSecret = await rotateSecret(service.owner, ring)
      await service.watch.poll()
    }
    const rotated = await receiveOne(2)
    expect(await verify(rotated, partner.clientSecret)).not.toBeNull()
    expect(await verify(rotated, rotatedSecret)).not.toBeNull()
    expect(await verify(rotated, other)).toBeNull()
  })

  it('refuses what is too old or too new, as far as it is told', async ({ skip }) => {
    skip(!canRun, 'no python3 on this machine')
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const payload = { patientId: 'p–1', assessmentScores: [{ id: 'a1' }, { id: 'a2' }] }
    const body = Buffer.from(JSON.stringify({ eventType: 'assessment_completed', timeStamp: '', payload }))
    const sign = (agoMs: number) => ({
      body,
      headers: signDelivery({ eventId: 'e1', body, digestHeader: null }, [secret], Date.now() - agoMs),
    })
    expect(await verify(sign(0), secret)).toMatchObject({ payload })
    expect(await verify(sign(310_000), secret)).toBeNull()
    expect(await verify(sign(-310_000), secret)).toBeNull()
    expect(await verify(sign(310_000), secret, 600)).not.toBeNull()
    expect(await verify(sign(60_000), secret, 10)).toBeNull()
    const now = sign(0)
    for (const timestamp of ['now', '9'.repeat(400)]) {
      const headers = { ...now.headers, 'webhook-timestamp': timestamp }
      expect(await verify({ body, headers }, secret)).toBeNull()
    }
    const named = Object.fromEntries(
      Object.entries(now.headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    expect(await verify({ body, headers: named }, secret)).not.toBeNull()

    const unknown = Buffer.from('{"eventType":"session_moved","timeStamp":"","payload":{"sessionId":"s1"}}')
    const headers = signDelivery({ eventId: 'e1', body: unknown, digestHeader: null }, [secret], Date.now())
    expect(await verify({ body: unknown, headers }, secret)).toMatchObject({ eventType: 'session_moved' })
  })
})

it('verifyWebhook says that a secret is none, and takes the headers and text of fetch', async () => {
  const body = '{"eventType":"transcript_ready","payload":{"sessionId":"s1"}}'
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const signed = signDelivery(
    { eventId: 'e1', body: Buffer.from(body), digestHeader: null },
    [secret],
    Date.now(),
  )
  const event = await verifyWebhook(body, new Headers(signed), secret)
  expect(dedupeKeys(event)).toEqual(['transcript_ready s1'])
  // Headers of another implementation of fetch.
  const others = { get: (name: string): string | null => new Headers(signed).get(name) }
  expect(await verifyWebhook(body, others, secret)).toEqual(event)
  await expect(verifyWebhook(body, signed, 'secret')).rejects.toThrow('whsec_')
  await expect(verifyWebhook(body, signed, 'whsec_')).rejects.toThrow(TypeError)
})
