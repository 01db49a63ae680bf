import { randomUUID } from 'node:crypto'
import type { NoteType, Page, PartnerApiError, Session } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyClientAction, createClient } from '../../src/features/clients/index.js'
import { createClinician } from '../../src/features/clinicians/index.js'
import {
  applySessionAction,
  completeSession,
  failSession,
  recordProgress,
  startTranscribing,
} from '../../src/features/sessions/index.js'
import { operator } from '../../src/kernel/operator.js'
import { asPipeline } from '../support/clinical-record.js'
import { listEvents, listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner
let production: TestPartner
let tenant: { tenantId: string }
let prescriberId: string

const fileUrl = 'https://recordings.example.com/2026/session.mp3?X-Amz-Signature=abc%2F&b=1'

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  production = await service.addPartner('production')
  tenant = { tenantId: partner.partnerId }
  prescriberId = await addClinician({ prescriber: true, defaultNoteType: 'medication_management' })
})
afterAll(() => service.close())

const addClinician = (given: { prescriber: boolean; defaultNoteType: NoteType | null }): Promise<string> =>
  service.db.write(tenant, (tx) =>
    createClinician(
      tx,
      {
        clinicId: partner.clinicId,
        firstName: 'Tobias',
        lastName: 'Renner',
        email: `${randomUUID()}@example.com`,
        externalId: null,
        ...given,
      },
      operator,
    ),
  )

const addClient = (clinicianId = partner.clinicianId): Promise<string> =>
  service.db.write(tenant, (tx) =>
    createClient(
      tx,
      {
        clinicianId,
        firstName: 'Odette',
        lastName: 'Mockingham',
        dateOfBirth: '2001-01-08',
        email: null,
        phoneNumber: null,
        externalId: null,
      },
      operator,
    ),
  )

const create = (clientId: string, payload: unknown, by = partner) =>
  service.call({
    method: 'POST',
    url: `/v2/clients/${clientId}/sessions`,
    headers: { ...by.headers, 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  })

const createdBy = async (clientId: string, payload: unknown): Promise<Session> => {
  const answer = await create(clientId, payload)
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)])
  return answer.json<Session>()
}

const read = async <Body>(path: string): Promise<Body> =>
  (await service.ask(partner, 'GET', path)).json<Body>()

const statusOf = async (clientId: string): Promise<unknown> =>
  (
    await service.db.read(tenant, {
      text: 'select status from casenote.clients where tenant_id = $1 and client_id = $2',
      values: [tenant.tenantId, clientId],
    })
  )[0]?.status

