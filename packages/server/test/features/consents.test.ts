import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import {
  CONSENT_RELATIONS,
  type Client,
  type Consent,
  type ConsentLink,
  type ConsentText,
  type ConsentWithText,
  type Page,
  type Session,
  type TextLanguage,
  type WidgetClient,
  type WidgetConsents,
} from '@casenote/contract'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stateOf } from '../../src/features/consents/consent-state.js'
import { insertWord, selectConsentState } from '../../src/features/consents/consents.sql.js'
import { addText, hasConsent } from '../../src/features/consents/index.js'
import { provisionOrganization, provisionUnit } from '../../src/features/organizations/index.js'
import { setRequiresConsent } from '../../src/features/partners/index.js'
import { failSession } from '../../src/features/sessions/index.js'
import { makeKeepAcknowledged } from '../../src/features/widget/index.js'
import { operator } from '../../src/kernel/operator.js'
import { asPipeline } from '../support/clinical-record.js'
import { listSubjects } from '../support/outcomes.js'
import { addSameVersion, type SameVersion } from '../support/same-version.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import {
  addColleague,
  creationHeaders,
  openRecording,
  patchHeaders,
  signIn,
  type SignedIn,
} from '../widget/widget-fixture.js'

const anyWords = fc.array(
  fc.record({ isGiven: fc.boolean(), relation: fc.constantFrom(...CONSENT_RELATIONS) }),
  { maxLength: 12 },
)

describe('what holds after any sequence of words', () => {
  it('nobody but the client, or who speaks for them, allows a recording, and anybody ends it', () => {
    fc.assert(
      fc.property(anyWords, (words) => {
        const before = stateOf(words)
        expect(stateOf([...words, { isGiven: true, relation: 'participant' }])).toBe(before)
        for (const relation of CONSENT_RELATIONS)
          expect(stateOf([...words, { isGiven: false, relation }])).toBe(
            before === 'given' ? 'withdrawn' : before,
          )
        expect(stateOf([...words, { isGiven: true, relation: 'guardian' }])).toBe('given')
        const isLifted = words.findLast(({ relation }) => relation === 'guardian')?.isGiven !== false
        expect(stateOf([...words, { isGiven: true, relation: 'self' }])).toBe(
          isLifted ? 'given' : 'withdrawn',
        )
        const hasAgreed = words.some(({ isGiven, relation }) => isGiven && relation !== 'participant')
        expect(before === 'none').toBe(!hasAgreed)
      }),
      { numRuns: 300 },
    )
  })
})

let service: TestService
let partner: TestPartner
let stranger: TestPartner
let clinician: SignedIn

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  stranger = await service.addPartner()
  clinician = await signIn(service, partner)
})
afterAll(() => service.close())

const call = (
  method: 'GET' | 'POST',
  path: string,
  payload?: object,
  of: TestPartner = partner,
): Promise<LightMyRequestResponse> => service.ask(of, method, path, payload)

const addClient = async (): Promise<string> =>
  (
    await call('POST', `/clinicians/${partner.clinicianId}/clients`, {
      lastName: 'Testwell',
      dateOfBirth: '1990-02-03',
    })
  ).json<Client>().id

const stateIn = async (clientId: string): Promise<string> =>
  (await call('GET', `/clients/${clientId}`)).json<Client>().recordingConsent

const attest = (clientId: string, given: object = {}) =>
  call('POST', `/clients/${clientId}/consents`, { method: 'by_word', textVersion: 'casenote-1', ...given })

const withdraw = (clientId: string, id: string) =>
  call('POST', `/clients/${clientId}/consents/${id}/withdraw`)

const codeOf = ({ statusCode, headers }: LightMyRequestResponse) => [
  statusCode,
  headers['casenote-error-code'],
]

const listGiven = async (clientId: string): Promise<Consent[]> =>
  (await call('GET', `/clients/${clientId}/consents`)).json<Page<Consent>>().data

const eventsOf = async (clientId: string) =>
  (
    await service.owner.read(
      { tenantId: partner.partnerId },
      {
        text: `select event_type as "eventType", body from casenote.events where tenant_id = $1
          and event_type like 'consent%' order by seq`,
        values: [partner.partnerId],
      },
    )
  )
    .map(({ body }) => JSON.parse(String(body)) as { eventType: string; payload: Record<string, unknown> })
    .filter(({ payload }) => payload['clientId'] === clientId)

