import pg from 'pg'
import type { Counter } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  inviteConsoleUser,
  listConsoleUsers,
  removeConsoleUser,
  rewrapConsoleUsers,
} from '../../src/features/console/index.js'
import { findTotpStep, makeTotpCode, toBase32 } from '../../src/features/console/totp.js'
import { metrics } from '../../src/http/metrics.js'
import { operator } from '../../src/kernel/operator.js'
import { MasterKeys } from '../../src/kernel/secrets/master-keys.js'
import type { TestPartner } from '../support/test-service.js'
import {
  cookieOf,
  enrol,
  fromBase32,
  get,
  goodPassword,
  invite,
  makeConsoleFixture,
  ownPage,
  post,
  stepNow,
  type ConsoleFixture,
} from './console-fixture.js'
import { PasskeyDevice } from './passkey-device.js'

let fixture: ConsoleFixture
let partner: TestPartner
let other: TestPartner
let superuser: pg.Client

beforeAll(async () => {
  fixture = await makeConsoleFixture()
  partner = await fixture.service.addPartner()
  other = await fixture.service.addPartner()
  superuser = new pg.Client({ connectionString: fixture.service.database.superuserUrl })
  await superuser.connect()
})
afterAll(async () => {
  await superuser.end()
  await fixture.close()
})

describe('codes (RFC 6238, appendix B)', () => {
  const secret = Buffer.from('12345678901234567890')
  it('are those of the vectors, their last six digits', () => {
    for (const [seconds, code] of [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_234_567_890, '005924'],
      [20_000_000_000, '353130'],
    ] as const)
      expect(makeTotpCode(secret, Math.floor(seconds / 30))).toBe(code)
  })
  it('are good for a step before and after, no further', () => {
    const nowMs = 1_111_111_109_000
    const now = Math.floor(nowMs / 30_000)
    for (const offset of [-1, 0, 1])
      expect(findTotpStep(secret, makeTotpCode(secret, now + offset), nowMs)).toBe(now + offset)
    for (const offset of [-2, 2])
      expect(findTotpStep(secret, makeTotpCode(secret, now + offset), nowMs)).toBeNull()
    expect(toBase32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  })
})

async function countNobodies(): Promise<number> {
  const { values } = await (metrics.getSingleMetric('casenote_unattributed_refusals_total') as Counter).get()
  return values.find(({ labels }) => labels['surface'] === 'console')?.value ?? 0
}

it('who signs in as nobody that there is is counted, and only who is nobody', async () => {
  await enrol(fixture, 'counted', partner.partnerId)
  await enrol(fixture, 'counted-operator', null)
  const signIn = async (kind: 'operator' | 'partner', userName: string): Promise<void> => {
    const given = { userName, password: 'not theirs', code: '000000' }
    expect((await post(fixture.apps[kind], '/sign-in', given)).statusCode).toBe(401)
  }
  const before = await countNobodies()
  await signIn('partner', 'counted')
  await signIn('operator', 'counted-operator')
  expect(await countNobodies()).toBe(before)
  await signIn('partner', 'nobody-at-all')
  await signIn('operator', 'nobody-at-all')
  expect(await countNobodies()).toBe(before + 2)
})

