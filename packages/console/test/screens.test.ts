import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers, missesChromium, openBrowser } from '../../server/test/support/open-browser.js'
import { makeConsoleOpener, type ConsoleStage } from './open-console-stage.js'

const idOf = (number: number): string => `019a8f00-0000-7000-8000-${String(number).padStart(12, '0')}`
const tenant = idOf(1)

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

interface State {
  place: string
  who?: 'operator' | 'partner' | 'nobody' | 'closed'
  /** Shown once it is all there. */
  sign: string
  reach?: (page: Page) => Promise<void>
}

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click()

const states: Readonly<Record<string, State>> = {
  'the sign-in': { place: '', who: 'nobody', sign: 'or with your password' },
  'a console without users': { place: '', who: 'closed', sign: 'casenote console invite' },
  'an enrolment': { place: '#link=abc', who: 'nobody', sign: 'Make a passkey' },
  "an authenticator's key": {
    place: '#link=abc',
    who: 'nobody',
    sign: 'JBSW Y3DP',
    reach: async (page) => {
      await page.getByLabel('New password').fill('correct horse battery')
      await press(page, 'Go on with a password')
    },
  },
  'the overview': { place: `#/${tenant}/overview`, sign: 'An endpoint fails' },
  'the sessions': { place: `#/${tenant}/sessions`, sign: 'Transcribing 42 %' },
  'sessions of a status that none has': {
    place: `#/${tenant}/sessions?status=generating`,
    sign: 'No session has',
  },
  'a failed session': { place: `#/${tenant}/sessions/${idOf(103)}`, sign: '5 attempts' },
  'a completed session': { place: `#/${tenant}/sessions/${idOf(100)}`, sign: 'Tries again' },
  'a session that is not there': { place: `#/${tenant}/sessions/none`, sign: 'There is no such thing here.' },
  'the deliveries': { place: `#/${tenant}/deliveries`, sign: 'Paused' },
  'the recovery of an endpoint': {
    place: `#/${tenant}/deliveries`,
    sign: '7 deliveries wait to be sent again.',
    reach: async (page) => {
      await press(page, 'Recover …')
      await page.getByRole('dialog').getByRole('button', { name: 'Recover', exact: true }).click()
    },
  },
  'a delivery': { place: `#/${tenant}/deliveries/${idOf(301)}`, sign: 'Timed out' },
  'the request log': { place: `#/${tenant}/requests`, sign: 'invalid_body' },
  'the keys': { place: `#/${tenant}/keys`, sign: 'Ends soon' },
  'a new key': {
    place: `#/${tenant}/keys`,
    sign: 'cn_live_',
    reach: async (page) => {
      await press(page, 'Rotate …')
      await press(page, 'Rotate')
    },
  },
  'the question before a key is retired': {
    place: `#/${tenant}/keys`,
    sign: 'This cannot be taken back.',
    reach: (page) => press(page, 'Retire older token keys …'),
  },
  'the question whether it is you': {
    place: `#/${tenant}/keys`,
    sign: 'each is good for one such change',
    reach: async (page) => {
      await page.evaluate('stage.service.isFresh = false')
      await press(page, 'Rotate …')
      await press(page, 'Rotate')
    },
  },
  'your sign-in': { place: '#/account', sign: 'Works here' },
  'limits and usage': {
    place: `#/${tenant}/usage`,
    sign: '1,573',
    reach: (page) => page.getByText('As a table').click(),
  },
  'clinics and clinicians': { place: `#/${tenant}/people`, sign: idOf(712) },
  'an audit report': {
    place: `#/${tenant}/audit`,
    sign: 'read a progress note',
    reach: async (page) => {
      await page.getByRole('textbox', { name: 'Id' }).fill(idOf(12))
      await press(page, 'Make the report')
    },
  },
  'the tenants': { place: '#/tenants', sign: 'Suspended' },
  health: { place: '#/health', sign: 'Refused, and locked' },
  'what is late': { place: '#/health', sign: 'transcribe (due for 42 min)' },
  'the help of the keyboard': {
    place: `#/${tenant}/overview`,
    sign: 'Single keys are shortcuts',
    reach: (page) => page.keyboard.press('?'),
  },
}

