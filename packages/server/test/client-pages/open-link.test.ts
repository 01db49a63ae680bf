import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { birthDate, makePagesFixture, type PagesFixture } from './pages-fixture.js'

let service: TestService
let partner: TestPartner
let pages: PagesFixture

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  pages = makePagesFixture(service, partner)
})
afterAll(() => service.close())

const shell = async (url: string) => {
  const { statusCode, headers, body } = await service.call({ method: 'GET', url })
  const { date: _date, 'x-request-id': _id, ...rest } = headers
  return { statusCode, headers: rest, body }
}

const refusal = (answered: { statusCode: number; body: string; headers: object }) => ({
  statusCode: answered.statusCode,
  body: answered.body.replace(/"timestamp":"[^"]+"/, ''),
  headers: Object.keys(answered.headers).toSorted(),
})

describe('the page of a link', () => {
  it('is the same for a link that exists, one that does not, and anything else', async () => {
    const { tokens } = await pages.administer(['phq9'])
    const known = await shell(`/a/${tokens[0]}`)
    expect(known.statusCode).toBe(200)
    for (const other of [
      '/a/',
      '/a',
      '/a/x',
      `/a/${'x'.repeat(5_000)}`,
      '/a/x/y?z=1',
      '/i/x',
      '/i',
      '/c/x',
      '/c',
    ]) {
      expect(await shell(other)).toEqual(known)
    }
  })

  it('is kept by nobody, framed by nobody, and asks no other host', async () => {
    const { headers, body } = await shell('/a/x')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow, noarchive',
    })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(body).not.toMatch(/(?:src|href)="https?:/)
    expect(headers['set-cookie']).toBeUndefined()
  })
})

