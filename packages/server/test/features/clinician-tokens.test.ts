import { randomUUID } from 'node:crypto'
import type { ClinicianTokens } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { suspendPartner } from '../../src/features/partners/index.js'
import { purgeWidgetSessions } from '../../src/features/widget/index.js'
import { rotateTenantKey } from '../../src/kernel/secrets/make-tenant-keys.js'
import { readTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import { signToken } from '../../src/kernel/secrets/signed-tokens.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
})
afterAll(() => service.close())

const mint = async (of = partner): Promise<ClinicianTokens> =>
  (
    await service.call({
      method: 'POST',
      url: `/v2/clinicians/${of.clinicianId}/authenticate`,
      headers: of.headers,
    })
  ).json()

const renew = (token: string, renewalId?: string, on = service.api) =>
  on.app.inject({ method: 'POST', url: '/widget/v1/token', payload: { RefreshToken: token, renewalId } })

const whoAmI = async (accessToken: string): Promise<number> =>
  (
    await service.call({
      method: 'GET',
      url: '/widget/v1/clinician',
      headers: { authorization: `Bearer ${accessToken}` },
    })
  ).statusCode

const logOut = (accessToken: string | null, refreshToken?: string) =>
  service.call({
    method: 'POST',
    url: '/widget/v1/logout',
    ...(accessToken === null ? {} : { headers: { authorization: `Bearer ${accessToken}` } }),
    payload: refreshToken === undefined ? {} : { RefreshToken: refreshToken },
  })

/** Statements take the tenant as $1: the owner sees every tenant. */
const asOwner = (of: TestPartner, text: string) =>
  service.owner.write({ tenantId: of.partnerId }, (tx) => tx.run({ text, values: [of.partnerId] }))

const countReplays = async (of = partner): Promise<number> => {
  const text =
    "select 1 from casenote.audit_pending where tenant_id = $1 and operation = 'widget.revokeAfterReplay'"
  return (await asOwner(of, text)).length
}

describe('POST /clinicians/{clinicianId}/authenticate', () => {
  it('has exactly its four PascalCase keys, in the allowed alphabet', async () => {
    const tokens = await mint()
    expect(Object.keys(tokens)).toEqual(['AccessToken', 'IdToken', 'RefreshToken', 'ExpiresIn'])
    expect(tokens.IdToken).toBe(tokens.AccessToken)
    expect(tokens.ExpiresIn).toBe(600)
    for (const token of [tokens.AccessToken, tokens.RefreshToken]) expect(token).toMatch(/^[A-Za-z0-9._-]+$/)
    expect(await whoAmI(tokens.AccessToken)).toBe(200)
  })

  it('a partner token is no access token, and the reverse', async () => {
    const { AccessToken } = await mint()
    expect(await whoAmI(partner.accessToken)).toBe(401)
    const answer = await service.call({
      method: 'GET',
      url: '/v2/organizations',
      headers: { 'x-api-key': partner.apiKey, 'access-token': AccessToken },
    })
    expect(answer.statusCode).toBe(403)
  })

  it('an expired access token is 401', async () => {
    const ring = await readTenantKeys(service.db, service.masterKeys, { tenantId: partner.partnerId })
    const claims = { sub: partner.clinicianId, wsid: randomUUID() }
    const old = signToken(ring, 'clinician', claims, { nowMs: Date.now() - 601_000, seconds: 600 })
    expect(await whoAmI(old)).toBe(401)
  })
})

