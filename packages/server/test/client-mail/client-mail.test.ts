import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  MAIL_STATUSES,
  type AssessmentAssignments,
  type InvitedClient,
  type ListedAssignment,
  type Page,
} from '@casenote/contract'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeMailHandlers, makeSmtpTransport } from '../../src/features/client-mail/index.js'
import { JobRunner } from '../../src/jobs/job-runner.js'
import { metrics } from '../../src/http/metrics.js'
import { systemClock } from '../../src/kernel/clock.js'
import { readConfig } from '../../src/kernel/config.js'
import type { Log } from '../../src/kernel/log.js'
import { startWorker } from '../../src/main/worker.js'
import { makeCaller, type Caller } from '../features/people-fixture.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { signIn } from '../widget/widget-fixture.js'
import { readMail, startMailServer, type ReceivedMail, type TestMailServer } from './mail-server.js'

const from = 'Care team <care@casenote.example>'
const address = 'zq.client@example.com'

let mailServer: TestMailServer
let service: TestService
let partner: TestPartner
let caller: Caller
let folder: string
/** Closed after each test, last opened first. */
const open: { close(): Promise<void> }[] = []
let ownLog = ''
const log: Log = pino({ level: 'trace' }, { write: (line: string) => void (ownLog += line) })

beforeAll(async () => {
  mailServer = await startMailServer()
  folder = await mkdtemp(join(tmpdir(), 'casenote-mail-'))
  const env = { CASENOTE_SMTP_URL: mailServer.url, CASENOTE_MAIL_FROM: from, CASENOTE_DATA_DIR: folder }
  service = await makeTestService({ env, log })
  partner = await service.addPartner()
  caller = makeCaller(service, partner)
})
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
  mailServer.refuseWith = null
  mailServer.isSilent = false
  mailServer.received.length = 0
})
afterAll(async () => {
  await service.close()
  await mailServer.close()
  await rm(folder, { recursive: true, force: true })
})

const scope = () => ({ tenantId: partner.partnerId })

interface MailRow {
  mailId: string
  kind: string
  status: string
  attempts: number
  failure: string | null
  hasLink: boolean
}

const mailsOf = async (clientId: string): Promise<MailRow[]> =>
  (await service.owner.read(scope(), {
    text: `select mail_id as "mailId", kind, status, attempts, failure, sealed_link is not null as "hasLink"
      from casenote.client_mails where client_id = $1 order by created_at`,
    values: [clientId],
  })) as MailRow[]

async function administer(fields: object = { email: address }, body: object = {}) {
  const { id: clientId } = await caller.createClient(fields)
  const answer = await caller.post(`/clients/${clientId}/assessments`, {
    assessmentIds: ['phq9', 'gad7'],
    ...body,
  })
  return { clientId, answer: answer.body as AssessmentAssignments }
}

/** A runner for mails only, whose retries take no time. */
function run(options: { url?: string; retryDelaysMs?: number[]; language?: string } = {}): void {
  const transport = makeSmtpTransport({ url: options.url ?? mailServer.url, from })
  const findRecipient = async () => ({ address, language: options.language ?? null })
  const { retryDelaysMs = [10, 10] } = options
  const handlers = makeMailHandlers({
    db: service.db,
    keys: service.keys,
    log,
    transport,
    findRecipient,
    retryDelaysMs,
  })
  const runner = new JobRunner({
    db: service.db,
    listenUrl: service.database.databaseUrl,
    log,
    lanes: [{ kinds: ['send_mail'], places: 2 }],
    handlers,
  })
  runner.start()
  open.push({
    close: async () => {
      await runner.close()
      await transport.close()
    },
  })
}

const settled = (clientId: string): Promise<MailRow> =>
  waitFor(async () => {
    const [mail] = await mailsOf(clientId)
    return mail !== undefined && mail.status !== 'waiting' ? mail : null
  })

