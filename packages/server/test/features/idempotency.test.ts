import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import type { Client, Page } from '@casenote/contract'
import type { LightMyRequestResponse } from 'fastify'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInTemplate } from '../../src/engines/writer/templates/built-in-templates.js'
import { setNothingTwice } from '../../src/features/partners/index.js'
import { failSession } from '../../src/features/sessions/index.js'
import { isOnceByKey } from '../../src/http/once-by-key.js'
import { purgeOldAnswers } from '../../src/kernel/idempotency/index.js'
import { describeFault } from '../../src/kernel/log.js'
import { rotateTenantKey } from '../../src/kernel/secrets/make-tenant-keys.js'
import { readTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import type { Api } from '../../src/main/api.js'
import { retireDataKeys } from '../../src/main/keys/retire-keys.js'
import { asPipeline } from '../support/clinical-record.js'
import { waitUntil } from '../support/casenote-process.js'
import { isWaitingForLock, openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let superuser: pg.Client
/** Another one: a transaction sees one state of the activity. */
let watcher: pg.Client
let ownLog = ''

beforeAll(async () => {
  const stream = new PassThrough()
  stream.on('data', (chunk: Buffer) => (ownLog += chunk.toString()))
  service = await makeTestService({
    log: pino({ level: 'debug', serializers: { err: describeFault } }, stream),
  })
  superuser = await openSuperuser(service.database)
  watcher = await openSuperuser(service.database)
})
afterAll(async () => {
  for (const client of [superuser, watcher]) await client.end()
  await service.close()
})

const tenantOf = ({ partnerId }: TestPartner) => ({ tenantId: partnerId })

async function addKeyedPartner(): Promise<TestPartner> {
  const partner = await service.addPartner()
  await setNothingTwice(service.owner, tenantOf(partner), { idempotency: true })
  await service.watch.poll()
  return partner
}

interface Post {
  path: string
  payload?: object
  key?: string
  api?: Api
}

const post = (partner: TestPartner, { path, payload, key, api = service.api }: Post) =>
  api.app.inject({
    method: 'POST',
    url: `/v2${path}`,
    headers: { ...partner.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(payload === undefined ? {} : { payload }),
  })

const get = async <Body>(partner: TestPartner, path: string): Promise<Body> =>
  (await service.ask(partner, 'GET', path)).json<Body>()

const newClient = (lastName = 'Sample') => ({ lastName, dateOfBirth: '1990-01-31' })
const clientsOf = (partner: TestPartner) => `/clinicians/${partner.clinicianId}/clients`

const countClients = async (partner: TestPartner): Promise<number> =>
  (await get<Page<Client>>(partner, clientsOf(partner))).meta.totalItems

const isReplayed = ({ headers }: LightMyRequestResponse): boolean =>
  headers['idempotency-replayed'] === 'true'

const messageOf = (answer: LightMyRequestResponse): unknown =>
  answer.json<{ error: { message: unknown } }>().error.message

/** Changes wait for the chainer, which does not run here; reads are in their chain. */
async function listOperations({
  partnerId,
}: TestPartner): Promise<{ operation: string; requestId: string | null }[]> {
  const { rows } = await superuser.query<{ operation: string; requestId: string | null }>(
    `select operation, request_id as "requestId" from casenote.audit_pending where tenant_id = $1
     union all select body::jsonb ->> 'operation', body::jsonb ->> 'requestId'
       from casenote.audit_entries where tenant_id = $1`,
    [partnerId],
  )
  return rows
}

/** As if the day were over. */
const ageAnswers = (partner: TestPartner) =>
  superuser.query(
    `update casenote.kept_answers set answered_at = answered_at - interval '24 hours' where tenant_id = $1`,
    [partner.partnerId],
  )

describe('by default', () => {
  it('the key is ignored, whatever it is, and GET /partners says so', async () => {
    const partner = await service.addPartner()
    expect(await get(partner, '/partners')).toMatchObject({ idempotency: false, uniqueExternalIds: false })
    const before = await countClients(partner)
    for (const key of ['one', 'one', 'no key']) {
      const answer = await post(partner, { path: clientsOf(partner), payload: newClient(), key })
      expect([answer.statusCode, isReplayed(answer)]).toEqual([201, false])
    }
    expect(await countClients(partner)).toBe(before + 3)
  })
})

describe('where it is on', () => {
  it('the same key and body is the first answer again, to the letter, and one client', async () => {
    const partner = await addKeyedPartner()
    expect(await get(partner, '/partners')).toMatchObject({ idempotency: true })
    const before = await countClients(partner)
    const call = { path: clientsOf(partner), payload: newClient(), key: randomUUID() }
    const first = await post(partner, call)
    const second = await post(partner, call)
    expect([first.statusCode, isReplayed(first)]).toEqual([201, false])
    expect([second.statusCode, isReplayed(second), second.body]).toEqual([201, true, first.body])
    expect(second.headers['content-type']).toBe(first.headers['content-type'])
    const reordered = { dateOfBirth: '1990-01-31', lastName: 'Sample' }
    expect((await post(partner, { ...call, payload: reordered })).body).toBe(first.body)
    expect(await countClients(partner)).toBe(before + 1)
  })

  it('a call without a key answers the same bytes as one with', async () => {
    const partner = await addKeyedPartner()
    const path = `/clients/${partner.clientId}/archive`
    const plain = await post(partner, { path })
    const keyed = await post(partner, { path, key: 'archive' })
    expect([keyed.statusCode, keyed.body]).toEqual([plain.statusCode, plain.body])
    expect(keyed.headers['content-type']).toBe(plain.headers['content-type'])
  })

  it('409 for the same key with another body', async () => {
    const partner = await addKeyedPartner()
    const path = clientsOf(partner)
    await post(partner, { path, payload: newClient(), key: 'k' })
    const other = await post(partner, { path, payload: newClient('Other'), key: 'k' })
    expect([other.statusCode, messageOf(other)]).toEqual([409, 'Idempotency-Key was used with another body'])
    expect(other.headers['retry-after']).toBeUndefined()
  })

  it('a key is of one path', async () => {
    const partner = await addKeyedPartner()
    const { id } = (await post(partner, { path: clientsOf(partner), payload: newClient() })).json<Client>()
    for (const clientId of [partner.clientId, id]) {
      const answer = await post(partner, { path: `/clients/${clientId}/archive`, key: 'k' })
      expect([answer.statusCode, answer.json<Client>().id, isReplayed(answer)]).toEqual([
        200,
        clientId,
        false,
      ])
    }
  })

  it('parallel calls over two API processes make one client, and all are given its answer', async () => {
    const partner = await addKeyedPartner()
    const before = await countClients(partner)
    const peer = await service.makePeer()
    try {
      const call = { path: clientsOf(partner), payload: newClient(), key: randomUUID() }
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          post(partner, { ...call, api: index % 2 === 0 ? service.api : peer.api }),
        ),
      )
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 201))
      expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
      expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1)
    } finally {
      await peer.close()
    }
    expect(await countClients(partner)).toBe(before + 1)
  })

  it('a process that was started since gives the same answer', async () => {
    const partner = await addKeyedPartner()
    const call = { path: clientsOf(partner), payload: newClient(), key: randomUUID() }
    const first = await post(partner, call)
    const peer = await service.makePeer()
    try {
      const again = await post(partner, { ...call, api: peer.api })
      expect([again.statusCode, isReplayed(again), again.body]).toEqual([201, true, first.body])
    } finally {
      await peer.close()
    }
  })

  it('two partners with one key are two, and 404 for what is not theirs', async () => {
    const [one, two] = [await addKeyedPartner(), await addKeyedPartner()]
    for (const partner of [one, two]) {
      const answer = await post(partner, { path: clientsOf(partner), payload: newClient(), key: 'same' })
      expect([answer.statusCode, isReplayed(answer)]).toEqual([201, false])
    }
    const foreign = await post(two, { path: clientsOf(one), payload: newClient(), key: 'same' })
    expect(foreign.statusCode).toBe(404)
  })

  it('a key has 1 to 255 visible ASCII characters, else 400 that names the header', async () => {
    const partner = await addKeyedPartner()
    const path = clientsOf(partner)
    const longest = 'k'.repeat(255)
    expect((await post(partner, { path, payload: newClient(), key: longest })).statusCode).toBe(201)
    expect(isReplayed(await post(partner, { path, payload: newClient(), key: longest }))).toBe(true)
    for (const key of ['', `${longest}k`, 'a b', 'a\tb', 'ä']) {
      const answer = await post(partner, { path, payload: { lastName: 'Sample' }, key })
      expect([key, answer.statusCode, messageOf(answer)]).toEqual([
        key,
        400,
        expect.objectContaining({
          message: [
            expect.stringContaining('dateOfBirth'),
            'Idempotency-Key must be 1 to 255 visible ASCII characters',
          ],
        }),
      ])
    }
  })

  it('neither authenticate is held to it', async () => {
    const partner = await addKeyedPartner()
    const path = `/clinicians/${partner.clinicianId}/authenticate`
    const [first, second] = [await post(partner, { path, key: 'k' }), await post(partner, { path, key: 'k' })]
    expect(second.statusCode).toBe(200)
    expect(second.json<{ RefreshToken: string }>().RefreshToken).not.toBe(
      first.json<{ RefreshToken: string }>().RefreshToken,
    )
    expect(isReplayed(second)).toBe(false)
  })

  it('after 24 hours the key is new, and what was kept is purged', async () => {
    const partner = await addKeyedPartner()
    const before = await countClients(partner)
    const call = { path: clientsOf(partner), payload: newClient(), key: 'day' }
    await post(partner, call)
    await ageAnswers(partner)
    const next = await post(partner, call)
    expect([next.statusCode, isReplayed(next)]).toEqual([201, false])
    expect(await countClients(partner)).toBe(before + 2)
    const kept = () =>
      superuser.query(`select from casenote.kept_answers where tenant_id = $1`, [partner.partnerId])
    await purgeOldAnswers(service.db)
    expect((await kept()).rowCount).toBe(1)
    await ageAnswers(partner)
    await purgeOldAnswers(service.db)
    expect((await kept()).rowCount).toBe(0)
  })
})

