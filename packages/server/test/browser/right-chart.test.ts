import type { ProgressNote, SessionPad } from '@casenote/contract'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../src/features/clients/index.js'
import { failSession } from '../../src/features/sessions/index.js'
import { operator } from '../../src/kernel/operator.js'
import { waitUntil } from '../support/casenote-process.js'
import { asPipeline } from '../support/clinical-record.js'
import { makeAudio } from '../support/make-audio.mjs'
import { completeRecordingOf } from '../widget/complete-recording-of.js'
import { addColleague, giveConsent, openRecording, signIn } from '../widget/widget-fixture.js'
import { makeWrittenSession } from '../widget/written-session.js'
import {
  callWidget,
  consent,
  fakeMicrophone,
  findFrame,
  listHeard,
  mintTokens,
  openStage,
  partnerHtml,
  type Stage,
} from './embedding-fixture.js'
import { findBarriersOnBoth, missesChromium, openBrowser } from '../support/open-browser.js'

/** A careless record system: whatever the widget hands over goes into the chart that is open. */
const pasteIntoOpenChart = `
  globalThis.openChart = null; globalThis.charts = {}; globalThis.handed = []; globalThis.told = []
  globalThis.show = (clientId, options) => { openChart = clientId; Casenote.selectClient(clientId, options) }
  Casenote.onCopyNoteClicked((copied, of) => { handed.push([copied, of]); charts[openChart] = copied.note })
  for (const name of ['progressNoteReady', 'noteFinalized', 'noteWithdrawn']) Casenote.on(name, (detail, of) => told.push([name, of]))`

/** What the page says to the frame can be held back, in order. */
const delayMessages = `
  globalThis.held = null
  const post = MessagePort.prototype.postMessage
  MessagePort.prototype.postMessage = function (...args) { held === null ? post.apply(this, args) : held.push(() => post.apply(this, args)) }
  globalThis.release = () => { const waiting = held; held = null; for (const send of waiting) send() }`

/** It said nothing of answers, and gave none. */
const loaderOfBefore = `
  const post = MessagePort.prototype.postMessage
  MessagePort.prototype.postMessage = function (message, ...rest) {
    if (message?.type === 'copyAnswer') return
    const { answersCopies: _, ...known } = message
    post.call(this, message?.type === 'settings' ? known : message, ...rest)
  }`

/** So many seconds of a tone, as a WAV of 16 kHz. */
const soundOf = (seconds: number): Buffer =>
  makeAudio(['-f', 'lavfi', '-i', `sine=d=${seconds}:r=16000`, '-f', 'wav', 'pipe:1'])

interface Handed {
  charts: Record<string, string>
  handed: [Record<string, unknown>, Record<string, unknown>][]
  told: [string, Record<string, unknown>][]
}