describe('the database', () => {
  it('says the same of the same words as the rule', async () => {
    const tenant = { tenantId: partner.partnerId }
    const all = fc.sample(anyWords, { numRuns: 60, seed: 7 })
    const found = await service.owner.write(tenant, async (tx) => {
      const states: unknown[] = []
      for (const words of all) {
        const [client] = await tx.run<{ clientId: string }>({
          text: `insert into casenote.clients (tenant_id, client_id, clinician_id, clinic_id, last_name, name_folded, date_of_birth, status)
            select tenant_id, gen_random_uuid(), clinician_id, clinic_id, 'X', 'x', '1990-01-01', status from casenote.clients
            where tenant_id = $1 and client_id = $2 returning client_id as "clientId"`,
          values: [tenant.tenantId, partner.clientId],
        })
        const clientId = client?.clientId ?? ''
        for (const word of words)
          await tx.run(
            insertWord(tenant, {
              ...word,
              clientId,
              consentId: randomUUID(),
              method: 'by_word',
              textVersion: '1',
              textId: null,
              language: 'en',
              sealedPerson: null,
              saidTo: 'partner',
              clinicianId: null,
              withdraws: null,
            }),
          )
        const [row] = await tx.run<{ state: string }>(selectConsentState(tenant, clientId))
        states.push(row?.state)
        expect(await hasConsent(tx, clientId)).toBe(row?.state === 'given')
      }
      return states
    })
    expect(found).toEqual(all.map(stateOf))
    expect(new Set(found)).toEqual(new Set(['given', 'withdrawn', 'none']))
  })
})

