import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { missesChromium, openBrowser } from '../../../server/test/support/open-browser.js'
import { makeStageOpener } from './open-stage.js'
import {
  chooseInMenu,
  editElsewhere,
  editSubjective,
  openLists,
  openNote,
  openSession,
  openSigned,
} from './screen-states.js'

describe.skipIf(missesChromium('the screen of a note'))('the screen of a note', () => {
  let browser: Browser
  let open: ReturnType<typeof makeStageOpener>
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser()
    open = makeStageOpener(browser)
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    ;({ page } = await open())
  })

  describe('its layout', () => {
    const isInSight = (selector: string): Promise<boolean> =>
      page.evaluate(
        `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector('${selector}').getBoundingClientRect())`,
      )

    it.each([
      [320, 560],
      [440, 700],
      [820, 700],
      [1_280, 800],
    ])('keeps heading, tabs and actions in place while it is scrolled, at %d px', async (width, height) => {
      await page.setViewportSize({ width, height })
      await openLists(page)
      for (const to of [0, 300, 100_000]) {
        await page.evaluate(`scrollTo(0, ${to})`)
        for (const selector of ['h1', '.tab-list', '.action-bar', '.close-widget'])
          expect([to, selector, await isInSight(selector)]).toEqual([to, selector, true])
      }
      const cut = await page.evaluate(
        `[...document.querySelectorAll('.tab, .action-bar button')].filter((one) => { const { left, right } = one.getBoundingClientRect(); return left < 0 || right > innerWidth }).length`,
      )
      expect(cut).toBe(0)
    })

    it('leaves nothing that takes the focus behind heading or actions', async () => {
      await page.setViewportSize({ width: 440, height: 600 })
      await openLists(page)
      await page.locator('.tab-list [aria-selected=true]').focus()
      for (let count = 0; count < 25; count += 1) {
        await page.keyboard.press('Tab')
        const hidden = await page.evaluate(
          `(() => { const one = document.activeElement; if (one.matches('[role=tabpanel], body') || one.closest('.screen-top, .action-bar, .close-widget')) return ''
            const { top, bottom } = one.getBoundingClientRect()
            const above = document.querySelector('.screen-top').getBoundingClientRect().bottom
            const below = document.querySelector('.action-bar').getBoundingClientRect().top
            return bottom <= above + 4 || top >= below - 4 ? one.outerHTML : '' })()`,
        )
        expect(hidden).toBe('')
      }
    })

    it('has real lists where the text has list lines', async () => {
      await openLists(page)
      const plan = page.locator('[data-key=plan]')
      expect(await plan.locator('ol > li').allTextContents()).toEqual([
        'Continue the thought record.',
        'Walk in the evening.',
      ])
      expect(await plan.locator('ul > li').allTextContents()).toEqual([
        'Letter to the family doctor',
        'Next appointment on Tuesday',
      ])
    })

    it('copies one section, as it is', async () => {
      await openLists(page)
      await page.evaluate(
        `document.addEventListener('copy', () => { globalThis.copiedText = document.activeElement.value })`,
      )
      await page.getByRole('button', { name: 'Copy Plan' }).click()
      await page.getByRole('button', { name: 'Copied: Plan' }).waitFor()
      expect(await page.evaluate('copiedText')).toBe(
        await page.evaluate(`stage.service.note.value.note.find(({ key }) => key === 'plan').content`),
      )
    })

    it('has a menu that works by keyboard and gives the focus back', async () => {
      await openNote(page)
      const button = page.getByRole('button', { name: 'More actions' })
      await button.focus()
      const focused = () => page.evaluate<string>('document.activeElement.textContent')
      await page.keyboard.press('Enter')
      await page.waitForSelector('[role=menu]')
      expect(await focused()).toBe('Copy as text')
      await page.keyboard.press('ArrowUp')
      expect(await focused()).toBe('Write again')
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowDown')
      expect(await focused()).toBe('Print or save as PDF')
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await page.waitForSelector(':focus[aria-label="More actions"]')
      await chooseInMenu(page, 'History')
      await page.waitForSelector('dialog[open]')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.waitForSelector(':focus[aria-label="More actions"]')
    })
  })

  describe('its evidence', () => {
    const boxOf = (selector: string) =>
      page.evaluate<{ left: number; right: number; top: number; bottom: number }>(
        `document.querySelector('${selector}').getBoundingClientRect().toJSON()`,
      )

    it('is marked at rest, each sentence by who answers for it', async () => {
      await openLists(page)
      const marked = await page.evaluate(
        `[...document.querySelectorAll('.sentence')].every((one) => { const { width, height } = one.querySelector('.icon').getBoundingClientRect(); return width > 8 && height > 8 })`,
      )
      expect(marked).toBe(true)
      const drawn = await page.evaluate<string[]>(
        `[...new Set([...document.querySelectorAll('.sentence')].map((one) => one.classList[1] + ': ' + one.querySelector('path').getAttribute('d').slice(0, 5)))]`,
      )
      expect(new Set(drawn.map((one) => one.split(': ')[0]))).toEqual(
        new Set(['verified', 'refused', 'exact_checks_only', 'clinicians_words']),
      )
      expect(new Set(drawn.map((one) => one.split(': ')[1])).size).toBe(3)
    })

    it('names what was put right in the lines that it quotes', async () => {
      await page.evaluate(
        `(async () => { const items = stage.service.transcript.value.transcriptItems; const item = items.findIndex(({ transcript }) => transcript.includes('pretty rough')); const before = items[item].transcript; await stage.engine.api.send('POST', '/sessions/any/transcript/corrections', { item, before, after: 'Fairly rough, I would say.' }) })()`,
      )
      await page.setViewportSize({ width: 700, height: 600 })
      await openLists(page)
      await page.locator('.sentence').first().focus()
      const panel = page.locator('.evidence-panel')
      await panel.getByText('Fairly rough, I would say.').waitFor()
      await panel.getByText(/Corrected by Ada Example.*pretty rough/).waitFor()
    })

    it('opens beside the text from 700 px, follows the arrow keys, and moves no word', async () => {
      await page.setViewportSize({ width: 700, height: 600 })
      await openLists(page)
      const before = await boxOf('[data-key=objective]')
      await page.locator('.sentence').first().focus()
      await page.locator('.evidence-panel').getByText('pretty rough').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.locator('.evidence-panel').getByText('A number in this sentence').waitFor()
      expect(await boxOf('[data-key=objective]')).toEqual(before)
      expect((await boxOf('.evidence-panel')).left).toBeGreaterThan((await boxOf('.sections')).right)
      for (const selector of ['.evidence-panel', '.screen-top'])
        expect((await boxOf(selector)).right).toBeLessThanOrEqual(700)
    })

    it('opens below 700 px as a sheet under the sentence, wherever that stands', async () => {
      await page.setViewportSize({ width: 440, height: 600 })
      await openLists(page)
      const sentences = page.locator('.sentence')
      for (let index = 0; index < (await sentences.count()); index += 1) {
        // As far as somebody scrolls who reads it: between heading and sheet.
        await sentences.nth(index).evaluate((sentence) => sentence.scrollIntoView({ block: 'center' }))
        await sentences.nth(index).click()
        await page.waitForSelector('.evidence-panel.sheet')
        const chosen = await boxOf('.sentence[aria-expanded=true]')
        const sheet = await boxOf('.evidence-panel')
        expect([index, chosen.bottom <= sheet.top]).toEqual([index, true])
        expect([index, chosen.bottom > (await boxOf('.screen-top')).bottom]).toEqual([index, true])
        expect(sheet.bottom).toBeLessThanOrEqual((await boxOf('.action-bar')).top + 1)
      }
      await page.locator('.evidence-panel').getByRole('button', { name: 'Close' }).click()
      expect(await page.locator('.evidence-panel').count()).toBe(0)
    })
  })

  describe('by keyboard alone, from the note being ready to its being signed', () => {
    let pressed: number

    const guide = readFileSync(new URL('../../../../docs/clinicians.md', import.meta.url), 'utf8')
    const readCount = (sentence: RegExp): number => Number(sentence.exec(guide)?.[1])
    const press = async (key: string): Promise<void> => {
      pressed += 1
      await page.keyboard.press(key)
    }
    /** To the button of this name; as far as a person would go. */
    const tabTo = async (name: string): Promise<void> => {
      for (let count = 0; count < 60; count += 1) {
        if ((await page.evaluate('document.activeElement.textContent')) === name) return
        await press('Tab')
      }
    }
    const becomeReady = async (): Promise<void> => {
      pressed = 0
      await page.evaluate(`stage.service.write({ isLoading: true, status: 'generating', note: [] })`)
      await openSession(page)
      await page.waitForSelector('.coming')
      await page.waitForSelector('h1:focus')
      // Without open points: each place that is found before signing is a stop of the Tab key more.
      await page.evaluate(
        `stage.service.write({ isLoading: false, status: 'generated', note: stage.data.sections.map((one) => ({
          ...one, evidence: one.evidence.map((of) => ({ ...of, supported: true, judgement: 'verified', reason: null })) })) })`,
      )
      await page.waitForSelector('.action-bar')
    }
    const confirm = async (): Promise<void> => {
      await page.waitForSelector('dialog[open]')
      await tabTo('Sign and lock')
      await press('Enter')
      await page.waitForSelector('.notice:focus:has-text("Signed by Ada Example")')
    }

    it('takes as few key presses as docs/clinicians.md says: Ctrl and Enter, Tab, Tab, Enter', async () => {
      await becomeReady()
      await press('Control+Enter')
      await confirm()
      expect(pressed).toBe(readCount(/it takes \*\*(\d+) key presses\*\*/))
    })

    it('takes as many by the Tab key as it says', async () => {
      await becomeReady()
      await tabTo('Sign')
      await press('Enter')
      await confirm()
      expect(pressed).toBe(readCount(/By the Tab key alone it is (\d+),/))
    })

    it('is not begun from a field, behind a dialog, or with a key that is held down', async () => {
      await openNote(page)
      await page.getByLabel('What should be changed?').focus()
      await page.keyboard.press('Control+Enter')
      await page.locator('.sentence').first().focus()
      await page.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, repeat: true, bubbles: true }))`,
      )
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.keyboard.press('Control+Enter')
      await page.waitForSelector('dialog[open]')
      await page.keyboard.press('Control+Enter')
      expect(await page.getByRole('dialog').count()).toBe(1)
      expect(await page.evaluate('stage.service.note.value.status')).toBe('generated')
    })
  })

  describe('its signing', () => {
    const signing = () => page.getByRole('dialog', { name: 'Sign and lock this note?' })

    it('is refused where two texts of a section wait for a choice that came up behind it', async () => {
      await openNote(page)
      await page.evaluate(
        `for (const _ of [1, 2]) stage.service.failures.push({ path: '/progress-note', status: 500, message: '' })`,
      )
      await editSubjective(page, 'Client slept well.')
      await page.getByText('Not saved').first().waitFor()
      await page.getByRole('button', { name: 'Sign', exact: true }).click()
      await expect.poll(() => page.evaluate('stage.service.failures.length')).toBe(0)
      await editElsewhere(page, 'subjective', 'Client reports a better week.')
      await signing().getByRole('button', { name: 'Sign and lock' }).click()
      await signing().getByText('A section was changed in two places').waitFor()
      expect(await page.evaluate('stage.service.note.value.status')).toBe('generated')
    })

    it('is out of the way of the lock, and there again after it', async () => {
      await openNote(page)
      await page.getByRole('button', { name: 'Sign', exact: true }).click()
      await signing().waitFor()
      await page.evaluate(
        `stage.auth.value = { state: 'locked', clinician: stage.data.clinician, isAsked: false }`,
      )
      await page.getByRole('button', { name: 'Continue' }).click({ timeout: 5_000 })
      await page.evaluate(`stage.auth.value = { state: 'signedIn', clinician: stage.data.clinician }`)
      await signing().waitFor()
    })
  })

  describe('on paper', () => {
    /** As the browser does it: what is printed is what stands there between its two events. */
    const printed = async (): Promise<string> => {
      await page.evaluate(`globalThis.print = () => { dispatchEvent(new Event('beforeprint')) }`)
      await chooseInMenu(page, 'Print or save as PDF')
      await page.waitForSelector('.printed', { state: 'attached' })
      await page.emulateMedia({ media: 'print' })
      const text = await page.evaluate<string>('document.body.innerText')
      await page.emulateMedia({ media: 'screen' })
      await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
      return text
    }

    it('is the note alone, with client, date, signer and addenda, and nothing of the screen', async () => {
      await page.evaluate(
        `stage.service.write({ addenda: [{ id: 'a', text: 'Called on the 16th.', author: { kind: 'clinician', id: 'c', name: 'Ada Example' }, createdAt: '2026-11-16T08:10:00.000Z' }] })`,
      )
      await openSigned(page)
      const text = await printed()
      expect(text).toMatch(
        /^SOAP Note\s+Joanna Smith · Born Apr 12, 1988\s+Session of Nov 15, 2026, 9:30 AM\s+Signed by Ada Example on Nov 15, 2026, 11:00 AM\./,
      )
      expect(text).toMatch(
        /Addendum \(Ada Example, Nov 16, 2026, 8:10 AM\)\s+Called on the 16th\.\s+Printed on/,
      )
      expect(text).not.toMatch(/Copy|Transcript|Add to this note/)
      expect(await page.locator('.printed').count()).toBe(0)
      expect(await page.evaluate('stage.service.prints')).toHaveLength(1)
    })

    it('says that it is a draft, and has what is typed and not saved yet', async () => {
      await openNote(page)
      await page.getByRole('button', { name: 'Edit Plan' }).click()
      await page.getByRole('textbox', { name: 'Plan' }).fill('Walk every evening.')
      const text = await printed()
      expect(text).toContain('Draft: not signed.')
      expect(text).toContain('Walk every evening.')
    })

    it('is nothing behind the lock', async () => {
      await openSigned(page)
      await page.evaluate(
        `stage.auth.value = { state: 'locked', clinician: stage.data.clinician, isAsked: false }; dispatchEvent(new Event('beforeprint'))`,
      )
      expect(await page.locator('.printed').count()).toBe(0)
      expect(await page.evaluate('stage.service.prints')).toEqual([])
    })

    it('is what the browser prints by itself, on one page', async () => {
      await openSigned(page)
      const pdf = await page.pdf({ format: 'A4' })
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
      expect(await page.locator('.printed').count()).toBe(0)
      expect(await page.evaluate('stage.service.prints')).toHaveLength(1)
    })
  })

  describe('once it is signed', () => {
    const box = () => page.getByLabel('Add to this note')
    const add = () => page.getByRole('button', { name: 'Add addendum' })
    const addenda = () => page.getByRole('region', { name: 'Addenda' }).getByRole('listitem')

    it('names who signed it and when', async () => {
      await openSigned(page)
      expect(await page.locator('.notice.info').first().textContent()).toBe(
        'Signed by Ada Example on Nov 15, 2026, 11:00 AM. This note is locked.',
      )
      // What can be done with it is one row on the narrowest screen, too.
      await page.setViewportSize({ width: 320, height: 560 })
      const rows = await page.evaluate(
        `new Set([...document.querySelectorAll('.action-bar > .button, .action-bar > .menu')].map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => Math.round((top + bottom) / 2))).size`,
      )
      expect(rows).toBe(1)
    })

    it('takes an addendum, shows it with author and time, and leaves the signed text alone', async () => {
      await openSigned(page)
      const signed = () => page.evaluate('JSON.stringify(stage.service.note.value.note)')
      const before = await signed()
      await box().fill('Called on the 16th.\nSleeps better.')
      await add().click()
      await addenda().waitFor()
      expect(await addenda().textContent()).toBe(
        'Ada Example · Nov 15, 2026, 12:00 PMCalled on the 16th.\nSleeps better.',
      )
      expect(await box().inputValue()).toBe('')
      expect(await signed()).toBe(before)
      expect(await page.getByRole('status').last().textContent()).toBe('The addendum was added.')
      await page.getByRole('button', { name: 'Copy to record' }).click()
      const [copied] = await page.evaluate<{ note: string }[]>('stage.copied')
      expect(copied?.note).toMatch(
        /Tuesday at ten\.\n\nAddendum \(Ada Example, Nov 15, 2026, 12:00 PM\)\nCalled on the 16th\.\nSleeps better\.$/,
      )
    })

    it('keeps an addendum that could not be added, and adds it once when it is sent again', async () => {
      await openSigned(page)
      await page.evaluate(`stage.service.failures.push({ path: '/addenda', status: 0, message: '' })`)
      await box().fill('Called on the 16th.')
      await add().click()
      await page.getByRole('alert').waitFor()
      expect(await box().inputValue()).toBe('Called on the 16th.')
      // A colleague's addendum comes meanwhile.
      await page.evaluate(
        `stage.service.write({ addenda: [{ id: 'other', text: 'Seen.', author: { kind: 'partner', id: 'p', name: null }, createdAt: '2026-11-15T11:30:00.000Z' }] })`,
      )
      await addenda().getByText('Record system').waitFor()
      expect(await box().inputValue()).toBe('Called on the 16th.')
      await add().click()
      await addenda().nth(1).waitFor()
      expect(await box().inputValue()).toBe('')
      expect(await addenda().count()).toBe(2)
    })

    it('empties the box when the service has what was sent, although its answer was lost', async () => {
      await openSigned(page)
      await page.evaluate(
        `globalThis.send = stage.engine.api.send; stage.engine.api.send = async (...given) => { await send(...given); throw new stage.EngineError('', 0) }`,
      )
      await box().fill('Called on the 16th.')
      await add().click()
      await addenda().waitFor()
      expect(await box().inputValue()).toBe('')
    })

    it('cuts nothing off of what is pasted, and says how much is too much', async () => {
      await openSigned(page)
      await box().fill('x'.repeat(5_003))
      await page.getByText('3 characters too many.').waitFor()
      expect(await box().inputValue()).toHaveLength(5_003)
      await add().press('Enter')
      expect(await addenda().count()).toBe(0)
    })
  })
})