describe('POST /pages/v1/open', () => {
  it('lets in with the link and the birth date', async () => {
    const { tokens, clientId, assignmentIds } = await pages.administer(['phq9', 'gad7'])
    const answered = await pages.open(tokens[0] ?? '')
    expect(answered.statusCode).toBe(200)
    const sitting = await pages.sitting(answered.json<{ bearer: string }>().bearer)
    expect(sitting.assessments.map(({ assignmentId }) => assignmentId)).toEqual(assignmentIds)
    expect(await pages.audited(clientId)).toContain('clientLink.open by client')
  })

  it('says the same of a wrong date, an unknown link, a closed one and another kind of link', async () => {
    const { tokens, clientId } = await pages.administer(['phq9'])
    const [token = ''] = tokens
    const wrong = refusal(await pages.open(token, '1990-03-02'))
    expect(wrong.statusCode).toBe(403)
    const stranger = await service.addPartner()
    const foreign = `${stranger.partnerId.replaceAll('-', '')}${token.slice(32)}`
    for (const other of [`${token.slice(0, -1)}_`, 'x', '', foreign, `${'0'.repeat(32)}${token.slice(32)}`]) {
      expect(refusal(await pages.open(other))).toEqual(wrong)
    }
    expect(refusal(await pages.open(token, birthDate, { kind: 'invitation' }))).toEqual(wrong)
    await pages.rows(`update casenote.assessment_assignments set expires_at = now() where client_id = $1`, [
      clientId,
    ])
    expect(refusal(await pages.open(token))).toEqual(wrong)
  })

  it('closes a link for good after five wrong dates, the right one included', async () => {
    const { tokens, clientId } = await pages.administer(['phq9'])
    const [token = ''] = tokens
    const wrong = refusal(await pages.open(token, '1990-03-02'))
    const many = await Promise.all(Array.from({ length: 20 }, () => pages.open(token, '1991-01-01')))
    for (const one of many) expect(refusal(one)).toEqual(wrong)
    expect(refusal(await pages.open(token))).toEqual(wrong)
    const entries = await pages.audited(clientId)
    expect(entries.filter((entry) => entry === 'clientLink.refuse by client')).toHaveLength(4)
    expect(entries.filter((entry) => entry === 'clientLink.lock by client')).toHaveLength(1)
  })

  it('judges no more than five dates, however many come at once', async () => {
    const { tokens, clientId } = await pages.administer(['phq9'])
    // The right one among many wrong ones: it may be in time or too late, and no more than five are judged.
    const dates = Array.from({ length: 30 }, (_, day) => `1980-01-${String(day + 1).padStart(2, '0')}`)
    await Promise.all(dates.map((date) => pages.open(tokens[0] ?? '', date)))
    const [row] = await pages.rows<{ wrongTries: number }>(
      'select wrong_tries as "wrongTries" from casenote.client_link_tries where client_id = $1',
      [clientId],
    )
    expect(row?.wrongTries).toBe(5)
    const judged = (await pages.audited(clientId)).filter((entry) => /refuse|lock/.test(entry))
    expect(judged).toHaveLength(5)
  })

  it('forgets wrong dates once the right one was given, and counts each link by itself', async () => {
    const { tokens } = await pages.administer(['phq9', 'gad7'])
    const [first = '', second = ''] = tokens
    const tryWrong = (times: number) =>
      Promise.all(Array.from({ length: times }, () => pages.open(first, '2000-01-01')))
    for (let round = 0; round < 3; round += 1) {
      await tryWrong(4)
      expect((await pages.open(first)).statusCode).toBe(200)
    }
    await tryWrong(5)
    expect((await pages.open(first)).statusCode).toBe(403)
    expect((await pages.open(second)).statusCode).toBe(200)
  })

  it('is closed to an archived client, also to one who was let in before', async () => {
    const { tokens, clientId } = await pages.administer(['phq9'])
    const bearer = await pages.letIn(tokens[0] ?? '')
    const archive = {
      method: 'POST',
      url: `/v2/clients/${clientId}/archive`,
      headers: partner.headers,
    } as const
    expect((await service.call(archive)).statusCode).toBe(200)
    expect((await pages.open(tokens[0] ?? '')).statusCode).toBe(403)
    expect((await pages.call('GET', '/sitting', bearer)).statusCode).toBe(401)
  })

  it('lets nobody in with a bearer of another kind, another tenant or none', async () => {
    const { tokens } = await pages.administer(['phq9'])
    const bearer = await pages.letIn(tokens[0] ?? '')
    expect((await pages.call('GET', '/invitation', bearer)).statusCode).toBe(401)
    const stranger = await service.addPartner()
    const foreign = `${stranger.partnerId.replaceAll('-', '')}${bearer.slice(32)}`
    for (const other of [foreign, `${bearer.slice(0, -2)}zz`, tokens[0] ?? '', 'x']) {
      for (const [method, path] of [
        ['GET', '/sitting'],
        ['POST', '/send'],
        ['POST', '/invitation'],
      ] as const) {
        const payload = path === '/invitation' ? { isAccepted: true } : undefined
        expect((await pages.call(method, path, other, payload)).statusCode).toBe(401)
      }
    }
  })

  it('ends after half an hour without an answer', async () => {
    const { tokens, clientId } = await pages.administer(['phq9'])
    const bearer = await pages.letIn(tokens[0] ?? '')
    const left = async () =>
      (
        await pages.rows<{ seconds: number }>(
          `select extract(epoch from expires_at - now())::float as seconds from casenote.client_openings
           where client_id = $1`,
          [clientId],
        )
      )[0]?.seconds
    await pages.rows(
      `update casenote.client_openings set expires_at = now() + interval '1 minute' where client_id = $1`,
      [clientId],
    )
    await pages.sitting(bearer)
    expect(await left()).toBeGreaterThan(29 * 60)
    await pages.rows('update casenote.client_openings set expires_at = now() where client_id = $1', [
      clientId,
    ])
    expect((await pages.call('GET', '/sitting', bearer)).statusCode).toBe(401)
  })
})