describe('consents of a client', () => {
  it('are attested, listed, shown at the client and withdrawn once, with an event each', async () => {
    const clientId = await addClient()
    expect(await stateIn(clientId)).toBe('none')
    const given = await attest(clientId, { method: 'signed_in_room', personName: '  Juniper Testwell ' })
    expect(given.statusCode).toBe(201)
    const consent = given.json<Consent>()
    expect(consent).toMatchObject({
      clientId,
      personName: 'Juniper Testwell',
      relation: 'self',
      method: 'signed_in_room',
      textVersion: 'casenote-1',
      language: 'en',
      status: 'given',
      attestedBy: { kind: 'partner', id: partner.partnerId },
      withdrawnAt: null,
    })
    expect(await stateIn(clientId)).toBe('given')
    const listed = await call('GET', `/clinicians/${partner.clinicianId}/clients?lastName=Testwell`)
    expect(listed.json<Page<Client>>().data.find(({ id }) => id === clientId)?.recordingConsent).toBe('given')
    for (let times = 0; times < 2; times += 1) {
      const withdrawn = await withdraw(clientId, consent.id)
      expect([withdrawn.statusCode, withdrawn.json<Consent>().status]).toEqual([200, 'withdrawn'])
      expect(withdrawn.json<Consent>().withdrawnBy).toEqual({ kind: 'partner', id: partner.partnerId })
    }
    expect(await stateIn(clientId)).toBe('withdrawn')
    const list = (await call('GET', `/clients/${clientId}/consents`)).json<Page<Consent>>()
    expect([list.meta.totalItems, list.data[0]?.status]).toEqual([1, 'withdrawn'])
    const events = await eventsOf(clientId)
    const payload = { clientId, consentId: consent.id, relation: 'self', method: 'signed_in_room' }
    expect(events).toMatchObject([
      { eventType: 'consent_given', payload: { ...payload, recordingConsent: 'given' } },
      { eventType: 'consent_withdrawn', payload: { ...payload, recordingConsent: 'withdrawn' } },
    ])
    const tenant = { tenantId: partner.partnerId }
    expect(await listSubjects(service, tenant, 'consent.withdraw', clientId)).toHaveLength(1)
  })

  it('the name is sealed for the client', async () => {
    const clientId = await addClient()
    await attest(clientId, { relation: 'guardian', personName: 'Grace Guardian' })
    const [row] = (await service.owner.read(
      { tenantId: partner.partnerId },
      {
        text: `select r::text as line, sealed_person as sealed from casenote.recording_consents r
          where tenant_id = $1 and client_id = $2`,
        values: [partner.partnerId, clientId],
      },
    )) as { line: string; sealed: Buffer }[]
    expect(row?.line).not.toContain('Grace')
    expect(row?.sealed.toString('latin1')).not.toContain('Grace')
  })

  it('of a couple: the other one ends recording, and the client alone begins it again', async () => {
    const clientId = await addClient()
    await attest(clientId)
    const other = (await attest(clientId, { relation: 'participant', personName: 'Ada' })).json<Consent>()
    expect(await stateIn(clientId)).toBe('given')
    await withdraw(clientId, other.id)
    expect(await stateIn(clientId)).toBe('withdrawn')
    await attest(clientId, { relation: 'participant', personName: 'Ada' })
    expect(await stateIn(clientId)).toBe('withdrawn')
    await attest(clientId)
    expect(await stateIn(clientId)).toBe('given')
  })

  it('of a minor: what the guardian took back, the minor’s own word does not give', async () => {
    const clientId = await addClient()
    const guardian = { relation: 'guardian', personName: 'Grace Guardian' }
    const { id } = (await attest(clientId, guardian)).json<Consent>()
    await attest(clientId)
    await withdraw(clientId, id)
    await attest(clientId)
    expect(await stateIn(clientId)).toBe('withdrawn')
    expect((await clinician.call('GET', `/clients/${clientId}`)).json<WidgetClient>().consentedAt).toBeNull()
    await attest(clientId, guardian)
    expect(await stateIn(clientId)).toBe('given')
  })

  it('400 for what does not fit, 404 for another’s, 409 for an archived client', async () => {
    const clientId = await addClient()
    const problems = async (given: object): Promise<string> =>
      JSON.stringify((await attest(clientId, given)).json<{ error: unknown }>().error)
    expect(await problems({ method: 'signed_on_page' })).toContain('method')
    expect(await problems({ textVersion: 'never-written' })).toContain('textVersion')
    expect(await problems({ relation: 'cousin' })).toContain('relation')
    expect(await problems({ relation: 'guardian' })).toContain('personName')
    expect(await problems({ method: 'signed_in_room' })).toContain('personName')
    expect(await problems({ personName: '   ' })).toContain('personName')
    expect(await problems({ language: 'xx' })).toContain('language')
    expect(await stateIn(clientId)).toBe('none')
    const { id } = (await attest(clientId)).json<Consent>()
    // A consent of this partner's, under another client.
    expect((await withdraw(partner.clientId, id)).statusCode).toBe(404)
    expect((await withdraw(clientId, randomUUID())).statusCode).toBe(404)
    const foreign = `/clients/${clientId}/consents/${id}/withdraw`
    expect((await call('POST', foreign, undefined, stranger)).statusCode).toBe(404)
    await call('POST', `/clients/${clientId}/archive`)
    expect(codeOf(await attest(clientId))).toEqual([409, 'client_archived'])
    expect(codeOf(await call('POST', `/clients/${clientId}/consent-link`))).toEqual([409, 'client_archived'])
    // Taking back needs no open file.
    expect((await withdraw(clientId, id)).statusCode).toBe(200)
  })

  it('the text is the clinic’s before the organization’s before the partner’s before ours, each in its language', async () => {
    const clientId = await addClient()
    const read = async (language = ''): Promise<ConsentText> =>
      (await call('GET', `/clients/${clientId}/consent-text?language=${language}`)).json<ConsentText>()
    expect(await read()).toMatchObject({ version: 'casenote-1', language: 'en' })
    expect((await read('es-MX')).text).toContain('grabar')
    const add = (organizationId: string | null, version: string) =>
      service.owner.write({ tenantId: partner.partnerId }, (tx) =>
        addText(tx, operator, { organizationId, language: 'en', version, body: `Text ${version}` }),
      )
    await add(null, 'p-1')
    expect(await read()).toMatchObject({ version: 'p-1', text: 'Text p-1' })
    await add(partner.organizationId, 'o-1')
    await add(null, 'p-2')
    expect((await read()).version).toBe('o-1')
    expect((await read('es')).version).toBe('casenote-1')
    // Whoever read an earlier one signed that one.
    for (const textVersion of ['o-1', 'p-1', 'p-2', 'casenote-1'])
      expect((await attest(clientId, { textVersion })).statusCode).toBe(201)
    // The partner's and the organization's may have the same name: each consent says whose it was.
    await add(null, 'same')
    await add(partner.organizationId, 'same')
    expect(await read()).toMatchObject({ version: 'same', owner: 'organization' })
    const ownerOf = async (textOwner: string | null): Promise<unknown> =>
      (await attest(clientId, { textVersion: 'same', textOwner })).json<Consent>().textOwner
    expect(await ownerOf(null)).toBe('organization')
    expect(await ownerOf('partner')).toBe('partner')
    expect((await attest(clientId, { textVersion: 'same', textOwner: 'casenote' })).statusCode).toBe(400)
    expect((await attest(clientId, { textOwner: 'casenote' })).json<Consent>().textOwner).toBe('casenote')
    // The clinic's own, before its organization's; another clinic of it goes on with that.
    const addOfClinic = (clinicId: string, version: string, language: TextLanguage = 'en') =>
      service.owner.write({ tenantId: partner.partnerId }, (tx) =>
        addText(tx, operator, { organizationId: null, clinicId, language, version, body: `Text ${version}` }),
      )
    const { organizationId } = partner
    const otherClinicId = await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
      provisionUnit(tx, 'clinics', { organizationId, name: 'Other clinic' }),
    )
    await addOfClinic(otherClinicId, 'c-other')
    expect(await read()).toMatchObject({ version: 'same', owner: 'organization' })
    await addOfClinic(partner.clinicId, 'same')
    await add(partner.organizationId, 'o-2')
    expect(await read()).toMatchObject({ version: 'same', owner: 'clinic', text: 'Text same' })
    expect((await read('es')).version).toBe('casenote-1')
    await addOfClinic(partner.clinicId, 'c-es', 'es')
    expect(await read('es')).toMatchObject({ version: 'c-es', owner: 'clinic', language: 'es' })
    expect(await ownerOf(null)).toBe('clinic')
    expect(await ownerOf('organization')).toBe('organization')
    expect((await attest(clientId, { textVersion: 'c-other' })).statusCode).toBe(400)
    await expect(addOfClinic(partner.clinicId, 'same')).rejects.toThrow('already')
    await expect(addOfClinic(stranger.clinicId, 'x')).rejects.toThrow('no clinic')

    await expect(add(null, 'p-2')).rejects.toThrow('already')
    await expect(add(null, 'casenote-1')).rejects.toThrow('comes with Casenote')
    await expect(add(stranger.organizationId, 'x')).rejects.toThrow('no organization')
  })
})

