import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PartnerApiError } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, creationHeaders, openRecording, patchHeaders, signIn } from './widget-fixture.js'

const burst = 500
const ratePerSecond = 50

let service: TestService
let partner: TestPartner
beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
})
afterAll(() => service.close())

describe('what one clinician may ask for', () => {
  it('429 with Retry-After beyond the rate, counted across processes and for nobody else', async () => {
    const clinician = await signIn(service, partner)
    const peer = await service.makePeer()
    const ask = { method: 'GET', url: '/widget/v1/clinician', headers: clinician.headers } as const
    const startedMs = Date.now()
    const answers = await Promise.all(
      Array.from({ length: 2 * burst }, (_, index) =>
        index % 2 === 0 ? service.call(ask) : peer.api.app.inject(ask),
      ),
    )
    const refilled = ((Date.now() - startedMs) / 1_000) * ratePerSecond
    const admitted = answers.filter(({ statusCode }) => statusCode === 200).length
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(admitted + refused.length).toBe(answers.length)
    expect(admitted).toBeLessThanOrEqual(burst + refilled + 1)
    // Each process may hold 25 that the other one could have used.
    expect(admitted).toBeGreaterThanOrEqual(burst - 50)
    expect(refused[0]?.headers['retry-after']).toBe('1')
    expect(refused[0]?.json<PartnerApiError>().error).toMatchObject({
      type: 'TooManyRequestsException',
      statusCode: 429,
    })
    const { clinicianId } = await addColleague(service, partner)
    const colleague = await signIn(service, partner, clinicianId)
    expect((await colleague.call('GET', '/clinician')).statusCode).toBe(200)
    await waitUntil(
      async () => (await clinician.call('GET', '/clinician')).statusCode === 200,
      'more is there',
    )
    await peer.close()
  })

  it('429 beyond ten uploads at once, which the ones under way do not notice', async () => {
    const { clinicianId, clientId } = await addColleague(service, partner)
    const colleague = await signIn(service, partner, clinicianId)
    const { sessionId } = await openRecording(colleague, clientId)
    await service.api.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = service.api.app.server.address() as AddressInfo
    const open = async (segment: number): Promise<ClientRequest> => {
      const uploadId = randomUUID()
      await colleague.call(
        'POST',
        `/sessions/${sessionId}/uploads`,
        undefined,
        creationHeaders(uploadId, { segment }),
      )
      const headers = { ...colleague.headers, ...patchHeaders(0, 8) }
      const sending = request({ port, path: `/widget/v1/uploads/${uploadId}`, method: 'PATCH', headers })
      sending.write('half')
      return sending
    }
    const underWay = []
    for (let segment = 0; segment < 10; segment += 1) underWay.push(await open(segment))
    await waitUntil(async () => (await countWriters(sessionId)) === 10, 'ten are under way')
    const [refused] = await once(await open(10), 'response')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '2'])
    const statuses = await Promise.all(
      underWay.map(async (sending) => {
        sending.end('half')
        const [answer] = await once(sending, 'response')
        answer.resume()
        return answer.statusCode as number
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([204]))
    const next = await open(11)
    next.end('half')
    expect((await once(next, 'response'))[0].statusCode).toBe(204)
  })
})

async function countWriters(sessionId: string): Promise<number> {
  const [row] = await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
    tx.run<{ count: number }>({
      text: `select count(*)::int from casenote.uploads where tenant_id = $1 and session_id = $2
        and writer_id is not null`,
      values: [partner.partnerId, sessionId],
    }),
  )
  return row?.count ?? 0
}
