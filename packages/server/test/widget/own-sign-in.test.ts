import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Clinician, ClinicianTokens, PartnerApiError, SignInStarted } from '@casenote/contract'
import type { LightMyRequestResponse } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSmtpTransport } from '../../src/features/client-mail/index.js'
import { setSignIn } from '../../src/features/partners/index.js'
import { makeCodeHandlers, purgeSignIns } from '../../src/features/widget/index.js'
import { hashAddress, hashSource } from '../../src/features/widget/sign-in/sign-in-code.js'
import { JobRunner } from '../../src/jobs/job-runner.js'
import type { Log } from '../../src/kernel/log.js'
import { retireOlderKeys, rotateTenantKey } from '../../src/kernel/secrets/make-tenant-keys.js'
import { readMail, startMailServer, type TestMailServer } from '../client-mail/mail-server.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague } from './widget-fixture.js'

const from = 'Care team <care@casenote.example>'
const pageOrigin = 'https://chart.example.org'

let mailServer: TestMailServer
let service: TestService
let partner: TestPartner
let runner: JobRunner
let transport: ReturnType<typeof makeSmtpTransport>
let ownLog = ''
const log: Log = pino({ level: 'trace' }, { write: (line: string) => void (ownLog += line) })

beforeAll(async () => {
  mailServer = await startMailServer()
  service = await makeTestService({
    env: { CASENOTE_SMTP_URL: mailServer.url, CASENOTE_MAIL_FROM: from },
    log,
  })
  partner = await service.addPartner()
  await setSignIn(service.owner, scope(), [pageOrigin])
  transport = makeSmtpTransport({ url: mailServer.url, from })
  const { db, keys } = service
  runner = new JobRunner({
    db,
    listenUrl: service.database.databaseUrl,
    log,
    lanes: [{ kinds: ['send_code'], places: 2 }],
    handlers: makeCodeHandlers({ db, keys, log, transport }),
  })
  runner.start()
})
afterAll(async () => {
  await runner.close()
  await transport.close()
  await service.close()
  await mailServer.close()
})

const scope = () => ({ tenantId: partner.partnerId })

/** One browser's frame: it alone has the verifier. */
const makeBrowser = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
type Browser = ReturnType<typeof makeBrowser>

let lastAddress = 0
const nextAddress = (): string => `10.1.${Math.floor(++lastAddress / 250)}.${(lastAddress % 250) + 1}`

const ask = (
  email: string,
  { challenge }: Browser,
  {
    origin = pageOrigin,
    address = nextAddress(),
    ...more
  }: { origin?: string; address?: string; language?: string } = {},
): Promise<LightMyRequestResponse> =>
  service.call({
    method: 'POST',
    url: '/widget/v1/sign-in',
    remoteAddress: address,
    payload: { partnerId: partner.partnerId, email, origin, challenge, ...more },
  })

const redeem = (signInId: string, code: string, { verifier }: Browser): Promise<LightMyRequestResponse> =>
  service.call({
    method: 'POST',
    url: '/widget/v1/sign-in/code',
    remoteAddress: nextAddress(),
    payload: { partnerId: partner.partnerId, signInId, code, verifier },
  })

const mailsTo = (email: string): string[] =>
  mailServer.received.filter(({ to }) => to.includes(email)).map(({ raw }) => readMail(raw).text)

async function receiveCode(email: string, count = 1): Promise<string> {
  await waitUntil(async () => mailsTo(email).length >= count, 'the code has come')
  return /is (\d{4} \d{4})\./.exec(mailsTo(email)[count - 1] ?? '')?.[1] ?? ''
}

/** Somebody whom no other test has asked for. */
async function addClinician(): Promise<{ clinicianId: string; email: string }> {
  const { clinicianId } = await addColleague(service, partner)
  const answer = await service.call({
    method: 'GET',
    url: `/v2/clinicians/${clinicianId}`,
    headers: partner.headers,
  })
  return { clinicianId, email: answer.json<Clinician>().email }
}

async function startSignIn(email: string, browser: Browser): Promise<string> {
  const answer = await ask(email, browser)
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)])
  return answer.json<SignInStarted>().signInId
}