describe('the words that were agreed to', () => {
  let mover: TestPartner
  let same: SameVersion
  beforeAll(async () => {
    mover = await service.addPartner()
    same = await addSameVersion(service, mover, '2026-12')
  })
  const addMover = async (): Promise<string> =>
    (
      await call(
        'POST',
        `/clinicians/${mover.clinicianId}/clients`,
        { lastName: 'Testwell', dateOfBirth: '1990-02-03' },
        mover,
      )
    ).json<Client>().id
  const attestMover = (clientId: string, given: object) =>
    call('POST', `/clients/${clientId}/consents`, { method: 'by_word', ...given }, mover)
  const read = (clientId: string, id: string, of = mover) =>
    call('GET', `/clients/${clientId}/consents/${id}`, undefined, of)
  const problemsOf = (answer: LightMyRequestResponse) => [
    answer.statusCode,
    answer.json<{ error: { message: { message: string[] } } }>().error.message.message,
  ]

  it('are those that were shown, though the client was transferred before they were attested', async () => {
    const clientId = await addMover()
    const shown = (
      await call('GET', `/clients/${clientId}/consent-text`, undefined, mover)
    ).json<ConsentText>()
    expect(shown).toMatchObject({ textId: same.here.textId, owner: 'clinic', text: same.here.body })
    await same.transfer(clientId)
    const { textId, version: textVersion } = shown
    const made = await attestMover(clientId, { textId, textVersion })
    expect(made.statusCode).toBe(201)
    const consent = made.json<Consent>()
    expect(consent).toMatchObject({ textId, textVersion, textOwner: 'clinic', language: 'en' })
    expect((await read(clientId, consent.id)).json()).toEqual({ ...consent, text: same.here.body })
    // Without an id it is the text of this name at the clinic of now.
    const other = (await attestMover(clientId, { textVersion, textOwner: 'clinic' })).json<Consent>()
    expect(other.textId).toBe(same.there.textId)
    expect((await read(clientId, other.id)).json()).toMatchObject({ text: same.there.body })
  })

  it('in the widget are those that were shown, though the client was transferred meanwhile', async () => {
    const clientId = await addMover()
    const secondary = { clinicianIds: [mover.clinicianId] }
    const clinicianOfBefore = await signIn(service, mover)
    const path = `/clients/${clientId}`
    const { text } = (await clinicianOfBefore.call('GET', `${path}/consents`)).json<WidgetConsents>()
    expect(text).toMatchObject({ textId: same.here.textId, text: same.here.body })
    await same.transfer(clientId)
    // They go on treating the client, with the page that they had opened.
    expect((await call('POST', `${path}/secondary-clinicians`, secondary, mover)).statusCode).toBe(200)
    const { textId, version, owner, language } = text
    const names = { textId, textVersion: version, textOwner: owner, language }
    const signed = await clinicianOfBefore.call('POST', `${path}/consent`, {
      given: true,
      ...names,
      method: 'signed_in_room',
      personName: 'Juniper Testwell',
    })
    expect(signed.statusCode).toBe(200)
    const { consents } = (await clinicianOfBefore.call('GET', `${path}/consents`)).json<WidgetConsents>()
    expect(consents).toMatchObject([{ textId: same.here.textId, personName: 'Juniper Testwell' }])
    const own = `${path}/consents/${consents[0]?.id}`
    const found = (await clinicianOfBefore.call('GET', own)).json<ConsentWithText>()
    expect(found).toEqual({ ...consents[0], text: same.here.body })
    const tenant = { tenantId: mover.partnerId }
    expect(await listSubjects(service, tenant, 'widget.readConsent', clientId)).toHaveLength(1)
    expect((await clinicianOfBefore.call('GET', `${path}/consents/${randomUUID()}`)).statusCode).toBe(404)
    const others = `/clients/${mover.clientId}/consents/${consents[0]?.id}`
    expect((await clinicianOfBefore.call('GET', others)).statusCode).toBe(404)
  })

  it('400 for an id that was never shown to this client, and for what is not true of the text', async () => {
    const clientId = await addMover()
    const tenant = { tenantId: mover.partnerId }
    const organizationId = await service.owner.write(tenant, (tx) => provisionOrganization(tx, 'Another'))
    const body = 'Not for them.'
    const ofAnother = await service.owner.write(tenant, (tx) =>
      addText(tx, operator, { organizationId, language: 'en', version: '2026-12', body }),
    )
    const ofStranger = await service.owner.write({ tenantId: stranger.partnerId }, (tx) =>
      addText(tx, operator, { organizationId: null, language: 'en', version: '2026-12', body }),
    )
    const refusal = [400, ['textId must be a consent text that the client can have been shown']]
    for (const textId of [ofAnother, ofStranger, randomUUID()])
      expect(problemsOf(await attestMover(clientId, { textId, textVersion: '2026-12' }))).toEqual(refusal)
    const wrong = { textId: same.here.textId, textVersion: '2026-11', textOwner: 'partner', language: 'es' }
    expect(problemsOf(await attestMover(clientId, wrong))).toEqual([
      400,
      ['textVersion', 'textOwner', 'language'].map(
        (name) => `${name} must be that of the text with this textId`,
      ),
    ])
    expect(problemsOf(await attestMover(clientId, { ...wrong, textId: 'x' }))).toEqual([
      400,
      ['textId must be a UUID'],
    ])
    const ours = await attestMover(clientId, { textId: null, textVersion: 'casenote-1' })
    expect(ours.json<Consent>()).toMatchObject({ textId: null, textOwner: 'casenote' })
    expect(
      (await call('GET', `/clients/${clientId}`, undefined, mover)).json<Client>().recordingConsent,
    ).toBe('given')
  })

  it('are read also once it was withdrawn, and a newer text is asked; none of words that nobody kept; 404 for another’s', async () => {
    const clientId = await addMover()
    const { textId } = same.here
    const given = { textId, textVersion: '2026-12', method: 'signed_in_room', personName: 'Juniper' }
    const consent = (await attestMover(clientId, given)).json<Consent>()
    await call('POST', `/clients/${clientId}/consents/${consent.id}/withdraw`, undefined, mover)
    await service.owner.write({ tenantId: mover.partnerId }, (tx) =>
      addText(tx, operator, {
        organizationId: null,
        clinicId: mover.clinicId,
        language: 'en',
        version: '2027-01',
        body: 'Newer words.',
      }),
    )
    expect((await read(clientId, consent.id)).json()).toMatchObject({
      id: consent.id,
      personName: 'Juniper',
      status: 'withdrawn',
      text: same.here.body,
    })
    const ours = (await attestMover(clientId, { textVersion: 'casenote-1', language: 'es' })).json<Consent>()
    expect((await read(clientId, ours.id)).json<ConsentWithText>().text).toContain('grabar')
    const spoken = (await attestMover(clientId, { textVersion: 'en-1' })).json<Consent>()
    expect((await read(clientId, spoken.id)).json()).toEqual({ ...spoken, text: null })
    const tenant = { tenantId: mover.partnerId }
    expect(await listSubjects(service, tenant, 'consent.read', clientId)).toHaveLength(3)
    const missing = await read(clientId, randomUUID())
    expect(missing.statusCode).toBe(404)
    for (const answer of [
      await read(clientId, consent.id, stranger),
      await read(mover.clientId, consent.id),
      await read(clientId, mover.consentId),
      await read(clientId, consent.id.toUpperCase()),
    ])
      expect([answer.statusCode, { ...answer.json<{ error: object }>().error, timestamp: '' }]).toEqual([
        404,
        { ...missing.json<{ error: object }>().error, timestamp: '' },
      ])
  })
})