async function waitFor<Value>(look: () => Promise<Value | null>): Promise<Value> {
  let value: Value | null = null
  await waitUntil(async () => {
    value = await look()
    return value !== null
  }, 'the mail has ended')
  return value as unknown as Value
}

const mailTo = (to: string): ReceivedMail[] => mailServer.received.filter((mail) => mail.to.includes(to))

function workerParts() {
  const config = readConfig({
    CASENOTE_SMTP_URL: mailServer.url,
    CASENOTE_MAIL_FROM: from,
    CASENOTE_DATA_DIR: folder,
  })
  const { db, watch, keys } = service
  const listenUrl = service.database.databaseUrl
  return { config, log, clock: systemClock, db, watch, keys, listenUrl, close: async () => {} }
}

const countMails = async (): Promise<Record<string, number>> => {
  const { values } = (await metrics.getSingleMetric('casenote_mails_total')?.get()) ?? { values: [] }
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))
}

describe('the worker of the program', () => {
  it('forgets mails that ended 90 days ago, and none that waits; all of them are counted', async () => {
    const before = await countMails()
    run()
    const { clientId } = await administer()
    await settled(clientId)
    await open.pop()?.close()
    const waiting = await administer()
    const passed = async (days: number): Promise<void> => {
      await service.owner.throughDoor({
        text: `update casenote.client_mails set ended_at = now() - $1 * interval '1 day' where ended_at is not null`,
        values: [days],
      })
      // Without a mail server it sends nothing itself.
      const parts = workerParts()
      const worker = await startWorker({ ...parts, config: { ...parts.config, smtp: null } })
      await waitUntil(async () => worker.isPolling(), 'every duty has run')
      await worker.close()
    }
    await passed(89)
    expect(await mailsOf(clientId)).toHaveLength(1)
    await passed(91)
    expect(await mailsOf(clientId)).toEqual([])
    expect(await mailsOf(waiting.clientId)).toMatchObject([{ status: 'waiting' }])
    const after = await countMails()
    expect((after.sent ?? 0) - (before.sent ?? 0)).toBe(1)
  })

  it('sends one mail with a link to what was assigned, and keeps the link no longer than that', async () => {
    const email = 'zq.whole@example.com'
    const { clientId, answer } = await administer({ email, firstName: 'Zqfirst', lastName: 'Zqlast' })
    expect(answer.isEmailed).toBe(true)
    expect(await mailsOf(clientId)).toMatchObject([{ kind: 'assessments', status: 'waiting', hasLink: true }])
    open.push(await startWorker(workerParts()))
    expect(await settled(clientId)).toMatchObject({
      status: 'sent',
      attempts: 1,
      hasLink: false,
      failure: null,
    })
    const [mail, ...more] = mailTo(email)
    expect(more).toEqual([])
    const { headers, text, html } = readMail(mail?.raw ?? '')
    const [url] = answer.assignments.map((assignment) => assignment.url)
    expect(text).toContain(`\r\n${url}\r\n`)
    expect(html).toContain(`href="${url}"`)
    expect(headers).toContain('From: Care team <care@casenote.example>')
    expect(headers).toContain('Auto-Submitted: auto-generated')
    const listed = (await caller.get(`/clients/${clientId}/assessment-assignments`))
      .body as Page<ListedAssignment>
    expect(listed.data.map(({ emailStatus }) => emailStatus)).toEqual(['sent', 'sent'])
  })

  it('says nothing of the client, the clinic or the form, and loads nothing', async () => {
    const { clientId } = await administer({ email: address, firstName: 'Zqfirst', lastName: 'Zqlast' })
    run()
    await settled(clientId)
    const [mail] = mailTo(address)
    const { headers, text, html } = readMail(mail?.raw ?? '')
    for (const part of [headers, text, html]) {
      for (const secret of [
        'Zqfirst',
        'Zqlast',
        'Clinic',
        'Organization',
        'PHQ',
        'GAD',
        'phq9',
        'depress',
        'anxi',
        'health',
      ]) {
        expect(part).not.toContain(secret)
      }
    }
    expect(html).not.toMatch(/<(img|link|script|iframe)|src=|@import|url\(/i)
    expect(text).toMatch(/works until \w+ \d+, \d{4}\./)
  })

  it('is in the language of the record, and leads to a page that begins in it', async () => {
    const { clientId, answer } = await administer({ email: address, language: 'es-PR' })
    open.push(await startWorker(workerParts()))
    await settled(clientId)
    const { text, html } = readMail(mailTo(address)[0]?.raw ?? '')
    const [url] = answer.assignments.map((assignment) => assignment.url)
    expect(text).toContain(`\r\n${url}#es\r\n`)
    expect(text).toMatch(/El enlace funciona hasta el \d+ de \p{L}+ de \d{4}\./u)
    expect(html).toContain('<html lang="es">')
    expect(html).toContain(`href="${url}#es"`)
    expect(text).not.toMatch(/cl[ií]nica|salud|PHQ|GAD/i)
  })

  it('is in English where the record says none that we have, with one sentence for who reads Spanish', async () => {
    for (const language of [undefined, 'fr', 'en-US']) {
      mailServer.received.length = 0
      run(language === undefined ? {} : { language })
      const { clientId } = await administer()
      await settled(clientId)
      await open.pop()?.close()
      const { text, html } = readMail(mailTo(address)[0]?.raw ?? '')
      expect(text).toContain('The link works until')
      expect(html).toContain('<html lang="en">')
      expect(html.includes('<span lang="es">La página también')).toBe(language !== 'en-US')
    }
  })

  it('logs and keeps ids and codes only', async () => {
    const { clientId, answer } = await administer()
    mailServer.refuseWith = { code: 450, times: 1 }
    run()
    await settled(clientId)
    const token = answer.assignments[0]?.url.split('.').at(-1) ?? ''
    expect(ownLog).toContain('the mail server did not take a mail')
    for (const secret of [token, address, 'not now']) expect(ownLog).not.toContain(secret)
    const [row] = (await service.owner.read(scope(), {
      text: `select (select string_agg(m::text, '') from casenote.client_mails m) as mails,
        (select string_agg(j::text, '') from casenote.jobs j) as jobs`,
      values: [],
    })) as { mails: string; jobs: string }[]
    for (const secret of [token, Buffer.from(token).toString('hex'), address]) {
      expect(row?.mails).not.toContain(secret)
      expect(row?.jobs).not.toContain(secret)
    }
  })
})

describe('who gets no mail', () => {
  it('a client without an address', async () => {
    const { clientId, answer } = await administer({})
    expect(answer.isEmailed).toBe(false)
    expect(await mailsOf(clientId)).toEqual([])
  })

  it('where the caller says that it hands over the link itself', async () => {
    const { clientId, answer } = await administer({ email: address }, { sendEmail: false })
    expect(answer.isEmailed).toBe(false)
    expect(await mailsOf(clientId)).toEqual([])
  })

  it('where no server is configured', async () => {
    const plain = await makeTestService()
    try {
      const other = await plain.addPartner()
      const answer = await makeCaller(plain, other).post(`/clients/${other.clientId}/assessments`, {
        assessmentIds: ['phq9'],
      })
      expect(answer.body).toMatchObject({ isEmailed: false })
    } finally {
      await plain.close()
    }
  })

  it('of a link that was reissued or revoked before the mail went out', async () => {
    const { clientId, answer } = await administer()
    const first = answer.assignments[0]
    const { body } = await caller.post(`/assessment-assignments/${first?.id}/reissue`)
    expect(body).toMatchObject({ isEmailed: true })
    run()
    await waitUntil(async () => mailTo(address).length > 0, 'a mail')
    const { url } = body as { url: string }
    await waitUntil(
      async () => (await mailsOf(clientId)).every(({ status }) => status !== 'waiting'),
      'all mails have ended',
    )
    expect((await mailsOf(clientId)).map(({ status }) => status)).toEqual(['cancelled', 'sent'])
    expect(mailTo(address).map(({ raw }) => readMail(raw).text.includes(url))).toEqual([true])

    const other = await administer()
    await caller.remove(`/assessment-assignments/${other.answer.assignments[0]?.id}`)
    const [mail] = await mailsOf(other.clientId)
    expect(['cancelled', 'sent']).toContain(mail?.status)
    expect(mail?.hasLink).toBe(false)
  })

  it('of a link that was left to what was sent with it, once none of that waits for answers', async () => {
    const clinician = await signIn(service, partner)
    for (const isTakenBackByPartner of [false, true]) {
      const { clientId, answer } = await administer()
      const [phq9, gad7] = answer.assignments.map(({ id }) => id)
      const takeBack = (assignmentId: string | undefined) =>
        clinician.call('POST', `/clients/${clientId}/assessments/revoke`, { assignmentId })
      await takeBack(phq9)
      expect(await mailsOf(clientId)).toMatchObject([{ status: 'waiting', hasLink: true }])
      await (isTakenBackByPartner ? caller.remove(`/assessment-assignments/${gad7}`) : takeBack(gad7))
      expect(await mailsOf(clientId)).toMatchObject([{ status: 'cancelled', hasLink: false }])
    }
  })

  it('of a link that was left to what was sent with it, once that has a link of its own', async () => {
    const clinician = await signIn(service, partner)
    const { clientId, answer } = await administer()
    const [phq9, gad7] = answer.assignments.map(({ id }) => id)
    const change = (call: string, body: object) =>
      clinician.call('POST', `/clients/${clientId}/assessments/${call}`, body)
    await change('revoke', { assignmentId: phq9 })
    await change('reissue', { assignmentId: gad7, sendEmail: true })
    expect((await mailsOf(clientId)).map(({ status }) => status)).toEqual(['cancelled', 'waiting'])
    await change('revoke', { assignmentId: gad7 })
    expect((await mailsOf(clientId)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  })
})

describe('invitations', () => {
  it('go out the same way, and inviting again sends the new link only', async () => {
    const email = 'zq.invited@example.com'
    const { id } = await caller.createClient({ email })
    const invite = async () => (await caller.post(`/clients/${id}/invite`)).body as InvitedClient
    const first = await invite()
    const second = await invite()
    expect([first.isEmailed, second.isEmailed]).toEqual([true, true])
    expect((await mailsOf(id)).map(({ kind, status }) => [kind, status])).toEqual([
      ['invitation', 'cancelled'],
      ['invitation', 'waiting'],
    ])
    run()
    await waitUntil(
      async () => (await mailsOf(id)).every(({ status }) => status !== 'waiting'),
      'all mails have ended',
    )
    const [mail, ...more] = mailServer.received
    expect(more).toEqual([])
    const { headers, text } = readMail(mail?.raw ?? '')
    expect(headers).toContain('Subject: You have an invitation')
    expect(text).toContain(second.inviteUrl)
    expect(text).not.toContain(first.inviteUrl)
  })

  it('one by telephone number only is handed over by the caller', async () => {
    const { id } = await caller.createClient({ phoneNumber: '+12025550100' })
    expect((await caller.post(`/clients/${id}/invite`)).body).toMatchObject({ isEmailed: false })
  })
})

describe('a server that does not take a mail', () => {
  it('is asked again, with the same message id every time', async () => {
    const { clientId } = await administer()
    mailServer.refuseWith = { code: 451, times: 2 }
    run()
    const { mailId, ...mail } = await settled(clientId)
    expect(mail).toMatchObject({ status: 'sent', attempts: 3 })
    expect(readMail(mailTo(address)[0]?.raw ?? '').headers).toContain(
      `Message-ID: <${mailId}@casenote.example>`,
    )
  })

  it('is given up after the last attempt, and the partner sees it', async () => {
    const { clientId } = await administer()
    mailServer.refuseWith = { code: 451, times: 100 }
    run({ retryDelaysMs: [10, 10] })
    expect(await settled(clientId)).toMatchObject({
      status: 'failed',
      attempts: 3,
      failure: '451',
      hasLink: false,
    })
    const listed = (await caller.get(`/clients/${clientId}/assessment-assignments`))
      .body as Page<ListedAssignment>
    expect(listed.data[0]?.emailStatus).toBe('failed')
    expect(mailTo(address)).toEqual([])
  })

  it('for good, is not asked again', async () => {
    const { clientId } = await administer()
    mailServer.refuseWith = { code: 550, times: 100 }
    run({ retryDelaysMs: [600_000] })
    expect(await settled(clientId)).toMatchObject({ status: 'failed', attempts: 1, failure: '550' })
  })

  it('because it is away, is asked later', async () => {
    const away = await startMailServer()
    await away.close()
    const { clientId } = await administer()
    run({ url: away.url, retryDelaysMs: [600_000] })
    await waitUntil(async () => (await mailsOf(clientId))[0]?.attempts === 1, 'an attempt')
    expect(await mailsOf(clientId)).toMatchObject([{ status: 'waiting', failure: 'ESOCKET', hasLink: true }])
  })

  it('because its certificate is not to be trusted, gets nothing', async () => {
    const pem = await readFile(new URL('../guarded-fetch/tls/self-signed.pem', import.meta.url))
    const imposter = await startMailServer({ secure: true, key: pem, cert: pem })
    open.push(imposter)
    const { clientId } = await administer()
    run({ url: imposter.url, retryDelaysMs: [600_000] })
    await waitUntil(async () => (await mailsOf(clientId))[0]?.attempts === 1, 'an attempt')
    expect(await mailsOf(clientId)).toMatchObject([{ status: 'waiting', hasLink: true }])
    expect(imposter.received).toEqual([])
  })

  it('because it cannot turn to TLS, gets nothing unless it is on this machine', async () => {
    // Leads to the same server, but not by one of the names that stand for this machine.
    const transport = makeSmtpTransport({ url: mailServer.url.replace('127.0.0.1', '127.1'), from })
    const mail = { subject: 's', text: 't', html: 'h', mailId: 'm', to: address }
    await expect(transport.send(mail)).rejects.toThrow('the mail was not taken: 500')
    await transport.close()
    expect(mailServer.received).toEqual([])
  })
})

describe('two workers', () => {
  it('one that must stop while the server is silent leaves the mail to the other, under the same id', async () => {
    const { clientId } = await administer()
    mailServer.isSilent = true
    run()
    await waitUntil(async () => mailTo(address).length === 1, 'the server has the mail')
    await open.pop()?.close()
    expect(await mailsOf(clientId)).toMatchObject([{ status: 'waiting', hasLink: true }])
    mailServer.isSilent = false
    run()
    expect(await settled(clientId)).toMatchObject({ status: 'sent' })
    const ids = mailTo(address).map(({ raw }) => /Message-ID: (\S+)/i.exec(raw)?.[1])
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })

  it('send each mail once', async () => {
    run()
    run()
    const clients = await Promise.all(
      Array.from({ length: 20 }, (_, index) => administer({ email: `zq.${index}@example.com` })),
    )
    for (const { clientId } of clients) await settled(clientId)
    expect(mailServer.received).toHaveLength(20)
  })
})

it('the statuses of a mail are those of the database', async () => {
  const rows = await service.owner.read(scope(), {
    text: `select pg_get_constraintdef(oid) as text from pg_constraint
      where conrelid = 'casenote.client_mails'::regclass and contype = 'c'`,
    values: [],
  })
  const constraint = (rows as { text: string }[]).find(({ text }) => text.includes("'sent'"))?.text ?? ''
  expect([...constraint.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual([...MAIL_STATUSES])
})
