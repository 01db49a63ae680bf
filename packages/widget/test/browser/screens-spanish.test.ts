import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers, missesChromium, openBrowser } from '../../../server/test/support/open-browser.js'
import { makeStageOpener } from './open-stage.js'
import { openNote, screenStates } from './screen-states.js'

/** Set to look at the screens. */
const screenshotFolder = process.env['CASENOTE_TEST_SCREENSHOTS']

const widths = [320, 440, 820, 1280]

/** What is wider than its box without scrolling in it: cut off, or over something else. */
const cutOff = `const scrolls = (element) => element !== null && element !== document.documentElement &&
  (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
[...document.querySelectorAll('button, .chip, h1, h2, h3, h4, label, [role=tab], th, td, p, li')].filter((element) => {
  const box = element.getBoundingClientRect()
  if (box.width === 0 || element.closest('.hidden') !== null || scrolls(element.parentElement)) return false
  const style = getComputedStyle(element)
  const isCut = element.scrollWidth > element.clientWidth + 1 && style.display !== 'inline' && style.overflowX !== 'visible'
  return isCut || box.right > innerWidth + 1 || box.left < -1
}).map((element) => element.textContent.trim())`

/** Of the bar below a note: how far Copy, Sign and the menu stand above each other, which is nothing in one row. */
const heightOfBar = `((middles) => Math.max(...middles) - Math.min(...middles))(
  [...document.querySelectorAll('.note-foot .action-bar > *')]
    .map((one) => one.getBoundingClientRect())
    .filter(({ height }) => height > 0)
    .map(({ top, bottom }) => (top + bottom) / 2),
)`

/** Those that are reached without a word, and the widest of the others. */
const byData = [
  'home',
  'home with unfinished recordings',
  'client with open danger',
  'client without consent',
  'client, while the page shows another one',
  'authentication required while working',
  'locked',
  'transcribing',
  'withdrawn session',
  'note',
] as const

const states: Record<string, (page: Page) => Promise<unknown>> = {
  ...Object.fromEntries(byData.map((name) => [name, screenStates[name]])),
  recording: async (page) => {
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.getByRole('button', { name: 'Empezar a grabar' }).click()
    await page.waitForSelector('.timer')
  },
  signing: async (page) => {
    await openNote(page)
    await page.getByRole('button', { name: 'Firmar', exact: true }).click()
    await page.waitForSelector('dialog[open]')
  },
  'the words of a consent': async (page) => {
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.getByText('Consentimientos', { exact: true }).click()
    await page.getByLabel('Nombre completo').fill('Grace Guardian')
    await page.getByLabel('He leído el texto y acepto.').check()
    await page.getByRole('button', { name: 'Firmar', exact: true }).click()
    await page.getByText('Mostrar lo que se firmó').click()
    await page.locator('li details').getByText('It is your choice.').waitFor()
  },
  assessments: async (page) => {
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.locator('summary', { hasText: 'Cuestionarios' }).click()
    await page.waitForSelector('.trend')
  },
}

describe.skipIf(missesChromium('the screens in Spanish'))('the screens in Spanish', () => {
  let browser: Browser
  let open: ReturnType<typeof makeStageOpener>

  beforeAll(async () => {
    browser = await openBrowser()
    open = makeStageOpener(browser)
  })
  afterAll(() => browser.close())

  it.each(Object.entries(states))(
    '%s: longer words fit every width, and are no barrier',
    async (name, reach) => {
      const { page, complaints } = await open({ language: 'es' })
      await reach(page)
      await page.waitForSelector('main[lang=es] h1')
      for (const width of widths) {
        await page.setViewportSize({ width, height: 760 })
        if (screenshotFolder !== undefined) {
          mkdirSync(screenshotFolder, { recursive: true })
          const path = join(screenshotFolder, `widget-es-${name.replaceAll(' ', '-')}-${width}.png`)
          await page.screenshot({ path, fullPage: true })
        }
        expect([width, await page.evaluate(cutOff)]).toEqual([width, []])
        if (name === 'note') expect(await page.evaluate(heightOfBar)).toBeLessThan(20)
      }
      expect(await findBarriers(page)).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  it('says who a client is in the page’s word, in Spanish where it is a usual one; dates are Spanish, the note is not', async () => {
    const { page } = await open({ language: 'es' })
    await page.getByLabel('Buscar entre sus clientes').waitFor()
    await page.evaluate("stage.settings.value = { patientReference: 'Patient' }")
    await page.getByLabel('Buscar entre sus pacientes').waitFor()
    await page.evaluate("stage.settings.value = { patientReference: 'Consultante' }")
    await page.getByLabel('Buscar entre sus consultantes').waitFor()
    await openNote(page)
    expect(await page.locator('.evidence-text').first().getAttribute('lang')).toBe('en')
    expect(await page.locator('.note-section h3').first().getAttribute('lang')).toBe('en')
    expect(await page.locator('main').innerText()).toMatch(/\d+ nov 2026/)
    // Typed into the field as it is sent: the writer reads English.
    await page.getByRole('button', { name: 'Make it shorter' }).waitFor()
  })
})