describe('where it is required', () => {
  const tenant = () => ({ tenantId: partner.partnerId })
  const create = (clientId: string, given: object) => call('POST', `/clients/${clientId}/sessions`, given)

  it('409 for fileUrl without it, which leaves nothing; text is free; --no-require ends it', async () => {
    const clientId = await addClient()
    const file = { fileUrl: 'https://files.example.com/a.mp3' }
    await setRequiresConsent(service.owner, tenant(), true)
    expect((await call('GET', '/partners')).json()).toMatchObject({ requiresRecordingConsent: true })
    const refused = await create(clientId, file)
    expect(codeOf(refused)).toEqual([409, 'consent_missing'])
    expect(refused.json<{ error: { message: unknown } }>().error.message).toBe(
      'The client’s consent to be recorded is missing',
    )
    const sessions = await call('GET', `/clients/${clientId}/sessions`)
    expect(sessions.json<Page<unknown>>().meta.totalItems).toBe(0)
    expect((await call('GET', `/clients/${clientId}`)).json<Client>().status).toBe('awaiting_invite')
    expect((await create(clientId, { text: 'Denies SI. Plan: sleep diary.' })).statusCode).toBe(201)
    const { id } = (await attest(clientId)).json<Consent>()
    expect((await create(clientId, file)).statusCode).toBe(201)
    await withdraw(clientId, id)
    expect(codeOf(await create(clientId, file))).toEqual([409, 'consent_missing'])
    await setRequiresConsent(service.owner, tenant(), false)
    expect((await create(clientId, file)).statusCode).toBe(201)
  })

  it('409 where a failed session’s recording would have to be fetched anew without it', async () => {
    const clientId = await addClient()
    const { id } = (await create(clientId, { fileUrl: 'https://files.example.com/a.mp3' })).json<Session>()
    const context = asPipeline(await service.keys.get(tenant()))
    await service.db.write(tenant(), (tx) =>
      failSession(tx, context, { sessionId: id, failure: 'fetch_not_found' }),
    )
    const retry = () => call('POST', `/sessions/${id}/retry`)
    await setRequiresConsent(service.owner, tenant(), true)
    expect(codeOf(await retry())).toEqual([409, 'consent_missing'])
    await attest(clientId)
    expect((await retry()).statusCode).toBe(200)
    await setRequiresConsent(service.owner, tenant(), false)
  })
})

