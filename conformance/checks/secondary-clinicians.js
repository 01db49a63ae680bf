import { randomUUID } from 'node:crypto'
import { check } from '../check.js'
import { expectEqual, expectInvalid, expectPage, expectRefusal, expectStatus } from '../expect.js'

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'assigning is 200 with all that are now assigned; those already assigned and the primary are skipped; safe to retry',
    [
      '4 POST /clients/{clientId}/secondary-clinicians',
      '8 Limits / retry safety',
      'ruling 4 / assign secondary clinicians',
    ],
    async ({ api, newClient, newClinician }) => {
      const { id, clinicianId } = await newClient()
      const [one, two] = [await newClinician(), await newClinician()]
      const path = `/clients/${id}/secondary-clinicians`
      const first = await api.post(path, { clinicianIds: [one.id] })
      expectStatus(first, 200)
      expectEqual('clinicianIds', first.json.clinicianIds, [one.id])
      const both = [String(one.id), String(two.id)].toSorted()
      for (const clinicianIds of [
        [one.id, two.id],
        [two.id, two.id],
        [clinicianId, one.id, two.id],
      ]) {
        const answer = await api.post(path, { clinicianIds })
        expectStatus(answer, 200)
        expectEqual('clinicianIds', answer.json.clinicianIds.toSorted(), both)
      }
      expectPage(await api.get(path), { totalItems: 2 })
    },
  ),
  check(
    'the list shows who is assigned, oldest first',
    ['ruling 4 / list, remove secondary clinicians', 'ruling 2 / oldest first'],
    async ({ api, newClient, newClinician }) => {
      const { id } = await newClient()
      const [one, two] = [await newClinician(), await newClinician()]
      const path = `/clients/${id}/secondary-clinicians`
      for (const clinician of [two, one]) await api.post(path, { clinicianIds: [clinician.id] })
      const listed = expectPage(await api.get(path), { totalItems: 2 })
      // The shape of an item is not decided; the clinician's id is in it.
      expectEqual(
        'the clinicians',
        listed.map((item) =>
          [one.id, two.id].find((clinicianId) => JSON.stringify(item).includes(clinicianId)),
        ),
        [two.id, one.id],
      )
    },
  ),
  check(
    '400 for missing, malformed and unknown clinicianIds, and nobody is assigned',
    ['ruling 1 / an unfit id in a body', 'ruling 4 / assign secondary clinicians', '7 Status / 400'],
    async ({ api, credentials, newClient, newClinician }) => {
      const { id } = await newClient()
      const { id: good } = await newClinician()
      const path = `/clients/${id}/secondary-clinicians`
      expectInvalid(await api.post(path, {}), ['clinicianIds should not be empty'])
      for (const clinicianIds of ['x', [7], ['x'], [good, randomUUID()], [good, credentials.clinicId]])
        expectInvalid(await api.post(path, { clinicianIds }), ['clinicianIds'])
      expectPage(await api.get(path), { totalItems: 0 })
    },
  ),
  check(
    'removing is 204 without a body, and idempotent',
    ['ruling 4 / list, remove secondary clinicians', '8 Limits / retry safety'],
    async ({ api, newClient, newClinician }) => {
      const { id } = await newClient()
      const { id: clinicianId } = await newClinician()
      await api.post(`/clients/${id}/secondary-clinicians`, { clinicianIds: [clinicianId] })
      for (const _ of [1, 2]) {
        const answer = await api.delete(`/clients/${id}/secondary-clinicians/${clinicianId}`)
        expectStatus(answer, 204)
        expectEqual('the body', answer.text, '')
      }
      expectPage(await api.get(`/clients/${id}/secondary-clinicians`), { totalItems: 0 })
    },
  ),
  check(
    'both ids of the path are checked: 404 for an unknown clinician of a known client, and the reverse',
    ['7 Ownership / every path parameter', '7 Status / 404'],
    async ({ api, client, clinician }) => {
      const [{ id: clientId }, { id: clinicianId }] = [await client(), await clinician()]
      expectRefusal(await api.delete(`/clients/${clientId}/secondary-clinicians/${randomUUID()}`), 404)
      expectRefusal(await api.delete(`/clients/${randomUUID()}/secondary-clinicians/${clinicianId}`), 404)
    },
  ),
  check(
    "a clinician's clients, and the filter clinicianId, mean primary or secondary",
    [
      'ruling 2 / clinicianId means primary or secondary',
      '4 Filters / clients by clinicianId',
      '4 Lists / clients of a clinician',
    ],
    async ({ api, credentials, newClient, newClinician }) => {
      const { id: clinicianId } = await newClinician()
      const primary = await newClient({ clinicianId })
      const secondary = await newClient()
      await api.post(`/clients/${secondary.id}/secondary-clinicians`, { clinicianIds: [clinicianId] })
      for (const path of [
        `/clinicians/${clinicianId}/clients`,
        `/clinics/${credentials.clinicId}/clients?clinicianId=${clinicianId}`,
      ]) {
        const listed = expectPage(await api.get(path), { totalItems: 2 })
        expectEqual(
          'the clients',
          listed.map(({ id }) => id),
          [primary.id, secondary.id],
        )
      }
      await api.delete(`/clients/${secondary.id}/secondary-clinicians/${clinicianId}`)
      expectPage(await api.get(`/clinicians/${clinicianId}/clients`), { totalItems: 1 })
    },
  ),
]
