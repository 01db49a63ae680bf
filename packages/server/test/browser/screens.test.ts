import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contrastOnly, findBarriers, missesChromium, openBrowser } from './open-browser.js'
import { makeStageOpener } from './open-stage.js'
import { screenStates } from './screen-states.js'

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

describe.skipIf(missesChromium('the barriers of every screen'))('every state of the screens', () => {
  let browser: Browser
  let open: ReturnType<typeof makeStageOpener>

  beforeAll(async () => {
    browser = await openBrowser()
    open = makeStageOpener(browser)
  })
  afterAll(() => browser.close())

  it.each(Object.entries(screenStates))(
    '%s: no barrier in light and dark, and fits 320 px',
    async (_, reach) => {
      const { page, complaints } = await open()
      await reach(page)
      // A place of a text that got no value.
      expect(await page.evaluate('document.body.innerHTML')).not.toMatch(/\{\w+\}/)
      expect(await findBarriers(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await findBarriers(page, contrastOnly)).toEqual([])
      await page.setViewportSize({ width: 320, height: 560 })
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
      expect(complaints).toEqual([])
    },
  )

  it('the compact view records within 250 × 220 px, without scrolling sideways', async () => {
    const { page } = await open({ widthPx: 250, heightPx: 220 })
    await page.evaluate(
      'stage.settings.value = { isMinifiedView: true }; stage.engine.select(stage.data.joanna.id)',
    )
    await page.getByRole('button', { name: 'Start recording' }).click()
    const pause = await page.getByRole('button', { name: 'Pause' }).boundingBox()
    expect((pause?.y ?? Infinity) + (pause?.height ?? 0)).toBeLessThanOrEqual(220)
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
    expect(await findBarriers(page)).toEqual([])
  })
})