describe('in the widget', () => {
  it('somebody signs in the room, is listed, and one consent is withdrawn; not of another’s client', async () => {
    const clientId = await addClient()
    const path = `/clients/${clientId}`
    const signed = await clinician.call('POST', `${path}/consent`, {
      given: true,
      textVersion: 'casenote-1',
      language: 'es',
      method: 'signed_in_room',
      relation: 'guardian',
      personName: 'Grace Guardian',
    })
    expect(signed.json<WidgetClient>().consentedAt).toMatch(/Z$/)
    const list = (await clinician.call('GET', `${path}/consents`)).json<WidgetConsents>()
    expect(list).toMatchObject({
      state: 'given',
      consents: [
        { personName: 'Grace Guardian', attestedBy: { kind: 'clinician', id: partner.clinicianId } },
      ],
    })
    const withdrawal = `${path}/consent-withdrawals`
    const which = { consentId: list.consents[0]?.id }
    const colleague = await signIn(service, partner, (await addColleague(service, partner)).clinicianId)
    for (const [method, url] of [
      ['GET', `${path}/consents`],
      ['POST', withdrawal],
      ['POST', `${path}/consent-link`],
    ] as const)
      expect((await colleague.call(method, url)).statusCode).toBe(404)
    expect((await clinician.call('POST', withdrawal, { consentId: randomUUID() })).statusCode).toBe(400)
    expect((await clinician.call('POST', withdrawal, which)).json<Consent>().status).toBe('withdrawn')
    expect((await clinician.call('GET', path)).json<WidgetClient>().consentedAt).toBeNull()
    const link = (await clinician.call('POST', `${path}/consent-link`)).json<ConsentLink>()
    expect(new URL(link.url).pathname).toMatch(/^\/c\/./)
  })

  it('no piece of a recording is taken after a withdrawal, which must be answered before the recording is whole', async () => {
    const clientId = await addClient()
    const { sessionId } = await openRecording(clinician, clientId)
    const uploadId = randomUUID()
    await clinician.call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId))
    const send = (offset: number, whole?: number) =>
      clinician.call('PATCH', `/uploads/${uploadId}`, Buffer.from('abcd'), patchHeaders(offset, whole))
    const told = (answer: LightMyRequestResponse) => answer.headers['casenote-recording-consent']
    expect(told(await send(0))).toBeUndefined()
    const [consent] = (await call('GET', `/clients/${clientId}/consents`)).json<Page<Consent>>().data
    await withdraw(clientId, consent?.id ?? '')
    const piece = await send(4)
    expect([...codeOf(piece), told(piece)]).toEqual([409, 'consent_withdrawn', 'withdrawn'])
    const another = creationHeaders(randomUUID(), { segment: 1 })
    const begun = await clinician.call('POST', `/sessions/${sessionId}/uploads`, undefined, another)
    expect(codeOf(begun)).toEqual([409, 'consent_withdrawn'])
    const complete = (more: object) =>
      clinician.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId], ...more })
    // Who agrees again agrees to what comes, not to what was withdrawn.
    await attest(clientId)
    expect(await stateIn(clientId)).toBe('given')
    expect(codeOf(await send(4, 8))).toEqual([409, 'consent_withdrawn'])
    expect(codeOf(await complete({}))).toEqual([409, 'consent_withdrawn'])
    // The clinician was asked, and has said that it is kept: then the rest of it is taken, too.
    const kept = { ...patchHeaders(4, 8), 'casenote-recording-kept': '1' }
    const rest = await clinician.call('PATCH', `/uploads/${uploadId}`, Buffer.from('abcd'), kept)
    expect([rest.statusCode, told(rest)]).toEqual([204, undefined])
    expect((await complete({ isKept: true })).statusCode).toBe(200)
    const tenant = { tenantId: partner.partnerId }
    expect(await listSubjects(service, tenant, 'widget.keepWithdrawn', clientId)).toHaveLength(1)
  })

  it('a piece that comes slowly is cut off within 5 s of a withdrawal, and not taken', async () => {
    const clientId = await addClient()
    const { sessionId } = await openRecording(clinician, clientId)
    const uploadId = randomUUID()
    await clinician.call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId))
    const body = new PassThrough()
    body.write('abcd')
    const sending = clinician.call('PATCH', `/uploads/${uploadId}`, body, patchHeaders(0))
    await withdraw(clientId, (await listGiven(clientId))[0]?.id ?? '')
    const withdrawnAtMs = performance.now()
    expect(codeOf(await sending)).toEqual([409, 'consent_withdrawn'])
    expect(performance.now() - withdrawnAtMs).toBeLessThan(5_000)
    const head = await clinician.call('HEAD', `/uploads/${uploadId}`, undefined, { 'tus-resumable': '1.0.0' })
    expect(head.headers['upload-offset']).toBe('0')
    body.end()
  })

  it('what was recorded before a withdrawal stays so, though its session is opened after a later yes', async () => {
    const clientId = await addClient()
    /** Everything that was said, so much earlier. */
    const moveWords = (seconds: number) =>
      service.owner.write({ tenantId: partner.partnerId }, (tx) =>
        tx.run({
          text: `update casenote.recording_consents set recorded_at = recorded_at - $3 * interval '1 second'
            where tenant_id = $1 and client_id = $2`,
          values: [partner.partnerId, clientId, seconds],
        }),
      )
    /** Of a recorder that began a minute ago by its own clock, which is five hours ahead. */
    const record = async (seconds = 60) => {
      const sentAtMs = Date.now() + 5 * 3_600_000
      const times = { startedAt: sentAtMs - seconds * 1_000, sentAt: sentAtMs }
      const answer = await clinician.call('POST', `/clients/${clientId}/sessions`, {
        recordingId: randomUUID(),
        ...Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, new Date(ms).toISOString()])),
      })
      const { sessionId } = answer.json<{ sessionId: string }>()
      const uploadId = randomUUID()
      const kept = { 'casenote-recording-kept': '1' }
      const sent = creationHeaders(uploadId)
      await clinician.call('POST', `/sessions/${sessionId}/uploads`, undefined, { ...sent, ...kept })
      const bytes = { ...patchHeaders(0, 4), ...kept }
      await clinician.call('PATCH', `/uploads/${uploadId}`, Buffer.from('abcd'), bytes)
      return (more: object) =>
        clinician.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId], ...more })
    }
    const first = (await attest(clientId)).json<Consent>()
    await moveWords(3_600)
    await withdraw(clientId, first.id)
    await attest(clientId)
    // Without a network while it was withdrawn: its session begins only now.
    const complete = await record()
    expect(codeOf(await complete({}))).toEqual([409, 'consent_withdrawn'])
    expect((await complete({ isKept: true })).statusCode).toBe(200)
    // The yes is an hour old: this one began after it.
    await moveWords(3_600)
    expect((await (await record())({})).statusCode).toBe(200)
    // Begun between the no and the yes, by a browser that knew of neither.
    await moveWords(86_400)
    await withdraw(clientId, (await listGiven(clientId)).at(-1)?.id ?? '')
    await moveWords(86_400)
    await attest(clientId)
    expect(codeOf(await (await record(7_200))({}))).toEqual([409, 'consent_withdrawn'])
  })

  it('nothing is heard or made of a withdrawn recording whose clinician is deactivated', async () => {
    const { clinicianId, clientId } = await addColleague(service, partner)
    const colleague = await signIn(service, partner, clinicianId)
    const { sessionId } = await openRecording(colleague, clientId)
    const uploadId = randomUUID()
    await colleague.call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId))
    const [consent] = (await call('GET', `/clients/${clientId}/consents`)).json<Page<Consent>>().data
    await withdraw(clientId, consent?.id ?? '')
    // They had said that it is kept, and not yet that this is all of it.
    const kept = { ...patchHeaders(0), 'casenote-recording-kept': '1' }
    await colleague.call('PATCH', `/uploads/${uploadId}`, Buffer.from('abcd'), kept)
    const tenant = { tenantId: partner.partnerId }
    const jobs = { text: 'select kind from casenote.jobs where tenant_id = $1 and subject_id = $2' }
    const values = [partner.partnerId, sessionId]
    expect(await service.owner.read(tenant, { ...jobs, values })).toEqual([])
    await attest(clientId)
    await call('POST', `/clinicians/${clinicianId}/deactivate`)
    await service.owner.write(tenant, (tx) =>
      tx.run({
        text: `update casenote.clinicians set deactivated_at = deactivated_at - interval '6 seconds'
          where tenant_id = $1 and clinician_id = $2`,
        values: [partner.partnerId, clinicianId],
      }),
    )
    expect(await makeKeepAcknowledged(service.db, { keepDays: 365, pageRows: 100 })()).toBe(1)
    expect((await call('GET', `/sessions/${sessionId}`)).json<Session>().status).toBe('awaiting_audio')
    expect(await service.owner.read(tenant, { ...jobs, values })).toEqual([])
  })

  it('sent again after a lost answer it is the same consent; a no is kept once, and not without end', async () => {
    const clientId = await addClient()
    const say = (given: object) => clinician.call('POST', `/clients/${clientId}/consent`, given)
    const words = async (): Promise<number> => {
      const [row] = (await service.owner.read(
        { tenantId: partner.partnerId },
        {
          text: 'select count(*)::int as total from casenote.recording_consents where tenant_id = $1 and client_id = $2',
          values: [partner.partnerId, clientId],
        },
      )) as { total: number }[]
      return row?.total ?? 0
    }
    const no = { given: false, textVersion: 'en-1' }
    for (let times = 0; times < 3; times += 1) expect((await say(no)).statusCode).toBe(200)
    expect(await words()).toBe(1)
    const yes = { given: true, textVersion: 'en-1', consentId: randomUUID() }
    for (let times = 0; times < 2; times += 1) expect((await say(yes)).statusCode).toBe(200)
    expect(await words()).toBe(2)
    // Said anew it is not the same: nobody is told that it was kept.
    for (const change of [
      { relation: 'guardian', personName: 'Ada Guardian' },
      { personName: 'Juniper' },
      { textVersion: 'en-2' },
      { language: 'es' },
    ])
      expect([change, codeOf(await say({ ...yes, ...change }))]).toEqual([change, [409, 'consent_differs']])
    // Not of another client's.
    const other = await clinician.call('POST', `/clients/${await addClient()}/consent`, yes)
    expect(other.statusCode).toBe(400)
    await say(no)
    expect(codeOf(await say(yes))).toEqual([409, 'consent_differs'])
    await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
      tx.run({
        text: `insert into casenote.recording_consents (tenant_id, client_id, clinician_id, text_version, is_given)
          select $1, $2, $3, 'en-1', false from generate_series(1, 499)`,
        values: [partner.partnerId, clientId, partner.clinicianId],
      }),
    )
    const before = await words()
    expect((await say({ ...no, textVersion: 'es-1' })).statusCode).toBe(200)
    expect(await words()).toBe(before)
  })

  it('a text that nobody wrote is not signed; a frame of before names its own', async () => {
    const path = `/clients/${await addClient()}/consent`
    const unknown = { given: true, textVersion: 'never-written' }
    for (const method of ['signed_in_room', 'by_word'])
      expect(
        (await clinician.call('POST', path, { ...unknown, method, personName: 'Juniper' })).statusCode,
      ).toBe(400)
    expect((await clinician.call('POST', path, unknown)).statusCode).toBe(200)
  })
})