describe('whoever is turned away before anybody has signed in', () => {
  /** From an address of its own, which has all its tries. */
  const ask = (kind: 'operator' | 'partner', method: 'GET' | 'POST', path: string, more: object = {}) => {
    const { headers, payload } = { headers: {}, payload: {}, ...more }
    return fixture.apps[kind].inject({
      method,
      url: `/console/api${path}`,
      remoteAddress: '203.0.113.31',
      headers: { ...ownPage, ...headers },
      ...(method === 'POST' ? { payload } : {}),
    })
  }
  const entriesOf = async ({ headers }: Awaited<ReturnType<typeof ask>>): Promise<unknown[]> =>
    (
      await fixture.service.owner.throughDoor<{ body: string }>({
        text: `select body from casenote.audit_entries
          where tenant_id = $1 and body::jsonb ->> 'requestId' = $2 and body::jsonb ->> 'status' is not null`,
        values: [partner.partnerId, headers['x-request-id']],
      })
    ).map(({ body }) => JSON.parse(body) as unknown)
  const refused = (operation: string, as?: string) => [
    expect.objectContaining({
      operation,
      status: 401,
      actor: expect.objectContaining({
        kind: 'partner',
        id: partner.partnerId,
        from: expect.any(String) as string,
        ...(as === undefined ? {} : { as }),
      }) as object,
    }),
  ]

  it('with a link that was used or never was stands in the log of the tenant that the link names', async () => {
    const token = await invite(fixture, 'linked', partner.partnerId)
    const before = await countNobodies()
    expect((await ask('partner', 'POST', '/link', { payload: { token } })).statusCode).toBe(200)
    for (const tried of [token, `${token.slice(0, -4)}AAAA`]) {
      const answer = await ask('partner', 'POST', '/link', { payload: { token: tried } })
      expect(answer.statusCode).toBe(401)
      await expect.poll(() => entriesOf(answer)).toEqual(refused('console.openLink'))
    }
    expect(await countNobodies()).toBe(before)
  })

  it('with a link that names no tenant, or one that there is not, is counted', async () => {
    const ofOperator = await invite(fixture, 'linked-operator', null)
    expect((await ask('operator', 'POST', '/link', { payload: { token: ofOperator } })).statusCode).toBe(200)
    const before = await countNobodies()
    const made = `${'0123456789abcdef'.repeat(2)}.${'x'.repeat(43)}`
    for (const [kind, token] of [
      ['operator', ofOperator],
      ['partner', 'nothing'],
      ['partner', made],
    ] as const)
      expect((await ask(kind, 'POST', '/link', { payload: { token } })).statusCode).toBe(401)
    await expect.poll(countNobodies).toBe(before + 3)
  })

  it('with a cookie that has ended, or from another page, is counted; a browser without a cookie is not', async () => {
    const { cookie } = await enrol(fixture, 'ended', partner.partnerId)
    expect((await ask('partner', 'POST', '/sign-out', { headers: { cookie } })).statusCode).toBe(204)
    const before = await countNobodies()
    expect((await ask('partner', 'GET', '/me')).statusCode).toBe(401)
    expect(await countNobodies()).toBe(before)
    expect((await ask('partner', 'GET', '/me', { headers: { cookie } })).statusCode).toBe(401)
    expect(await countNobodies()).toBe(before + 1)
    for (const kind of ['partner', 'operator'] as const) {
      const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
      expect((await ask(kind, 'POST', '/sign-out', { headers })).statusCode).toBe(403)
    }
    expect(await countNobodies()).toBe(before + 3)
  })

  it('with a link’s session alone stands in the log by name', async () => {
    const token = await invite(fixture, 'halfway', partner.partnerId)
    const headers = cookieOf(await ask('partner', 'POST', '/link', { payload: { token } }))
    const answer = await ask('partner', 'GET', '/me', { headers })
    expect(answer.statusCode).toBe(401)
    await expect.poll(() => entriesOf(answer)).toEqual(refused('console.readMe', 'halfway'))
  })
})

it('is an unknown route until a first user exists, on both ports', async () => {
  const fresh = await makeConsoleFixture()
  const unknown = await fresh.apps.partner.inject({ method: 'GET', url: '/nothing' })
  for (const url of ['/console', '/console/api/me']) {
    const answer = await fresh.apps.partner.inject({ method: 'GET', url })
    expect([url, answer.statusCode, answer.body]).toEqual([url, unknown.statusCode, unknown.body])
    expect((await fresh.apps.operator.inject({ method: 'GET', url })).statusCode).toBe(404)
  }
  expect((await post(fresh.apps.partner, '/sign-in', {})).body).toBe(unknown.body)
  await fresh.close()
})