describe('refusals', () => {
  it('of a rule are given again; a new key asks anew', async () => {
    const partner = await addKeyedPartner()
    const path = `/clients/${partner.clientId}/unarchive`
    const first = await post(partner, { path, key: 'k' })
    expect(first.statusCode).toBe(409)
    await post(partner, { path: `/clients/${partner.clientId}/archive` })
    const again = await post(partner, { path, key: 'k' })
    expect([again.statusCode, isReplayed(again), again.body]).toEqual([409, true, first.body])
    const codeOf = ({ headers }: typeof first) => headers['casenote-error-code']
    expect([codeOf(first), codeOf(again)]).toEqual([expect.any(String), codeOf(first)])
    expect((await post(partner, { path, key: 'new' })).statusCode).toBe(200)
  })

  it('leave nothing of what was begun', async () => {
    const partner = await addKeyedPartner()
    const path = `/clinics/${partner.clinicId}/clinicians`
    const payload = { firstName: 'Ada', lastName: 'Twice', email: 'ADA@example.com' }
    for (let times = 0; times < 2; times += 1) {
      const answer = await post(partner, { path, payload, key: 'k' })
      expect([answer.statusCode, messageOf(answer)]).toEqual([
        409,
        'A clinician with this email already exists',
      ])
    }
    const listed = await get<Page<object>>(partner, `${path}?lastName=Twice`)
    expect(listed.meta.totalItems).toBe(0)
  })

  it('before the call began are not kept: a body put right may use the key', async () => {
    const partner = await addKeyedPartner()
    const path = clientsOf(partner)
    expect((await post(partner, { path, payload: { lastName: 'x' }, key: 'k' })).statusCode).toBe(400)
    const right = await post(partner, { path, payload: newClient(), key: 'k' })
    expect([right.statusCode, isReplayed(right)]).toEqual([201, false])
  })

  it('by the state of a note do not hide the answer that brought it into this state', async () => {
    const partner = await addKeyedPartner()
    const path = `/progress-notes/${partner.progressNoteId}/magic-edit`
    const payload = { userInstructions: 'Shorter, please.' }
    const first = await post(partner, { path, payload, key: 'k' })
    expect([first.statusCode, typeof first.headers.etag]).toEqual([202, 'string'])
    const again = await post(partner, { path, payload, key: 'k' })
    expect([again.statusCode, isReplayed(again), again.body]).toEqual([202, true, first.body])
    expect(again.headers.etag).toBe(first.headers.etag)
    expect((await post(partner, { path, payload, key: 'other' })).statusCode).toBe(409)
    const otherBody = { userInstructions: 'Longer, please.' }
    expect(messageOf(await post(partner, { path, payload: otherBody, key: 'k' }))).toMatch(/another body/)
  })

  it('by what is under way are not kept: afterwards the same key does it', async () => {
    const partner = await addKeyedPartner()
    const setDelivery = (isBeingSent: boolean) =>
      superuser.query(
        `update casenote.webhook_deliveries set status = $2, next_attempt_at = $3, leased_until = $4
          where delivery_id = $1`,
        isBeingSent
          ? [partner.deliveryId, 'delivering', null, new Date(Date.now() + 60_000)]
          : [partner.deliveryId, 'pending', new Date(), null],
      )
    const call = { path: `/webhook-deliveries/${partner.deliveryId}/resend`, key: 'k' }
    await setDelivery(true)
    const early = await post(partner, call)
    expect([early.statusCode, messageOf(early)]).toEqual([409, 'Delivery is being sent'])
    await setDelivery(false)
    const later = await post(partner, call)
    expect([later.statusCode, isReplayed(later)]).toEqual([200, false])
  })

  it('by a note that began to be generated after the check of its state are not kept either', async () => {
    const partner = await addKeyedPartner()
    const call = { path: `/progress-notes/${partner.progressNoteId}/regenerate`, key: 'k' }
    const setGeneration = (generationId: string | null) =>
      superuser.query(
        'update casenote.progress_notes set active_generation_id = $3 where tenant_id = $1 and session_id = $2',
        [partner.partnerId, partner.sessionId, generationId],
      )
    const { rows } = await superuser.query<{ id: string }>(
      'select generation_id as id from casenote.note_generations where tenant_id = $1',
      [partner.partnerId],
    )
    await superuser.query('begin')
    await setGeneration(rows[0]?.id ?? '')
    const early = post(partner, call)
    try {
      await waitUntil(() => isWaitingForLock(watcher, 'progress_notes'), 'the call waits for the note')
    } finally {
      await superuser.query('commit')
    }
    expect(messageOf(await early)).toBe('Progress note is being generated')
    await setGeneration(null)
    const later = await post(partner, call)
    expect([later.statusCode, isReplayed(later)]).toEqual([202, false])
  })

  it('of a caller who is let in no more come before anything kept', async () => {
    const partner = await addKeyedPartner()
    const call = { path: clientsOf(partner), payload: newClient(), key: 'k' }
    await post(partner, call)
    const stranger = { ...partner, headers: { ...partner.headers, 'access-token': 'x' } }
    expect((await post(stranger, call)).statusCode).toBe(403)
  })
})

