import { randomUUID } from 'node:crypto'
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
} from '../expect.js'
import { clientKeys } from '../shapes.js'

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'archive is idempotent; unarchive gives back the earlier status',
    [
      '3 Client status / values',
      '4 Operations / unarchive client',
      'ruling 4 / archive, unarchive client',
      'ruling 5 / archive and back',
    ],
    async ({ api, newClient }) => {
      const client = await newClient({ email: 'someone@example.com' })
      await api.post(`/clients/${client.id}/invite`)
      for (const _ of [1, 2]) {
        const archived = await api.post(`/clients/${client.id}/archive`)
        expectStatus(archived, 200)
        expectKeys('the client', archived.json, clientKeys)
        expectEqual('status', archived.json.status, 'archived')
      }
      const back = await api.post(`/clients/${client.id}/unarchive`)
      expectStatus(back, 200)
      expectEqual('status', back.json.status, 'invite_sent')
    },
  ),
  check(
    '409 for unarchiving a client who is not archived',
    [
      '3 Client status / unarchive 409',
      '7 Status / 409 unarchive',
      '4 Operations / unarchive client',
      '7 Envelope / error.message string',
    ],
    async ({ api, newClient }) => {
      const { id } = await newClient()
      expectRule(await api.post(`/clients/${id}/unarchive`), 409)
      await api.post(`/clients/${id}/archive`)
      expectStatus(await api.post(`/clients/${id}/unarchive`), 200)
      expectRule(await api.post(`/clients/${id}/unarchive`), 409)
    },
  ),
  check(
    'an archived client is still listed and read',
    ['ruling 2 / archived clients are listed', '4 Filters / clients by status'],
    async ({ api, clinician, newClient, unique }) => {
      const { id, externalId } = await newClient({ externalId: unique('chart') })
      await api.post(`/clients/${id}/archive`)
      const path = `/clinicians/${(await clinician()).id}/clients`
      expectPage(await api.get(`${path}?${new URLSearchParams({ externalId })}`), { totalItems: 1 })
      expectPage(await api.get(`${path}?${new URLSearchParams({ externalId, status: 'archived' })}`), {
        totalItems: 1,
      })
      expectPage(await api.get(`${path}?${new URLSearchParams({ externalId, status: 'active' })}`), {
        totalItems: 0,
      })
      expectEqual('status', (await api.get(`/clients/${id}`)).json.status, 'archived')
    },
  ),
  check(
    'invite: awaiting_invite becomes invite_sent, with an inviteUrl; again is fine',
    [
      'ruling 4 / invite client',
      'ruling 5 / created: awaiting_invite',
      'ruling 5 / invite: invite_sent',
      '2 Client / status',
    ],
    async ({ api, newClient }) => {
      const client = await newClient({ phoneNumber: '+12025550144' })
      expectEqual('status', client.status, 'awaiting_invite')
      for (const _ of [1, 2]) {
        const answer = await api.post(`/clients/${client.id}/invite`)
        expectStatus(answer, 200)
        expectKeys('the client', answer.json, [...clientKeys, 'inviteUrl'])
        expectEqual('status', answer.json.status, 'invite_sent')
        expectThat(URL.canParse(answer.json.inviteUrl), 'inviteUrl as an absolute URL', answer.json.inviteUrl)
      }
      const read = await api.get(`/clients/${client.id}`)
      expectEqual('status', read.json.status, 'invite_sent')
    },
  ),
  check(
    '400 for inviting a client with neither email nor phoneNumber',
    ['ruling 4 / invite client'],
    async ({ api, newClient }) => {
      const { id } = await newClient()
      expectRefusal(await api.post(`/clients/${id}/invite`), 400)
      expectEqual('status', (await api.get(`/clients/${id}`)).json.status, 'awaiting_invite')
    },
  ),
  check(
    'transfer: 200 with the client of the new clinician, who then lists them',
    [
      '4 Operations / transfer client',
      'ruling 4 / transfer client',
      'ruling 2 / a transfer removes the old primary',
    ],
    async ({ api, newClinician, newClient }) => {
      const [from, to] = [await newClinician(), await newClinician()]
      const client = await newClient({ clinicianId: from.id })
      const answer = await api.post(`/clients/${client.id}/transfer`, { clinicianId: to.id })
      expectStatus(answer, 200)
      expectKeys('the client', answer.json, clientKeys)
      expectEqual('clinicianId', answer.json.clinicianId, to.id)
      expectPage(await api.get(`/clinicians/${from.id}/clients`), { totalItems: 0 })
      expectPage(await api.get(`/clinicians/${to.id}/clients`), { totalItems: 1 })
    },
  ),
  check(
    '409 for a transfer to the clinician they already have',
    [
      '7 Status / 409 transfer',
      '4 Operations / transfer client',
      'ruling 4 / transfer client',
      '7 Envelope / error.message string',
    ],
    async ({ api, newClient }) => {
      const { id, clinicianId } = await newClient()
      expectRule(await api.post(`/clients/${id}/transfer`, { clinicianId }), 409)
    },
  ),
  check(
    '400 for a transfer to nobody, to an unknown clinician or to something else, naming clinicianId',
    ['ruling 1 / an unfit id in a body', 'ruling 4 / transfer client', '7 Status / 400'],
    async ({ api, credentials, newClient }) => {
      const { id } = await newClient()
      expectInvalid(await api.post(`/clients/${id}/transfer`, {}), ['clinicianId should not be empty'])
      for (const clinicianId of [randomUUID(), 'x', credentials.clinicId, 7])
        expectInvalid(await api.post(`/clients/${id}/transfer`, { clinicianId }), ['clinicianId'])
    },
  ),
  check(
    'an old primary who is also secondary keeps the client after a transfer, and is listed once meanwhile',
    ['ruling 2 / a transfer removes the old primary'],
    async ({ api, newClinician, newClient }) => {
      const [first, second, third] = [await newClinician(), await newClinician(), await newClinician()]
      const { id } = await newClient({ clinicianId: first.id })
      expectStatus(await api.post(`/clients/${id}/secondary-clinicians`, { clinicianIds: [second.id] }), 200)
      expectStatus(await api.post(`/clients/${id}/transfer`, { clinicianId: second.id }), 200)
      expectPage(await api.get(`/clinicians/${second.id}/clients`), { totalItems: 1 })
      expectPage(await api.get(`/clinicians/${first.id}/clients`), { totalItems: 0 })
      expectStatus(await api.post(`/clients/${id}/transfer`, { clinicianId: third.id }), 200)
      expectPage(await api.get(`/clinicians/${second.id}/clients`), { totalItems: 1 })
    },
  ),
  check(
    'a client is erased where GET /partners says so, once however often it is asked for; 403 where it does not',
    ['additions / erase'],
    async ({ api, newClient }) => {
      const { id } = await newClient()
      const path = `/clients/${id}/erasures`
      expectInvalid(await api.post(path, {}), ['confirm'])
      const { partnerErasure } = (await api.get('/partners')).json
      expectThat(typeof partnerErasure === 'boolean', 'a boolean partnerErasure', partnerErasure)
      const asked = await api.post(path, { confirm: 'erase' })
      if (!partnerErasure) {
        expectRule(asked, 403)
        expectStatus(await api.get(`/clients/${id}`), 200)
        return
      }
      expectStatus(asked, 202)
      const again = await api.post(path, { confirm: 'erase' })
      expectEqual('the erasure', again.json.id, asked.json.id)
      const read = await api.get(`/erasures/${asked.json.id}`)
      expectStatus(read, 200)
      expectEqual('what is erased', read.json.subjectId, id)
    },
  ),
]
