import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findBarriers, missesChromium, openBrowser } from '../../../server/test/support/open-browser.js'
import { makeStageOpener } from './open-stage.js'
import { openNote, openNoteBesideDanger } from './screen-states.js'

describe.skipIf(missesChromium('what is open about danger'))('what is open about danger', () => {
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
  })

  const strip = () => page.getByRole('region', { name: 'Danger:' })
  const entries = () => strip().getByRole('listitem')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const signing = () => page.getByRole('dialog', { name: 'Sign and lock this note?' })
  const untilFocused = (text: string) => page.waitForSelector(`:focus:text-is("${text}")`, { timeout: 5_000 })

  it('stands above the note, what is missing in it first, with words, when and how it stands', async () => {
    await openNoteBesideDanger(page)
    expect(await strip().getByRole('heading').textContent()).toBe('Danger: 4 open')
    expect(await entries().count()).toBe(2)
    const [said = '', answered = ''] = await entries().allTextContents()
    expect(said).toContain('Wish to be dead: affirmed')
    expect(said).toContain('“Some nights I think it would be easier if I just did not wake up.”')
    expect(said).toContain('Said Nov 15, 2026')
    expect(said).toContain('Not in the note')
    expect(answered).toContain('Thoughts that you would be better off dead')
    expect(answered).toContain('“Several days”')
    const isAbove = await page.evaluate(
      `document.querySelector('.danger-strip').compareDocumentPosition(document.querySelector('[role=tabpanel]')) === Node.DOCUMENT_POSITION_FOLLOWING`,
    )
    expect(isAbove).toBe(true)
    await strip().getByText('2 seen by you, still open').click()
    const rest = (await entries().allTextContents()).slice(2).join('\n')
    expect(rest).toContain('In the note')
    expect(rest).toContain('From before')
    expect(rest).toContain('“Partner locks them away, to be checked next week.”')
  })

  it('is not there where nothing is open, and says so where that is not known', async () => {
    await openNote(page)
    expect(await strip().count()).toBe(0)
    await page.evaluate(
      `stage.service.failures.push({ path: '/danger', status: 500, message: '' }); stage.engine.select(stage.data.joanna.id)`,
    )
    await page.getByText('What is open about danger could not be loaded').waitFor()
    await page.evaluate('stage.service.danger.value = stage.data.danger')
    await button('Try again').click()
    await strip().waitFor()
  })

  it('says so where the service does not answer, until it does', async ({ onTestFinished }) => {
    onTestFinished(() => page.close())
    const notLoaded = page.getByText('What is open about danger could not be loaded')
    await page.clock.install()
    await page.evaluate(
      `stage.service.away.value = ['/danger']; stage.service.danger.value = stage.data.danger; stage.engine.select(stage.data.joanna.id)`,
    )
    await page.clock.runFor(2_000)
    await page.getByRole('heading', { name: 'Joanna Smith', level: 1 }).waitFor()
    expect(await notLoaded.count()).toBe(0)
    await page.clock.runFor(2_000)
    await notLoaded.waitFor()
    await page.evaluate('stage.service.away.value = []')
    await strip().waitFor()
    await notLoaded.waitFor({ state: 'detached' })
    // Beside what was known before as well: there may be more by now.
    await page.evaluate(
      `stage.service.away.value = ['/danger']; document.dispatchEvent(new Event('visibilitychange'))`,
    )
    await page.clock.runFor(4_000)
    await strip().getByText('What is open about danger could not be loaded').waitFor()
  })

  it('comes to a screen that stays open: when the clinician looks at it again, and by itself', async ({
    onTestFinished,
  }) => {
    onTestFinished(() => page.close())
    await page.getByRole('heading', { name: 'Your work' }).waitFor()
    expect(await strip().count()).toBe(0)
    await page.evaluate(
      `stage.service.danger.value = stage.data.danger; document.dispatchEvent(new Event('visibilitychange'))`,
    )
    await strip().waitFor()
    await page.clock.install()
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await strip().waitFor()
    await page.evaluate('stage.service.danger.value = []')
    await page.clock.runFor(300_000)
    await strip().waitFor({ state: 'detached' })
  })

  it('has the first of its words in sight in the compact view, too, and the rest one line away', async () => {
    await page.setViewportSize({ width: 400, height: 600 })
    await page.evaluate('stage.settings.value = { isMinifiedView: true }')
    await openNoteBesideDanger(page)
    const words = strip().getByText('“Some nights I think it would be easier if I just did not wake up.”')
    expect([await words.isVisible(), await strip().getByText('“Several days”').isVisible()]).toEqual([
      true,
      false,
    ])
    await strip().getByText('3 more').click()
    await strip().getByText('“Several days”').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('leads to what was said: in the transcript of its note, and from home to client and session', async () => {
    await openNoteBesideDanger(page)
    await button('Show in the transcript: Wish to be dead: affirmed').press('Enter')
    expect(await page.locator('.asked-for').last().textContent()).toContain('I wake up around three')
    await page.evaluate(`stage.engine.select(null)`)
    await strip().waitFor()
    await entries().first().getByRole('button', { name: 'Joanna Smith' }).press('Enter')
    await page.getByRole('heading', { name: 'Joanna Smith', level: 1 }).waitFor()
    await button('Open the session: Wish to be dead: affirmed').press('Enter')
    await page.getByRole('tablist').waitFor()
  })

  it('seen by me, by keyboard, closes nothing; the focus stays in the strip', async () => {
    await openNoteBesideDanger(page)
    await button('Seen by me: PHQ-9').press('Enter')
    const pressed = page.getByRole('button', { name: /^Seen by me, .*: PHQ-9/, pressed: true })
    await pressed.waitFor()
    expect(await strip().getByRole('heading').textContent()).toBe('Danger: 4 open')
    await page.evaluate(`stage.engine.select(stage.data.joanna.id)`)
    // The strip of the note stands there until then, below the same name, and whatever is pressed in it loses the focus to the next screen.
    await page.getByRole('heading', { name: 'New session' }).waitFor()
    await button('Seen by me: Wish to be dead: affirmed').press('Enter')
    await strip().getByText('4 seen by you, still open').waitFor()
    await untilFocused('Danger: 4 open')
  })

  it('is closed with a word why, and with none it is not', async () => {
    await openNoteBesideDanger(page)
    await button('Close …: PHQ-9').press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Close this?' })
    const close = dialog.getByRole('button', { name: 'Close it' })
    for (const reason of ['', '   ']) {
      await dialog.getByLabel('Why can it be closed?').fill(reason)
      expect(await close.getAttribute('aria-disabled')).toBe('true')
    }
    await page.keyboard.type('Asked today, denies it.')
    await close.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await strip().getByRole('heading').textContent()).toBe('Danger: 3 open')
    await untilFocused('Danger: 3 open')
    expect(await page.evaluate('stage.service.closings')).toEqual(['   Asked today, denies it.'])
    await page.evaluate(`stage.engine.select(stage.data.joanna.id)`)
    await page.getByText('Danger that was answered for').press('Enter')
    await page.getByText('Closed Nov 16, 2026 by Amara Osei: “   Asked today, denies it.”').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('that was closed is no open point of its note any more, unless the note says otherwise', async () => {
    const said = 'Some nights I think it would be easier if I just did not wake up.'
    await page.evaluate(
      `stage.service.write({ review: ['not_written', 'contradicted'].map((reason, index) => ({ ...stage.data.review[0], kind: 'danger', id: 'said-' + index, label: reason, reason, words: ${JSON.stringify(said)} })) })`,
    )
    await openNoteBesideDanger(page)
    await button('Close …: Wish to be dead: affirmed').press('Enter')
    await page.keyboard.type('Meant as a figure of speech, asked twice.')
    await button('Close it').press('Enter')
    await page.getByRole('heading', { name: 'Danger: 3 open' }).waitFor()
    const points = page.getByRole('region', { name: 'Open points' }).getByRole('listitem')
    expect(await points.count()).toBe(1)
    expect(await points.textContent()).toContain('The note says otherwise')
  })

  describe('signing', () => {
    it('beside what is missing in the note takes a line why, which is sent', async () => {
      await openNoteBesideDanger(page)
      await button('Sign').press('Enter')
      const gate = await signing().locator('.notice.danger').first().textContent()
      expect(gate).toContain('“Some nights I think it would be easier if I just did not wake up.”')
      expect(gate).toContain('“Several days”')
      expect(gate).not.toContain('pills')
      const sign = signing().getByRole('button', { name: 'Sign and lock' })
      expect(await sign.getAttribute('aria-disabled')).toBe('true')
      // The line has the focus: nothing is pressed to reach it.
      await page.keyboard.type('Assessed by telephone, note to follow.')
      await sign.press('Enter')
      await page.getByText('Signed by Ada Example on').waitFor()
      expect(await page.evaluate('stage.service.signings')).toEqual([
        'Assessed by telephone, note to follow.',
      ])
    })

    it('beside what the note holds, or what is older, takes none', async () => {
      await page.evaluate('stage.service.danger.value = stage.data.danger.slice(2)')
      await openNote(page)
      await button('Sign').press('Enter')
      expect(await signing().getByRole('textbox').count()).toBe(0)
      await signing().getByRole('button', { name: 'Sign and lock' }).press('Enter')
      await page.getByText('Signed by Ada Example on').waitFor()
      expect(await page.evaluate('stage.service.signings')).toEqual([null])
    })

    it('with a line why signs nothing that came after it was written', async () => {
      await page.evaluate('stage.service.danger.value = stage.data.danger.slice(0, 1)')
      await openNote(page)
      await button('Sign').press('Enter')
      await signing().getByLabel('Why do you sign without it?').fill('Assessed by telephone.')
      await page.evaluate('stage.service.danger.value = stage.data.danger.slice(0, 2)')
      await signing().getByRole('button', { name: 'Sign and lock' }).press('Enter')
      await signing().getByText('“Several days”').waitFor()
      expect(await page.evaluate('stage.service.signings')).toEqual([])
      expect(await signing().getByRole('textbox').inputValue()).toBe('Assessed by telephone.')
      await signing().getByRole('button', { name: 'Sign and lock' }).press('Enter')
      await page.getByText('Signed by Ada Example on').waitFor()
    })

    it('on a line that is down says what is not known, and can be pressed', async ({ onTestFinished }) => {
      onTestFinished(() => page.close())
      await page.evaluate(`stage.service.write({ status: 'regenerated' }, 'magic_edit')`)
      await openNote(page)
      await page.clock.install()
      await page.evaluate(
        `stage.service.away.value = ['/danger', '/clinician', '/rewriting', '/progress-note']`,
      )
      await button('Sign').press('Enter')
      const sign = signing().getByRole('button', { name: 'Sign and lock' })
      expect(await sign.getAttribute('aria-disabled')).toBe('true')
      await page.clock.runFor(16_000)
      await signing().getByText('What is open about danger could not be loaded').waitFor()
      expect(await sign.getAttribute('aria-disabled')).toBe('false')
      await page.evaluate(`stage.service.failures.push({ path: '/finalize', status: 0, message: '' })`)
      await sign.press('Enter')
      await page.clock.runFor(4_000)
      await signing().getByRole('alert').getByText('The service cannot be reached.').waitFor()
      await page.evaluate('stage.service.away.value = []')
      await page.clock.runFor(1_000)
      await sign.press('Enter')
      await page.clock.runFor(1_000)
      await page.getByText('Signed by Ada Example on').waitFor()
    })

    it('that is refused for an answer which came meanwhile shows the answer, and asks for the line', async () => {
      await openNote(page)
      await button('Sign').press('Enter')
      await page.evaluate('stage.service.danger.value = stage.data.danger.slice(1, 2)')
      await signing().getByRole('button', { name: 'Sign and lock' }).press('Enter')
      await signing().getByLabel('Why do you sign without it?').waitFor()
      expect(await signing().textContent()).toContain('“Several days”')
      expect(await page.evaluate('stage.service.note.value.status')).not.toBe('finalized')
    })
  })
})