describe('a link', () => {
  it('is good once, lets nobody do anything but set how they sign in, and its token is nowhere', async () => {
    const app = fixture.apps.partner
    const token = await invite(fixture, 'once', partner.partnerId)
    const opened = await post(app, '/link', { token })
    expect(opened.json()).toEqual({ userName: 'once' })
    expect(opened.headers['set-cookie']).toMatch(/HttpOnly; SameSite=Strict$/)
    expect(opened.headers['set-cookie']).toContain('Path=/console;')
    expect((await post(app, '/link', { token })).statusCode).toBe(401)
    expect((await get(app, '/me', cookieOf(opened))).statusCode).toBe(401)
    const { rows } = await superuser.query(
      `select l::text as row from casenote.console_links l union all select s::text from casenote.console_sessions s`,
    )
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(cookieOf(opened).cookie.split('=')[1])
  })

  it('of the other console, an older one and one of a day ago are none', async () => {
    const app = fixture.apps.partner
    const operators = await invite(fixture, 'ops', null)
    expect((await post(app, '/link', { token: operators })).statusCode).toBe(401)
    const first = await invite(fixture, 'twice', partner.partnerId)
    const second = await invite(fixture, 'twice', partner.partnerId)
    expect((await post(app, '/link', { token: first })).statusCode).toBe(401)
    await superuser.query(`update casenote.console_links set expires_at = now() - interval '1 second'`)
    expect((await post(app, '/link', { token: second })).statusCode).toBe(401)
  })
})