describe('POST /clients/{clientId}/sessions', () => {
  it('201 with the whole session, in the shape of ruling 6', async () => {
    const clientId = await addClient()
    const given = { fileUrl, sessionExternalId: 'appointment-1', startedAt: '2026-11-15T10:30:00+01:00' }
    const session = await createdBy(clientId, given)
    expect(session).toEqual({
      id: session.sessionId,
      sessionId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
      sessionExternalId: 'appointment-1',
      fileUrl,
      clientId,
      clinicianId: partner.clinicianId,
      clinicId: partner.clinicId,
      organizationId: partner.organizationId,
      noteType: 'soap',
      templateId: 'soap',
      source: 'recording',
      language: null,
      status: 'fetching',
      progress: 0,
      failure: null,
      retryOf: null,
      startedAt: '2026-11-15T09:30:00.000Z',
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(await read(`/sessions/${session.sessionId}`)).toEqual(session)
  })

  it('absent values are null', async () => {
    const session = await createdBy(await addClient(), { fileUrl, clinicianId: null, noteType: null })
    expect(session).toMatchObject({ sessionExternalId: null, startedAt: null, noteType: 'soap' })
  })

  it('sessionExternalId need not be unique', async () => {
    const clientId = await addClient()
    for (let count = 0; count < 2; count += 1)
      await createdBy(clientId, { fileUrl, sessionExternalId: 'same' })
  })

  it("takes the clinician's default note type, and a prescriber may use the prescriber types", async () => {
    const clientId = await addClient(prescriberId)
    expect(await createdBy(clientId, { fileUrl })).toMatchObject({ noteType: 'medication_management' })
    const noteType = 'psychiatric_evaluation'
    expect(await createdBy(clientId, { fileUrl, noteType })).toMatchObject({ noteType })
  })

  it('a secondary clinician may be named', async () => {
    const clientId = await addClient()
    await service.db.write(tenant, (tx) =>
      tx.run({
        text: 'insert into casenote.secondary_clinicians (tenant_id, client_id, clinician_id) values ($1, $2, $3)',
        values: [tenant.tenantId, clientId, prescriberId],
      }),
    )
    const session = await createdBy(clientId, { fileUrl, clinicianId: prescriberId })
    expect(session.clinicianId).toBe(prescriberId)
  })

  it('the first session makes an awaiting client active; others keep their status', async () => {
    const clientId = await addClient()
    expect(await statusOf(clientId)).toBe('awaiting_invite')
    await createdBy(clientId, { fileUrl })
    expect(await statusOf(clientId)).toBe('active')
    const invited = await addClient()
    await service.db.write(tenant, (tx) => applyClientAction(tx, invited, 'invite'))
    await createdBy(invited, { fileUrl })
    expect(await statusOf(invited)).toBe('invite_sent')
  })

  it('409 as a plain string for an archived client, and nothing is created', async () => {
    const clientId = await addClient()
    await service.db.write(tenant, (tx) => applyClientAction(tx, clientId, 'archive'))
    const answer = await create(clientId, { fileUrl })
    expect([answer.statusCode, answer.json<PartnerApiError>().error.message]).toEqual([
      409,
      'Client is archived',
    ])
    expect((await create(clientId, {})).statusCode).toBe(400)
    expect((await read<Page<Session>>(`/clients/${clientId}/sessions`)).meta.totalItems).toBe(0)
  })

  for (const [payload, problems] of [
    [{}, ['fileUrl should not be empty']],
    [{ fileUrl: null }, ['fileUrl should not be empty']],
    [{ fileUrl: '' }, ['fileUrl should not be empty']],
    [{ noteType: 'x' }, ['fileUrl should not be empty', expect.stringMatching(/^noteType must be one of/)]],
    [{ text: null }, ['fileUrl should not be empty']],
    [{ text: 'Slept well.', language: 'es' }, ['language must be one of the following values: en']],
    [{ text: ' \n ' }, ['text should not be empty']],
    [{ text: 7 }, ['text must be a string']],
    [{ text: 'a'.repeat(50_001) }, ['text must be shorter than or equal to 50000 characters']],
    [{ fileUrl, text: 'Slept well.' }, ['text must not be given together with fileUrl']],
    [{ fileUrl: 5 }, ['fileUrl must be a string']],
    [{ fileUrl: 'session.mp3' }, ['fileUrl must be a URL address']],
    [{ fileUrl: '/a.mp3' }, ['fileUrl must be a URL address']],
    [{ fileUrl: 'ftp://a.example.com/x' }, ['fileUrl must be a URL address']],
    [{ fileUrl: 'file:///etc/passwd' }, ['fileUrl must be a URL address']],
    [{ fileUrl: 'https:/\\host/x' }, ['fileUrl must be a URL address']],
    [
      { fileUrl: `https://a.example.com/${'x'.repeat(8000)}` },
      ['fileUrl must be shorter than or equal to 8000 characters'],
    ],
    [{ fileUrl: 'https://user:pass@a.example.com/' }, ['fileUrl must not contain a user name or password']],
    [{ fileUrl, clinicianId: 'x' }, ['clinicianId must be a UUID']],
    [{ fileUrl, clinicianId: randomUUID() }, ['clinicianId must be a clinician who treats the client']],
    [{ fileUrl, sessionExternalId: 7 }, ['sessionExternalId must be a string']],
    [
      { fileUrl, sessionExternalId: 'x'.repeat(256) },
      ['sessionExternalId must be shorter than or equal to 255 characters'],
    ],
    [
      { fileUrl, noteType: 'prose' },
      [
        'noteType must be one of the following values: soap, dap, birp, girp, pirp, psychotherapy_intake, psychiatric_evaluation, medication_management',
      ],
    ],
    [
      { fileUrl, noteType: 'medication_management' },
      ['noteType must not be a prescriber note type: the clinician is no prescriber'],
    ],
    [{ fileUrl, startedAt: 'yesterday' }, ['startedAt must be a valid ISO 8601 date string']],
    [{ fileUrl, startedAt: '2026-02-30T10:00:00Z' }, ['startedAt must be a valid ISO 8601 date string']],
    [{ fileUrl, startedAt: '2026-02-10' }, ['startedAt must be a valid ISO 8601 date string']],
    [
      { fileUrl: 'x', clinicianId: 'x', noteType: 'x', startedAt: 'x' },
      [
        'fileUrl must be a URL address',
        'clinicianId must be a UUID',
        expect.stringMatching(/^noteType must be one of/),
        'startedAt must be a valid ISO 8601 date string',
      ],
    ],
  ] as [unknown, unknown[]][]) {
    it(`400 for ${JSON.stringify(payload).slice(0, 80)}`, async () => {
      const answer = await create(partner.clientId, payload)
      expect(answer.statusCode).toBe(400)
      expect(answer.json<PartnerApiError>().error.message).toEqual({
        message: problems,
        error: 'Bad Request',
        statusCode: 400,
      })
    })
  }

  it("400 for another partner's clinician and one who does not treat the client, in the same words", async () => {
    for (const clinicianId of [production.clinicianId, prescriberId]) {
      const answer = await create(partner.clientId, { fileUrl, clinicianId })
      expect(answer.json()).toMatchObject({
        error: { message: { message: ['clinicianId must be a clinician who treats the client'] } },
      })
    }
  })

  it('a sandbox may name http and loopback; production only https and a public host', async () => {
    await createdBy(partner.clientId, { fileUrl: 'http://127.0.0.1:9000/a.mp3' })
    for (const [url, problem] of [
      ['http://recordings.example.com/a.mp3', 'fileUrl must be an https URL'],
      ['https://127.1/a.mp3', 'fileUrl must name a public host'],
      ['https://169.254.169.254/latest', 'fileUrl must name a public host'],
      ['https://[::ffff:7f00:1]/a', 'fileUrl must name a public host'],
      ['https://metadata.google.internal/', 'fileUrl must name a public host'],
      ['https://recordings.example.com:6379/', 'fileUrl must use port 443 or 8443'],
    ]) {
      const answer = await create(production.clientId, { fileUrl: url }, production)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ error: { message: { message: [problem] } } })
    }
    const both = await create(production.clientId, { fileUrl: 'https://127.1/', noteType: 'x' }, production)
    expect(both.json<{ error: { message: { message: string[] } } }>().error.message.message).toEqual([
      expect.stringMatching(/^noteType must be one of/),
      'fileUrl must name a public host',
    ])
    expect((await create(production.clientId, { fileUrl }, production)).statusCode).toBe(201)
  })

  it('a sandbox may name test recordings; to production they are no address at all', async () => {
    const test = 'casenote://test/success'
    expect(await createdBy(partner.clientId, { fileUrl: test })).toMatchObject({ fileUrl: test })
    const unknown = await create(partner.clientId, { fileUrl: 'casenote://test/x', noteType: 'x' })
    expect(unknown.json<PartnerApiError>().error.message).toMatchObject({
      message: [
        expect.stringMatching(/^noteType must be/),
        expect.stringMatching(
          /^fileUrl must be one of the following values: casenote:\/\/test\/success, .*\/not-found/,
        ),
      ],
    })
    for (const url of [test, 'casenote://test/x', 'casenote:', 'CASENOTE://test/success']) {
      const answer = await create(production.clientId, { fileUrl: url }, production)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({
        error: { message: { message: ['fileUrl must be a URL address'] } },
      })
    }
    const both = await create(partner.clientId, { fileUrl: test, text: 'Slept well.' })
    expect(both.json()).toMatchObject({
      error: { message: { message: ['text must not be given together with fileUrl'] } },
    })
  })

  it('is recorded with the session, the client and the clinician', async () => {
    const clientId = await addClient()
    const { sessionId } = await createdBy(clientId, { fileUrl })
    expect(await listSubjects(service, tenant, 'session.create', sessionId)).toEqual([
      [sessionId, clientId, partner.clinicianId],
    ])
  })
})

