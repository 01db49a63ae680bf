import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findBarriers, missesChromium, openBrowser } from '../../../server/test/support/open-browser.js'
import { makeStageOpener } from './open-stage.js'

describe.skipIf(missesChromium('the work of a clinician'))('the work of a clinician', () => {
  let browser: Browser
  let open: ReturnType<typeof makeStageOpener>
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser()
    open = makeStageOpener(browser)
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    ;({ page } = await open({ widthPx: 360 }))
    await rows().first().waitFor()
  })

  const rows = () => page.locator('.work .list-row')
  const untilRows = async (count: number): Promise<void> =>
    await expect.poll(() => rows().count(), { message: `${count} sessions are listed` }).toBe(count)
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const become = (fields: string) =>
    page.evaluate(`stage.service.session.value = { ...stage.service.session.value, ${fields} }; undefined`)
  /** Another recording has arrived, so that the widget looks at what is under way. */
  const arrive = () => page.evaluate(`stage.sending.value = [{}]; stage.sending.value = []`)
  const followToReady = async (status = 'generated'): Promise<void> => {
    await become(`stage: 'writing', note: { ...stage.service.session.value.note, isLoading: true }`)
    await page.evaluate(
      `globalThis.looks = 0; ((get) => (stage.service.requests.get = (path) => { if (path.includes('underway')) globalThis.looks += 1; return get(path) }))(stage.service.requests.get)`,
    )
    await arrive()
    await expect
      .poll(() => page.evaluate<number>('looks'), { message: 'the widget looks' })
      .toBeGreaterThan(0)
    await become(
      `stage: 'done', note: { ...stage.service.session.value.note, isLoading: false, status: '${status}' }`,
    )
  }

  it('lists what is not signed, with what failed, why, and what comes next; filters and search narrow it', async () => {
    expect(await rows().count()).toBe(3)
    const failed = rows().filter({ hasText: 'Failed' })
    expect(await failed.textContent()).toContain(
      'The recording could not be transcribed. Record or upload it again on the client’s page.',
    )
    expect(await button(/^To do/).textContent()).toBe('To do 3')
    await button(/^Ready to sign/).press('Enter')
    await untilRows(1)
    expect(await button(/^Ready to sign/).getAttribute('aria-pressed')).toBe('true')
    await button(/^All/).press('Enter')
    await untilRows(4)
    await page.getByRole('searchbox').fill('lindq')
    await page.getByRole('heading', { name: 'Sessions of “lindq”' }).waitFor()
    await untilRows(1)
    expect(await rows().textContent()).toContain('Johan Lindqvist')
    expect(await findBarriers(page)).toEqual([])
  })

  it('offers the next page when more came than the first one holds', async () => {
    await rows().first().waitFor()
    expect(await button('Show more').count()).toBe(0)
    await page.evaluate(
      `((get) => (stage.service.requests.get = async (path) => {
        const answer = await get(path)
        return path.startsWith('/sessions?') ? { ...answer, meta: { ...answer.meta, totalPages: 2 } } : answer
      }))(stage.service.requests.get); document.dispatchEvent(new Event('visibilitychange'))`,
    )
    await button('Show more').waitFor()
  })

  it('tells wherever the clinician is that a note is ready, and leads to it', async () => {
    await page.evaluate('stage.engine.select(stage.data.clients.at(-1).id)')
    await followToReady()
    await page.getByText('The note of Joanna Smith is ready').waitFor()
    expect(await page.locator('main > [role=status]').textContent()).toBe('A note is ready')
    expect(await findBarriers(page)).toEqual([])
    await page.locator('.notice').getByRole('button', { name: 'Open' }).press('Enter')
    await page.getByRole('tablist').waitFor()
    expect(await page.getByText('The note of Joanna Smith is ready').count()).toBe(0)
  })

  it('names nobody while somebody is recorded, and can be put away', async () => {
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await button('Start recording').click()
    await followToReady()
    await page.getByText('A note is ready', { exact: true }).first().waitFor()
    expect(await page.locator('main > .notice').textContent()).not.toContain('Joanna')
    await button('Dismiss').click()
    await page.locator('main > .notice').waitFor({ state: 'detached' })
  })

  it('names nobody on another screen either, while somebody is recorded', async () => {
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await button('Start recording').click()
    await page.waitForSelector('.timer')
    await page.evaluate('stage.engine.select(null)')
    await rows().first().waitFor()
    await followToReady()
    await page.locator('main > .notice', { hasText: 'is ready' }).waitFor()
    expect(await page.locator('main > .notice').allTextContents()).not.toContainEqual(
      expect.stringContaining('The note of Joanna'),
    )
  })

  it('says of a note that could not be written that it could not, aloud as well', async () => {
    await followToReady('failed')
    await page.locator('main > .notice.warning').waitFor()
    expect(await page.locator('main > [role=status]').textContent()).toBe(
      'A session could not be turned into a note',
    )
  })

  it('shows the next clinician no notice of the one before', async () => {
    await followToReady()
    const notice = page.getByText('The note of Joanna Smith is ready')
    await notice.waitFor()
    await page.evaluate(
      `stage.auth.value = { state: 'signedIn', clinician: { ...stage.data.clinician, id: 'other', firstName: 'Tobias' } }`,
    )
    await page.getByRole('heading', { name: 'Hello, Tobias' }).waitFor()
    expect(await notice.count()).toBe(0)
  })

  it('follows no recording that has not arrived', async () => {
    await page.evaluate(
      `globalThis.watched = []; ((watch) => (stage.service.requests.watchSession = (id, hear) => {
        if (id === stage.data.session.sessionId) watched.push(stage.service.session.peek().stage)
        return watch(id, hear) }))(stage.service.requests.watchSession); undefined`,
    )
    await become(`stage: 'uploading', note: { ...stage.service.session.value.note, isLoading: true }`)
    await arrive()
    await followToReady()
    await page.getByText('The note of Joanna Smith is ready').waitFor()
    expect(await page.evaluate('watched')).toEqual(['writing'])
  })

  it('calls nothing failed that is being written again', async () => {
    await become(`note: { ...stage.service.session.value.note, status: 'failed', isLoading: true }`)
    await button(/^On the way/).press('Enter')
    const row = rows().filter({ hasText: 'Joanna Smith' })
    // Until the answer comes those of all lists stand there, a failed one among them.
    await expect.poll(() => row.count()).toBe(1)
    expect(await row.textContent()).not.toMatch(/could not|written again/)
  })

  it('notifies through the browser only once asked to, and names nobody there', async ({
    onTestFinished,
  }) => {
    onTestFinished(() => page.close())
    await page.addInitScript(
      `globalThis.shown = []; globalThis.asked = 0
      globalThis.Notification = class { static permission = 'default'; static async requestPermission() { globalThis.asked += 1; return (this.permission = 'granted') }
        constructor(title, options) { shown.push([title, options.body]) } addEventListener() {} close() {} }
      Object.defineProperty(Document.prototype, 'hidden', { get: () => true })`,
    )
    await page.reload()
    await rows().first().waitFor()
    await followToReady()
    await page.getByText('The note of Joanna Smith is ready').waitFor()
    expect(await page.evaluate('[asked, shown.length]')).toEqual([0, 0])
    await button('Notify me when a note is ready').click()
    await button('Stop notifying me').waitFor()
    await followToReady()
    await expect.poll(() => page.evaluate('shown.length'), { message: 'the notification' }).toBe(1)
    expect(await page.evaluate('[asked, shown]')).toEqual([
      1,
      [['A note is ready', 'Open your record system to see it.']],
    ])
  })

  it('notifies by the browser’s own notifications where they are granted', async ({ onTestFinished }) => {
    onTestFinished(() => page.close())
    ;({ page } = await makeStageOpener(browser, 'https://stage.test')())
    await page.context().grantPermissions(['notifications'], { origin: 'https://stage.test' })
    await page.addInitScript(
      `globalThis.shown = []
      globalThis.Notification = class extends Notification { constructor(title, options) { super(title, options); this.addEventListener('show', () => shown.push([title, options.body, options.tag])) } }
      Object.defineProperty(Document.prototype, 'hidden', { get: () => true })`,
    )
    await page.reload()
    await rows().first().waitFor()
    await button('Notify me when a note is ready').click()
    await button('Stop notifying me').waitFor()
    await followToReady()
    await expect.poll(() => page.evaluate('shown.length'), { message: 'it is shown' }).toBe(1)
    const tag = `casenote-${await page.evaluate<string>('stage.data.session.sessionId')}`
    expect(await page.evaluate('shown')).toEqual([
      ['A note is ready', 'Open your record system to see it.', tag],
    ])
  })

  it('says where a browser allows no notifications', async () => {
    await page.evaluate(
      `globalThis.Notification = class { static permission = 'default'; static async requestPermission() { return 'denied' } }`,
    )
    const ask = button('Notify me when a note is ready')
    if ((await ask.count()) > 0) await ask.click()
    await page.getByText('This browser does not allow notifications here').waitFor()
  })
  it('sends an assessment from the client’s page, hands its link over, and takes it back', async () => {
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.getByText('Assessments', { exact: true }).press('Enter')
    await button('Send an assessment').press('Enter')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('GAD-7').isDisabled()).toBe(true)
    await dialog.getByLabel('PHQ-9').check()
    await dialog.getByRole('checkbox', { name: 'Send the link by e-mail' }).uncheck()
    await dialog.getByRole('button', { name: 'Make a link' }).press('Enter')
    expect(await dialog.getByLabel('Link').inputValue()).toBe('https://notes.example/a/t0ken')
    await dialog.getByRole('button', { name: 'Close' }).press('Enter')
    const sent = page.locator('.outstanding', { hasText: 'PHQ-9' })
    expect(await sent.textContent()).toContain('Sent')
    await button('Take back: PHQ-9').press('Enter')
    await dialog.getByRole('button', { name: 'Take back' }).press('Enter')
    await sent.waitFor({ state: 'detached' })
    const waiting = page.locator('.outstanding', { hasText: 'GAD-7' })
    expect(await waiting.textContent()).toContain('Opened')
  })

  it('mails a new link only where the one before was mailed', async () => {
    await page.evaluate(
      `stage.service.assessments.value = { ...stage.service.assessments.value, outstanding: stage.service.assessments.value.outstanding.flatMap((one) => [one, { ...one, id: 'handed-over', name: 'PHQ-9', emailStatus: null }]) };
      globalThis.mailed = []; ((send) => (stage.service.requests.send = (method, path, body) => { if (path.endsWith('/reissue')) mailed.push(body.sendEmail); return send(method, path, body) }))(stage.service.requests.send);
      stage.engine.select(stage.data.joanna.id)`,
    )
    await page.getByText('Assessments', { exact: true }).press('Enter')
    for (const name of ['PHQ-9', 'GAD-7']) {
      await button(`New link: ${name}`).press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(await page.evaluate('mailed')).toEqual([false, true])
  })

  it('shows what was answered, question by question, with its points', async () => {
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.getByText('Assessments', { exact: true }).press('Enter')
    await button('Answers of Nov 13, 2026').press('Enter')
    const row = page.getByRole('dialog').getByRole('row', { name: 'Feeling down' })
    await row.waitFor()
    expect(await row.getByRole('cell').allTextContents()).toEqual(['Nearly every day', '3'])
    expect(await page.getByRole('dialog').textContent()).toContain('Moderate')
  })
})
