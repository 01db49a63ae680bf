import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { missesChromium, openBrowser } from './open-browser.js'
import { makeStageOpener } from './open-stage.js'
import { openSigned } from './screen-states.js'

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
    return () => page.close()
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
    })

    it('takes an addendum, shows it with author and time, and leaves the signed text alone', async () => {
      await openSigned(page)
      const before = await page.locator('.sections').textContent()
      await box().fill('Called on the 16th.\nSleeps better.')
      await add().click()
      await addenda().waitFor()
      expect(await addenda().textContent()).toBe(
        'Ada Example · Nov 15, 2026, 12:00 PMCalled on the 16th.\nSleeps better.',
      )
      expect(await box().inputValue()).toBe('')
      expect(await page.locator('.sections').textContent()).toBe(before)
      expect(await page.getByRole('status').last().textContent()).toBe('The addendum was added.')
      await page.getByRole('button', { name: 'Copy to record' }).click()
      const [copied] = await page.evaluate<{ note: string }[]>('stage.copied')
      expect(copied?.note).toMatch(
        /Tuesday at ten\.\n\nAddendum by Ada Example, Nov 15, 2026, 12:00 PM\nCalled on the 16th\.\nSleeps better\.$/,
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