describe('GET /clients/{clientId}/sessions', () => {
  it('pages of ten, oldest first', async () => {
    const clientId = await addClient()
    for (let index = 0; index < 11; index += 1)
      await createdBy(clientId, { fileUrl, sessionExternalId: `${index}` })
    const { data, meta } = await read<Page<Session>>(`/clients/${clientId}/sessions?page=2`)
    expect(meta).toEqual({ totalItems: 11, totalPages: 2, itemsPerPage: 10, currentPage: 2 })
    expect(data.map(({ sessionExternalId }) => sessionExternalId)).toEqual(['10'])
    expect(data[0]?.fileUrl).toBe(fileUrl)
  })
})

describe('the way of a session', () => {
  const start = async (): Promise<string> => (await createdBy(await addClient(), { fileUrl })).sessionId
  const context = async () => asPipeline(await service.keys.get(tenant))

  it('progress rises within a step and never falls; completed is 1', async () => {
    const sessionId = await start()
    const progressOf = async () => (await read<Session>(`/sessions/${sessionId}`)).progress
    await service.db.write(tenant, (tx) => startTranscribing(tx, sessionId))
    expect(await progressOf()).toBe(0.1)
    for (const [given, shown] of [
      [0.5, 0.5],
      [0.3, 0.5],
    ] as const) {
      await service.db.write(tenant, (tx) => recordProgress(tx, sessionId, given))
      expect(await progressOf()).toBe(shown)
    }
    await expect(service.db.write(tenant, (tx) => recordProgress(tx, sessionId, 1))).rejects.toThrow()
    await service.db.write(tenant, (tx) => applySessionAction(tx, sessionId, 'completeTranscript'))
    expect(await service.db.write(tenant, (tx) => completeSession(tx, sessionId))).toBe(true)
    expect(await read(`/sessions/${sessionId}`)).toMatchObject({ status: 'completed', progress: 1 })
    expect(await service.db.write(tenant, (tx) => completeSession(tx, sessionId))).toBe(false)
  })

  it('a failure after the transcript is session_failed, told once, and no transcription error', async () => {
    const sessionId = await start()
    await service.db.write(tenant, (tx) => startTranscribing(tx, sessionId))
    await service.db.write(tenant, (tx) => applySessionAction(tx, sessionId, 'completeTranscript'))
    const by = await context()
    const fail = () =>
      service.db.write(tenant, (tx) => failSession(tx, by, { sessionId, failure: 'processing_failed' }))
    expect([await fail(), await fail()]).toEqual([true, false])
    const { failure, clientId } = await read<Session>(`/sessions/${sessionId}`)
    expect(failure).toMatchObject({ code: 'processing_failed', retryable: true })
    const { clinicianId, clinicId, organizationId } = partner
    expect(await listEvents(service, tenant, sessionId)).toEqual([
      {
        eventType: 'session_failed',
        timeStamp: expect.stringMatching(/Z$/),
        payload: {
          sessionId,
          clientId,
          clinicianId,
          clinicId,
          organizationId,
          error: failure?.message,
          failure,
        },
      },
    ])
  })

  it('a failure is final, told once, and takes the note with it', async () => {
    const sessionId = await start()
    const fail = async () => {
      const by = await context()
      return service.db.write(tenant, (tx) => failSession(tx, by, { sessionId, failure: 'audio_unreadable' }))
    }
    const outcomes = await Promise.all([fail(), fail(), fail()])
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect(await fail()).toBe(false)
    expect(await service.db.write(tenant, (tx) => startTranscribing(tx, sessionId))).toBe(false)
    const session = await read<Session>(`/sessions/${sessionId}`)
    expect(session.status).toBe('failed')
    expect(await listEvents(service, tenant, sessionId)).toEqual([
      {
        eventType: 'session_transcript_error',
        timeStamp: expect.stringMatching(/Z$/),
        payload: {
          sessionId,
          clientId: session.clientId,
          clinicianId: partner.clinicianId,
          clinicId: partner.clinicId,
          organizationId: partner.organizationId,
          error: 'The file is not a recording that can be read',
          failure: {
            code: 'audio_unreadable',
            message: 'The file is not a recording that can be read',
            retryable: false,
          },
        },
      },
    ])
    const note = await read<{ id: string }>(`/sessions/${sessionId}/progress-note`)
    expect(note).toMatchObject({ isLoading: false, note: [], status: 'failed' })
    for (const action of ['regenerate', 'finalize']) {
      const url = `/v2/progress-notes/${note.id}/${action}`
      const answer = await service.call({ method: 'POST', url, headers: partner.headers })
      expect(answer.statusCode).toBe(409)
    }
  })
})
