import { randomUUID } from 'node:crypto'
import type { ClinicianTokens } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDataFolder, startCasenote } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

/** API processes on the database of a test service, whose partner and tokens they share. */
let service: TestService
let partner: TestPartner
let env: Record<string, string>
let folder: { path: string; remove(): Promise<void> }

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  folder = await makeDataFolder()
  env = {
    ...service.settingsFor(folder.path),
    CASENOTE_LOG_LEVEL: 'error',
  }
})
afterAll(async () => {
  await service.close()
  await folder.remove()
})

const mint = async (): Promise<ClinicianTokens> =>
  (
    await service.call({
      method: 'POST',
      url: `/v2/clinicians/${partner.clinicianId}/authenticate`,
      headers: partner.headers,
    })
  ).json()

const renew = (url: string, token: string, renewalId?: string): Promise<Response> =>
  fetch(`${url}/widget/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ RefreshToken: token, renewalId }),
  })

describe('kill -9 of the API process', () => {
  it('between commit and answer loses nobody their login', async () => {
    for (let kill = 0; kill < 6; kill += 1) {
      const victim = await startCasenote(env, 'api')
      await renew(victim.url, (await mint()).RefreshToken) // Warm: the next one takes a millisecond or two.
      const tokens = await Promise.all(Array.from({ length: 20 }, mint))
      const renewals = tokens.map(({ RefreshToken }) => ({ RefreshToken, renewalId: randomUUID() }))
      const answers = renewals.map((one) =>
        renew(victim.url, one.RefreshToken, one.renewalId).catch(() => null),
      )
      // Some are committed and answered by now, some committed only, some neither.
      await Promise.any(answers)
      await victim.process.end('SIGKILL')
      const successors = await Promise.all(
        answers.map(
          async (answer) => (await answer)?.json().catch(() => null) as Promise<ClinicianTokens | null>,
        ),
      )
      for (const [index, { RefreshToken, renewalId }] of renewals.entries()) {
        const repeated = await service.call({
          method: 'POST',
          url: '/widget/v1/token',
          payload: { RefreshToken, renewalId },
        })
        expect(repeated.statusCode).toBe(200)
        const known = successors[index]
        if (known) expect(repeated.json<ClinicianTokens>().RefreshToken).toBe(known.RefreshToken)
      }
    }
  })

  it('right after a replay was answered leaves the revocation in force', async () => {
    const victim = await startCasenote(env, 'api')
    const { RefreshToken } = await mint()
    const successor = (await (await renew(victim.url, RefreshToken)).json()) as ClinicianTokens
    expect((await renew(victim.url, RefreshToken)).status).toBe(401)
    await victim.process.end('SIGKILL')
    const answer = await service.call({
      method: 'POST',
      url: '/widget/v1/token',
      payload: { RefreshToken: successor.RefreshToken },
    })
    expect(answer.statusCode).toBe(401)
  })
})