describe('password and code', () => {
  it('sign in together; the same code not twice; what is wrong is never told', async () => {
    const app = fixture.apps.partner
    const { cookie, secret } = await enrol(fixture, 'ana', partner.partnerId)
    const me = await get(app, '/me', { cookie })
    expect(me.json()).toMatchObject({
      kind: 'partner',
      userName: 'ana',
      tenantId: partner.partnerId,
      tenants: [{ id: partner.partnerId, kind: 'sandbox', isSuspended: false }],
      hasPassword: true,
      hasPasskey: false,
    })
    const code = makeTotpCode(secret, stepNow())
    const right = { userName: 'Ana', password: goodPassword, code }
    const wrongs = [
      { ...right, password: 'correct horse batterz' },
      { ...right, code: code === '000000' ? '000001' : '000000' },
      { ...right, userName: 'nobody' },
    ]
    const answers = []
    for (const wrong of wrongs) answers.push(await post(app, '/sign-in', wrong))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    // The enrolment's code was of the step before, so this one is new.
    const signedIn = await post(app, '/sign-in', { ...right, code: makeTotpCode(secret, stepNow()) })
    expect(signedIn.statusCode).toBe(204)
    const { rows } = await superuser.query<{ step: number }>(
      `select totp_step as step from casenote.console_users where name = 'ana'`,
    )
    const used = makeTotpCode(secret, Number(rows[0]?.step))
    expect((await post(app, '/sign-in', { ...right, code: used })).statusCode).toBe(401)
    const session = cookieOf(signedIn)
    expect((await post(app, '/sign-out', {}, session)).statusCode).toBe(204)
    expect((await get(app, '/me', session)).statusCode).toBe(401)
  })

  it('ten wrong codes in a row close the way, each time for twice as long; wrong passwords do not', async () => {
    const app = fixture.apps.partner
    const { secret } = await enrol(fixture, 'locked', partner.partnerId)
    const wrong = { userName: 'locked', password: goodPassword, code: '000000' }
    const right = () => ({ ...wrong, code: makeTotpCode(secret, stepNow()) })
    const fail = async (given: object): Promise<void> =>
      expect((await post(app, '/sign-in', given)).statusCode).toBe(401)
    const set = (text: string) =>
      superuser.query(`update casenote.console_users set ${text} where name = 'locked'`)
    const find = async () => {
      const { rows } = await superuser.query(
        `select failures, locks, extract(epoch from locked_until - now()) / 60 as minutes, user_id as id
         from casenote.console_users where name = 'locked'`,
      )
      return { ...rows[0], minutes: Math.ceil(Number(rows[0]?.minutes)) }
    }
    await fail({ ...wrong, password: 'not the password' })
    expect(await find()).toMatchObject({ failures: 0, locks: 0 })
    await fail(wrong)
    expect(await find()).toMatchObject({ failures: 1, locks: 0 })
    for (const [locks, minutes] of [
      [0, 5],
      [1, 10],
      [30, 1_440],
    ]) {
      await set(`failures = 9, locks = ${locks}, locked_until = now()`)
      await fail(wrong)
      expect(await find()).toMatchObject({ failures: 0, minutes })
    }
    await fail(right())
    const { id } = await find()
    const { rows } = await superuser.query(
      `select operation, count(*)::int, bool_and(actor_id is null and actor_from is not null) as "isSomebody"
       from casenote.audit_pending where tenant_id = $1 and $2 = any (subject_ids)
         and operation in ('console.refuse', 'console.lock') group by operation order by operation`,
      [partner.partnerId, id],
    )
    expect(rows).toEqual([
      { operation: 'console.lock', count: 3, isSomebody: true },
      { operation: 'console.refuse', count: 3, isSomebody: true },
    ])
    await set('locked_until = now()')
    expect((await post(app, '/sign-in', right())).statusCode).toBe(204)
    expect(await find()).toMatchObject({ failures: 0, locks: 0 })
  })

  it('an operator’s failure stands in the operator’s own list, and in no partner’s log', async () => {
    const app = fixture.apps.operator
    const { cookie, secret } = await enrol(fixture, 'failing', null)
    const wrong = { userName: 'failing', password: 'not the password', code: '000000' }
    expect((await post(app, '/sign-in', wrong)).statusCode).toBe(401)
    await superuser.query(`update casenote.operator_users set failures = 9 where name = 'failing'`)
    const code = makeTotpCode(secret, stepNow() + 100)
    expect((await post(app, '/sign-in', { ...wrong, password: goodPassword, code })).statusCode).toBe(401)
    const { rows } = await superuser.query(
      `select 1 from casenote.audit_pending p join casenote.operator_users u on u.user_id = any (p.subject_ids)
       where p.operation in ('console.refuse', 'console.lock') and u.name = 'failing'`,
    )
    expect(rows).toEqual([])
    const listed = (await get(app, '/refusals', { cookie })).json<{ data: object[] }>().data
    expect(listed.slice(0, 2)).toMatchObject([
      { userName: 'failing', isLock: true },
      { userName: 'failing', isLock: false },
    ])
  })

  it('are looked at one at a time for each network', async () => {
    const app = fixture.apps.partner
    const given = { userName: 'nobody', password: 'not the password', code: '000000' }
    const answers = await Promise.all([post(app, '/sign-in', given), post(app, '/sign-in', given)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([401, 503])
    expect((await post(app, '/sign-in', given)).statusCode).toBe(401)
  })

  it('400 for a short password; 401 for a wrong code at enrolment, and nothing is set', async () => {
    const app = fixture.apps.partner
    const link = cookieOf(
      await post(app, '/link', { token: await invite(fixture, 'short', partner.partnerId) }),
    )
    expect((await post(app, '/enrol/password', { password: 'elevenchars' }, link)).statusCode).toBe(400)
    expect((await post(app, '/enrol/totp', { code: '123456' }, link)).statusCode).toBe(409)
    const chosen = await post(app, '/enrol/password', { password: goodPassword }, link)
    const { secret, otpauthUri } = chosen.json<{ secret: string; otpauthUri: string }>()
    expect(otpauthUri).toContain(`secret=${secret}`)
    const far = makeTotpCode(fromBase32(secret), stepNow() + 100)
    expect((await post(app, '/enrol/totp', { code: far }, link)).statusCode).toBe(401)
    const { rows } = await superuser.query(
      `select password_hash from casenote.console_users where name = 'short'`,
    )
    expect(rows).toEqual([{ password_hash: null }])
  })
})

describe('a passkey', () => {
  const host = { rpId: 'localhost', origin: 'http://localhost' }
  const origin = { origin: 'http://localhost' }

  it('made from a link signs in without a name; an answer is good once, and for its host alone', async () => {
    for (const [kind, tenantId] of [
      ['partner', partner.partnerId],
      ['operator', null],
    ] as const) {
      const app = fixture.apps[kind]
      const device = new PasskeyDevice()
      const token = await invite(fixture, `key-${kind}`, tenantId)
      const link = { ...cookieOf(await post(app, '/link', { token })), ...origin }
      const offered = (await post(app, '/enrol/passkey/options', {}, link)).json<{
        challenge: string
        rp: { id: string }
        user: { id: string }
      }>()
      expect(offered.rp.id).toBe('localhost')
      const asked = { ...host, challenge: offered.challenge }
      const forged = device.make({ ...asked, challenge: 'bm90IG91cnM' }, offered.user.id)
      expect((await post(app, '/enrol/passkey', { credential: forged }, link)).statusCode).toBe(401)
      const credential = device.make(asked, offered.user.id)
      const made = await post(app, '/enrol/passkey', { credential }, link)
      expect([kind, made.statusCode, made.body]).toEqual([kind, 204, ''])
      expect((await get(app, '/me', cookieOf(made))).json()).toMatchObject({ kind, hasPasskey: true })
      const ask = async () =>
        (await post(app, '/sign-in/passkey/options', {}, origin)).json<{ challenge: string }>().challenge
      const used = device.use({ ...host, challenge: await ask() })
      const signedIn = await post(app, '/sign-in/passkey', { credential: used }, origin)
      expect(signedIn.statusCode).toBe(204)
      expect((await get(app, '/me', cookieOf(signedIn))).statusCode).toBe(200)
      const refused = [
        used,
        device.use({ ...host, challenge: offered.challenge }),
        device.use({ ...host, origin: 'https://evil.example', challenge: await ask() }),
        device.use({ ...host, rpId: 'evil.example', challenge: await ask() }),
        { id: 'x', response: null },
        {},
      ]
      for (const wrong of refused)
        expect((await post(app, '/sign-in/passkey', { credential: wrong }, origin)).statusCode).toBe(401)
      // Of one console none of the other.
      // Nor of the same host on another port or by another scheme.
      for (const otherOrigin of ['http://localhost:9464', 'https://localhost']) {
        const there = { origin: otherOrigin, host: new URL(otherOrigin).host }
        const moved = device.use({ ...host, origin: otherOrigin, challenge: await ask() })
        const answer = await post(app, '/sign-in/passkey', { credential: moved }, there)
        expect([otherOrigin, answer.statusCode]).toEqual([otherOrigin, 401])
      }
      const elsewhere = fixture.apps[kind === 'partner' ? 'operator' : 'partner']
      const carried = device.use({ ...host, challenge: await ask() })
      expect((await post(elsewhere, '/sign-in/passkey', { credential: carried }, origin)).statusCode).toBe(
        401,
      )
    }
  })
})

describe('somebody who is signed in', () => {
  const origin = { origin: 'http://localhost' }
  const host = { rpId: 'localhost', origin: 'http://localhost' }
  const app = () => fixture.apps.partner
  const setOld = () =>
    superuser.query(`update casenote.console_sessions set confirmed_at = now() - interval '6 minutes'`)
  const setFresh = () => superuser.query(`update casenote.console_sessions set confirmed_at = now()`)
  const offer = async (cookie: string) =>
    (await post(app(), '/me/passkeys/options', {}, { cookie, ...origin })).json<{
      challenge: string
      user: { id: string }
      excludeCredentials: { id: string }[]
    }>()
  const list = async (cookie: string) =>
    (await get(app(), '/me/passkeys', { cookie })).json<{ data: { id: string; usedAt: string | null }[] }>()
      .data

  async function add(cookie: string): Promise<PasskeyDevice> {
    const device = new PasskeyDevice()
    const offered = await offer(cookie)
    const credential = device.make({ ...host, challenge: offered.challenge }, offered.user.id)
    const made = await post(app(), '/me/passkeys', { credential }, { cookie, ...origin })
    expect([made.statusCode, made.body]).toEqual([204, ''])
    return device
  }

  it('shows by password and code that it is them; a wrong one shows nothing', async () => {
    const { cookie, secret } = await enrol(fixture, 'confirming', partner.partnerId)
    await setOld()
    const isFresh = async () =>
      (await post(app(), '/me/passkeys/options', {}, { cookie, ...origin })).statusCode === 200
    expect(await isFresh()).toBe(false)
    const code = makeTotpCode(secret, stepNow())
    const wrong = await post(app(), '/confirm', { password: 'not the password', code }, { cookie })
    expect(wrong.statusCode).toBe(401)
    expect(await isFresh()).toBe(false)
    const right = await post(
      app(),
      '/confirm',
      { password: goodPassword, code: makeTotpCode(secret, stepNow()) },
      { cookie },
    )
    expect(right.statusCode).toBe(204)
    expect(await isFresh()).toBe(true)
    const { rows } = await superuser.query(
      `select operation from casenote.audit_pending where tenant_id = $1 and actor_as = 'confirming' and operation = 'console.confirm'`,
      [partner.partnerId],
    )
    expect(rows).toHaveLength(1)
  })

  it('adds passkeys, confirms with their own, removes them, and never the last way in', async () => {
    const { cookie } = await enrol(fixture, 'keyed', partner.partnerId)
    const first = await add(cookie)
    const [listed] = await list(cookie)
    expect(listed).toMatchObject({ id: first.credentialId.toString('base64url'), usedAt: null })
    // It is used up; the next one needs another.
    expect((await post(app(), '/me/passkeys/options', {}, { cookie, ...origin })).statusCode).toBe(409)
    await setFresh()
    // A device that has one is asked for no second.
    expect((await offer(cookie)).excludeCredentials.map(({ id }) => id)).toEqual([listed?.id])
    const stranger = await enrol(fixture, 'stranger', partner.partnerId)
    const theirs = await add(stranger.cookie)
    await setOld()
    const confirm = async (device: PasskeyDevice) => {
      const { challenge } = (await post(app(), '/sign-in/passkey/options', {}, origin)).json<{
        challenge: string
      }>()
      const credential = device.use({ ...host, challenge })
      return (await post(app(), '/confirm/passkey', { credential }, { cookie, ...origin })).statusCode
    }
    const signInElsewhere = async (device: PasskeyDevice) => {
      const { challenge } = (await post(app(), '/sign-in/passkey/options', {}, origin)).json<{
        challenge: string
      }>()
      const answer = await post(
        app(),
        '/sign-in/passkey',
        { credential: device.use({ ...host, challenge }) },
        origin,
      )
      const signedIn = cookieOf(answer)
      expect((await get(app(), '/me', signedIn)).statusCode).toBe(200)
      return signedIn
    }
    expect(await confirm(theirs)).toBe(401)
    expect(await confirm(first)).toBe(204)
    const remove = async (id = '') =>
      (await post(app(), `/me/passkeys/${id}/remove`, {}, { cookie, ...origin })).statusCode
    expect(await remove(theirs.credentialId.toString('base64url'))).toBe(404)
    // Without a password one passkey must be left that signs in here.
    await superuser.query(
      `update casenote.console_users set password_salt = null, password_hash = null, wrapped_totp = null, master_key_id = null
       where name = 'keyed'`,
    )
    expect(await remove(listed?.id)).toBe(409)
    const second = await add(cookie)
    await setFresh()
    const elsewhere = await signInElsewhere(second)
    await setFresh()
    const both = await Promise.all([remove(listed?.id), remove(second.credentialId.toString('base64url'))])
    expect(both.toSorted((a, b) => a - b)).toEqual([204, 409])
    expect(await list(cookie)).toHaveLength(1)
    // The last way in stays, whoever confirms it.
    const [last] = await list(cookie)
    await setFresh()
    expect(await remove(last?.id)).toBe(409)
    // Whoever else is signed in as them is not any more.
    expect((await get(app(), '/me', elsewhere)).statusCode).toBe(401)
    // They stay signed in, and their operations stand in the log.
    expect((await get(app(), '/me', { cookie })).json()).toMatchObject({ hasPasskey: true })
    const { rows } = await superuser.query(
      `select operation, count(*)::int from casenote.audit_pending where tenant_id = $1 and actor_as = 'keyed'
         and operation in ('console.addPasskey', 'console.removePasskey') group by 1 order by 1`,
      [partner.partnerId],
    )
    expect(rows).toEqual([
      { operation: 'console.addPasskey', count: 2 },
      { operation: 'console.removePasskey', count: 1 },
    ])
  })
})

describe('behind a proxy that ends TLS', () => {
  it('cookies are Secure and passkeys are for the public URL, by what the browser and a trusted proxy say', async () => {
    const behind = await makeConsoleFixture({
      CASENOTE_PUBLIC_URL: 'https://notes.clinic.example',
      CASENOTE_TRUSTED_PROXIES: '127.0.0.1',
    })
    try {
      const mine = await behind.service.addPartner()
      const app = behind.apps.partner
      // What a proxy sends that keeps the host, and one that names it beside its own.
      const kept = {
        host: 'notes.clinic.example',
        'x-forwarded-proto': 'https',
        'x-forwarded-for': '203.0.113.9',
      }
      const renamed = { ...kept, host: '10.0.0.7:8080', 'x-forwarded-host': 'notes.clinic.example' }
      const silent = { host: '10.0.0.7:8080' }
      for (const [name, proxy] of Object.entries({ kept, renamed, silent })) {
        const headers = { ...proxy, origin: 'https://notes.clinic.example' }
        const token = await invite(behind, `proxied-${name}`, mine.partnerId)
        const opened = await post(app, '/link', { token }, headers)
        expect([name, opened.statusCode]).toEqual([name, 200])
        expect(opened.headers['set-cookie']).toMatch(/; Secure$/)
        const link = { ...headers, ...cookieOf(opened) }
        const offered = (await post(app, '/enrol/passkey/options', {}, link)).json<{
          challenge: string
          rp: { id: string }
          user: { id: string }
        }>()
        expect(offered.rp.id).toBe('notes.clinic.example')
        const device = new PasskeyDevice()
        const at = { rpId: 'notes.clinic.example', origin: 'https://notes.clinic.example' }
        const credential = device.make({ ...at, challenge: offered.challenge }, offered.user.id)
        const made = await post(app, '/enrol/passkey', { credential }, link)
        expect([name, made.statusCode]).toEqual([name, 204])
        expect(made.headers['set-cookie']).toMatch(/; Secure$/)
        // Another site's page is refused behind the proxy, too.
        const evil = { ...link, origin: 'https://evil.example' }
        expect((await post(app, '/enrol/passkey/options', {}, evil)).statusCode).toBe(403)
      }
    } finally {
      await behind.close()
    }
  })

  it('who is no trusted proxy cannot say that it is another host', async () => {
    const app = fixture.apps.partner
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const token = await invite(fixture, 'forged', partner.partnerId)
    const headers = { ...forged, origin: 'https://evil.example' }
    expect((await post(app, '/link', { token }, headers)).statusCode).toBe(403)
    const opened = await post(app, '/link', { token }, forged)
    expect(opened.headers['set-cookie']).not.toContain('Secure')
  })
})

describe('a session', () => {
  it('ends after half an hour without a call, after twelve hours, with its user and with a suspended partner', async () => {
    const app = fixture.apps.partner
    const { cookie } = await enrol(fixture, 'ends', partner.partnerId)
    const isIn = async () => (await get(app, '/me', { cookie })).statusCode === 200
    const set = (text: string) => superuser.query(`update casenote.console_sessions set ${text}`)
    expect(await isIn()).toBe(true)
    await set(`seen_at = now() - interval '31 minutes'`)
    expect(await isIn()).toBe(false)
    await set(`seen_at = now() - interval '29 minutes'`)
    const isSeen = async () => {
      const { rows } = await superuser.query<{ isSeen: boolean }>(
        `select bool_or(seen_at > now() - interval '1 minute') as "isSeen" from casenote.console_sessions`,
      )
      return rows[0]?.isSeen
    }
    // What the page asks by itself is answered, and no sign of a person.
    expect((await get(app, '/me', { cookie, 'x-casenote-by-itself': '1' })).statusCode).toBe(200)
    expect(await isSeen()).toBe(false)
    expect(await isIn()).toBe(true)
    expect(await isSeen()).toBe(true)
    await superuser.query('update casenote.tenants set suspended_at = now() where tenant_id = $1', [
      partner.partnerId,
    ])
    expect(await isIn()).toBe(false)
    await superuser.query('update casenote.tenants set suspended_at = null where tenant_id = $1', [
      partner.partnerId,
    ])
    expect(await isIn()).toBe(true)
    const tenant = { tenantId: partner.partnerId }
    expect(await removeConsoleUser(fixture.service.owner, { name: 'ends', tenant }, operator)).toBe(true)
    expect(await isIn()).toBe(false)
    expect(await removeConsoleUser(fixture.service.owner, { name: 'ends', tenant }, operator)).toBe(false)
  })
})

it('invitations, removals and sign-ins are in the audit log: the partner’s, or for an operator every one', async () => {
  const count = async (tenantId: string, operation: string): Promise<number> => {
    const { rows } = await superuser.query<{ count: number }>(
      `select count(*)::int from casenote.audit_pending where tenant_id = $1 and operation = $2`,
      [tenantId, operation],
    )
    return rows[0]?.count ?? 0
  }
  const before = { theirs: await count(other.partnerId, 'console.invite') }
  await invite(fixture, 'logged', partner.partnerId)
  expect(await count(other.partnerId, 'console.invite')).toBe(before.theirs)
  await enrol(fixture, 'logged-operator', null)
  expect(await count(other.partnerId, 'console.invite')).toBe(before.theirs + 1)
  expect(await count(other.partnerId, 'console.signIn')).toBeGreaterThan(0)
  const { rows } = await superuser.query(
    `select distinct actor_kind, actor_id, actor_as from casenote.audit_pending
     where tenant_id = $1 and operation = 'console.signIn' and actor_id = 'logged-operator'`,
    [other.partnerId],
  )
  expect(rows).toEqual([{ actor_kind: 'operator', actor_id: 'logged-operator', actor_as: 'console' }])
})

it('a name is of one partner alone, and users are listed without what they sign in with', async () => {
  const { owner } = fixture.service
  await invite(fixture, 'mine', partner.partnerId)
  await expect(
    inviteConsoleUser(owner, { name: 'mine', tenant: { tenantId: other.partnerId } }, operator),
  ).rejects.toThrow("another partner's")
  const users = await listConsoleUsers(owner)
  expect(users.find(({ name }) => name === 'mine')).toMatchObject({
    kind: 'partner',
    tenantId: partner.partnerId,
    hasPassword: false,
    passkeys: 0,
  })
})

it('the phones’ secrets are wrapped anew with the master key', async () => {
  const { owner, masterKeys } = fixture.service
  await enrol(fixture, 'rewrapped', null)
  const old = await superuser.query(
    'select distinct master_key_id as id from casenote.operator_users where master_key_id is not null',
  )
  expect(old.rows).toEqual([{ id: masterKeys.currentId }])
  const bytes = Buffer.alloc(32, 7)
  const both = new (class extends MasterKeys {
    override unwrap(...args: Parameters<MasterKeys['unwrap']>): Buffer {
      return args[0] === masterKeys.currentId ? masterKeys.unwrap(...args) : super.unwrap(...args)
    }
  })(() => [bytes])
  expect(await rewrapConsoleUsers(owner, both)).toBeGreaterThan(0)
  const { rows } = await superuser.query(
    `select distinct master_key_id as id from casenote.operator_users where master_key_id is not null`,
  )
  expect(rows).toEqual([{ id: both.currentId }])
  const used = await owner.throughDoor<{ id: string }>({
    text: 'select casenote.list_master_key_ids() as id',
    values: [],
  })
  expect(used.map(({ id }) => id)).toContain(both.currentId)
})

it('goes on over a rotation of the master key: an enrolment half done, a challenge not yet answered, a user of before', async () => {
  const fresh = await makeConsoleFixture()
  try {
    const app = fresh.apps.operator
    const before = await enrol(fresh, 'before', null)
    const link = cookieOf(await post(app, '/link', { token: await invite(fresh, 'half', null) }))
    const chosen = await post(app, '/enrol/password', { password: goodPassword }, link)
    const origin = { origin: 'http://localhost' }
    const phone = {
      ...cookieOf(await post(app, '/link', { token: await invite(fresh, 'phone', null) })),
      ...origin,
    }
    const offered = (await post(app, '/enrol/passkey/options', {}, phone)).json<{
      challenge: string
      user: { id: string }
    }>()
    await fresh.service.addMasterKey()

    const secret = fromBase32(chosen.json<{ secret: string }>().secret)
    const code = makeTotpCode(secret, stepNow() - 1)
    expect((await post(app, '/enrol/totp', { code }, link)).statusCode).toBe(204)
    const asked = { rpId: 'localhost', origin: origin.origin, challenge: offered.challenge }
    const credential = new PasskeyDevice().make(asked, offered.user.id)
    expect((await post(app, '/enrol/passkey', { credential }, phone)).statusCode).toBe(204)
    for (const [name, its] of [
      ['before', before.secret],
      ['half', secret],
    ] as const) {
      const given = { userName: name, password: goodPassword, code: makeTotpCode(its, stepNow()) }
      expect([name, (await post(app, '/sign-in', given)).statusCode]).toEqual([name, 204])
    }
    const found = await fresh.service.owner.throughDoor<{ id: string }>({
      text: "select master_key_id as id from casenote.operator_users where name = 'half'",
      values: [],
    })
    expect(found).toEqual([{ id: fresh.service.masterKeys.currentId }])
  } finally {
    await fresh.close()
  }
})