describe('what is kept', () => {
  it('is sealed, says nothing in a dump or a log, and opens after the data key was changed', async () => {
    const partner = await addKeyedPartner()
    const name = `Quillfeather${randomUUID()}`
    const call = { path: clientsOf(partner), payload: newClient(name), key: `key-of-${name}` }
    const first = await post(partner, call)
    await post(partner, call)
    await post(partner, { ...call, payload: newClient(`${name}x`) })
    expect(ownLog).not.toContain(name)
    const dump = async (): Promise<{ line: string; sealed: Buffer }[]> =>
      (
        await superuser.query<{ line: string; sealed: Buffer }>(
          `select a::text as line, sealed_answer as sealed from casenote.kept_answers a where tenant_id = $1`,
          [partner.partnerId],
        )
      ).rows
    const [row] = await dump()
    expect(row?.line).not.toContain(name)
    expect(row?.sealed.toString('latin1')).not.toContain(name)
    await rotateTenantKey(service.owner, service.masterKeys, tenantOf(partner), 'data')
    await superuser.query(
      `update casenote.tenant_keys set created_at = created_at - interval '1 minute' where tenant_id = $1`,
      [partner.partnerId],
    )
    await retireDataKeys(
      { db: service.owner, store: service.blobs.store, masterKeys: service.masterKeys },
      tenantOf(partner),
    )
    await service.watch.poll()
    expect((await dump())[0]?.sealed.equals(row?.sealed ?? Buffer.alloc(0))).toBe(false)
    const again = await post(partner, call)
    expect([isReplayed(again), again.body]).toEqual([true, first.body])
  })

  it('is linked to the client whose data it shows, and goes with them', async () => {
    const partner = await addKeyedPartner()
    const created = await post(partner, { path: clientsOf(partner), payload: newClient(), key: 'a' })
    const { id } = created.json<Client>()
    await post(partner, { path: `/clients/${id}/archive`, key: 'b' })
    await post(partner, { path: `/progress-notes/${partner.progressNoteId}/finalize`, key: 'c' })
    await post(partner, {
      path: '/webhook-endpoints',
      payload: { url: 'https://hooks.acme.org/x' },
      key: 'd',
    })
    const clients = async () =>
      (
        await superuser.query<{ clientId: string | null }>(
          `select client_id as "clientId" from casenote.kept_answers where tenant_id = $1 order by answered_at`,
          [partner.partnerId],
        )
      ).rows.map(({ clientId }) => clientId)
    expect(await clients()).toEqual([id, id, partner.clientId, null])
    await superuser.query('delete from casenote.client_status_history where client_id = $1', [id])
    await superuser.query('delete from casenote.clients where client_id = $1', [id])
    expect(await clients()).toEqual([partner.clientId, null])
  })

  it('is on record each time it is shown', async () => {
    const partner = await addKeyedPartner()
    const call = { path: `/clients/${partner.clientId}/archive`, key: 'k' }
    for (let times = 0; times < 3; times += 1) await post(partner, call)
    const operations = await listOperations(partner)
    const counted = ['client.archive', 'answer.replay'].map(
      (wanted) => operations.filter(({ operation }) => operation === wanted).length,
    )
    expect(counted).toEqual([1, 2])
  })
})