const notAccepted = (answer: LightMyRequestResponse) =>
  expect([answer.statusCode, answer.json<PartnerApiError>().error.message]).toEqual([
    401,
    'The code is not accepted',
  ])

const recorded = async (operation: string, subject: string): Promise<number> =>
  (
    await service.db.read(scope(), {
      text: `select 1 from casenote.audit_pending where tenant_id = $1 and operation = $2 and subject_ids @> array[$3::uuid]`,
      values: [partner.partnerId, operation, subject],
    })
  ).length

const rewind = (signInId: string, interval: string): Promise<unknown> =>
  service.owner.write(scope(), (tx) =>
    tx.run({
      text: `update casenote.sign_in_codes set expires_at = expires_at - $3::interval, asked_at = asked_at - $3::interval
        where tenant_id = $1 and ($2::uuid is null or sign_in_id = $2)`,
      values: [partner.partnerId, signInId === '' ? null : signInId, interval],
    }),
  )

describe('a page that the operator did not name', () => {
  it('makes no browser ask for a code or redeem one: not without JSON by name, and not from elsewhere', async () => {
    const { email } = await addClinician()
    const { challenge } = makeBrowser()
    const body = JSON.stringify({ partnerId: partner.partnerId, email, origin: pageOrigin, challenge })
    const send = async (url: string, headers: Record<string, string>) => {
      const remoteAddress = nextAddress()
      const sent = { method: 'POST' as const, url: `/widget/v1${url}`, remoteAddress, headers, payload: body }
      return (await service.call(sent)).statusCode
    }
    const json = { 'content-type': 'application/json; charset=utf-8' }
    for (const url of ['/sign-in', '/sign-in/code']) {
      // A Blob without a type has no media type; a form has another: neither needs a preflight.
      for (const type of ['', 'text/plain', 'application/x-www-form-urlencoded'])
        expect(await send(url, { 'content-type': type })).toBe(415)
      for (const site of ['cross-site', 'same-site', 'none'])
        expect(await send(url, { ...json, 'sec-fetch-site': site })).toBe(403)
    }
    expect(await send('/sign-in', { ...json, 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await send('/sign-in', json)).toBe(200)
  })
})

describe('what was asked for', () => {
  it('is deleted after a month where it was redeemed, also where nobody asks any more', async () => {
    const { email } = await addClinician()
    const signInId = await startSignIn(email, makeBrowser())
    const isKept = async () =>
      (
        await service.owner.write(scope(), (tx) =>
          tx.run({
            text: 'select 1 from casenote.sign_in_codes where tenant_id = $1 and sign_in_id = $2',
            values: [partner.partnerId, signInId],
          }),
        )
      ).length === 1
    await service.db.throughDoor(purgeSignIns(1_000))
    expect(await isKept()).toBe(true)
    const redeemIt = {
      text: 'update casenote.sign_in_codes set redeemed_at = asked_at where tenant_id = $1 and sign_in_id = $2',
      values: [partner.partnerId, signInId],
    }
    await rewind(signInId, '25 hours')
    await service.owner.write(scope(), (tx) => tx.run(redeemIt))
    await service.db.throughDoor(purgeSignIns(1_000))
    // By it the network is known.
    expect(await isKept()).toBe(true)
    await rewind(signInId, '29 days')
    await service.owner.write(scope(), (tx) => tx.run(redeemIt))
    await service.db.throughDoor(purgeSignIns(1_000))
    expect(await isKept()).toBe(false)
  })
})

describe('a code by mail', () => {
  it('signs the clinician in with an ordinary pair, once', async () => {
    const { clinicianId, email } = await addClinician()
    const browser = makeBrowser()
    const signInId = await startSignIn(email.toUpperCase(), browser)
    const code = await receiveCode(email)
    expect(code).toMatch(/^\d{4} \d{4}$/)
    const answer = await redeem(signInId, code, browser)
    const tokens = answer.json<ClinicianTokens>()
    expect([answer.statusCode, Object.keys(tokens).toSorted()]).toEqual([
      200,
      ['AccessToken', 'ExpiresIn', 'IdToken', 'RefreshToken'],
    ])
    const me = await service.call({
      method: 'GET',
      url: '/widget/v1/clinician',
      headers: { authorization: `Bearer ${tokens.AccessToken}` },
    })
    expect(me.json<{ id: string }>().id).toBe(clinicianId)
    const renewed = await service.call({
      method: 'POST',
      url: '/widget/v1/token',
      payload: { RefreshToken: tokens.RefreshToken },
    })
    expect(renewed.statusCode).toBe(200)
    notAccepted(await redeem(signInId, code, browser))
    expect(await recorded('widget.requestCode', clinicianId)).toBe(1)
    expect(await recorded('widget.signIn', clinicianId)).toBe(1)
    expect(ownLog).not.toContain(code.replace(' ', ''))
    expect(ownLog).not.toContain(email)
  })

  it('comes in the language of the window that asked for it, and in no other than those there are', async () => {
    const { email } = await addClinician()
    const browser = makeBrowser()
    expect((await ask(email, browser, { language: 'fr' })).statusCode).toBe(400)
    const answer = await ask(email, browser, { language: 'es' })
    await waitUntil(async () => mailsTo(email).length === 1, 'the code has come')
    const code = /^Su código de acceso es (\d{4} \d{4})\./.exec(mailsTo(email)[0] ?? '')?.[1] ?? ''
    const { signInId } = answer.json<SignInStarted>()
    expect((await redeem(signInId, code, browser)).statusCode).toBe(200)
  })

  it('of two uses at once one wins', async () => {
    const { email } = await addClinician()
    const browser = makeBrowser()
    const signInId = await startSignIn(email, browser)
    const code = await receiveCode(email)
    const answers = await Promise.all([1, 2, 3].map(() => redeem(signInId, code, browser)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 401, 401])
  })

  it('is as it was after a fault while the pair is made, and signs in when it is typed again', async () => {
    const { email } = await addClinician()
    const browser = makeBrowser()
    const signInId = await startSignIn(email, browser)
    const code = await receiveCode(email)
    const setRight = (verb: string): Promise<unknown> =>
      service.owner.throughDoor({ text: `${verb} casenote_app`, values: [] })
    await setRight('revoke insert on casenote.refresh_tokens from')
    try {
      expect((await redeem(signInId, code, browser)).statusCode).toBe(500)
    } finally {
      await setRight('grant insert on casenote.refresh_tokens to')
    }
    expect((await redeem(signInId, code, browser)).statusCode).toBe(200)
    notAccepted(await redeem(signInId, code, browser))
  })

  it('is worth nothing in another browser, after ten minutes, and once a newer one was used', async () => {
    const { email } = await addClinician()
    const browser = makeBrowser()
    const first = await startSignIn(email, browser)
    const code = await receiveCode(email)
    notAccepted(await redeem(first, code, makeBrowser()))
    const second = await startSignIn(email, browser)
    const newer = await receiveCode(email, 2)
    await rewind(second, '599 seconds')
    expect((await redeem(second, newer, browser)).statusCode).toBe(200)
    notAccepted(await redeem(first, code, browser))
    const third = await startSignIn(email, browser)
    const last = await receiveCode(email, 3)
    await rewind(third, '601 seconds')
    notAccepted(await redeem(third, last, browser))
  })

  it('takes five tries, also of the right one afterwards, and records the wrong ones', async () => {
    const { clinicianId, email } = await addClinician()
    const browser = makeBrowser()
    const signInId = await startSignIn(email, browser)
    const code = await receiveCode(email)
    const wrong = code === '0000 0000' ? '1111 1111' : '0000 0000'
    for (let tries = 0; tries < 5; tries++) notAccepted(await redeem(signInId, wrong, browser))
    notAccepted(await redeem(signInId, code, browser))
    expect(await recorded('widget.refuseCode', clinicianId)).toBe(5)
  })

  it('is not good any more for a clinician who was deactivated meanwhile', async () => {
    const { clinicianId, email } = await addClinician()
    const browser = makeBrowser()
    const signInId = await startSignIn(email, browser)
    const code = await receiveCode(email)
    const { headers } = partner
    await service.call({ method: 'POST', url: `/v2/clinicians/${clinicianId}/deactivate`, headers })
    notAccepted(await redeem(signInId, code, browser))
  })

  it('is not good any more once the clinician has another address', async () => {
    const { clinicianId, email } = await addClinician()
    const browser = makeBrowser()
    const signInId = await startSignIn(email, browser)
    const code = await receiveCode(email)
    const changed = await service.call({
      method: 'PATCH',
      url: `/v2/clinicians/${clinicianId}`,
      headers: partner.headers,
      payload: { email: `new.${email}` },
    })
    expect(changed.statusCode).toBe(200)
    notAccepted(await redeem(signInId, code, browser))
  })
})

describe('who asks learns nothing', () => {
  it('the same answer by the same statements for an unknown, a deactivated and a known address', async () => {
    const known = await addClinician()
    const gone = await addClinician()
    const { headers } = partner
    await service.call({ method: 'POST', url: `/v2/clinicians/${gone.clinicianId}/deactivate`, headers })
    const seen: unknown[] = []
    for (const email of [known.email, gone.email, 'nobody@example.com']) {
      const answer = await ask(email, makeBrowser())
      const body = answer.json<SignInStarted>()
      seen.push([answer.statusCode, Object.keys(body).toSorted()])
      const wrong = await redeem(body.signInId, '0000 0001', makeBrowser())
      notAccepted(wrong)
    }
    expect(seen).toEqual([seen[0], seen[0], seen[0]])
    const rows = await service.db.read(scope(), {
      text: `select count(*)::int as jobs from casenote.sign_in_codes c join casenote.jobs j
        on j.tenant_id = c.tenant_id and j.subject_id = c.sign_in_id and j.kind = 'send_code'
        where c.tenant_id = $1 and c.clinician_id is null`,
      values: [partner.partnerId],
    })
    // A job for each of the two who are nobody, as for the one who is somebody.
    expect(rows).toEqual([{ jobs: 2 }])
    await receiveCode(known.email)
    expect([mailsTo(gone.email), mailsTo('nobody@example.com')]).toEqual([[], []])
  })

  it('429 after five for one address from one network, and after ten from wherever, within an hour, known or not', async () => {
    const { email } = await addClinician()
    for (const one of [email, 'nobody.else@example.com']) {
      const address = nextAddress()
      const answers = []
      for (let count = 0; count < 6; count++)
        answers.push((await ask(one, makeBrowser(), { address })).statusCode)
      for (let count = 0; count < 6; count++) answers.push((await ask(one, makeBrowser())).statusCode)
      const five = [200, 200, 200, 200, 200]
      expect(answers).toEqual([...five, 429, ...five, 429])
    }
    await rewind('', '61 minutes')
    expect((await ask(email, makeBrowser())).statusCode).toBe(200)
  })

  it('429 for one source that asks for many addresses', async () => {
    // All at once: a source gets one try back each second.
    const asked = Array.from({ length: 90 }, (_, count) =>
      ask(`person-${count}@example.com`, makeBrowser(), { address: '203.0.113.9' }),
    )
    const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(60)
  })
})

describe('a stranger who asks for codes', () => {
  const statusOf = async (email: string, address: string) =>
    (await ask(email, makeBrowser(), { address })).statusCode
  const signIn = async (email: string, address: string): Promise<number> => {
    const browser = makeBrowser()
    const before = mailsTo(email).length
    const asked = await ask(email, browser, { address })
    if (asked.statusCode !== 200) return asked.statusCode
    const code = await receiveCode(email, before + 1)
    return (await redeem(asked.json<SignInStarted>().signInId, code, browser)).statusCode
  }

  it('runs into their own limit, and the clinician gets in from elsewhere, as often as they like', async () => {
    const { email } = await addClinician()
    const [stranger, clinic] = ['198.51.100.1', '198.51.100.2']
    for (let count = 0; count < 5; count++) expect(await statusOf(email, stranger)).toBe(200)
    expect(await statusOf(email, stranger)).toBe(429)
    await waitUntil(async () => mailsTo(email).length === 5, 'the stranger is done')
    for (let count = 0; count < 7; count++) expect(await signIn(email, clinic)).toBe(200)
    // What made the stranger's codes void did not make their network the clinician's.
    expect(await statusOf(email, stranger)).toBe(429)
  })

  it('from many networks: the mailbox stays bounded, and the clinician gets in from where they did before', async () => {
    const { email } = await addClinician()
    const clinic = '198.51.100.3'
    expect(await signIn(email, clinic)).toBe(200)
    for (let count = 0; count < 10; count++) expect(await statusOf(email, nextAddress())).toBe(200)
    expect(await statusOf(email, nextAddress())).toBe(429)
    await waitUntil(async () => mailsTo(email).length === 11, 'the strangers are done')
    expect(await signIn(email, clinic)).toBe(200)
    for (let count = 0; count < 5; count++) expect(await statusOf(email, clinic)).toBe(200)
    expect(await statusOf(email, clinic)).toBe(429)
  })

  it("for every address there is: their network is closed, then strange ones, and a clinic's own stays open", async () => {
    const { email } = await addClinician()
    const clinic = '198.51.100.4'
    expect(await signIn(email, clinic)).toBe(200)
    await fill(100, '198.51.100.5')
    expect(await statusOf('anybody@example.com', '198.51.100.5')).toBe(429)
    expect(await statusOf('anybody@example.com', nextAddress())).toBe(200)
    await fill(200, null)
    expect(await statusOf('anybody.else@example.com', nextAddress())).toBe(429)
    expect(await signIn(email, clinic)).toBe(200)
    const colleague = await addClinician()
    expect(await signIn(colleague.email, clinic)).toBe(200)
    await rewind('', '61 minutes')
  })

  /** As if so many had been asked for: from one network, or each from another. */
  const fill = async (count: number, address: string | null): Promise<void> => {
    const key = (await service.keys.get(scope())).newest('token')
    const hashes = Array.from({ length: count }, () => ({
      email: hashAddress(key, randomUUID()),
      source: hashSource(key, address ?? randomUUID()),
    }))
    await service.owner.write(scope(), (tx) =>
      tx.run({
        text: `insert into casenote.sign_in_codes
            (tenant_id, sign_in_id, email_hash, source_hash, verifier_hash, key_version, expires_at)
          select $1, gen_random_uuid(), one.email, one.source, one.email, 1, now()
          from unnest($2::bytea[], $3::bytea[]) one (email, source)`,
        values: [partner.partnerId, hashes.map(({ email }) => email), hashes.map(({ source }) => source)],
      }),
    )
  }
})

describe('off', () => {
  it('403 for a page that is not listed by name, another partner, and when it was switched off', async () => {
    const { email } = await addClinician()
    const browser = makeBrowser()
    const isOff = (answer: LightMyRequestResponse) => expect(answer.statusCode).toBe(403)
    isOff(await ask(email, browser, { origin: 'https://evil.example' }))
    const other = await service.addPartner()
    const payload = { partnerId: other.partnerId, email, origin: pageOrigin, challenge: browser.challenge }
    isOff(await service.call({ method: 'POST', url: '/widget/v1/sign-in', payload }))
    const unknown = { ...payload, partnerId: randomUUID() }
    isOff(await service.call({ method: 'POST', url: '/widget/v1/sign-in', payload: unknown }))
    const signInId = await startSignIn(email, browser)
    const code = await receiveCode(email)
    await setSignIn(service.owner, scope(), null)
    isOff(await ask(email, browser))
    notAccepted(await redeem(signInId, code, browser))
    await setSignIn(service.owner, scope(), [pageOrigin])
  })
})

// The last: the partner's own token ends with the key.
describe('a retired key', () => {
  it('takes the codes along that follow from it; one that is only followed by another does not', async () => {
    const browser = makeBrowser()
    const [kept, lost] = [await addClinician(), await addClinician()]
    const keptId = await startSignIn(kept.email, browser)
    const lostId = await startSignIn(lost.email, browser)
    const [keptCode, lostCode] = [await receiveCode(kept.email), await receiveCode(lost.email)]
    await rotateTenantKey(service.owner, service.masterKeys, scope(), 'token')
    await service.watch.poll()
    expect((await redeem(keptId, keptCode, browser)).statusCode).toBe(200)
    await service.owner.write(scope(), (tx) => retireOlderKeys(tx, 'token'))
    await service.watch.poll()
    notAccepted(await redeem(lostId, lostCode, browser))
  })
})