describe.skipIf(missesChromium("the console's screens"))("the console's screens", () => {
  let browser: Browser
  let open: ReturnType<typeof makeConsoleOpener>

  beforeAll(async () => {
    browser = await openBrowser()
    open = makeConsoleOpener(browser)
  })
  afterAll(() => browser.close())

  const countCalls = (page: Page, path: string): Promise<number> =>
    page.evaluate(`stage.service.calls.filter((call) => call.path.endsWith('${path}')).length`)
  const lastBody = (page: Page, path: string): Promise<unknown> =>
    page.evaluate(`stage.service.calls.findLast((call) => call.path.endsWith('${path}')).body`)
  const title = (page: Page): Promise<string> => page.locator('h1').innerText()

  it.each(Object.entries(states))(
    '%s: no barrier at 320 px in light and 1,280 px in dark colours, and nothing from elsewhere',
    async (_, { place, sign, who = 'operator', reach }) => {
      const { page, complaints, strangers } = await open({ place, who })
      await reach?.(page)
      await page.locator('main, dialog').getByText(sign).filter({ visible: true }).first().waitFor()
      for (const [width, colorScheme] of [
        [1_280, 'dark'],
        [320, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        expect(await findBarriers(page)).toEqual([])
        expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
      }
      expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] })
    },
  )

  it('signs in with password and code, and says no more than that one of them was wrong', async () => {
    const { page } = await open({ who: 'nobody' })
    const fill = async (code: string): Promise<void> => {
      await page.getByLabel('User name').fill('ops-anna')
      await page.getByLabel('Password').fill('correct horse battery')
      await page.getByLabel('Code').fill(code)
      await press(page, 'Sign in')
    }
    await fill('000000')
    await page.getByText('User name, password or code is wrong.').waitFor()
    expect(await page.getByLabel('Code').inputValue()).toBe('')
    await fill('123 456')
    await page.getByText('An endpoint fails').waitFor()
    expect(await lastBody(page, '/sign-in')).toEqual({
      userName: 'ops-anna',
      password: 'correct horse battery',
      code: '123456',
    })
    await press(page, 'Sign out')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('takes a link out of the address bar before it is used, and enrols once', async () => {
    const { page } = await open({ place: '#link=00ab.c_d-123', who: 'nobody' })
    await page.getByText('ops-anna').waitFor()
    expect(page.url()).not.toContain('00ab.c_d-123')
    expect(await lastBody(page, '/link')).toEqual({ token: '00ab.c_d-123' })
    await page.getByLabel('New password').fill('correct horse battery')
    await press(page, 'Go on with a password')
    const link = page.getByRole('link', { name: 'open it in your authenticator app' })
    expect(await link.getAttribute('href')).toMatch(/^otpauth:\/\/totp\//)
    await page.getByLabel('Code').fill('123456')
    await press(page, 'Sign in')
    await page.getByText('An endpoint fails').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  it('goes on with an enrolment after a reload, and not with the link', async () => {
    const { page } = await open({ place: '#link=00ab.c_d-123', who: 'nobody' })
    await page.getByText('ops-anna').waitFor()
    await page.reload()
    await page.getByText('ops-anna').waitFor()
    expect(await countCalls(page, '/link')).toBe(0)
  })

  it('says that the time of a link is over', async () => {
    const { page } = await open({ place: '#link=abc', who: 'nobody' })
    await page.evaluate(
      `stage.service.failures.push({ path: '/enrol/password', status: 401, message: 'Sign in first' })`,
    )
    await page.getByLabel('New password').fill('correct horse battery')
    await press(page, 'Go on with a password')
    await page.getByText('Ask for another link.').waitFor()
    await press(page, 'Go to the sign-in')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('says why a link could not be opened', async () => {
    const { page } = await open({ who: 'nobody' })
    await page.evaluate(
      `stage.service.failures.push({ path: '/link', status: 404, message: 'The link is used up.' }); location.hash = '#link=old'`,
    )
    await page.getByText('The link is used up.').waitFor()
    await press(page, 'Go to the sign-in')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  describe('live', () => {
    const openList = (): Promise<ConsoleStage> => open({ place: `#/${tenant}/sessions`, isClockHeld: true })

    it('asks again every five seconds, and keeps focus and scroll', async () => {
      const { page } = await openList()
      const row = page.getByRole('link', { name: idOf(190) })
      await row.focus()
      const scroll = await page.evaluate('scrollY')
      await page.evaluate(
        `stage.service.told['GET /tenants/:tenant/sessions'] = { data: [{ ...stage.data.sessions[1], id: 'fresh' }, ...stage.data.sessions.slice(0, 20)], next: null }`,
      )
      await page.clock.runFor(5_100)
      await page.getByRole('link', { name: 'fresh' }).waitFor()
      expect(await page.evaluate('document.activeElement.textContent')).toBe(idOf(190))
      // The browser keeps what is looked at in its place: a row above it moves the page by a row at most.
      expect(Math.abs((await page.evaluate<number>('scrollY')) - (scroll as number))).toBeLessThan(60)
    })

    it('hands the focus of a row that is gone to its table', async () => {
      const { page } = await openList()
      await page.getByRole('link', { name: idOf(104) }).focus()
      await page.evaluate(
        `stage.service.told['GET /tenants/:tenant/sessions'] = { data: stage.data.sessions.slice(1, 3), next: null }`,
      )
      await page.clock.runFor(5_100)
      await page.getByRole('link', { name: idOf(104) }).waitFor({ state: 'detached' })
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TABLE')
    })

    it('does not ask while nobody can see it, and at once when somebody can', async () => {
      const { page } = await openList()
      await page.getByRole('link', { name: idOf(104) }).waitFor()
      const setHidden = (isHidden: boolean): Promise<unknown> =>
        page.evaluate(
          `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
        )
      await setHidden(true)
      const before = await countCalls(page, '/sessions')
      await page.clock.runFor(30_000)
      expect(await countCalls(page, '/sessions')).toBe(before)
      await setHidden(false)
      expect(await countCalls(page, '/sessions')).toBe(before + 1)
    })

    it('says that the service is away, keeps what it showed, and asks less often', async () => {
      const { page } = await openList()
      await page.getByRole('link', { name: idOf(104) }).waitFor()
      await page.evaluate(
        `for (let i = 0; i < 2; i += 1) stage.service.failures.push({ path: '/sessions', status: 0, message: '' })`,
      )
      await page.clock.runFor(5_100)
      const askedAt = await page.evaluate<number>('Date.now()')
      await page.getByText('The service does not answer.').waitFor()
      await page.getByText('no answer since').waitFor()
      expect(await page.getByRole('link', { name: idOf(104) }).count()).toBe(1)
      const before = await countCalls(page, '/sessions')
      // Its clock also goes by itself: on a busy machine some of the ten seconds have passed by now.
      const sinceMs = (await page.evaluate<number>('Date.now()')) - askedAt
      await page.clock.runFor(Math.max(0, 7_000 - sinceMs))
      expect(await countCalls(page, '/sessions')).toBe(before)
      await page.clock.runFor(30_000)
      await page.getByText('The service does not answer.').waitFor({ state: 'detached' })
    })

    it('signs out who does nothing for half an hour, whatever the screens ask meanwhile', async () => {
      const { page } = await openList()
      await page.getByRole('link', { name: idOf(104) }).waitFor()
      await page.clock.runFor(31 * 60_000)
      await page.getByText('You were signed out after half an hour of rest.').waitFor()
      expect(await countCalls(page, '/sign-out')).toBe(1)
    })

    it('says that one is still signed in when signing out fails, and offers it again', async () => {
      const { page } = await openList()
      await page.evaluate(`stage.service.failures.push({ path: '/sign-out', status: 0, message: '' })`)
      await press(page, 'Sign out')
      await page.getByText('You are still signed in').waitFor()
      await press(page, 'Sign out again')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    })

    it('marks what it asks by itself, until a person does something', async () => {
      const { page } = await openList()
      await page.getByRole('link', { name: idOf(104) }).waitFor()
      const last = () => page.evaluate('stage.service.calls.at(-1).isByItself')
      await page.clock.runFor(5_100)
      expect(await last()).toBe(true)
      await page.keyboard.press('Shift')
      await page.clock.runFor(5_100)
      expect(await last()).toBe(false)
    })

    it('asks to sign in again once the service no longer knows who is there', async () => {
      const { page } = await openList()
      await page.evaluate('stage.service.me = null')
      await page.clock.runFor(5_100)
      await page.getByText('You were signed out. Sign in again.').waitFor()
    })
  })

  describe('by keyboard', () => {
    it('goes to every screen with g and a letter, and from one thing back to its list with Escape', async () => {
      const { page } = await open()
      const go = async (key: string): Promise<void> => {
        await page.keyboard.press('g')
        await page.keyboard.press(key)
      }
      const screens = {
        s: 'Sessions',
        d: 'Webhook deliveries',
        r: 'Request log',
        k: 'Keys and secrets',
        u: 'Limits and usage',
        c: 'Clinics and clinicians',
        a: 'Audit report',
        t: 'Tenants',
        h: 'Health',
        y: 'Your sign-in',
        o: 'Overview',
      }
      for (const [key, name] of Object.entries(screens)) {
        await go(key)
        await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
      }
      await go('s')
      await page.getByRole('link', { name: idOf(103) }).press('Enter')
      await page.getByText('5 attempts').waitFor()
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    })

    it('leaves letters to the field that is typed in, and can be switched off', async () => {
      const { page } = await open({ place: `#/${tenant}/requests` })
      await page.keyboard.press('/')
      expect(await page.evaluate('document.activeElement.tagName')).toBe('SELECT')
      const search = page.getByRole('searchbox', { name: 'Operation' })
      await search.focus()
      await page.keyboard.type('gs')
      expect([await title(page), await search.inputValue()]).toEqual(['Request log', 'gs'])
      await page.keyboard.press('Enter')
      await expect.poll(() => page.evaluate('location.hash')).toMatch(/operation=gs$/)
      await page.locator('h1').focus()
      await page.keyboard.press('?')
      await page.getByLabel('Single keys are shortcuts').uncheck()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.locator('h1').focus()
      await page.keyboard.type('gs')
      expect(await title(page)).toBe('Request log')
    })

    it('skips to the content, and closes the menu of a phone with Escape', async () => {
      const { page } = await open({ widthPx: 320 })
      await page.evaluate('document.activeElement.blur()')
      await page.getByRole('link', { name: 'Skip to the content' }).press('Enter')
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
      const link = page.getByRole('link', { name: 'Keys and secrets' })
      expect(await link.isVisible()).toBe(false)
      await press(page, 'Menu')
      await link.waitFor()
      await page.keyboard.press('Escape')
      await link.waitFor({ state: 'hidden' })
      await press(page, 'Menu')
      await link.click()
      await page.getByRole('heading', { name: 'Keys and secrets' }).waitFor()
      await link.waitFor({ state: 'hidden' })
    })
  })

  it('tries a failed session again and goes to the new one', async () => {
    const { page } = await open({ place: `#/${tenant}/sessions/${idOf(103)}` })
    await page.evaluate(
      `stage.service.failures.push({ path: '/retry', status: 409, message: 'The client is archived.' })`,
    )
    await press(page, 'Try again')
    await page.getByText('The client is archived.').waitFor()
    await press(page, 'Try again')
    await page.getByText('Tries again').waitFor()
    expect(page.url()).toContain(idOf(100))
  })

  it('draws the step that ended a session as failed', async () => {
    const { page } = await open({ place: `#/${tenant}/sessions/${idOf(103)}` })
    await page.getByText('5 attempts').waitFor()
    expect(await page.locator('.timeline .timeline-head').allInnerTexts()).toEqual([
      'Fetch audio ✕ Failed',
      'Transcribe · Waiting',
      'Write note · Waiting',
    ])
  })

  it('opens a session by an id that somebody was told', async () => {
    const { page } = await open({ place: `#/${tenant}/sessions` })
    await page.getByLabel('Open by id').fill(` ${idOf(103)} `)
    await page.keyboard.press('Enter')
    await page.getByText('5 attempts').waitFor()
  })

  it('sends a delivery again', async () => {
    const { page } = await open({ place: `#/${tenant}/deliveries/${idOf(301)}` })
    await press(page, 'Send again')
    await page.getByText('It waits to be sent again.').waitFor()
    expect(await countCalls(page, `${idOf(301)}/resend`)).toBe(1)
  })

  it('shows a new secret once, to be copied', async () => {
    const { page } = await open({ place: `#/${tenant}/keys` })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await press(page, 'Rotate …')
    await page.getByLabel('Which').selectOption('client_secret')
    await page.getByRole('checkbox').check()
    await press(page, 'Rotate')
    await page.getByText('It is shown this once.').waitFor()
    expect(await lastBody(page, '/keys/rotate')).toEqual({ kind: 'client_secret', now: true })
    await press(page, 'Copy')
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^cn_live_/)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain('cn_live_')
  })

  it('retires the older token keys', async () => {
    const { page } = await open({ place: `#/${tenant}/keys` })
    await press(page, 'Retire older token keys …')
    await press(page, 'Retire them now')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await countCalls(page, '/keys/token-key-2/retire')).toBe(1)
  })

  it('asks whether it is you before a key is rotated, and goes on once it is shown', async () => {
    const { page } = await open({ place: `#/${tenant}/keys`, who: 'partner' })
    await page.evaluate('stage.service.isFresh = false')
    await press(page, 'Rotate …')
    expect(await page.getByLabel('Which').locator('option').allInnerTexts()).toEqual([
      'API key',
      'Client secret',
      'Token signing key',
    ])
    await press(page, 'Rotate')
    await page.getByText('Is it you?').waitFor()
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByLabel('Code').fill('000000')
    await press(page, 'Confirm')
    await page.getByText('That did not match').waitFor()
    await page.getByLabel('Code').fill('123 456')
    await press(page, 'Confirm')
    await page.getByText('It is shown this once.').waitFor()
    expect(await countCalls(page, '/keys/rotate')).toBe(2)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // Who does not show it has rotated nothing, and is told.
    await page.evaluate('stage.service.isFresh = false')
    await press(page, 'Rotate …')
    await press(page, 'Rotate')
    await page.getByText('Is it you?').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Show once more that it is you').waitFor()
    expect(await countCalls(page, '/keys/rotate')).toBe(3)
  })

  it('rotates nothing once whoever was asked whether it is them has gone elsewhere, or is signed out', async () => {
    const { page } = await open({ place: `#/${tenant}/overview`, who: 'partner' })
    const ask = async () => {
      await page.evaluate('stage.service.isFresh = false')
      await press(page, 'Rotate …')
      await press(page, 'Rotate')
      await page.getByText('Is it you?').waitFor()
    }
    await page.getByRole('link', { name: 'Keys and secrets' }).click()
    await ask()
    await page.goBack()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByText('Is it you?').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Keys and secrets' }).click()
    await ask()
    await page.evaluate('stage.service.me = null')
    await page.getByText('You were signed out. Sign in again.').waitFor()
    await page.getByLabel('User name').fill('ana')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByLabel('Code').fill('123456')
    await press(page, 'Sign in')
    await page.getByRole('heading', { name: 'Keys and secrets' }).waitFor()
    expect(await page.getByText('Is it you?').count()).toBe(0)
    expect(await countCalls(page, '/keys/rotate')).toBe(2)
  })

  it('retires the older client secret, and removes a passkey', async () => {
    const { page } = await open({ place: `#/${tenant}/keys`, who: 'partner' })
    await press(page, 'Retire the older client secret …')
    await press(page, 'Retire it now')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await countCalls(page, `/keys/${idOf(602)}/retire`)).toBe(1)
    await page.evaluate(`location.hash = '#/account'`)
    await press(page, 'Remove …')
    await press(page, 'Remove it')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await countCalls(page, '/me/passkeys/a2V5LTE/remove')).toBe(1)
  })

  it('draws calls against the limit, and what is known of every day', async () => {
    const { page } = await open({ place: `#/${tenant}/usage` })
    await expect
      .poll(() => page.locator('.chart strong').allInnerTexts())
      .toEqual([
        'Requests of a minute',
        'Requests',
        'Refused by a limit',
        'Sessions',
        'Minutes of audio',
        'Deliveries',
        'Stored',
      ])
    const hour = page.locator('.chart').first()
    expect(await hour.locator('.bar:not(.bad)').count()).toBe(60)
    expect([await hour.locator('.bar.bad').count(), await hour.locator('.limit').count()]).toEqual([1, 1])
    // Far above what is used: it would press the bars flat.
    const days = page.locator('.chart').nth(1)
    expect([await days.locator('.bar:not(.bad)').count(), await days.locator('.limit').count()]).toEqual([
      30, 0,
    ])
    expect(await days.innerText()).toContain('limit 100,000')
    await page.getByText('44 were refused because a limit was reached').waitFor()
  })

  it('turns the pages of a list, and begins anew with another filter', async () => {
    const { page } = await open({ place: `#/${tenant}/sessions` })
    await press(page, 'Next')
    await page.getByText('Page 2').waitFor()
    await page.getByRole('link', { name: idOf(170) }).waitFor()
    await page.getByLabel('Status').selectOption('failed')
    const found = page.getByRole('link', { name: idOf(103) })
    await found.waitFor()
    expect(await page.getByText('Page 2').count()).toBe(0)
    expect(page.url()).toContain('status=failed')
    await found.click()
    await page.getByText('5 attempts').waitFor()
    await page.keyboard.press('Escape')
    await found.waitFor()
    expect(page.url()).toContain('status=failed')
  })

  it("offers a partner's developer no screen of the operator, by menu, key or address", async () => {
    const { page } = await open({ who: 'partner' })
    expect(await page.getByRole('link', { name: 'Health' }).count()).toBe(0)
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    expect(await title(page)).toBe('Overview')
    await page.evaluate(`location.hash = '#/health'`)
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
    expect(await countCalls(page, '/health')).toBe(0)
    await page.evaluate(`location.hash = '#/${tenant}/keys'`)
    await page.getByText('Ends soon').waitFor()
  })

  it('makes an audit report when it is asked for, and never by itself', async () => {
    const { page } = await open({ place: `#/${tenant}/audit`, isClockHeld: true })
    await page.clock.runFor(20_000)
    expect(await countCalls(page, '/audit')).toBe(0)
    await page.getByRole('textbox', { name: 'Id' }).fill(idOf(12))
    await press(page, 'Make the report')
    await page.getByText('read a progress note').waitFor()
    await page.clock.runFor(20_000)
    expect(await countCalls(page, '/audit')).toBe(1)
  })
})
