import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers, missesChromium, openBrowser } from '../../../server/test/support/open-browser.js'
import { makeStageOpener } from './open-stage.js'
import { openNote, screenStates } from './screen-states.js'

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** The targets of a note of which the bars above and below it hide a part, when the keyboard comes to them. */
const coveredInFocus = `[...document.querySelectorAll('.sections button, .magic button')].filter((target) => {
  target.focus()
  const box = target.getBoundingClientRect()
  const top = document.querySelector('.screen-top').getBoundingClientRect().bottom
  const bottom = document.querySelector('.note-foot').getBoundingClientRect().top
  return box.height < 24 || box.width < 24 || box.top < top || box.bottom > bottom
}).map((target) => target.ariaLabel ?? target.textContent)`

/** The part of the window in which a note can be read, between the bars that stay in place. */
const partToRead = `(() => {
  const [top, foot] = ['.screen-top', '.note-foot'].map((name) => document.querySelector(name))
  if (getComputedStyle(top).position !== 'sticky') return 1
  return (foot.getBoundingClientRect().top - top.getBoundingClientRect().bottom) / innerHeight
})()`

describe.skipIf(missesChromium('the barriers of every screen'))('every state of the screens', () => {
  let browser: Browser
  let open: ReturnType<typeof makeStageOpener>

  beforeAll(async () => {
    browser = await openBrowser()
    open = makeStageOpener(browser)
  })
  afterAll(() => browser.close())

  it.each(Object.entries(screenStates))(
    '%s: no barrier on a phone in light colours and on a desktop in dark ones, and fits 320 px',
    async (_, reach) => {
      const { page, complaints } = await open()
      await reach(page)
      // A place of a text that got no value.
      expect(await page.evaluate('document.body.innerHTML')).not.toMatch(/\{\w+\}/)
      // At the height of all there is: a target that lies in part under the bar for now is no small one.
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      const width = page.viewportSize()?.width ?? 420
      await page.setViewportSize({ width, height: Math.max(height, 760) })
      expect(await findBarriers(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 1_280, height: Math.max(height, 900) })
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
      await page.setViewportSize({ width: 320, height: 560 })
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
      expect(complaints).toEqual([])
    },
  )

  it.each([
    { widthPx: 420, heightPx: 760 },
    { widthPx: 320, heightPx: 560 },
    { widthPx: 250, heightPx: 400 },
    { widthPx: 250, heightPx: 440 },
  ])('a note fits $widthPx px, and what has the focus is not behind its bars', async (size) => {
    const { page } = await open(size)
    await openNote(page)
    await page.waitForSelector('.chip.choice')
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
    expect(await page.evaluate(coveredInFocus)).toEqual([])
    expect(await page.evaluate(partToRead)).toBeGreaterThanOrEqual(0.4)
  })

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

  it('the compact view keeps the look that the page left out', async () => {
    const { page } = await open({ widthPx: 400, heightPx: 600 })
    const looks = (settings: string): Promise<unknown> =>
      page.evaluate(
        `stage.settings.value = { isMinifiedView: true, minifiedViewSettings: ${settings} }; (({ backgroundColor, color, padding, borderRadius }) => [backgroundColor, color, padding, borderRadius])(getComputedStyle(document.querySelector('.button.record')))`,
      )
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.waitForSelector('.button.record')
    const before = (await looks('{}')) as string[]
    const themed = '{ buttons: { borderRadius: 3 } }'
    await expect.poll(() => looks(themed)).toEqual([...before.slice(0, 3), '3px'])
  })

  it('the compact view looks as the page asked for, and its consent and tabs are whole at 250 × 220 px', async () => {
    const { page } = await open({ widthPx: 250, heightPx: 220 })
    const look = `container: { backgroundColor: 'rgb(11, 31, 51)', color: 'rgb(255, 255, 255)' }, buttons: { backgroundColor: '#ffd166', color: 'rgb(27, 27, 27)', borderRadius: 2 }, inputs: { borderColor: 'rgb(255, 209, 102)' }, audioIndicator: { color: 'rgb(255, 209, 102)' }`
    await page.evaluate(
      `stage.settings.value = { isMinifiedView: true, minifiedViewSettings: { ${look} } }; stage.service.client.value = { ...stage.data.joanna, consentedAt: null }; stage.engine.select(stage.data.joanna.id)`,
    )
    const agreed = page.getByRole('button', { name: 'The client agreed' })
    await agreed.waitFor()
    const styleOf = (selector: string, property: string): Promise<unknown> =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`)
    expect(await styleOf('html', 'backgroundColor')).toBe('rgb(11, 31, 51)')
    expect(await styleOf('.card p', 'color')).toBe('rgb(255, 255, 255)')
    expect(await styleOf('.card .button', 'backgroundColor')).toBe('rgb(255, 209, 102)')
    expect(await styleOf('.card .button', 'borderRadius')).toBe('2px')
    expect(Number.parseFloat(String(await styleOf('.card li', 'fontSize')))).toBeGreaterThanOrEqual(14)
    for (const element of await page.locator('.card li, .card p, .card .button').all()) {
      await element.scrollIntoViewIfNeeded()
      const box = await element.boundingBox()
      expect(box?.x ?? -1).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(250)
    }
    expect(await findBarriers(page)).toEqual([])
    await agreed.click()
    await page.getByRole('button', { name: 'Start recording' }).click()
    await page.waitForSelector('.voice-columns')
    expect(await styleOf('.voice-columns i', 'backgroundColor')).toBe('rgb(255, 209, 102)')
    expect(await styleOf('textarea', 'borderTopColor')).toBe('rgb(255, 209, 102)')
    await page.evaluate(
      'stage.settings.value = { isMinifiedView: true }; stage.recorder.value = { state: "idle" }; stage.engine.select(null)',
    )
    await expect.poll(() => page.evaluate('document.documentElement.style.length')).toBe(0)
    await page.locator('.list-row', { hasText: 'Joanna' }).first().click()
    await page.waitForSelector('[role=tab]')
    for (const tab of await page.getByRole('tab').all()) {
      const box = await tab.boundingBox()
      expect(box?.x ?? -1).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(250)
    }
  })
})
