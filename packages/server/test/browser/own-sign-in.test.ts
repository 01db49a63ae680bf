import { randomUUID } from 'node:crypto'
import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setSignIn } from '../../src/features/partners/index.js'
import { deriveCode } from '../../src/features/widget/sign-in/sign-in-code.js'
import {
  callWidget,
  findFrame,
  listHeard,
  mintTokens,
  moveFrame,
  openStage,
  partnerHtml,
  useEngineHarness,
  type Stage,
} from './embedding-fixture.js'
import { addColleague } from '../widget/widget-fixture.js'
import { findBarriersOnBoth, missesChromium, openBrowser } from '../support/open-browser.js'

/** What a test sees in the frame. */
interface OwnEngine {
  engine: {
    selection: { value: { clientId: string | null } }
    auth: { value: { state: string; clinician?: { id: string } } }
    ownSignIn: {
      value: { email: string; request(): Promise<void>; redeem(code: string): Promise<void> } | null
    }
  }
}

describe.skipIf(missesChromium('signing in without a backend'))('a page without a backend', () => {
  let stage: Stage
  let browser: Browser

  beforeAll(async () => {
    // No worker runs: the code is taken from where the worker takes it.
    const env = { CASENOTE_SMTP_URL: 'smtp://localhost:9', CASENOTE_MAIL_FROM: 'care@casenote.example' }
    stage = await openStage({ env })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })

  const scope = () => ({ tenantId: stage.partner.partnerId })

  async function openPage(query: string): Promise<Page> {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js${query}`)))
    return page
  }

  /** The engine without screens: what is asked and typed is called. */
  async function openEngine(email: string): Promise<{ page: Page; frame: Frame }> {
    await setSignIn(stage.service.owner, scope(), [new URL(stage.pages.url).origin])
    const context = await browser.newContext()
    await useEngineHarness(context)
    const page = await context.newPage()
    const query = `?partner=${stage.partner.partnerId}`
    await page.goto(stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js${query}`)))
    const frame = await findFrame(page)
    await offer(page, frame, email)
    return { page, frame }
  }

  /** Calls are taken in turn: once the selection is there, the address is. */
  async function offer(page: Page, frame: Frame, email: string): Promise<void> {
    const clientId = randomUUID()
    await callWidget(page, 'authenticate', { email })
    await callWidget(page, 'selectClient', clientId)
    await frame.waitForFunction(
      (selected) => (globalThis as unknown as OwnEngine).engine?.selection.value.clientId === selected,
      clientId,
    )
  }

  const request = (frame: Frame): Promise<void> =>
    frame.evaluate(() => (globalThis as unknown as OwnEngine).engine.ownSignIn.value?.request())

  const redeem = (frame: Frame, code: string): Promise<void> =>
    frame.evaluate(
      (typed) => (globalThis as unknown as OwnEngine).engine.ownSignIn.value?.redeem(typed),
      code,
    )

  const readAuth = (frame: Frame): Promise<OwnEngine['engine']['auth']['value']> =>
    frame.evaluate(() => (globalThis as unknown as OwnEngine).engine.auth.value)

  const waitForState = (frame: Frame, state: string): Promise<unknown> =>
    frame.waitForFunction(
      (wanted) => (globalThis as unknown as OwnEngine).engine.auth.value.state === wanted,
      state,
    )

  /** Holds the service's answer back until it is released. */
  function delayAnswer(page: Page, call: string): { isAnswered: Promise<void>; release: () => void } {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const isAnswered = new Promise<void>((resolve) => {
      void page.route(`**/widget/v1/${call}`, async (route) => {
        const response = await route.fetch()
        resolve()
        await released
        await route.fulfill({ response })
      })
    })
    return { isAnswered, release }
  }

  async function readNewestCode(): Promise<string> {
    const rows = await stage.service.db.read(scope(), {
      text: `select sign_in_id as "signInId", key_version as "keyVersion" from casenote.sign_in_codes
          where tenant_id = $1 order by asked_at desc limit 1`,
      values: [stage.partner.partnerId],
    })
    const { signInId, keyVersion } = rows[0] as { signInId: string; keyVersion: number }
    return deriveCode(await stage.service.keys.get(scope()), keyVersion, signInId) ?? ''
  }

  async function findEmail(clinicianId = stage.partner.clinicianId): Promise<string> {
    const { partner, service } = stage
    const url = `/v2/clinicians/${clinicianId}`
    const answer = await service.call({ method: 'GET', url, headers: partner.headers })
    return answer.json<{ email: string }>().email
  }

  it('is signed in by a mailed code that is typed into the frame, and never sees it', async () => {
    await setSignIn(stage.service.owner, scope(), [new URL(stage.pages.url).origin])
    const page = await openPage(`?partner=${stage.partner.partnerId}`)
    await callWidget(page, 'authenticate', { email: await findEmail() })
    let frame = await findFrame(page)
    const answerOnce = (url: string, status: number, headers = {}): Promise<unknown> =>
      page.route(url, (route) => route.fulfill({ status, headers, body: '' }), { times: 1 })
    await answerOnce('**/widget/v1/sign-in', 429, { 'retry-after': '600' })
    await frame.getByRole('button', { name: 'Send the code' }).click()
    await frame.getByText('Too many tries. Try again in 10 minutes.').waitFor()
    await frame.getByRole('button', { name: 'Send the code' }).click()
    await frame.waitForSelector('input:focus')
    const code = await readNewestCode()
    frame = await moveFrame(page, frame)
    await frame.waitForSelector('input:focus')
    await page.keyboard.type(code === '00000000' ? '11111111' : '00000000')
    await page.keyboard.press('Enter')
    await frame.getByText('This code is not right').waitFor()
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    await frame.getByLabel('Code from the mail').fill(`${code.slice(0, 4)} ${code.slice(4)}`)
    await answerOnce('**/widget/v1/sign-in/code', 500)
    await page.keyboard.press('Enter')
    await frame.getByText('Please try again').waitFor()
    await answerOnce('**/widget/v1/clinician?*', 500)
    await frame.getByRole('button', { name: 'Sign in' }).click()
    await frame.getByRole('heading', { name: 'That did not work.' }).waitFor()
    await frame.getByRole('button', { name: 'Try again' }).click()
    await frame.getByRole('heading', { name: /^Hello/ }).waitFor()
    expect(await page.content()).not.toContain(code)
    await page.context().close()
  })

  it('signs nobody in whose code was on its way when the page logged out, and ends what the code gave', async () => {
    const email = await findEmail()
    const { page, frame } = await openEngine(email)
    const asking = delayAnswer(page, 'sign-in')
    const isAsked = request(frame)
    await asking.isAnswered
    await callWidget(page, 'logout')
    await frame.waitForFunction(() => (globalThis as unknown as OwnEngine).engine.ownSignIn.value === null)
    asking.release()
    await isAsked
    expect(await frame.evaluate('sessionStorage.length')).toBe(0)
    await offer(page, frame, email)
    await request(frame)
    const { isAnswered, release } = delayAnswer(page, 'sign-in/code')
    const typed = redeem(frame, await readNewestCode())
    await isAnswered
    await callWidget(page, 'logout')
    await frame.waitForFunction(() => (globalThis as unknown as OwnEngine).engine.ownSignIn.value === null)
    const revoked = page.waitForResponse('**/widget/v1/logout')
    release()
    await typed
    expect((await revoked).status()).toBe(204)
    expect(await readAuth(frame)).toEqual({ state: 'signedOut' })
    expect(await frame.evaluate('sessionStorage.length')).toBe(0)
    await page.context().close()
  })

  it('is signed out when it names somebody else, and stays signed in when it names the same one', async () => {
    const { partner, service } = stage
    const [first, other] = [partner.clinicianId, (await addColleague(service, partner)).clinicianId]
    const email = await findEmail()
    const { page, frame: opened } = await openEngine(email)
    let frame = opened
    await request(frame)
    await redeem(frame, await readNewestCode())
    await waitForState(frame, 'signedIn')
    await offer(page, frame, email)
    expect(await readAuth(frame)).toMatchObject({ state: 'signedIn', clinician: { id: first } })
    frame = await moveFrame(page, frame)
    await frame.waitForFunction(() => 'engine' in globalThis)
    await waitForState(frame, 'signedIn')
    await offer(page, frame, email)
    expect(await readAuth(frame)).toMatchObject({ state: 'signedIn', clinician: { id: first } })
    // Also while the next code is on its way, which stays good.
    await request(frame)
    frame = await moveFrame(page, frame)
    await frame.waitForFunction(() => 'engine' in globalThis)
    await waitForState(frame, 'signedIn')
    expect(await frame.evaluate('engine.ownSignIn.value?.isAsked()')).toBe(true)
    const revoked = page.waitForResponse('**/widget/v1/logout')
    await offer(page, frame, await findEmail(other))
    expect(await readAuth(frame)).toEqual({ state: 'signedOut' })
    expect((await revoked).status()).toBe(204)
    await callWidget(page, 'authenticate', await mintTokens(stage))
    await waitForState(frame, 'signedIn')
    await offer(page, frame, await findEmail(other))
    expect(await readAuth(frame)).toEqual({ state: 'signedOut' })
    await page.context().close()
  })

  it('may name the same one again while a code is on its way, which stays good', async () => {
    const email = await findEmail()
    const { page, frame } = await openEngine(email)
    await request(frame)
    await offer(page, frame, email.toUpperCase())
    await redeem(frame, await readNewestCode())
    await waitForState(frame, 'signedIn')
    await page.context().close()
  })

  it('is told when it is not switched on for it, and that the partner is missing', async () => {
    await setSignIn(stage.service.owner, scope(), ['https://other.example'])
    const page = await openPage(`?partner=${stage.partner.partnerId}`)
    await callWidget(page, 'authenticate', { email: await findEmail() })
    const frame = await findFrame(page)
    await frame.getByRole('button', { name: 'Send the code' }).click()
    await frame.getByText('Signing in by e-mail is not switched on for this page.').waitFor()
    await page.context().close()
    const nameless = await openPage('')
    await callWidget(nameless, 'authenticate', { email: await findEmail() })
    await (await findFrame(nameless)).getByText('This cannot open here').waitFor()
    expect(await listHeard(nameless)).toContainEqual(expect.objectContaining({ code: 'signIn' }))
    await nameless.context().close()
  })
})
