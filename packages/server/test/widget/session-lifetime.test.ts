import type { ClinicianTokens } from '@casenote/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { openRecording, signIn, uploadSegment } from './widget-fixture.js'

let service: TestService
let partner: TestPartner

beforeAll(async () => {
  service = await makeTestService({
    env: { CASENOTE_WIDGET_SESSION_HOURS: '12', CASENOTE_WIDGET_IDLE_MINUTES: '5' },
  })
  partner = await service.addPartner()
})
afterAll(() => service.close())

const ageSessions = (hours: number) =>
  service.owner.write({ tenantId: partner.partnerId }, (tx) =>
    tx.run({
      text: `update casenote.widget_sessions set started_at = now() - $2 * interval '1 hour' where tenant_id = $1`,
      values: [partner.partnerId, hours],
    }),
  )

const renew = (tokens: ClinicianTokens) =>
  service.call({ method: 'POST', url: '/widget/v1/token', payload: { RefreshToken: tokens.RefreshToken } })

it('a session ends after the operator’s hours, however often it was renewed; a recording goes on in the next one', async () => {
  const first = await signIn(service, partner)
  const { sessionId } = await openRecording(first, partner.clientId)
  await ageSessions(11)
  const renewed = await renew(first.tokens)
  expect(renewed.statusCode).toBe(200)
  expect((await first.call('GET', '/clinician')).json()).toMatchObject({ idleMinutes: 5 })
  await ageSessions(12)
  expect((await first.call('GET', '/clinician')).statusCode).toBe(401)
  expect((await renew(renewed.json<ClinicianTokens>())).statusCode).toBe(401)
  // Used up and over is no replay: it ends nothing of anybody.
  const second = await signIn(service, partner)
  expect((await renew(first.tokens)).statusCode).toBe(401)
  expect((await second.call('GET', '/clinician')).statusCode).toBe(200)
  const uploadId = await uploadSegment(second, sessionId, Buffer.from('sound'))
  const completed = await second.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] })
  expect(completed.statusCode).toBe(200)
})

it('by default a renewed session has no end of its own', async () => {
  const plain = await makeTestService()
  try {
    const other = await plain.addPartner()
    const clinician = await signIn(plain, other)
    await plain.owner.write({ tenantId: other.partnerId }, (tx) =>
      tx.run({
        text: `update casenote.widget_sessions set started_at = now() - interval '90 days' where tenant_id = $1`,
        values: [other.partnerId],
      }),
    )
    expect((await clinician.call('GET', '/clinician')).json()).toMatchObject({ idleMinutes: 15 })
  } finally {
    await plain.close()
  }
})