/** A first call that succeeds, for every POST. */
const calls: Record<string, (of: TestPartner) => Omit<Post, 'api'> & { before?: () => Promise<unknown> }> = {
  'client.create': (of) => ({ path: clientsOf(of), payload: newClient() }),
  'client.archive': (of) => ({ path: `/clients/${of.clientId}/archive` }),
  'client.unarchive': (of) => ({
    path: `/clients/${of.clientId}/unarchive`,
    before: () => post(of, { path: `/clients/${of.clientId}/archive` }),
  }),
  'client.invite': (of) => ({
    path: `/clients/${of.clientId}/invite`,
    before: () =>
      superuser.query(`update casenote.clients set status = 'awaiting_invite' where client_id = $1`, [
        of.clientId,
      ]),
  }),
  'client.transfer': (of) => {
    const payload = { clinicianId: '' }
    const before = async (): Promise<void> => {
      payload.clinicianId = await addClinician(of)
    }
    return { path: `/clients/${of.clientId}/transfer`, payload, before }
  },
  'client.assignSecondaryClinicians': (of) => ({
    path: `/clients/${of.clientId}/secondary-clinicians`,
    payload: { clinicianIds: [of.clinicianId] },
  }),
  'clientExport.create': (of) => ({ path: `/clients/${of.clientId}/exports` }),
  'clinician.create': (of) => ({
    path: `/clinics/${of.clinicId}/clinicians`,
    payload: { firstName: 'New', lastName: 'Clinician', email: 'new@example.com' },
  }),
  'clinician.deactivate': (of) => ({ path: `/clinicians/${of.clinicianId}/deactivate` }),
  'clinician.reactivate': (of) => ({ path: `/clinicians/${of.clinicianId}/reactivate` }),
  'clinician.endWidgetSessions': (of) => ({ path: `/clinicians/${of.clinicianId}/end-widget-sessions` }),
  'consent.create': (of) => ({
    path: `/clients/${of.clientId}/consents`,
    payload: { method: 'by_word', textVersion: 'casenote-1' },
  }),
  'consent.withdraw': (of) => ({ path: `/clients/${of.clientId}/consents/${of.consentId}/withdraw` }),
  'consent.makeLink': (of) => ({ path: `/clients/${of.clientId}/consent-link` }),
  'treatmentPlan.create': (of) => ({
    path: `/clients/${of.clientId}/treatment-plans`,
    payload: { goals: [{ text: 'Sleep through' }] },
  }),
  'treatmentPlan.sign': (of) => ({ path: `/treatment-plans/${of.treatmentPlanId}/sign` }),
  'treatmentPlan.end': (of) => ({ path: `/treatment-plans/${of.treatmentPlanId}/end` }),
  'session.create': (of) => ({
    path: `/clients/${of.clientId}/sessions`,
    payload: { fileUrl: 'https://recordings.example.com/b.mp3' },
  }),
  'session.retry': (of) => {
    const call = { path: '' }
    const before = async (): Promise<void> => {
      call.path = `/sessions/${await addFailedSession(of)}/retry`
    }
    return Object.assign(call, { before })
  },
  'session.strike': (of) => ({
    path: `/sessions/${of.sessionId}/strike`,
    payload: { start: 0, end: 0.5, dangerSeen: true },
    before: () =>
      superuser.query(
        `update casenote.sessions set status = 'completed', progress = 1 where session_id = $1`,
        [of.sessionId],
      ),
  }),
  'session.link': (of) => {
    const call = { path: `/sessions/${of.sessionId}/linked-sessions`, payload: {} }
    const before = async (): Promise<void> => {
      const speakers = [
        { voice: 1, role: 'clinician' },
        { voice: 2, role: 'partner' },
      ]
      const url = `/v2/sessions/${of.sessionId}/speakers`
      await service.call({ method: 'PATCH', url, headers: of.headers, payload: { speakers } })
      call.payload = { clientId: await addOtherClient(of), voices: [2] }
    }
    return Object.assign(call, { before })
  },
  'template.add': () => ({
    path: '/templates',
    payload: { template: { ...builtInTemplate('dap'), id: 'made-once' } },
  }),
  'progressNote.magicEdit': (of) => ({
    path: `/progress-notes/${of.progressNoteId}/magic-edit`,
    payload: { userInstructions: 'Shorter.' },
  }),
  'progressNote.regenerate': (of) => ({ path: `/progress-notes/${of.progressNoteId}/regenerate` }),
  'progressNote.finalize': (of) => ({ path: `/progress-notes/${of.progressNoteId}/finalize` }),
  'progressNote.addAddendum': (of) => ({
    path: `/progress-notes/${of.progressNoteId}/addenda`,
    payload: { text: 'Later that day.' },
    before: () => post(of, { path: `/progress-notes/${of.progressNoteId}/finalize` }),
  }),
  'assessment.administer': (of) => ({
    path: `/clients/${of.clientId}/assessments`,
    payload: { assessmentIds: ['phq9'] },
  }),
  'assessmentAssignment.reissue': (of) => ({
    path: `/assessment-assignments/${of.assignmentId}/reissue`,
    payload: {},
  }),
  'webhookEndpoint.create': () => ({
    path: '/webhook-endpoints',
    payload: { url: 'https://hooks.acme.org/second' },
  }),
  'webhookEndpoint.test': (of) => ({
    path: `/webhook-endpoints/${of.endpointId}/test`,
    payload: { eventType: 'assessment_completed' },
  }),
  'webhookEndpoint.recover': (of) => ({
    path: `/webhook-endpoints/${of.endpointId}/recover`,
    payload: { since: '2020-01-01T00:00:00Z' },
  }),
  'sandbox.completeAssessment': (of) => ({
    path: `/sandbox/assessments/${of.assignmentId}/complete`,
    payload: {
      answers: ['phq2_1', 'phq2_2'].map((questionKey) => ({ questionKey, answerValue: 1 })),
    },
  }),
  // Of a clinician: after the partner's own have expired nobody is let in to repeat it.
  'sandbox.expireTokens': (of) => ({
    path: '/sandbox/tokens/expire',
    payload: { kind: 'clinician', clinicianId: of.clinicianId },
  }),
  'sandbox.provokeFaults': () => ({
    path: '/sandbox/faults',
    payload: { status: 503, count: 1, pathPrefix: '/clients' },
  }),
  'sandbox.advanceClock': () => ({ path: '/sandbox/clock', payload: { advanceSeconds: 60 } }),
  'webhookDelivery.resend': (of) => ({ path: `/webhook-deliveries/${of.deliveryId}/resend` }),
}

