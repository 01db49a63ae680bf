import { ALL_EVENT_TYPES, EVENT_TYPES, type Page, type WebhookEndpoint } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
})
afterAll(() => service.close())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, as = partner) =>
  service.ask(as, method, path, payload)
const create = async (body: object, as = partner): Promise<WebhookEndpoint> =>
  (await call('POST', '/webhook-endpoints', body, as)).json<WebhookEndpoint>()
const list = async (as = partner): Promise<Page<WebhookEndpoint>> =>
  (await call('GET', '/webhook-endpoints', undefined, as)).json<Page<WebhookEndpoint>>()
const callbackUrlOf = async (of: TestPartner): Promise<string | null> =>
  (await call('GET', '/partners', undefined, of)).json<{ callbackUrl: string | null }>().callbackUrl
const setCallbackUrl = (of: TestPartner, callbackUrl: string | null) =>
  call('PATCH', `/partners/${of.partnerId}`, { callbackUrl }, of)

const url = 'https://hooks.acme.org/events'

describe('POST and GET /webhook-endpoints', () => {
  it('201 with the whole endpoint: all events, enabled, no extra header', async () => {
    const answer = await call('POST', '/webhook-endpoints', { url })
    expect(answer.statusCode).toBe(201)
    const endpoint = answer.json<WebhookEndpoint>()
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url,
      eventTypes: [...EVENT_TYPES],
      enabled: true,
      disabledReason: null,
      digestHeader: null,
      isPrimary: false,
      createdAt: expect.stringMatching(/Z$/),
    })
    expect((await call('GET', `/webhook-endpoints/${endpoint.id}`)).json()).toEqual(endpoint)
    expect((await list()).data).toContainEqual(endpoint)
  })

  it('takes every setting, and removes duplicates of event types', async () => {
    const eventTypes = ['transcript_ready', 'assessment_completed', 'transcript_ready']
    const given = { url, eventTypes, enabled: false, digestHeader: 'X-Acme-Signature' }
    expect(await create({ ...given, isPrimary: true, id: 'x' })).toMatchObject({
      ...given,
      eventTypes: ['transcript_ready', 'assessment_completed'],
      isPrimary: false,
      disabledReason: null,
    })
  })

  it.each<[object, string[]]>([
    [{}, ['url should not be empty']],
    [{ url: null }, ['url should not be empty']],
    [{ url: 'hooks.acme.org' }, ['url must be a URL address']],
    [{ url: `https://a.org/${'a'.repeat(2000)}` }, ['url must be shorter than or equal to 2000 characters']],
    [{ url: 'https://me:secret@a.org' }, ['url must not contain a user name or password']],
    [{ url, eventTypes: [] }, ['eventTypes should not be empty']],
    [{ url, eventTypes: 'transcript_ready' }, ['eventTypes must be an array']],
    [{ url, eventTypes: null }, ['eventTypes must be an array']],
    [
      { url, eventTypes: ['transcript_ready', 'other'] },
      [`each value in eventTypes must be one of the following values: ${ALL_EVENT_TYPES.join(', ')}`],
    ],
    [{ url, enabled: 'true' }, ['enabled must be a boolean value']],
    [{ url, enabled: null }, ['enabled must be a boolean value']],
    [{ url, digestHeader: 7 }, ['digestHeader must be a string']],
    [{ url, digestHeader: '' }, ['digestHeader should not be empty']],
    [{ url, digestHeader: 'X Acme' }, ['digestHeader must be a valid HTTP header name']],
    [{ url, digestHeader: 'X-Acme\r\nHost' }, ['digestHeader must be a valid HTTP header name']],
    [{ url, digestHeader: 'X-Ünicode' }, ['digestHeader must be a valid HTTP header name']],
    ...[
      'Host',
      'content-type',
      'Authorization',
      'WEBHOOK-signature',
      'Transfer-Encoding',
      'X-Forwarded-For',
    ].map((digestHeader): [object, string[]] => [
      { url, digestHeader },
      ['digestHeader must not be a standard or webhook-* header'],
    ]),
    [
      { url: 'https://u@a.org', eventTypes: [], enabled: 1, digestHeader: 'Cookie' },
      [
        'eventTypes should not be empty',
        'enabled must be a boolean value',
        'url must not contain a user name or password',
        'digestHeader must not be a standard or webhook-* header',
      ],
    ],
  ])('400 for %j, naming every field, and nothing is written', async (body, problems) => {
    const before = (await list()).meta.totalItems
    const answer = await call('POST', '/webhook-endpoints', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ error: { message: { message: string[] } } }>().error.message.message).toEqual(
      problems,
    )
    expect((await list()).meta.totalItems).toBe(before)
    const { id } = await create({ url })
    const unchanged = (await call('GET', `/webhook-endpoints/${id}`)).json<WebhookEndpoint>()
    const patched = await call('PATCH', `/webhook-endpoints/${id}`, body)
    if (Object.keys(body).length > 0) expect(patched.statusCode).toBe(400)
    expect((await call('GET', `/webhook-endpoints/${id}`)).json()).toEqual(unchanged)
    await call('DELETE', `/webhook-endpoints/${id}`)
  })

  it('in production only https and public hosts', async () => {
    const production = await service.addPartner('production')
    for (const [bad, problem] of [
      ['http://hooks.acme.org', 'url must be an https URL'],
      ['https://127.1/x', 'url must name a public host'],
      ['https://[::ffff:7f00:1]/', 'url must name a public host'],
      ['https://169.254.169.254/', 'url must name a public host'],
      ['https://metadata.google.internal/', 'url must name a public host'],
      ['https://hooks.acme.org:6379/', 'url must use port 443 or 8443'],
    ] as const) {
      for (const [method, path] of [
        ['POST', '/webhook-endpoints'],
        ['PATCH', `/webhook-endpoints/${production.endpointId}`],
      ] as const) {
        const answer = await call(method, path, { url: bad }, production)
        expect([bad, answer.statusCode, answer.json()]).toMatchObject([
          bad,
          400,
          { error: { message: { message: [problem] } } },
        ])
      }
    }
    expect((await list(production)).meta.totalItems).toBe(1)
    expect(await create({ url }, production)).toMatchObject({ url })
  })

  it('409 for the 101st, also when many come at once; a deleted one makes room', async () => {
    const one = await service.addPartner()
    const answers = await Promise.all(
      Array.from({ length: 105 }, () => call('POST', '/webhook-endpoints', { url }, one)),
    )
    // Every test partner has one from the start.
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(99)
    const refused = answers.filter(({ statusCode }) => statusCode === 409)
    expect(refused).toHaveLength(6)
    expect(refused[0]?.json()).toMatchObject({
      error: { message: 'There are already 100 webhook endpoints' },
    })
    expect((await list(one)).meta).toMatchObject({ totalItems: 100, totalPages: 10 })
    expect((await setCallbackUrl(one, url)).statusCode).toBe(409)
    await call('DELETE', `/webhook-endpoints/${one.endpointId}`, undefined, one)
    expect((await setCallbackUrl(one, url)).statusCode).toBe(200)
    expect((await setCallbackUrl(one, `${url}2`)).statusCode).toBe(200)
  })
})

