import type { Client, Consent, Page as ListPage, WidgetSession } from '@casenote/contract'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addText } from '../../src/features/consents/index.js'
import { operator } from '../../src/kernel/operator.js'
import { makePagesFixture } from '../client-pages/pages-fixture.js'
import { addSameVersion } from '../support/same-version.js'
import { waitUntil } from '../support/casenote-process.js'
import {
  callWidget,
  consent,
  fakeMicrophone,
  findFrame,
  mintTokens,
  openStage,
  partnerHtml,
  type Stage,
} from './embedding-fixture.js'
import { findBarriersOnBoth, missesChromium, openBrowser } from '../support/open-browser.js'

/** Set to look at the screens. */
const screenshotFolder = process.env['CASENOTE_TEST_SCREENSHOTS']

describe.skipIf(missesChromium('consent on the page and in the widget'))('consent', () => {
  let stage: Stage
  let browser: Browser

  beforeAll(async () => {
    stage = await openStage()
    browser = await openBrowser(fakeMicrophone)
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })

  const partnerCall = (method: 'GET' | 'POST', path: string, payload?: object) =>
    stage.service.ask(stage.partner, method, path, payload)
  const stateOf = async (clientId: string): Promise<string> =>
    (await partnerCall('GET', `/clients/${clientId}`)).json<Client>().recordingConsent

  async function look(page: Page, name: string): Promise<void> {
    if (screenshotFolder !== undefined) {
      mkdirSync(screenshotFolder, { recursive: true })
      await page.screenshot({ path: join(screenshotFolder, `consent-${name}.png`), fullPage: true })
    }
  }

  it('is read, signed by keyboard, seen and withdrawn on a phone, in English and Spanish, without barriers', async () => {
    const pages = makePagesFixture(stage.service, stage.partner)
    const clientId = await pages.addClient()
    const token = await pages.linkToConsent(clientId)
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
    const page = await context.newPage()
    await page.goto(`${stage.serviceUrl}/c/${token}`)
    await page.getByText('a question for you about recording').waitFor()
    expect(new URL(page.url()).pathname).toBe('/c')
    await page.getByLabel('Month').selectOption({ label: 'February' })
    await page.getByLabel('Day').fill('3')
    await page.getByLabel('Year').fill('1990')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('It is your choice').waitFor()
    expect(await findBarriersOnBoth(page)).toEqual([])
    await look(page, 'unsigned')
    // Without name and tick nothing is sent.
    await page.getByRole('button', { name: 'Sign' }).click()
    await page.getByText('Please type your name').waitFor()
    expect(await stateOf(clientId)).toBe('none')
    await page.getByLabel('Your full name').fill('Sam Sample')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    // Another language keeps what was typed.
    await page.getByRole('button', { name: 'Español' }).click()
    await page.getByText('Usted decide').waitFor()
    expect(await page.getByLabel('Su nombre completo').inputValue()).toBe('Sam Sample')
    expect(await findBarriersOnBoth(page)).toEqual([])
    await page.getByRole('button', { name: 'Firmar' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Sam Sample firmó en esta página').waitFor()
    expect(await stateOf(clientId)).toBe('given')
    const { data } = (await partnerCall('GET', `/clients/${clientId}/consents`)).json<ListPage<Consent>>()
    expect(data).toMatchObject([{ personName: 'Sam Sample', language: 'es', method: 'signed_on_page' }])
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByText('You agreed to be recorded').waitFor()
    expect(await findBarriersOnBoth(page)).toEqual([])
    await look(page, 'signed')
    await page.getByRole('button', { name: 'Withdraw my agreement' }).click()
    await page.getByRole('button', { name: 'Yes, withdraw' }).click()
    await page.getByText('The agreement was withdrawn').waitFor()
    expect(await stateOf(clientId)).toBe('withdrawn')
    await look(page, 'withdrawn')
    await context.close()
  })

  /** Withdrawn by the client, elsewhere, while the tab records. Gives the tab once the recording has ended. */
  async function withdrawWhileRecording(): Promise<{ page: Page; sessionId: string }> {
    const { partner } = stage
    await consent(stage)
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js`)))
    await callWidget(page, 'authenticate', await mintTokens(stage))
    await callWidget(page, 'selectClient', partner.clientId)
    const frame = await findFrame(page)
    await frame.getByRole('button', { name: 'Start recording' }).click()
    await frame.getByRole('button', { name: 'Pause' }).waitFor()
    const listHeard = () => page.evaluate<{ name: string; sessionId?: string }[]>('heard')
    await waitUntil(
      async () => (await listHeard()).some(({ name }) => name === 'recordingStarted'),
      'it records',
    )
    const tenant = { tenantId: partner.partnerId }
    await waitUntil(async () => {
      const arrived = await stage.service.owner.read(tenant, {
        text: `select 1 from casenote.uploads where tenant_id = $1 and status = 'open' and offset_bytes > 0`,
        values: [partner.partnerId],
      })
      return arrived.length > 0
    }, 'something has arrived')
    const { data } = (await partnerCall('GET', `/clients/${partner.clientId}/consents`)).json<
      ListPage<Consent>
    >()
    const standing = data.find(({ status, relation }) => status === 'given' && relation === 'self')
    await partnerCall('POST', `/clients/${partner.clientId}/consents/${standing?.id}/withdraw`)
    const withdrawnAtMs = performance.now()
    await waitUntil(
      async () => (await listHeard()).some(({ name }) => name === 'recordingStopped'),
      'the recording ends',
    )
    expect(performance.now() - withdrawnAtMs).toBeLessThan(5_000)
    await frame.getByText('Consent was withdrawn: the recording has ended').waitFor()
    const sessions = (await partnerCall('GET', `/clients/${partner.clientId}/sessions`)).json<
      ListPage<WidgetSession>
    >()
    return { page, sessionId: sessions.data.at(-1)?.sessionId ?? '' }
  }

  const statusOf = async (sessionId: string): Promise<string> =>
    (await partnerCall('GET', `/sessions/${sessionId}`)).json<{ status: string }>().status

  it('withdrawn during a recording ends it within 5 s, and what was recorded is kept if the clinician says so', async () => {
    const { page, sessionId } = await withdrawWhileRecording()
    const frame = await findFrame(page)
    expect(await statusOf(sessionId)).toBe('awaiting_audio')
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    await look(page, 'ended')
    await frame.getByRole('button', { name: 'Keep what was recorded' }).click()
    await waitUntil(async () => (await statusOf(sessionId)) !== 'awaiting_audio', 'it is taken as whole')
    expect(await statusOf(sessionId)).not.toBe('failed')
    await page.context().close()
  })

  it('or is discarded, with all that had arrived; and somebody signs in the room for the next one', async () => {
    const { page, sessionId } = await withdrawWhileRecording()
    const frame = await findFrame(page)
    await frame.getByRole('button', { name: 'Discard' }).click()
    await frame.locator('dialog[open]').getByRole('button', { name: 'Discard' }).click()
    await waitUntil(async () => (await statusOf(sessionId)) === 'failed', 'it is discarded')
    const uploads = (await stage.service.owner.read(
      { tenantId: stage.partner.partnerId },
      {
        text: `select u.status, b.status as blob from casenote.uploads u join casenote.blobs b
          on b.tenant_id = u.tenant_id and b.blob_id = u.blob_id where u.tenant_id = $1 and u.session_id = $2`,
        values: [stage.partner.partnerId, sessionId],
      },
    )) as { status: string; blob: string }[]
    expect(uploads.map(({ status }) => status)).toEqual(['dropped'])
    expect(['deleting', 'deleted']).toContain(uploads[0]?.blob)

    await frame.getByText('Consents', { exact: true }).click()
    await frame.getByText('Nothing is recorded until').waitFor()
    await frame.getByLabel('Who agrees?').selectOption({ label: 'Parent or guardian' })
    await frame.getByLabel('Full name').fill('Grace Guardian')
    await frame.getByLabel('I have read the text, and I agree.').check()
    await look(page, 'in-the-room')
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    await frame.getByRole('button', { name: 'Sign', exact: true }).click()
    await frame.getByRole('button', { name: 'Start recording' }).waitFor()
    expect(await stateOf(stage.partner.clientId)).toBe('given')
    await page.context().close()
  })

  it('by word, to the clinic’s own text where it has one', async () => {
    const { partner, service } = stage
    const clientId = await makePagesFixture(service, partner).addClient()
    const body = 'We record sessions at Harbor Clinic.\n\n- You may say no.'
    await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
      addText(tx, operator, { organizationId: null, language: 'en', version: 'harbor-1', body }),
    )
    const page = await (await browser.newContext()).newPage()
    await page.goto(stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js`)))
    await callWidget(page, 'authenticate', await mintTokens(stage))
    await callWidget(page, 'selectClient', clientId)
    const frame = await findFrame(page)
    await frame.getByText('We record sessions at Harbor Clinic.').waitFor()
    await frame.getByText('text harbor-1 (the partner’s own)').waitFor()
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    await look(page, 'own-text')
    await frame.getByRole('button', { name: 'The client agreed' }).click()
    await frame.getByRole('button', { name: 'Start recording' }).waitFor()
    const { data } = (await partnerCall('GET', `/clients/${clientId}/consents`)).json<ListPage<Consent>>()
    expect(data).toMatchObject([{ textVersion: 'harbor-1', textOwner: 'partner', method: 'by_word' }])
    await page.context().close()
  })

  it('to the words on the screen, though the client moves to another clinic meanwhile, and they can be read later', async () => {
    const { partner, service } = stage
    const pages = makePagesFixture(service, partner)
    const { here, there, transfer } = await addSameVersion(service, partner, '2026-12')
    const clientId = await pages.addClient()
    const context = await browser.newContext()
    const phone = await context.newPage()
    await phone.goto(`${stage.serviceUrl}/c/${await pages.linkToConsent(clientId)}`)
    await phone.getByLabel('Month').selectOption({ label: 'February' })
    await phone.getByLabel('Day').fill('3')
    await phone.getByLabel('Year').fill('1990')
    await phone.getByRole('button', { name: 'Continue' }).click()
    await phone.getByText(here.body).waitFor()
    const page = await context.newPage()
    await page.goto(stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js`)))
    await callWidget(page, 'authenticate', await mintTokens(stage))
    await callWidget(page, 'selectClient', clientId)
    const frame = await findFrame(page)
    await frame.getByText('Consents', { exact: true }).click()
    await frame.getByLabel('Full name').fill('Grace Guardian')
    await frame.getByLabel('I have read the text, and I agree.').check()
    await transfer(clientId)
    const secondary = { clinicianIds: [partner.clinicianId] }
    await partnerCall('POST', `/clients/${clientId}/secondary-clinicians`, secondary)

    await phone.getByLabel('Your full name').fill('Sam Sample')
    await phone.getByRole('checkbox').check()
    await phone.getByRole('button', { name: 'Sign' }).click()
    await phone.getByText('Read what you agreed to').click()
    await phone.getByText(here.body).waitFor()

    await frame.getByRole('button', { name: 'Sign', exact: true }).click()
    const signed = frame.locator('li', { hasText: 'Grace Guardian' })
    await signed.locator('summary').focus()
    await page.keyboard.press('Enter')
    await signed.getByText(here.body).waitFor()
    expect(await frame.getByText(there.body).count()).toBe(1)
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    await look(page, 'words')
    await context.close()
  })
})
