import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Session } from '@casenote/contract'
import { removeConsoleUser } from '../../src/features/console/index.js'
import { makeTotpCode } from '../../src/features/console/totp.js'
import { failSession } from '../../src/features/sessions/index.js'
import { operator } from '../../src/kernel/operator.js'
import {
  fromBase32,
  goodPassword,
  invite,
  makeConsoleFixture,
  stepNow,
  type ConsoleFixture,
} from '../console/console-fixture.js'
import { asPipeline } from '../support/clinical-record.js'
import type { TestPartner } from '../support/test-service.js'
import { findBarriersOnBoth, missesChromium, openBrowser } from '../support/open-browser.js'

/** Set to look at the screens. */
const screenshotFolder = process.env['CASENOTE_TEST_SCREENSHOTS']

async function look(page: Page, name: string): Promise<void> {
  if (screenshotFolder === undefined) return
  await page.screenshot({ path: join(screenshotFolder, `console-${name}.png`), fullPage: true })
}

/** A device with passkeys, whose owner always agrees. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
}

describe.skipIf(missesChromium('the console on its service'))('the console', () => {
  let fixture: ConsoleFixture
  let partner: TestPartner
  let browser: Browser
  const opened: BrowserContext[] = []
  const origins = { operator: '', partner: '' }

  beforeAll(async () => {
    fixture = await makeConsoleFixture()
    partner = await fixture.service.addPartner()
    origins.operator = await listen(fixture.apps.operator)
    origins.partner = await listen(fixture.apps.partner)
    browser = await openBrowser()
  })
  afterEach(async () => {
    for (const context of opened.splice(0)) await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    await fixture?.close()
  })

  /** A name, not an address: passkeys are for hosts that have one. */
  async function listen(app: FastifyInstance): Promise<string> {
    await app.listen({ host: '127.0.0.1', port: 0 })
    return `http://localhost:${(app.server.address() as AddressInfo).port}`
  }

  async function openPage(): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' })
    opened.push(context)
    return context.newPage()
  }

  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click()
  const overview = (page: Page): Promise<void> => page.getByRole('heading', { name: 'Overview' }).waitFor()

  async function enrol(page: Page, name: string, tenantId: string | null): Promise<Buffer> {
    const origin = origins[tenantId === null ? 'operator' : 'partner']
    await page.goto(`${origin}/console#link=${await invite(fixture, name, tenantId)}`)
    await page.getByLabel('New password').fill(goodPassword)
    await press(page, 'Go on with a password')
    const shown = await page.locator('.secret code').innerText()
    const secret = fromBase32(shown.replaceAll(' ', ''))
    await page.getByLabel('Code').fill(makeTotpCode(secret, stepNow()))
    await press(page, 'Sign in')
    await overview(page)
    return secret
  }

  async function makeFailedSession(): Promise<string> {
    const { service } = fixture
    const tenant = { tenantId: partner.partnerId }
    const answer = await service.call({
      method: 'POST',
      url: `/v2/clients/${partner.clientId}/sessions`,
      headers: partner.headers,
      payload: { fileUrl: 'http://127.0.0.1:9/a.mp3', noteType: 'dap' },
    })
    const sessionId = answer.json<Session>().id
    const context = asPipeline(await service.keys.get(tenant))
    await service.db.write(tenant, (tx) =>
      failSession(tx, context, { sessionId, failure: 'processing_failed' }),
    )
    return sessionId
  }

  it('lets an operator in by link, password and code, out, and in again', async () => {
    const page = await openPage()
    const secret = await enrol(page, 'anna', null)
    await page.getByText(partner.partnerId).first().waitFor({ state: 'attached' })
    await press(page, 'Sign out')
    // No code is good twice; the phone's clock may be a step ahead.
    const nextCode = (): string => makeTotpCode(secret, stepNow() + 1)
    await page.getByLabel('User name').fill('anna')
    await page.getByLabel('Password').fill('not the right one')
    await page.getByLabel('Code').fill(nextCode())
    await press(page, 'Sign in')
    await page.getByText('That did not match').waitFor()
    await page.getByLabel('Password').fill(goodPassword)
    await page.getByLabel('Code').fill(nextCode())
    await press(page, 'Sign in')
    await overview(page)
    await page.reload()
    await overview(page)
  })

  it('lets somebody in by passkey, and by the same one again', async () => {
    const page = await openPage()
    await addAuthenticator(page)
    await page.goto(`${origins.partner}/console#link=${await invite(fixture, 'ben', partner.partnerId)}`)
    await press(page, 'Make a passkey')
    await overview(page)
    await press(page, 'Sign out')
    await press(page, 'Sign in with a passkey')
    await overview(page)
    expect(await page.locator('.tenant').innerText()).toBe(partner.partnerId)
  })

  it('says that a link was used', async () => {
    const page = await openPage()
    const link = `${origins.partner}/console#link=${await invite(fixture, 'cora', partner.partnerId)}`
    await page.goto(link)
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    const other = await openPage()
    await other.goto(link)
    await other.getByText('This link was used').waitFor()
  })

  it('shows a failed session with its steps, and tries it again', async () => {
    const page = await openPage()
    await enrol(page, 'dora', partner.partnerId)
    const sessionId = await makeFailedSession()
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByRole('link', { name: sessionId }).click()
    await page.getByText('The session could not be processed').waitFor()
    await press(page, 'Try again')
    await page.getByText('Tries again').waitFor()
    await page.getByRole('link', { name: sessionId }).waitFor()
    expect(new URL(page.url()).hash).not.toContain(sessionId)
  })

  it('sends a delivery again, and recovers an endpoint', async () => {
    const page = await openPage()
    await enrol(page, 'emil', partner.partnerId)
    await page.getByRole('link', { name: 'Webhook deliveries' }).click()
    await page.getByRole('link', { name: partner.deliveryId }).click()
    await press(page, 'Send again')
    await page.getByText('It waits to be sent again.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Recover …' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Recover', exact: true }).click()
    await page.getByText(/deliver(?:y waits|ies wait) to be sent again/).waitFor()
  })

  it('is used with the keyboard alone: sign-in, a session, a delivery sent again', async () => {
    const page = await openPage()
    const secret = await enrol(page, 'keys-only', partner.partnerId)
    await press(page, 'Sign out')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    /** From where the focus is, no further than a screen's worth of stops. */
    const tabTo = async (name: string): Promise<void> => {
      const focused = (): Promise<string> =>
        page.evaluate(
          `(() => { const at = document.activeElement; return at.labels?.[0]?.innerText ?? at.innerText })()`,
        )
      for (let stop = 0; stop < 60 && !(await focused()).startsWith(name); stop += 1)
        await page.keyboard.press('Tab')
      expect(await focused()).toMatch(new RegExp(`^${name}`))
    }
    await tabTo('User name')
    await page.keyboard.type('keys-only')
    await tabTo('Password')
    await page.keyboard.type(goodPassword)
    await tabTo('Code')
    await page.keyboard.type(makeTotpCode(secret, stepNow() + 1))
    await page.keyboard.press('Enter')
    await overview(page)
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.getByRole('link', { name: partner.sessionId }).waitFor()
    await tabTo(partner.sessionId)
    await page.keyboard.press('Enter')
    await page.locator('main h1', { hasText: 'Session' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: partner.sessionId }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await page.getByRole('link', { name: partner.deliveryId }).waitFor()
    await tabTo(partner.deliveryId)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    await tabTo('Send again')
    await page.keyboard.press('Enter')
    await page.getByText('It waits to be sent again.').waitFor()
  })

  it('adds and removes a passkey of somebody who is signed in, and rotates a partner’s own secret', async () => {
    const page = await openPage()
    await addAuthenticator(page)
    const mine = await fixture.service.addPartner('production')
    await enrol(page, 'ida', mine.partnerId)
    await page.getByRole('link', { name: 'Your sign-in' }).click()
    await press(page, 'Add a passkey')
    await page.getByText('Works here').waitFor()
    await look(page, 'Your sign-in with a passkey')
    // The sign-in was good for one such act: from now on it is asked who is there; the passkey answers.
    await page.getByRole('link', { name: 'Keys and secrets' }).click()
    await press(page, 'Rotate …')
    await page.getByLabel('Which').selectOption('client_secret')
    await press(page, 'Rotate')
    await press(page, 'Confirm with a passkey')
    const clientSecret = await page.locator('.secret code').innerText()
    const authenticate = () =>
      fixture.service.call({
        method: 'POST',
        url: '/v2/partners/authenticate',
        headers: { 'x-api-key': mine.apiKey },
        payload: { clientId: mine.credentialId, clientSecret },
      })
    // Every process knows it within 5 seconds.
    await expect.poll(async () => (await authenticate()).statusCode).toBe(200)
    await press(page, 'Close')
    await press(page, 'Retire the older client secret …')
    await press(page, 'Retire it now')
    await press(page, 'Confirm with a passkey')
    await page.getByText('Ended').waitFor()
    await page.getByRole('link', { name: 'Your sign-in' }).click()
    await press(page, 'Remove …')
    await press(page, 'Remove it')
    await press(page, 'Confirm with a passkey')
    await page.getByText('You have no passkey.').waitFor()
  })

  it('says that the console is closed once its last user is gone', async () => {
    const fresh = await makeConsoleFixture()
    try {
      const own = await fresh.service.addPartner()
      const page = await openPage()
      const origin = await listen(fresh.apps.partner)
      await page.goto(`${origin}/console#link=${await invite(fresh, 'last', own.partnerId)}`)
      await page.getByRole('heading', { name: 'Welcome' }).waitFor()
      const tenant = { tenantId: own.partnerId }
      await removeConsoleUser(fresh.service.owner, { name: 'last', tenant }, operator)
      // What was found of users is known for two seconds.
      await expect.poll(async () => (await fetch(`${origin}/console/api/me`)).status).toBe(403)
      await press(page, 'Go to the sign-in')
      await page.getByRole('heading', { name: 'The console is closed' }).waitFor()
    } finally {
      await fresh.close()
    }
  })

  it('rotates a key for an operator, and the new one works', async () => {
    const page = await openPage()
    const other = await fixture.service.addPartner('production')
    await enrol(page, 'fritz', null)
    await page.goto(`${origins.operator}/console#/${other.partnerId}/keys`)
    await press(page, 'Rotate …')
    await press(page, 'Rotate')
    const apiKey = await page.locator('.secret code').innerText()
    const answer = await fixture.service.call({
      method: 'POST',
      url: '/v2/partners/authenticate',
      headers: { 'x-api-key': apiKey },
      payload: { clientId: other.credentialId, clientSecret: other.clientSecret },
    })
    expect(answer.statusCode).toBe(200)
    await press(page, 'Close')
    await page.getByText('Ended').waitFor()
  })

  it('shows every screen to an operator: no barrier, no complaint, no name, nothing from elsewhere', async () => {
    const page = await openPage()
    const complaints: string[] = []
    const hosts = new Set<string>()
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await enrol(page, 'gina', null)
    // Who was nobody is told so once, by the browser as well.
    complaints.length = 0
    const names = await page.locator('.menu a').allInnerTexts()
    expect(names).toHaveLength(11)
    for (const name of names) {
      await page.setViewportSize({ width: 1_280, height: 900 })
      await page.getByRole('link', { name, exact: true }).click()
      await page.locator('main h1', { hasText: name }).waitFor()
      await expect.poll(() => page.getByText('Loading …').count()).toBe(0)
      // Nothing sends webhooks here: a slow machine comes to its health when they are late, and is told so.
      const notices = page
        .locator('.notice.bad')
        .filter({ hasNotText: 'Late, although it could be done: webhooks' })
      expect({ name, notices: await notices.allInnerTexts() }).toEqual({ name, notices: [] })
      expect(await page.locator('body').innerText()).not.toMatch(/Ada|Example|Sam\b|Sample/)
      await look(page, name)
      await page.setViewportSize({ width: 320, height: 740 })
      expect(await findBarriersOnBoth(page)).toEqual([])
    }
    expect(complaints).toEqual([])
    expect([...hosts]).toEqual([new URL(origins.operator).host])
  })

  it('makes an audit report of a client', async () => {
    const page = await openPage()
    await enrol(page, 'hugo', null)
    await page.goto(`${origins.operator}/console#/${partner.partnerId}/audit`)
    await page.getByRole('textbox', { name: 'Id' }).fill(partner.clientId)
    await press(page, 'Make the report')
    await page.getByText('created a client').first().waitFor()
    await page.getByText('made a report of the audit log').first().waitFor()
  })
})