describe.skipIf(missesChromium('the right chart'))('the right chart', () => {
  let stage: Stage
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let frame: Frame
  /** Ben, another client of the same clinician; the first one is Sam Sample. */
  let benId: string

  beforeAll(async () => {
    stage = await openStage()
    browser = await openBrowser(fakeMicrophone)
    await consent(stage)
    const { service, partner } = stage
    benId = await service.owner.write({ tenantId: partner.partnerId }, (tx) => {
      const person = { firstName: 'Ben', lastName: 'Ito', dateOfBirth: '1985-05-05' }
      const contact = { email: null, phoneNumber: null, externalId: null }
      return createClient(tx, { ...person, ...contact, clinicianId: partner.clinicianId }, operator)
    })
    await giveConsent(await signIn(service, partner), benId)
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })
  beforeEach(async () => {
    context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    page = await context.newPage()
    const { serviceUrl, partner, pages } = stage
    const script = `${serviceUrl}/widget/v1/widget.js?partner=${partner.partnerId}`
    await page.goto(pages.add(partnerHtml(script, { before: delayMessages })))
    await page.evaluate(pasteIntoOpenChart)
    frame = await findFrame(page)
  })
  afterEach(() => context.close())

  const show = (clientId: string, options: object = {}): Promise<void> =>
    page.evaluate(`show(${JSON.stringify(clientId)}, ${JSON.stringify(options)})`)
  const lookAt = (): Promise<Handed> => page.evaluate('({ charts, handed, told })')
  const countHeard = async (name: string): Promise<number> =>
    (await listHeard(page)).filter((event) => event.name === name).length
  const button = (name: string, exact = true) => frame.getByRole('button', { name, exact })

  async function makeNote(): Promise<string> {
    const { service, partner } = stage
    const given = { sessionExternalId: 'visit-sam' }
    return makeWrittenSession(service, partner, await signIn(service, partner), given)
  }

  async function openNewestNote(): Promise<void> {
    await frame.locator('.list-row').first().click()
    await frame.locator('.note-section').first().waitFor()
  }

  it('a page that pastes into whatever it shows gets no note of another client without a confirmed warning', async () => {
    const { clientId } = stage.partner
    const sessionId = await makeNote()
    // A proxy holds up the stream: the signing at the end is told of all the same, and once.
    await context.route('**/events', (route) => route.abort())
    await callWidget(page, 'authenticate', await mintTokens(stage))
    await show(clientId)
    await openNewestNote()
    await button('Copy to record').click()
    await waitUntil(async () => (await lookAt()).handed.length === 1, 'the note is in its own chart')
    const [first] = (await lookAt()).handed
    expect(Object.keys(first?.[0] ?? {}).toSorted()).toEqual(['note', 'progressNoteId', 'sessionId'])
    const of = { clientId, sessionId, sessionExternalId: 'visit-sam', progressNoteId: expect.any(String) }
    expect(first?.[1]).toEqual(of)
    // The page moves on while the frame has not heard of it yet.
    await page.evaluate('held = []')
    await show(benId)
    await button('Copy to record').click()
    await waitUntil(
      async () => (await page.evaluate('held.length')) === 2,
      'the loader has answered the copy',
    )
    await page.evaluate('release()')
    await frame.getByRole('heading', { name: 'Ben Ito' }).waitFor()
    expect(Object.keys((await lookAt()).charts)).toEqual([clientId])
    // The clinician goes back to Sam's note while the page shows Ben.
    await button('Back').click()
    await openNewestNote()
    await frame.getByText('Your record system shows Ben Ito').waitFor()
    const copyAsText = async (): Promise<void> => {
      await button('More actions').click()
      await frame.getByRole('menuitem', { name: 'Copy as text' }).click()
    }
    const copySection = (): Promise<void> =>
      frame
        .locator('.section-head')
        .first()
        .getByRole('button', { name: /^Copy / })
        .click()
    for (const copy of [() => button('Copy to record').click(), copyAsText, copySection]) {
      await copy()
      const dialog = frame.getByRole('dialog')
      await dialog.getByText('Ben Ito').first().waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    expect(Object.keys((await lookAt()).charts)).toEqual([clientId])
    await button('Copy to record').click()
    await button('Copy to the chart of Ben Ito').waitFor()
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    await button('Copy to the chart of Ben Ito').click()
    await waitUntil(async () => benId in (await lookAt()).charts, 'the note is where the clinician said')
    expect((await lookAt()).handed[1]?.[1]).toEqual(of)
    await frame.getByRole('button', { name: 'Sign', exact: true }).click()
    await button('Sign and lock').click()
    await waitUntil(async () => (await countHeard('noteFinalized')) === 1, 'the page hears of the signing')
    expect((await lookAt()).told).toEqual([['noteFinalized', of]])
  })

  it('selectClient ends no recording: it goes on in sight, and the other client opens when the clinician says so', async () => {
    const { clientId } = stage.partner
    await callWidget(page, 'authenticate', await mintTokens(stage))
    await show(clientId, { sessionExternalId: 'visit-sam' })
    await button('Start recording').click()
    await waitUntil(async () => (await countHeard('recordingStarted')) === 1, 'it records')
    await show(benId, { sessionExternalId: 'visit-ben' })
    await frame.getByText('The recording of Sam Sample goes on.').waitFor()
    await frame.getByRole('timer').waitFor()
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    await button('Open Ben Ito').click()
    await frame.getByRole('heading', { name: 'Ben Ito' }).waitFor()
    await frame.getByText('Recording Sam Sample', { exact: false }).waitFor()
    expect(await button('Start recording').getAttribute('aria-disabled')).toBe('true')
    expect(await countHeard('recordingStopped')).toBe(0)
    await button('Go to the recording').click()
    await button('Finish').click()
    await waitUntil(async () => (await countHeard('recordingStopped')) === 1, 'the clinician ended it')
    expect((await listHeard(page)).find(({ name }) => name === 'recordingStopped')).toMatchObject({
      clientId,
      sessionExternalId: 'visit-sam',
    })
  })

  it('a session is filed under the visit that the page named for its client, however the clinician came to it', async () => {
    const { service, partner } = stage
    const clinician = await signIn(service, partner)
    const { sessionId } = await openRecording(clinician, partner.clientId)
    await completeRecordingOf(clinician, sessionId)
    const startOne = async (): Promise<object | undefined> => {
      const before = await countHeard('recordingStarted')
      await button('Start recording').click()
      await waitUntil(async () => (await countHeard('recordingStarted')) > before, 'it records')
      await frame.getByText('Discard recording').click()
      await frame.getByRole('dialog').getByRole('button', { name: 'Discard for good' }).click()
      await frame.getByRole('timer').waitFor({ state: 'detached' })
      const stopped = (await listHeard(page)).findLast(({ name }) => name === 'recordingStopped')
      expect(stopped).toMatchObject({ clientId: partner.clientId, isDiscarded: true })
      return (await listHeard(page)).findLast(({ name }) => name === 'recordingStarted')
    }
    await callWidget(page, 'authenticate', await mintTokens(stage))
    await show(benId, { sessionExternalId: 'visit-ben' })
    await frame.getByRole('heading', { name: 'Ben Ito' }).waitFor()
    const tenant = { tenantId: partner.partnerId }
    const asked = asPipeline(await service.keys.get(tenant))
    await service.db.write(tenant, (tx) =>
      failSession(tx, asked, { sessionId, failure: 'processing_failed' }),
    )
    await button('Open').click()
    await button('Type a note').click()
    await frame.getByLabel('What happened').waitFor()
    await button('Back').click()
    await frame.getByRole('heading', { name: 'Sam Sample' }).waitFor()
    const ofSam = await startOne()
    expect(ofSam).toMatchObject({ clientId: partner.clientId })
    expect(ofSam).not.toHaveProperty('sessionExternalId')
    await show(partner.clientId, { sessionExternalId: 'visit-sam' })
    await button('Back').click()
    await frame.getByRole('searchbox').fill('sample')
    await frame.getByRole('list', { name: 'Clients' }).locator('.list-row').click()
    await frame.getByRole('heading', { name: 'Sam Sample' }).waitFor()
    expect(await startOne()).toMatchObject({ clientId: partner.clientId, sessionExternalId: 'visit-sam' })
  })

  it('logout() waits for nothing: it revokes, ends the recording, and offers the rest to that clinician alone, on any page', async () => {
    const { service, partner } = stage
    const tokens = await mintTokens(stage)
    await callWidget(page, 'authenticate', tokens)
    await show(partner.clientId)
    await button('Start recording').click()
    await waitUntil(async () => (await countHeard('recordingStarted')) === 1, 'it records')
    await frame.getByText('0:02').first().waitFor()
    // Whatever is asked from here on is never answered, but for the logout.
    await context.route('**/widget/v1/**', async (route) => {
      if (route.request().url().endsWith('/logout')) await route.continue()
    })
    const later = await mintTokens(stage)
    await callWidget(page, 'authenticate', later)
    await callWidget(page, 'logout')
    await waitUntil(async () => (await countHeard('recordingStopped')) === 1, 'the recording has ended')
    const isRefused = async (AccessToken: string): Promise<boolean> => {
      const headers = { authorization: `Bearer ${AccessToken}` }
      const url = '/widget/v1/clinician'
      return (await service.call({ method: 'GET', url, headers })).statusCode === 401
    }
    // Those that the page had handed over before as well as the last.
    for (const { AccessToken } of [tokens, later])
      await waitUntil(() => isRefused(AccessToken), 'the tokens are revoked')
    await frame.getByText('Not signed in').waitFor()
    await context.unroute('**/widget/v1/**')
    const colleague = await addColleague(service, partner)
    await callWidget(page, 'authenticate', await mintTokens(stage, colleague.clinicianId))
    await frame.getByText('Hello, Cora').waitFor()
    expect(await frame.getByText('Unfinished recordings').count()).toBe(0)
    await callWidget(page, 'logout')
    await callWidget(page, 'authenticate', await mintTokens(stage))
    await show(benId)
    await frame.getByRole('heading', { name: 'Ben Ito' }).waitFor()
    const offer = frame.locator('.card', { hasText: 'Unfinished recordings' })
    await offer.getByText('Sam Sample').waitFor()
    await offer.getByRole('button', { name: 'Finish and write the note' }).click()
    await frame.getByText('Your record system shows Ben Ito').waitFor()
    await frame.getByRole('heading', { name: 'Sam Sample' }).waitFor()
  })

  it('a file on its way is stopped by logout(), and sent at the next sign-in of the same clinician, with its words', async () => {
    const { service, partner } = stage
    await callWidget(page, 'authenticate', await mintTokens(stage))
    await show(partner.clientId)
    let isSending = false
    await context.route('**/widget/v1/uploads/**', () => void (isSending = true))
    await frame.getByText('Words of your own for the note').click()
    await frame.getByLabel('Jot down').fill('Looked away')
    const file = { name: 'visit.wav', mimeType: 'audio/wav', buffer: soundOf(2) }
    await frame.locator('input[type=file]').setInputFiles(file)
    await waitUntil(async () => isSending, 'its bytes are on their way')
    await callWidget(page, 'logout')
    await frame.getByText('Not signed in').waitFor()
    const findFile = async (): Promise<{ sessionId: string; status: string; offset: number } | undefined> => {
      const text = `select session_id as "sessionId", status, offset_bytes::int as offset from casenote.uploads
        where tenant_id = $1 order by created_at desc limit 1`
      const rows = await service.db.read(
        { tenantId: partner.partnerId },
        { text, values: [partner.partnerId] },
      )
      return rows[0] as { sessionId: string; status: string; offset: number } | undefined
    }
    expect(await findFile()).toMatchObject({ status: 'open', offset: 0 })
    await context.unroute('**/widget/v1/uploads/**')
    await callWidget(page, 'authenticate', await mintTokens(stage))
    await waitUntil(async () => (await findFile())?.status === 'used', 'all of it is sent')
    const { sessionId = '' } = (await findFile()) ?? {}
    const pad = await (await signIn(service, partner)).call('GET', `/sessions/${sessionId}/pad`)
    expect(pad.json<SessionPad>().text).toBe('Looked away')
  })

  it('a loader from before copies were answered takes notes all the same, and another client’s chart is asked about', async () => {
    await page.goto(
      stage.pages.add(
        partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js?partner=${stage.partner.partnerId}`, {
          before: loaderOfBefore,
        }),
      ),
    )
    await page.evaluate(pasteIntoOpenChart)
    frame = await findFrame(page)
    const { clientId } = stage.partner
    await makeNote()
    await callWidget(page, 'authenticate', await mintTokens(stage))
    await show(clientId)
    await openNewestNote()
    await button('Copy to record').click()
    await frame.getByText('Copied to your record').waitFor({ state: 'attached' })
    expect(Object.keys((await lookAt()).charts)).toEqual([clientId])
    await show(benId)
    await frame.getByRole('heading', { name: 'Ben Ito' }).waitFor()
    await button('Back').click()
    await openNewestNote()
    await button('Copy to record').click()
    await button('Copy to the chart of Ben Ito').click()
    await waitUntil(async () => benId in (await lookAt()).charts, 'the note is where the clinician said')
  })

  it('a recording under the wrong client is moved, and the page is told what to take out', async () => {
    const { service, partner } = stage
    const wrong = await makeNote()
    await callWidget(page, 'authenticate', await mintTokens(stage))
    await show(partner.clientId)
    await openNewestNote()
    await button('Copy to record').click()
    await waitUntil(async () => (await lookAt()).handed.length === 1, 'the note is in the chart')
    const isOnRecord = async (): Promise<boolean> => {
      const text = 'select count(*)::int as count from casenote.note_copies where tenant_id = $1'
      const [row] = await service.db.read(
        { tenantId: partner.partnerId },
        { text, values: [partner.partnerId] },
      )
      return ((row as { count: number } | undefined)?.count ?? 0) > 0
    }
    await waitUntil(isOnRecord, 'the copy is on record')
    await button('Wrong client?').click()
    await frame.getByRole('dialog').getByRole('searchbox').fill('ito')
    await frame.getByRole('dialog').locator('.list-row').click()
    await button('Move to Ben Ito').click()
    await frame.getByText('into the chart of Sam Sample').waitFor()
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    await frame.getByRole('dialog').getByRole('button', { name: 'Open the new session' }).click()
    await frame.getByRole('heading', { name: 'Ben Ito' }).waitFor()
    const heard = (await listHeard(page)).find(({ name }) => name === 'noteWithdrawn')
    expect(heard).toMatchObject({
      clientId: partner.clientId,
      sessionId: wrong,
      sessionExternalId: 'visit-sam',
      correctedClientId: benId,
      copies: [{ to: 'page', chartClientId: partner.clientId }],
    })
    expect((await lookAt()).told[0]?.[1]).toMatchObject({ clientId: partner.clientId, sessionId: wrong })
    const url = `/v2/sessions/${wrong}/progress-note`
    const note = (await service.call({ method: 'GET', url, headers: partner.headers })).json<ProgressNote>()
    expect(note).toMatchObject({ status: 'failed', note: [] })
  })
})