describe('POST /widget/v1/token', () => {
  it('gives the same object with a new pair; the old token is used up', async () => {
    const first = await mint()
    const answer = await renew(first.RefreshToken)
    expect(answer.statusCode).toBe(200)
    const second = answer.json<ClinicianTokens>()
    expect(Object.keys(second)).toEqual(['AccessToken', 'IdToken', 'RefreshToken', 'ExpiresIn'])
    expect(second.RefreshToken).not.toBe(first.RefreshToken)
    expect(await whoAmI(second.AccessToken)).toBe(200)
    expect((await renew(second.RefreshToken)).statusCode).toBe(200)
  })

  for (const [title, token] of [
    ['unknown', `${'0'.repeat(32)}.${'A'.repeat(43)}`],
    ['malformed', 'x'],
    ['SQL in it', "'; drop table casenote.tenants; --"],
  ] as const) {
    it(`401 when it is ${title}`, async () => expect((await renew(token)).statusCode).toBe(401))
  }

  it('400 naming RefreshToken when it is missing', async () => {
    const answer = await service.call({ method: 'POST', url: '/widget/v1/token', payload: {} })
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain('RefreshToken should not be empty')
  })

  it('a replay is 401 and revokes all refresh and access tokens of that clinician, once', async () => {
    const other = await service.addPartner()
    const [a, b] = [await mint(other), await mint(other)]
    const successor = (await renew(a.RefreshToken)).json<ClinicianTokens>()
    expect((await renew(a.RefreshToken)).statusCode).toBe(401)
    for (const { RefreshToken } of [successor, b]) expect((await renew(RefreshToken)).statusCode).toBe(401)
    for (const { AccessToken } of [a, b, successor]) expect(await whoAmI(AccessToken)).toBe(401)
    expect((await renew(a.RefreshToken)).statusCode).toBe(401)
    expect(await countReplays(other)).toBe(1)
    expect(await whoAmI((await mint(other)).AccessToken)).toBe(200)
  })

  it("a replay leaves other clinicians' and other tenants' tokens alone", async () => {
    const other = await service.addPartner()
    const mine = await mint()
    const theirs = await mint(other)
    await renew(theirs.RefreshToken)
    await renew(theirs.RefreshToken)
    expect(await whoAmI(mine.AccessToken)).toBe(200)
  })

  it('50 parallel renewals of one token give one successor and one revocation', async () => {
    const other = await service.addPartner()
    const peer = await service.makePeer()
    try {
      const { RefreshToken } = await mint(other)
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          renew(RefreshToken, undefined, index % 2 ? peer.api : service.api),
        ),
      )
      const statuses = answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)
      expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 401)])
      expect(await countReplays(other)).toBe(1)
    } finally {
      await peer.close()
    }
  })

  it('50 parallel renewals with one renewalId give one successor and no revocation', async () => {
    const other = await service.addPartner()
    const peer = await service.makePeer()
    try {
      const { RefreshToken } = await mint(other)
      const renewalId = randomUUID()
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          renew(RefreshToken, renewalId, index % 2 ? peer.api : service.api),
        ),
      )
      const successors = new Set(answers.map((answer) => answer.json<ClinicianTokens>().RefreshToken))
      expect(answers.every((answer) => answer.statusCode === 200)).toBe(true)
      expect(successors.size).toBe(1)
      expect(await countReplays(other)).toBe(0)
      expect((await renew([...successors][0] as string)).statusCode).toBe(200)
    } finally {
      await peer.close()
    }
  })

  it('50 tabs renew 20 times each, at once and on two processes: nobody is logged out, one successor each', async () => {
    const other = await service.addPartner()
    const peer = await service.makePeer()
    try {
      const tabs = await Promise.all(Array.from({ length: 50 }, () => mint(other)))
      const seen = new Set(tabs.map(({ RefreshToken }) => RefreshToken))
      const lives = tabs.map(async ({ RefreshToken: first }, tab) => {
        let token = first
        for (let time = 0; time < 20; time += 1) {
          const on = (tab + time) % 2 ? peer.api : service.api
          const renewalId = randomUUID()
          // Every third answer is lost on its way, and asked for again.
          if (time % 3 === 0) await renew(token, renewalId, on)
          const answer = await renew(token, renewalId, on)
          expect(answer.statusCode).toBe(200)
          token = answer.json<ClinicianTokens>().RefreshToken
          expect(seen.has(token)).toBe(false)
          seen.add(token)
        }
        return { first, last: token }
      })
      const ended = await Promise.all(lives)
      expect(await countReplays(other)).toBe(0)
      // One thief is enough: within one renewal every session of the clinician is over.
      expect((await renew(ended[7]?.first ?? '')).statusCode).toBe(401)
      const answers = await Promise.all(ended.map(({ last }) => renew(last, randomUUID())))
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([401]))
      expect(await countReplays(other)).toBe(1)
    } finally {
      await peer.close()
    }
  })

  it('the same renewal can be asked again within 60 s, also after the signing key has changed, not later', async () => {
    const other = await service.addPartner()
    const { RefreshToken } = await mint(other)
    const renewalId = randomUUID()
    const first = (await renew(RefreshToken, renewalId)).json<ClinicianTokens>()
    await rotateTenantKey(service.owner, service.masterKeys, { tenantId: other.partnerId }, 'token')
    await service.watch.poll()
    expect((await renew(RefreshToken, renewalId)).json<ClinicianTokens>().RefreshToken).toBe(
      first.RefreshToken,
    )
    await asOwner(
      other,
      `update casenote.refresh_tokens set consumed_at = now() - interval '61 seconds'
       where tenant_id = $1 and consumed_at is not null`,
    )
    expect((await renew(RefreshToken, renewalId)).statusCode).toBe(401)
    expect(await countReplays(other)).toBe(1)
  })

  it('another renewalId, or none, is a replay', async () => {
    for (const second of [randomUUID(), undefined]) {
      const other = await service.addPartner()
      const { RefreshToken } = await mint(other)
      expect((await renew(RefreshToken, randomUUID())).statusCode).toBe(200)
      expect((await renew(RefreshToken, second)).statusCode).toBe(401)
      expect(await countReplays(other)).toBe(1)
    }
  })

  it('an expired token is 401 and no replay', async () => {
    const other = await service.addPartner()
    const [a, b] = [await mint(other), await mint(other)]
    await renew(a.RefreshToken)
    await asOwner(
      other,
      'update casenote.refresh_tokens set expires_at = now() where tenant_id = $1 and consumed_at is not null',
    )
    expect((await renew(a.RefreshToken)).statusCode).toBe(401)
    expect(await countReplays(other)).toBe(0)
    expect((await renew(b.RefreshToken)).statusCode).toBe(200)
  })

  it('seven days count from each minting', async () => {
    const other = await service.addPartner()
    const readClock = async (): Promise<number> => {
      const [row] = await asOwner(other, 'select extract(epoch from now())::float8 as now, $1::uuid as id')
      return row?.now as number
    }
    const readLatest = async (): Promise<number> => {
      const [row] = await asOwner(
        other,
        `select extract(epoch from max(expires_at))::float8 as latest from casenote.refresh_tokens where tenant_id = $1`,
      )
      return row?.latest as number
    }
    const sevenDays = 604_800
    const before = await readClock()
    const first = await mint(other)
    const minted = await readLatest()
    expect(minted).toBeGreaterThanOrEqual(before + sevenDays)
    const between = await readClock()
    expect(minted).toBeLessThanOrEqual(between + sevenDays)
    await renew(first.RefreshToken)
    const renewed = await readLatest()
    expect(renewed).toBeGreaterThanOrEqual(between + sevenDays)
    expect(renewed).toBeLessThanOrEqual((await readClock()) + sevenDays)
  })

  it("a suspended partner's clinicians are signed out", async () => {
    const other = await service.addPartner()
    const tokens = await mint(other)
    await suspendPartner(service.owner, { tenantId: other.partnerId })
    expect(await whoAmI(tokens.AccessToken)).toBe(401)
    expect((await renew(tokens.RefreshToken)).statusCode).toBe(401)
  })
})