async function addClinician(of: TestPartner): Promise<string> {
  const payload = { firstName: 'Other', lastName: 'One', email: `${randomUUID()}@example.com` }
  const answer = await post(of, { path: `/clinics/${of.clinicId}/clinicians`, payload })
  return answer.json<{ id: string }>().id
}

async function addFailedSession(of: TestPartner): Promise<string> {
  const payload = { fileUrl: 'https://recordings.example.com/c.mp3' }
  const made = await post(of, { path: `/clients/${of.clientId}/sessions`, payload })
  const { sessionId } = made.json<{ sessionId: string }>()
  const ring = await readTenantKeys(service.owner, service.masterKeys, tenantOf(of))
  await service.owner.write(tenantOf(of), (tx) =>
    failSession(tx, asPipeline(ring), { sessionId, failure: 'processing_failed' }),
  )
  return sessionId
}

async function addOtherClient(of: TestPartner): Promise<string> {
  const payload = { lastName: 'Otherwell', dateOfBirth: '1988-02-03' }
  return (await post(of, { path: `/clinicians/${of.clinicianId}/clients`, payload })).json<{ id: string }>()
    .id
}

describe('every POST but the two authenticate and erasures', () => {
  const listRoutes = () => service.api.partnerApi.routes.filter((route) => isOnceByKey(route))

  it('is in this list', () => {
    expect(
      listRoutes()
        .map(({ operation }) => operation)
        .toSorted(),
    ).toEqual(Object.keys(calls).toSorted())
    const posts = service.api.partnerApi.routes.filter(({ method }) => method === 'POST')
    const free = posts.filter((route) => !isOnceByKey(route)).map(({ path }) => path)
    expect(free).toEqual([
      '/partners/authenticate',
      '/clinicians/{clinicianId}/authenticate',
      '/clients/{clientId}/erasures',
      '/sessions/{sessionId}/erasures',
      '/sessions/{sessionId}/transcript/erasures',
      '/progress-notes/{progressNoteId}/erasures',
    ])
  })

  it.each(Object.keys(calls))('%s is done once and answered twice', async (operation) => {
    const partner = await addKeyedPartner()
    const call = calls[operation]?.(partner)
    if (call === undefined) throw new Error(operation)
    await call.before?.()
    const key = randomUUID()
    const first = await post(partner, { ...call, key })
    expect([first.statusCode, isReplayed(first)]).toEqual([expect.toSatisfy((one) => one < 300), false])
    const second = await post(partner, { ...call, key })
    expect([second.statusCode, isReplayed(second), second.body]).toEqual([first.statusCode, true, first.body])
    const operations = (await listOperations(partner)).filter(
      ({ requestId }) => requestId === second.headers['x-request-id'],
    )
    expect(operations.map((entry) => entry.operation)).toEqual(['answer.replay'])
  })
})
