import type { Client, PageInvitation } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

const statusOf = async (clientId: string): Promise<string> =>
  (
    await service.call({ method: 'GET', url: `/v2/clients/${clientId}`, headers: partner.headers })
  ).json<Client>().status
const respond = async (bearer: string, isAccepted: boolean): Promise<string> =>
  (await pages.call('POST', '/invitation', bearer, { isAccepted })).json<PageInvitation>().state

describe('an invitation', () => {
  it('becomes pending when it is opened with the birth date, and shows who invites', async () => {
    const clientId = await pages.addClient()
    const token = await pages.invite(clientId)
    await service.call({ method: 'GET', url: `/i/${token}` })
    expect(await statusOf(clientId)).toBe('invite_sent')
    expect((await pages.open(token, '2001-01-01', { kind: 'invitation' })).statusCode).toBe(403)
    expect(await statusOf(clientId)).toBe('invite_sent')
    const bearer = await pages.letIn(token, 'invitation')
    expect(await statusOf(clientId)).toBe('pending')
    expect((await pages.call('GET', '/invitation', bearer)).json()).toEqual({
      clinicName: 'Clinic',
      organizationName: 'Organization',
      language: null,
      state: 'open',
    })
  })

  it('is accepted once; what was answered first stands', async () => {
    const clientId = await pages.addClient()
    const bearer = await pages.letIn(await pages.invite(clientId), 'invitation')
    expect(await respond(bearer, true)).toBe('accepted')
    expect(await respond(bearer, true)).toBe('accepted')
    expect(await respond(bearer, false)).toBe('accepted')
    expect(await statusOf(clientId)).toBe('active')
    const entries = await pages.audited(clientId)
    expect(entries.filter((entry) => entry.startsWith('invitation.'))).toEqual([
      'invitation.accept by client',
    ])
  })

  it('is declined, invited again with another link, and then accepted', async () => {
    const clientId = await pages.addClient()
    const first = await pages.invite(clientId)
    const declining = await pages.letIn(first, 'invitation')
    expect(await respond(declining, false)).toBe('declined')
    expect(await statusOf(clientId)).toBe('declined')
    expect(await respond(declining, true)).toBe('declined')
    const second = await pages.invite(clientId)
    expect((await pages.open(first, undefined, { kind: 'invitation' })).statusCode).toBe(403)
    expect(await respond(await pages.letIn(second, 'invitation'), true)).toBe('accepted')
    const history = await pages.rows<{ change: string }>(
      `select from_status || ' → ' || to_status as change from casenote.client_status_history
       where client_id = $1 and from_status is not null order by seq`,
      [clientId],
    )
    expect(history.map(({ change }) => change)).toEqual([
      'awaiting_invite → invite_sent',
      'invite_sent → pending',
      'pending → declined',
      'declined → invite_sent',
      'invite_sent → pending',
      'pending → active',
    ])
  })

  it('a browser that opened an earlier link cannot answer for the new one', async () => {
    const clientId = await pages.addClient()
    const stale = await pages.letIn(await pages.invite(clientId), 'invitation')
    await respond(stale, false)
    await pages.invite(clientId)
    expect((await pages.call('POST', '/invitation', stale, { isAccepted: true })).statusCode).toBe(401)
    expect(await statusOf(clientId)).toBe('invite_sent')
  })
})