describe('POST /widget/v1/logout', () => {
  it('ends this browser session only; its refresh token is 401 but no replay', async () => {
    const other = await service.addPartner()
    const [a, b] = [await mint(other), await mint(other)]
    expect((await logOut(a.AccessToken)).statusCode).toBe(204)
    expect(await whoAmI(a.AccessToken)).toBe(401)
    expect((await renew(a.RefreshToken)).statusCode).toBe(401)
    expect(await whoAmI(b.AccessToken)).toBe(200)
    expect(await countReplays(other)).toBe(0)
  })

  it('works with the refresh token when the access token has expired, and twice', async () => {
    const a = await mint()
    expect((await logOut('expired.or.garbage', a.RefreshToken)).statusCode).toBe(204)
    expect((await logOut(null, a.RefreshToken)).statusCode).toBe(204)
    expect(await whoAmI(a.AccessToken)).toBe(401)
  })

  it('401 without a token that is known', async () => {
    expect((await logOut(null)).statusCode).toBe(401)
    expect((await logOut('x.y.z')).statusCode).toBe(401)
  })
})

it('the purge removes sessions whose tokens are long expired, and no other', async () => {
  const other = await service.addPartner()
  const [old, fresh] = [await mint(other), await mint(other)]
  await renew(old.RefreshToken)
  await asOwner(
    other,
    `update casenote.refresh_tokens t set expires_at = now() - interval '2 days' from casenote.widget_sessions s
     where s.widget_session_id = t.widget_session_id and t.tenant_id = $1 and s.tenant_id = $1
       and exists (select from casenote.refresh_tokens c where c.tenant_id = $1 and c.widget_session_id = s.widget_session_id and c.consumed_at is not null)`,
  )
  await asOwner(
    other,
    "update casenote.widget_sessions set started_at = now() - interval '30 days' where tenant_id = $1",
  )
  await service.db.throughDoor(purgeWidgetSessions(100))
  const rows = await asOwner(other, 'select 1 from casenote.refresh_tokens where tenant_id = $1')
  expect(rows).toHaveLength(1)
  expect((await renew(fresh.RefreshToken)).statusCode).toBe(200)
})
