import { randomUUID } from 'node:crypto'
import { check } from '../check.js'
import {
  expectEqual,
  expectInvalid,
  expectKeys,
  expectPage,
  expectRule,
  expectStatus,
  expectThat,
  expectTime,
  expectUuid,
  skip,
} from '../expect.js'
import {
  consentKeys,
  noteTypes,
  prescriberNoteTypes,
  sessionKeys,
  sessionStatuses,
  treatmentPlanKeys,
} from '../shapes.js'

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'create session: 201 with the whole session, which then can be read',
    [
      '2 Session / sessionId',
      '2 Session / sessionExternalId',
      '2 Session / fileUrl',
      '4 Operations / create session',
      'ruling 4 / create session',
      'ruling 4 / read session',
      'ruling 5 / session states',
      'ruling 6 / session',
    ],
    async ({ api, credentials, newClient, site, unique }) => {
      const client = await newClient()
      const given = { fileUrl: `${site.missingUrl()}?Signature=a%2Fb+c`, sessionExternalId: unique('visit') }
      const answer = await api.post(`/clients/${client.id}/sessions`, given)
      expectStatus(answer, 201)
      const session = answer.json
      expectKeys('the session', session, sessionKeys)
      expectUuid('sessionId', session.sessionId)
      expectEqual('id', session.id, session.sessionId)
      expectTime('createdAt', session.createdAt)
      const owners = {
        clientId: client.id,
        clinicianId: client.clinicianId,
        clinicId: credentials.clinicId,
        organizationId: credentials.organizationId,
      }
      for (const [key, value] of Object.entries({ ...given, ...owners, noteType: 'soap' }))
        expectEqual(key, session[key], value)
      expectThat(
        sessionStatuses.includes(session.status),
        `status as one of ${sessionStatuses.join(', ')}`,
        session.status,
      )
      const read = await api.get(`/sessions/${session.id}`)
      expectStatus(read, 200)
      // What may have become of it meanwhile.
      const { status, progress, failure, ...rest } = session
      expectKeys('the session', read.json, sessionKeys)
      const meanwhile = { status, progress, failure }
      expectEqual('the session read alone', { ...read.json, ...meanwhile }, { ...rest, ...meanwhile })
    },
  ),
  check(
    'sessionExternalId is optional (null) and need not be unique',
    [
      '2 Session / sessionExternalId',
      'ruling 4 / create session',
      'ruling 6 / keys are always there',
      '8 Limits / idempotency',
    ],
    async ({ api, newSession, newClient, unique }) => {
      const { id: clientId } = await newClient()
      expectEqual('sessionExternalId', (await newSession({ clientId })).sessionExternalId, null)
      if ((await api.get('/partners')).json.uniqueExternalIds) skip('the operator has made them unique')
      const sessionExternalId = unique('visit')
      const one = await newSession({ clientId, sessionExternalId })
      const two = await newSession({ clientId, sessionExternalId })
      expectThat(one.id !== two.id, 'two sessions', [one.id, two.id])
    },
  ),
  check(
    '400 for a fileUrl that is missing or no absolute URL',
    ['8 Limits / fileUrl', '2 Session / fileUrl', '7 Status / 400', 'ruling 1 / field messages'],
    async ({ api, client }) => {
      const path = `/clients/${(await client()).id}/sessions`
      expectInvalid(await api.post(path, {}), ['fileUrl should not be empty'])
      for (const fileUrl of [
        'recording.wav',
        '/recordings/1.wav',
        'www.example.com/1.wav',
        'https://',
        'http//example.com',
      ])
        expectInvalid(await api.post(path, { fileUrl }), ['fileUrl must be a URL address'])
      expectInvalid(await api.post(path, { fileUrl: 7 }), ['fileUrl'])
    },
  ),
  check(
    '400 for a clinicianId that is unknown, or does not treat the client',
    ['ruling 1 / an unfit id in a body', 'ruling 4 / create session'],
    async ({ api, client, newClinician, site }) => {
      const { id } = await client()
      for (const clinicianId of [randomUUID(), 'x', (await newClinician()).id])
        expectInvalid(
          await api.post(`/clients/${id}/sessions`, { fileUrl: site.missingUrl(), clinicianId }),
          ['clinicianId'],
        )
    },
  ),
  check(
    'a secondary clinician may be the clinician of a session',
    ['ruling 4 / create session'],
    async ({ api, newClient, newClinician, newSession }) => {
      const { id: clientId } = await newClient()
      const { id: clinicianId } = await newClinician()
      await api.post(`/clients/${clientId}/secondary-clinicians`, { clinicianIds: [clinicianId] })
      expectEqual('clinicianId', (await newSession({ clientId, clinicianId })).clinicianId, clinicianId)
    },
  ),
  check(
    'noteType: every one of ruling 7 for a prescriber; 400 for the prescriber types of anyone else, and for others',
    ['ruling 7 / note types', 'ruling 7 / prescriber note types', 'ruling 4 / create session'],
    async ({ api, client, newClient, newSession, prescriber, site }) => {
      const { id: clientId } = await newClient({ clinicianId: (await prescriber()).id })
      for (const noteType of noteTypes)
        expectEqual('noteType', (await newSession({ clientId, noteType })).noteType, noteType)
      const path = `/clients/${(await client()).id}/sessions`
      for (const noteType of [...prescriberNoteTypes, 'sonnet', 7])
        expectInvalid(await api.post(path, { fileUrl: site.missingUrl(), noteType }), ['noteType'])
    },
  ),
  check(
    "noteType is the clinician's default when none is given",
    ['ruling 4 / create session'],
    async ({ newClient, newClinician, newSession }) => {
      const { id: clinicianId } = await newClinician({ defaultNoteType: 'birp' })
      const { id: clientId } = await newClient({ clinicianId })
      expectEqual('noteType', (await newSession({ clientId })).noteType, 'birp')
      expectEqual('noteType', (await newSession({ clientId, noteType: 'dap' })).noteType, 'dap')
    },
  ),
  check(
    'all offending fields of a session are listed',
    ['ruling 1 / every offending field is listed'],
    async ({ api, client }) => {
      const answer = await api.post(`/clients/${(await client()).id}/sessions`, {
        fileUrl: 'x',
        noteType: 'sonnet',
        sessionExternalId: 7,
        startedAt: 'yesterday',
      })
      expectInvalid(answer, ['fileUrl', 'noteType', 'sessionExternalId', 'startedAt'])
    },
  ),
  check(
    'the first session makes an awaiting_invite client active; an invited one keeps their status',
    ['ruling 5 / first session: active', '2 Client / status'],
    async ({ api, newClient, newSession }) => {
      const one = await newClient()
      await newSession({ clientId: one.id })
      expectEqual('status', (await api.get(`/clients/${one.id}`)).json.status, 'active')
      const two = await newClient({ email: 'someone@example.com' })
      await api.post(`/clients/${two.id}/invite`)
      await newSession({ clientId: two.id })
      expectEqual('status', (await api.get(`/clients/${two.id}`)).json.status, 'invite_sent')
    },
  ),
  check(
    '409 for a session of an archived client, after 400 for its body',
    ['ruling 5 / archived: no session, no assessment', 'ruling 1 / body before business rules'],
    async ({ api, newClient, site }) => {
      const { id } = await newClient()
      await api.post(`/clients/${id}/archive`)
      expectInvalid(await api.post(`/clients/${id}/sessions`, {}), ['fileUrl should not be empty'])
      expectRule(await api.post(`/clients/${id}/sessions`, { fileUrl: site.missingUrl() }), 409)
      expectPage(await api.get(`/clients/${id}/sessions`), { totalItems: 0 })
    },
  ),
  check(
    'a client lists their sessions, oldest first, with every key',
    ['4 Lists / sessions of a client', 'ruling 2 / oldest first', 'ruling 6 / session'],
    async ({ api, newClient, newSession }) => {
      const { id: clientId } = await newClient()
      const ids = []
      for (let index = 0; index < 3; index += 1) ids.push((await newSession({ clientId })).id)
      const sessions = expectPage(await api.get(`/clients/${clientId}/sessions`), { totalItems: 3 })
      for (const session of sessions) expectKeys('a session', session, sessionKeys)
      expectEqual(
        'the sessions',
        sessions.map(({ sessionId }) => sessionId),
        ids,
      )
    },
  ),
  check(
    'what is known beside a session is kept and changed by PATCH, and is in no answer of the session',
    ['additions / what is known beside a session'],
    async ({ api, newSession }) => {
      const context = { medicines: ['lithium 300 mg'], serviceCode: '90837' }
      const session = await newSession({ context })
      expectEqual('context', session.context, undefined)
      const path = `/sessions/${session.id}/context`
      expectEqual('medicines', (await api.get(path)).json.medicines, context.medicines)
      const changed = await api.patch(path, { medicines: [] })
      expectStatus(changed, 200)
      expectEqual('medicines', changed.json.medicines, [])
      expectEqual('serviceCode', changed.json.serviceCode, '90837')
      expectInvalid(await api.patch(path, { diagnoses: 'none', lastPlan: 7 }), ['diagnoses', 'lastPlan'])
    },
  ),
  check(
    'treatment plans: a draft with ids, changed under If-Match, active once signed, ended for good',
    ['additions / treatment plans'],
    async ({ api, newClient }) => {
      const { id: clientId } = await newClient()
      const path = `/clients/${clientId}/treatment-plans`
      expectInvalid(await api.post(path, { goals: [{}] }), ['goals.0.text'])
      const created = await api.post(path, { goals: [{ text: 'Sleep through' }] })
      expectStatus(created, 201)
      expectKeys('a treatment plan', created.json, treatmentPlanKeys)
      expectUuid('goals.0.id', created.json.goals[0].id)
      const own = `/treatment-plans/${created.json.id}`
      const changed = await api.patch(own, { title: 'Winter' })
      expectEqual('version', changed.json.version, 2)
      expectEqual('goals', changed.json.goals, created.json.goals)
      expectEqual('status', (await api.post(`${own}/sign`)).json.status, 'active')
      expectEqual('status', (await api.post(`${own}/end`)).json.status, 'ended')
      expectRule(await api.patch(own, { title: 'Spring' }), 409)
    },
  ),
  check(
    'consent to be recorded: attested to the text that was shown, read with its words, shown at the client, withdrawn once, and a link for the client’s page',
    ['additions / consent to be recorded'],
    async ({ api, newClient }) => {
      const { id: clientId, recordingConsent } = await newClient()
      expectEqual('recordingConsent', recordingConsent, 'none')
      const path = `/clients/${clientId}`
      const { version: textVersion, textId, text } = (await api.get(`${path}/consent-text`)).json
      expectInvalid(await api.post(`${path}/consents`, { method: 'signed_on_page', textVersion }), ['method'])
      const strange = { method: 'by_word', textVersion, textId: randomUUID() }
      expectInvalid(await api.post(`${path}/consents`, strange), ['textId'])
      const created = await api.post(`${path}/consents`, { method: 'by_word', textVersion, textId })
      expectStatus(created, 201)
      expectKeys('a consent', created.json, consentKeys)
      const read = await api.get(`${path}/consents/${created.json.id}`)
      expectKeys('a consent with its text', read.json, [...consentKeys, 'text'])
      expectEqual('text', read.json.text, text)
      expectEqual('recordingConsent', (await api.get(path)).json.recordingConsent, 'given')
      const withdrawn = await api.post(`${path}/consents/${created.json.id}/withdraw`)
      expectEqual('status', withdrawn.json.status, 'withdrawn')
      expectEqual('recordingConsent', (await api.get(path)).json.recordingConsent, 'withdrawn')
      expectStatus(await api.post(`${path}/consent-link`), 201)
    },
  ),
  check(
    'a session keeps its clinician when the client is transferred',
    ['ruling 6 / session'],
    async ({ api, newClient, newClinician, newSession }) => {
      const { id: clientId, clinicianId } = await newClient()
      const { id } = await newSession({ clientId })
      await api.post(`/clients/${clientId}/transfer`, { clinicianId: (await newClinician()).id })
      expectEqual('clinicianId', (await api.get(`/sessions/${id}`)).json.clinicianId, clinicianId)
    },
  ),
]
