import { createHmac } from 'node:crypto'
import { check } from '../check.js'
import {
  expectEqual,
  expectInvalid,
  expectKeys,
  expectPage,
  expectRefusal,
  expectRule,
  expectStatus,
  expectThat,
  expectTime,
  expectUuid,
  skip,
} from '../expect.js'
import { deliveryKeys, eventTypes, webhookEndpointKeys } from '../shapes.js'

/**
 * The event about the session whose recording does not exist; skips the check if none came.
 * @param {import('../context.js').Context} context
 */
async function failureEvent({ failedSession }) {
  const { session, endpoint, delivery } = await failedSession()
  if (delivery === null)
    skip('no session_transcript_error came within --wait: no pipeline, or it cannot reach this machine')
  return { session, endpoint, delivery }
}

/**
 * Sends a delivery again. Until the service has noted our answer to the first attempt, it is still being sent: 409.
 * @param {import('../context.js').Context} context
 * @param {string | undefined} deliveryId
 */
async function resend({ api, waitMs }, deliveryId) {
  const until = Date.now() + waitMs
  for (;;) {
    const answer = await api.post(`/webhook-deliveries/${deliveryId}/resend`)
    if (answer.status !== 409 || Date.now() > until) return answer
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/**
 * Every endpoint, over all pages.
 * @param {import('../context.js').Context} context
 */
async function listEndpoints({ api }) {
  const found = []
  for (let page = 1; ; page += 1) {
    const answer = await api.get(`/webhook-endpoints?page=${page}`)
    found.push(...expectPage(answer, { currentPage: page }))
    if (page >= answer.json.meta.totalPages) return found
  }
}

/**
 * @param {import('../context.js').Context} context
 * @param {string} eventType
 * @param {Record<string, any>} session
 */
async function expectEvent({ nextEvent }, eventType, session) {
  const event = await nextEvent(eventType, session.id)
  expectThat(event !== null, `${eventType} within --wait`, event)
  expectEqual('the keys', Object.keys(event ?? {}).toSorted(), ['eventType', 'payload', 'timeStamp'])
  expectEqual('eventType', event?.eventType, eventType)
  expectTime('timeStamp', event?.timeStamp)
  return event?.payload
}

/** The fields of six of the seven events. @param {Record<string, any>} session */
const commonPayload = ({
  sessionId,
  sessionExternalId,
  clientId,
  clinicianId,
  clinicId,
  organizationId,
}) => ({
  sessionId,
  sessionExternalId,
  clientId,
  clinicianId,
  clinicId,
  organizationId,
})

/**
 * The payload of the three progress note events, exactly; the URL is absolute and answers to the normal headers.
 * @param {import('../context.js').Context} context
 * @param {string} eventType
 * @param {Record<string, any>} session
 */
async function expectNoteEvent(context, eventType, session) {
  const payload = await expectEvent(context, eventType, session)
  const { progressNoteId, progressNoteUrl, organization, ...common } = payload
  expectEqual('the payload', common, commonPayload(session))
  expectEqual('organization', organization, session.organizationId)
  expectUrl(progressNoteUrl, `/v2/sessions/${session.id}/progress-note`)
  const read = await context.api.get(`/progress-notes/${progressNoteId}`)
  expectStatus(read, 200)
  return progressNoteId
}

/** The host is the public one, which need not be the one this suite was pointed at. @param {string} url @param {string} end */
function expectUrl(url, end) {
  expectThat(URL.canParse(url) && url.endsWith(end), `an absolute URL that ends in ${end}`, url)
}

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'create a webhook endpoint: 201, all events, enabled; it can be read and is listed',
    ['ruling 4 / webhook endpoints', 'ruling 6 / webhook endpoint', '6 Envelope / eventType'],
    async (context) => {
      const { api, newEndpoint, site } = context
      const { url } = site.receiver()
      const endpoint = await newEndpoint({ url })
      expectKeys('the endpoint', endpoint, webhookEndpointKeys)
      expectUuid('id', endpoint.id)
      expectEqual('url', endpoint.url, url)
      expectEqual('eventTypes', endpoint.eventTypes.toSorted(), eventTypes.toSorted())
      const { enabled, disabledReason, digestHeader, isPrimary } = endpoint
      expectEqual(
        'the settings',
        { enabled, disabledReason, digestHeader, isPrimary },
        { enabled: true, disabledReason: null, digestHeader: null, isPrimary: false },
      )
      expectEqual(
        'the endpoint read alone',
        (await api.get(`/webhook-endpoints/${endpoint.id}`)).json,
        endpoint,
      )
      const listed = (await listEndpoints(context)).find(({ id }) => id === endpoint.id)
      expectEqual('the endpoint in the list', listed, endpoint)
    },
  ),
  check(
    '400 for an endpoint without url, with a bad one, or with unknown events',
    [
      'ruling 4 / webhook endpoints',
      '7 Status / 400',
      'ruling 1 / every offending field is listed',
      'ruling 1 / field messages',
    ],
    async ({ api, site }) => {
      expectInvalid(await api.post('/webhook-endpoints', {}), ['url should not be empty'])
      expectInvalid(
        await api.post('/webhook-endpoints', { url: 'hooks', eventTypes: ['note_lost'], enabled: 'yes' }),
        ['url must be a URL address', 'eventTypes', 'enabled must be a boolean value'],
      )
      const { url } = site.receiver()
      expectInvalid(await api.post('/webhook-endpoints', { url, eventTypes: 'transcript_ready' }), [
        'eventTypes',
      ])
    },
  ),
  check(
    'PATCH changes what is given and leaves the rest; DELETE is 204, then 404',
    ['ruling 4 / webhook endpoints', '8 Limits / retry safety'],
    async ({ api, newEndpoint }) => {
      const before = await newEndpoint()
      const path = `/webhook-endpoints/${before.id}`
      const change = { enabled: false, eventTypes: ['transcript_ready'], digestHeader: 'X-Acme-Signature' }
      const answer = await api.patch(path, change)
      expectStatus(answer, 200)
      // Why an endpoint that its owner switched off is off is not decided.
      const { disabledReason } = answer.json
      expectEqual('the endpoint', answer.json, { ...before, ...change, disabledReason })
      expectEqual('the second answer', (await api.patch(path, change)).json, answer.json)
      const removed = await api.delete(path)
      expectStatus(removed, 204)
      expectEqual('the body', removed.text, '')
      expectRefusal(await api.get(path), 404)
    },
  ),
  check(
    'events beyond the seven are taken by name, and an endpoint that names none has the seven',
    ['additions / further events'],
    async ({ newEndpoint }) => {
      const named = await newEndpoint({ eventTypes: ['session_failed'] })
      expectEqual('eventTypes', named.eventTypes, ['session_failed'])
      expectEqual('eventTypes', (await newEndpoint()).eventTypes.toSorted(), eventTypes.toSorted())
    },
  ),
  check(
    'digestHeader is set together with callbackUrl, and refused without one',
    ['additions / digestHeader with callbackUrl'],
    async (context) => {
      const { api, credentials, site } = context
      const path = `/partners/${credentials.partnerId}`
      if ((await api.get('/partners')).json.callbackUrl !== null) skip('the partner has a callbackUrl')
      const digestHeader = 'X-Acme-Signature'
      expectInvalid(await api.patch(path, { digestHeader }), ['digestHeader needs a callbackUrl'])
      const { url } = site.receiver()
      try {
        expectStatus(await api.patch(path, { callbackUrl: url, digestHeader }), 200)
        const primary = (await listEndpoints(context)).find(({ isPrimary }) => isPrimary)
        expectEqual('the primary endpoint', [primary?.url, primary?.digestHeader], [url, digestHeader])
      } finally {
        await api.patch(path, { callbackUrl: null })
      }
    },
  ),
  check(
    'callbackUrl at PATCH /partners is the primary endpoint, shown at GET /partners and in the list; null removes it',
    ['ruling 4 / callback URL', 'ruling 6 / partner'],
    async (context) => {
      const { api, credentials, site } = context
      const path = `/partners/${credentials.partnerId}`
      const before = (await api.get('/partners')).json.callbackUrl
      const { url } = site.receiver()
      try {
        const answer = await api.patch(path, { callbackUrl: url })
        expectStatus(answer, 200)
        expectEqual('callbackUrl', answer.json.callbackUrl, url)
        expectEqual('callbackUrl', (await api.get('/partners')).json.callbackUrl, url)
        expectStatus(await api.patch(path, {}), 200)
        expectEqual('callbackUrl after an empty PATCH', (await api.get('/partners')).json.callbackUrl, url)
        const primary = (await listEndpoints(context)).filter(({ isPrimary }) => isPrimary)
        expectEqual(
          'the primary endpoints',
          primary.map((endpoint) => endpoint.url),
          [url],
        )
        expectInvalid(await api.patch(path, { callbackUrl: 'hooks' }), ['callbackUrl must be a URL address'])
      } finally {
        // As it was; a new URL keeps the primary endpoint's other settings, so nothing of them is lost.
        await api.patch(path, { callbackUrl: before })
      }
      expectEqual('callbackUrl as before', (await api.get('/partners')).json.callbackUrl, before)
    },
  ),
  check(
    'test: 400 without an eventType or with an unknown one; 200 for an event that was, 409 for one that never was',
    ['ruling 4 / test, deliveries, resend, recover'],
    async ({ api, newEndpoint }) => {
      const path = `/webhook-endpoints/${(await newEndpoint()).id}/test`
      expectInvalid(await api.post(path, {}), ['eventType'])
      expectInvalid(await api.post(path, { eventType: 'note_lost' }), ['eventType'])
      for (const eventType of eventTypes) {
        const answer = await api.post(path, { eventType })
        if (answer.status === 409) expectRule(answer, 409)
        else expectStatus(answer, 200)
      }
    },
  ),
  check(
    'recover: 400 without since or with one that is no time; a new endpoint has no deliveries',
    ['ruling 4 / test, deliveries, resend, recover'],
    async ({ api, newEndpoint }) => {
      const { id } = await newEndpoint()
      expectPage(await api.get(`/webhook-endpoints/${id}/deliveries`), { totalItems: 0 })
      expectInvalid(await api.post(`/webhook-endpoints/${id}/recover`, {}), ['since'])
      expectInvalid(await api.post(`/webhook-endpoints/${id}/recover`, { since: 'yesterday' }), ['since'])
    },
  ),
  check(
    'session_transcript_error: the envelope and payload of the contract, nothing more but why, and no delivery id',
    [
      '6 Delivery / at least once, no order, no delivery id',
      '6 Envelope / eventType',
      '6 Envelope / timeStamp',
      '6 Envelope / payload',
      '6 Payload / sessionId',
      '6 Payload / sessionExternalId',
      '6 Payload / clientId',
      '6 Payload / clinicianId',
      '6 Payload / clinicId',
      '6 Payload / organizationId',
      '6 Events / session_transcript_error',
      '3 Artifacts / transcription failure',
    ],
    async (context) => {
      const { session, delivery } = await failureEvent(context)
      const event = JSON.parse(delivery.text)
      expectEqual('the keys', Object.keys(event).toSorted(), ['eventType', 'payload', 'timeStamp'])
      expectEqual('eventType', event.eventType, 'session_transcript_error')
      expectTime('timeStamp', event.timeStamp)
      // `failure` is an addition.
      const { error, failure: _failure, ...ids } = event.payload
      expectEqual('the payload', ids, commonPayload(session))
      expectThat(typeof error === 'string' && error !== '', 'error as a human-readable string', error)
    },
  ),
  check(
    'transcript_ready, progress_note_generated and mdm_elements_identified come with exactly their fields',
    [
      '6 Events / transcript_ready',
      '6 Events / progress_note_generated',
      '6 Events / mdm_elements_identified',
      '6 URLs in payloads / normal headers',
      '3 Progress note / generation completes',
      '9 Versioning / rule 2, organization is deprecated',
      'ruling 7 / prescriber note types',
    ],
    async (context) => {
      const { session, note } = await context.recordedNote()
      const ready = await expectEvent(context, 'transcript_ready', session)
      const { transcriptUrl, ...readyIds } = ready
      expectEqual('the payload', readyIds, commonPayload(session))
      expectUrl(transcriptUrl, `/v2/sessions/${session.id}/transcript`)
      expectEqual(
        'progressNoteId',
        await expectNoteEvent(context, 'progress_note_generated', session),
        note.id,
      )
      const { mdmId, mdmUrl, ...mdmIds } = await expectEvent(context, 'mdm_elements_identified', session)
      expectEqual('the payload', mdmIds, commonPayload(session))
      expectUrl(mdmUrl, `/v2/sessions/${session.id}/mdm`)
      expectEqual('mdmId', (await context.api.get(`/sessions/${session.id}/mdm`)).json.mdmId, mdmId)
    },
  ),
  check(
    'each regeneration is one progress_note_regenerated with an id of its own; finalizing twice is one event',
    [
      '6 Events / progress_note_regenerated',
      '6 Events / progress_note_finalized',
      '6 Deduplication / progress note events',
      'ruling 5 / regeneration gives a new id',
      'ruling 4 / finalize note',
    ],
    async (context) => {
      const { api, newRecordedNote, nextEvent, settledNote } = context
      const { session, note } = await newRecordedNote()
      const ids = [note.id]
      for (const [path, body] of /** @type {const} */ ([
        ['regenerate', undefined],
        // Something to change in every note, with and without a language model: one that is short or a list already
        // cannot be made so.
        ['magic-edit', { userInstructions: 'Turn this into a BIRP note.' }],
      ])) {
        expectStatus(await api.post(`/progress-notes/${note.id}/${path}`, body), 202)
        const { id } = await settledNote(session.id)
        expectEqual(
          'progressNoteId',
          await expectNoteEvent(context, 'progress_note_regenerated', session),
          id,
        )
        ids.push(id)
      }
      expectEqual('the number of different ids', new Set(ids).size, 3)
      for (const _ of [1, 2]) expectStatus(await api.post(`/progress-notes/${note.id}/finalize`), 200)
      expectEqual(
        'progressNoteId',
        await expectNoteEvent(context, 'progress_note_finalized', session),
        ids[2],
      )
      expectEqual('a second event', await nextEvent('progress_note_finalized', session.id), null)
    },
  ),
  check(
    'a webhook is signed with clientSecret as Standard Webhooks says, and carries the plain digest that was asked for',
    [
      '5 Rule 8 / clientSecret signs webhooks',
      'ruling 8 / Standard Webhooks signature',
      'ruling 8 / digestHeader',
      '2 Partner credentials / clientSecret',
    ],
    async (context) => {
      const { headers, text } = (await failureEvent(context)).delivery
      const { clientSecret } = context.credentials
      expectThat(clientSecret.startsWith('whsec_'), 'a clientSecret of the whsec_ form', 'another form')
      const key = Buffer.from(clientSecret.slice('whsec_'.length), 'base64')
      const signed = [headers['webhook-id'], headers['webhook-timestamp'], text].join('.')
      const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
      expectThat(
        String(headers['webhook-signature']).split(' ').includes(signature),
        'a webhook-signature that verifies',
        headers['webhook-signature'],
      )
      const digest = createHmac('sha256', clientSecret).update(text).digest('hex')
      expectEqual('X-Conformance-Signature', headers['x-conformance-signature'], digest)
    },
  ),
  check(
    'a delivery is listed with its attempts, can be sent again, and brings the same event',
    [
      'ruling 4 / test, deliveries, resend, recover',
      'ruling 6 / delivery',
      '6 Deduplication / session events',
    ],
    async (context) => {
      const { api, newSession, site, waitMs } = context
      await failureEvent(context)
      const { url, next } = site.receiver()
      const endpoint = await context.newEndpoint({ url, eventTypes: ['session_transcript_error'] })
      const session = await newSession()
      const isAboutSession = (/** @type {import('../partner-site.js').Received} */ { text }) =>
        text.includes(session.id)
      const first = await next(isAboutSession, waitMs)
      if (first === null) skip('no second event came within --wait')
      const listed = expectPage(await api.get(`/webhook-endpoints/${endpoint.id}/deliveries`))
      const delivery = listed.find(({ webhookId }) => webhookId === first.headers['webhook-id'])
      expectKeys('the delivery', delivery, deliveryKeys)
      for (const attempt of delivery?.attempts ?? [])
        expectKeys('an attempt', attempt, ['at', 'status', 'durationMs', 'error'])
      expectStatus(await resend(context, delivery?.id), 200)
      expectEqual('the body sent again', (await next(isAboutSession, waitMs))?.text, first.text)
    },
  ),
]