describe('PATCH /webhook-endpoints/{id}', () => {
  it('changes what is named and leaves the rest', async () => {
    const { id, ...rest } = await create({ url, digestHeader: 'X-Acme-Signature' })
    const patch = async (body: object): Promise<unknown> =>
      (await call('PATCH', `/webhook-endpoints/${id}`, body)).json()
    expect(await patch({})).toEqual({ id, ...rest })
    expect(await patch({ eventTypes: ['transcript_ready'] })).toEqual({
      id,
      ...rest,
      eventTypes: ['transcript_ready'],
    })
    expect(await patch({ url: `${url}2`, enabled: false })).toMatchObject({
      url: `${url}2`,
      enabled: false,
      disabledReason: null,
      eventTypes: ['transcript_ready'],
      digestHeader: 'X-Acme-Signature',
    })
    expect(await patch({ digestHeader: null })).toMatchObject({ digestHeader: null, enabled: false })
  })

  it('enabling clears the reason for which the service had disabled it; nothing else does', async () => {
    const { id } = await create({ url })
    await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
      tx.run({
        text: "update casenote.webhook_endpoints set enabled = false, disabled_reason = 'gone' where endpoint_id = $1",
        values: [id],
      }),
    )
    const patch = (body: object) => call('PATCH', `/webhook-endpoints/${id}`, body)
    const disabled = { enabled: false, disabledReason: 'gone' }
    expect((await patch({ url: `${url}3` })).json()).toMatchObject(disabled)
    expect((await patch({ enabled: false })).json()).toMatchObject(disabled)
    expect((await patch({ enabled: true })).json()).toMatchObject({ enabled: true, disabledReason: null })
  })
})

