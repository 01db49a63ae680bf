import { randomUUID } from 'node:crypto'
import type { PageConsent } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addText } from '../../src/features/consents/index.js'
import { operator } from '../../src/kernel/operator.js'
import { addSameVersion } from '../support/same-version.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { makePagesFixture, type PagesFixture } from './pages-fixture.js'

let service: TestService
let partner: TestPartner
let pages: PagesFixture

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  pages = makePagesFixture(service, partner)
})
afterAll(() => service.close())

const signature = {
  personName: 'Sam Sample',
  relation: 'self',
  hasAgreed: true,
  textVersion: 'casenote-1',
  language: 'en',
}

describe("a client's consent", () => {
  it('is read, signed, seen and withdrawn with one link, each on record', async () => {
    const clientId = await pages.addClient()
    const token = await pages.linkToConsent(clientId)
    expect((await pages.open(token, '2001-01-01', { kind: 'consent' })).statusCode).toBe(403)
    const bearer = await pages.letIn(token, 'consent')
    const view = async () => (await pages.call('GET', '/consent', bearer)).json<PageConsent>()
    expect(await view()).toMatchObject({
      clinicName: 'Clinic',
      state: 'none',
      text: { version: 'casenote-1', language: 'en' },
      consents: [],
    })
    const signed = (await pages.call('POST', '/consent', bearer, signature)).json<PageConsent>()
    expect(signed).toMatchObject({
      state: 'given',
      consents: [{ personName: 'Sam Sample', relation: 'self', method: 'signed_on_page', withdrawnAt: null }],
    })
    for (let times = 0; times < 2; times += 1) {
      const withdrawn = (await pages.call('POST', '/consent/withdraw', bearer)).json<PageConsent>()
      expect(withdrawn).toMatchObject({ state: 'withdrawn', consents: [{ withdrawnAt: expect.any(String) }] })
    }
    const entries = (await pages.audited(clientId)).filter((entry) => entry.startsWith('consent.'))
    expect(entries).toEqual([
      'consent.makeLink by partner',
      'consent.sign by client',
      'consent.takeBack by client',
    ])
  })

  it('400 without the tick, a name, or a text that was ever shown; nothing is kept', async () => {
    const bearer = await pages.letIn(await pages.linkToConsent(await pages.addClient()), 'consent')
    for (const wrong of [
      { hasAgreed: false },
      { personName: '  ' },
      { relation: 'participant' },
      { textVersion: 'other' },
    ])
      expect((await pages.call('POST', '/consent', bearer, { ...signature, ...wrong })).statusCode).toBe(400)
    expect((await pages.call('GET', '/consent', bearer)).json<PageConsent>().state).toBe('none')
  })

  it('a new link ends the one before, and what it opened; other links open no consent', async () => {
    const clientId = await pages.addClient()
    const first = await pages.linkToConsent(clientId)
    const bearer = await pages.letIn(first, 'consent')
    const second = await pages.linkToConsent(clientId)
    expect((await pages.open(first, undefined, { kind: 'consent' })).statusCode).toBe(403)
    expect((await pages.call('GET', '/consent', bearer)).statusCode).toBe(401)
    expect((await pages.open(second, undefined, { kind: 'invitation' })).statusCode).toBe(403)
    const invited = await pages.letIn(await pages.invite(clientId), 'invitation')
    expect((await pages.call('GET', '/consent', invited)).statusCode).toBe(401)
  })

  it('what a link opened ends with it; however many are made, a client has one row', async () => {
    const clientId = await pages.addClient()
    const expire = (interval: string) =>
      service.owner.write({ tenantId: partner.partnerId }, (tx) =>
        tx.run({
          text: `update casenote.consent_links set expires_at = now() + $3::interval where tenant_id = $1 and client_id = $2`,
          values: [partner.partnerId, clientId, interval],
        }),
      )
    for (let times = 0; times < 3; times += 1) {
      const token = await pages.linkToConsent(clientId)
      const bearer = await pages.letIn(token, 'consent')
      expect((await pages.call('GET', '/consent', bearer)).statusCode).toBe(200)
      await expire('-1 second')
      expect((await pages.open(token, undefined, { kind: 'consent' })).statusCode).toBe(403)
      expect((await pages.call('GET', '/consent', bearer)).statusCode).toBe(401)
    }
    const rows = await pages.rows(
      'select 1 from casenote.consent_links where tenant_id = $1 and client_id = $2',
      [partner.partnerId, clientId],
    )
    expect(rows).toHaveLength(1)
  })

  it('shows the words that were signed, also once there is a newer text', async () => {
    const clientId = await pages.addClient()
    const bearer = await pages.letIn(await pages.linkToConsent(clientId), 'consent')
    const tenant = { tenantId: partner.partnerId }
    const add = (version: string, body: string) =>
      service.owner.write(tenant, (tx) =>
        addText(tx, operator, { organizationId: null, language: 'en', version, body }),
      )
    const view = async () => (await pages.call('GET', '/consent', bearer)).json<PageConsent>()
    await pages.call('POST', '/consent', bearer, signature)
    await add('first', 'The first words.')
    await pages.call('POST', '/consent', bearer, { ...signature, textVersion: 'first', textOwner: 'partner' })
    await add('second', 'Other words.')
    const { text, signedTexts, consents } = await view()
    expect(text).toMatchObject({ version: 'second', text: 'Other words.' })
    expect(signedTexts).toEqual([
      {
        textId: expect.any(String),
        version: 'first',
        owner: 'partner',
        language: 'en',
        text: 'The first words.',
        consentIds: [consents[0]?.id],
      },
      {
        textId: null,
        version: 'casenote-1',
        owner: 'casenote',
        language: 'en',
        text: expect.stringContaining('would like to record'),
        consentIds: [consents[1]?.id],
      },
    ])
  })

  it('is to the words that were on the page, though the client was transferred before they signed', async () => {
    const mover = await service.addPartner()
    const movers = makePagesFixture(service, mover)
    const { version, here, there, transfer } = await addSameVersion(service, mover, 'moving')
    const clientId = await movers.addClient()
    const bearer = await movers.letIn(await movers.linkToConsent(clientId), 'consent')
    const view = async () => (await movers.call('GET', '/consent', bearer)).json<PageConsent>()
    const shown = (await view()).text
    expect(shown).toMatchObject({ textId: here.textId, version, owner: 'clinic', text: here.body })
    await transfer(clientId)
    const { textId, language } = shown
    const names = { textVersion: version, textOwner: 'clinic', language }
    const sign = (given: object) =>
      movers.call('POST', '/consent', bearer, { ...signature, ...names, ...given })
    const refused = await sign({ textId, textOwner: 'partner' })
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('textOwner must')])
    const consentId = randomUUID()
    // Twice, as after a lost answer.
    for (let times = 0; times < 2; times += 1)
      expect((await sign({ textId, consentId })).json<PageConsent>().signedTexts).toMatchObject([
        { textId: here.textId, version, text: here.body },
      ])
    // What was not read is another consent.
    expect((await sign({ textId: there.textId, consentId })).statusCode).toBe(409)
    // A page of before sends no id: the text of this name at the clinic of now.
    const { signedTexts } = (await sign({})).json<PageConsent>()
    expect(signedTexts?.map(({ text }) => text)).toEqual([there.body, here.body])
  })

  it('shows nothing of others who were in the room', async () => {
    const clientId = await pages.addClient()
    await service.call({
      method: 'POST',
      url: `/v2/clients/${clientId}/consents`,
      headers: partner.headers,
      payload: {
        method: 'by_word',
        textVersion: 'casenote-1',
        relation: 'participant',
        personName: 'Ada Other',
      },
    })
    const bearer = await pages.letIn(await pages.linkToConsent(clientId), 'consent')
    const answer = await pages.call('GET', '/consent', bearer)
    expect(answer.body).not.toContain('Ada')
    expect(answer.json<PageConsent>().consents).toEqual([])
  })

  it('signed twice after a lost answer it is one; what stands is seen after another’s no, and can be withdrawn', async () => {
    const clientId = await pages.addClient()
    const bearer = await pages.letIn(await pages.linkToConsent(clientId), 'consent')
    const signed = { ...signature, consentId: randomUUID() }
    for (let times = 0; times < 2; times += 1)
      expect(
        (await pages.call('POST', '/consent', bearer, signed)).json<PageConsent>().consents,
      ).toHaveLength(1)
    const attest = (payload: object) =>
      service.call({
        method: 'POST',
        url: `/v2/clients/${clientId}/consents`,
        headers: partner.headers,
        payload: { method: 'by_word', textVersion: 'casenote-1', ...payload },
      })
    let lastId = ''
    // More than a page shows.
    for (let number = 0; number < 21; number += 1)
      lastId = (await attest({ relation: 'participant', personName: 'Ada Other' })).json<{ id: string }>().id
    await service.call({
      method: 'POST',
      url: `/v2/clients/${clientId}/consents/${lastId}/withdraw`,
      headers: partner.headers,
    })
    const view = (await pages.call('GET', '/consent', bearer)).json<PageConsent>()
    expect(view).toMatchObject({
      state: 'withdrawn',
      consents: [{ id: signed.consentId, withdrawnAt: null }],
    })
    const after = (await pages.call('POST', '/consent/withdraw', bearer)).json<PageConsent>()
    expect(after.consents).toMatchObject([{ withdrawnAt: expect.any(String) }])
  })
})