describe('DELETE /webhook-endpoints/{id}', () => {
  it('204 without a body, then 404 to everything, a second DELETE included', async () => {
    const { id } = await create({ url })
    const answer = await call('DELETE', `/webhook-endpoints/${id}`)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    for (const [method, path] of [
      ['DELETE', ''],
      ['GET', ''],
      ['PATCH', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['POST', '/recover'],
    ] as const) {
      expect((await call(method, `/webhook-endpoints/${id}${path}`)).statusCode).toBe(404)
    }
    expect((await list()).data.map((endpoint) => endpoint.id)).not.toContain(id)
  })

  it('of two at once one is 204, the other 404', async () => {
    const { id } = await create({ url })
    const answers = await Promise.all([
      call('DELETE', `/webhook-endpoints/${id}`),
      call('DELETE', `/webhook-endpoints/${id}`),
    ])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([204, 404])
  })
})

describe('the primary endpoint', () => {
  it('is the callbackUrl, keeps its settings when that changes, and clears it when it is deleted', async () => {
    const one = await service.addPartner()
    await setCallbackUrl(one, url)
    const found = (await list(one)).data.filter(({ isPrimary }) => isPrimary)
    expect(found).toMatchObject([{ url, enabled: true, eventTypes: [...EVENT_TYPES] }])
    const path = `/webhook-endpoints/${found[0]?.id}`
    const settings = { eventTypes: ['transcript_ready'], digestHeader: 'X-Acme-Signature', enabled: false }
    await call('PATCH', path, settings, one)
    await setCallbackUrl(one, `${url}2`)
    expect((await call('GET', path, undefined, one)).json()).toMatchObject({ ...settings, url: `${url}2` })
    await call('PATCH', path, { url: `${url}3` }, one)
    expect(await callbackUrlOf(one)).toBe(`${url}3`)
    expect((await call('DELETE', path, undefined, one)).statusCode).toBe(204)
    expect(await callbackUrlOf(one)).toBeNull()
    // A new one begins with nothing of the old one.
    await setCallbackUrl(one, url)
    const fresh = (await list(one)).data.find(({ isPrimary }) => isPrimary)
    expect(fresh).toMatchObject({ url, enabled: true, digestHeader: null })
    expect(fresh?.id).not.toBe(found[0]?.id)
    await setCallbackUrl(one, null)
    expect((await list(one)).data.some(({ isPrimary }) => isPrimary)).toBe(false)
  })

  it('takes its digestHeader together with callbackUrl, keeps it, and changes it alone', async () => {
    const one = await service.addPartner()
    const patch = (body: object) => call('PATCH', `/partners/${one.partnerId}`, body, one)
    const primary = async () => (await list(one)).data.find(({ isPrimary }) => isPrimary)
    const digestHeader = 'X-Acme-Signature'
    expect((await patch({ callbackUrl: url, digestHeader })).json()).toMatchObject({ callbackUrl: url })
    expect(await primary()).toMatchObject({ url, digestHeader })
    await patch({ callbackUrl: `${url}2` })
    expect(await primary()).toMatchObject({ url: `${url}2`, digestHeader })
    await patch({ digestHeader: 'X-Other' })
    expect(await primary()).toMatchObject({ url: `${url}2`, digestHeader: 'X-Other' })
    await patch({ digestHeader: null })
    expect(await primary()).toMatchObject({ digestHeader: null })
  })

  it.each<[object, string]>([
    [{ digestHeader: 'X-Acme' }, 'digestHeader needs a callbackUrl'],
    [{ callbackUrl: null, digestHeader: 'X-Acme' }, 'digestHeader needs a callbackUrl'],
    [{ callbackUrl: url, digestHeader: 'Host' }, 'digestHeader must not be a standard or webhook-* header'],
    [{ callbackUrl: url, digestHeader: 'X Acme' }, 'digestHeader must be a valid HTTP header name'],
    [{ callbackUrl: url, digestHeader: '' }, 'digestHeader should not be empty'],
    [{ callbackUrl: url, digestHeader: 7 }, 'digestHeader must be a string'],
  ])('400 for %j, and nothing is changed', async (body, message) => {
    const one = await service.addPartner()
    const before = await list(one)
    const answer = await call('PATCH', `/partners/${one.partnerId}`, body, one)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ error: { message: { message: [message] } } })
    expect(await list(one)).toEqual(before)
  })

  it('is one, however many set the first callbackUrl at once', async () => {
    const one = await service.addPartner()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => setCallbackUrl(one, `${url}${index}`)),
    )
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
    expect((await list(one)).data.filter(({ isPrimary }) => isPrimary)).toHaveLength(1)
  })
})

it('every change is recorded with the endpoint as its subject', async () => {
  const { id } = await create({ url })
  await call('PATCH', `/webhook-endpoints/${id}`, { enabled: false })
  await call('DELETE', `/webhook-endpoints/${id}`)
  const rows = await service.owner.read(
    { tenantId: partner.partnerId },
    {
      text: 'select operation from casenote.audit_pending where subject_ids = array[$1::uuid] order by pending_id',
      values: [id],
    },
  )
  expect(rows).toEqual([
    { operation: 'webhookEndpoint.create' },
    { operation: 'webhookEndpoint.change' },
    { operation: 'webhookEndpoint.delete' },
  ])
})
