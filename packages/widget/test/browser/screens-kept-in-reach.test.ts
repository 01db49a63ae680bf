import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { missesChromium, openBrowser } from '../../../server/test/support/open-browser.js'
import { makeStageOpener } from './open-stage.js'
import { chooseInMenu, openNote, screenStates } from './screen-states.js'

describe.skipIf(missesChromium('focus, voice and forced colours'))('the screens', () => {
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

  const focused = (): Promise<string> =>
    page.evaluate<string>('document.activeElement.outerHTML.slice(0, 200)')
  const fail = (path: string, status: number): Promise<unknown> =>
    page.evaluate(`stage.service.failures.push({ path: '${path}', status: ${status}, message: '' })`)

  describe('keep the focus where who works by keyboard goes on', () => {
    it('after a consent, at what can be begun by it', async () => {
      await screenStates['client without consent']?.(page)
      await page.getByRole('button', { name: 'The client agreed' }).press('Enter')
      await page.waitForSelector('h2:focus:text-is("New session")')
    })

    it('after what is saved at once, beside what says so', async () => {
      await openNote(page)
      await page.getByRole('button', { name: 'Edit Plan' }).click()
      await fail('/progress-note', 404)
      await page.locator('.section-field').fill('Walk.')
      await page.locator('.section-field').press('Escape')
      await page.getByRole('button', { name: 'Save now' }).press('Enter')
      await page.waitForSelector('.save-state[data-state=saved]')
      await expect.poll(focused).toContain('save-state')
    })

    it('after what is tried again, around what came', async () => {
      await page.evaluate('stage.engine.select(stage.data.joanna.id)')
      await fail('/treatment-plans', 500)
      await page.locator('summary', { hasText: 'Treatment plan' }).click()
      await page.getByRole('button', { name: 'Try again' }).press('Enter')
      await page.getByText('No treatment plan yet.').waitFor()
      await page.waitForSelector('summary:focus:has-text("Treatment plan")')
    })

    it('behind a lock on the way out of it, and then where it was', async () => {
      await openNote(page)
      const edit = page.getByRole('button', { name: 'Edit Plan' })
      await edit.focus()
      await page.evaluate(
        `stage.auth.value = { state: 'locked', clinician: stage.data.clinician, isAsked: false }; undefined`,
      )
      await page.waitForSelector('.lock button:focus')
      await page.evaluate(
        `stage.auth.value = { state: 'signedIn', clinician: stage.data.clinician }; undefined`,
      )
      await expect.poll(focused).toContain('Edit Plan')
    })
  })

  it('say what is saved by itself only where it was not, and of a version no more than which it is', async () => {
    await openNote(page)
    await page.evaluate(
      `new MutationObserver(() => (globalThis.said ??= []).push(document.querySelector('.widget > [role=status]').textContent)).observe(document.querySelector('.widget > [role=status]'), { childList: true, subtree: true })`,
    )
    await page.getByRole('button', { name: 'Edit Plan' }).click()
    await page.locator('.section-field').fill('Walk.')
    const roles = new Set<string | null>()
    const saved = async (): Promise<boolean> => {
      roles.add(await page.locator('.save-state').getAttribute('role'))
      return page.evaluate<boolean>(
        `stage.service.note.value.note.some(({ content }) => content === 'Walk.')`,
      )
    }
    await expect.poll(saved).toBe(true)
    await page.waitForSelector('.save-state[data-state=saved]')
    expect([[...roles], await page.evaluate('globalThis.said')]).toEqual([[null], undefined])
    await fail('/progress-note', 0)
    await page.locator('.section-field').fill('Walk daily.')
    await page.waitForSelector('.save-state[role=alert]')
    await page.getByRole('button', { name: 'Save now' }).click()
    await expect.poll(() => page.evaluate('globalThis.said.at(-1)')).toBe('Saved')
    await chooseInMenu(page, 'History')
    const live = page.locator('dialog [aria-live]')
    await live.waitFor()
    expect(await live.evaluateAll((all: { tagName: string }[]) => all.map(({ tagName }) => tagName))).toEqual(
      ['H3'],
    )
  })

  it('show in forced colours what is chosen, and what cannot be pressed', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    const colorsOf = (selector: string): Promise<string[]> =>
      page.evaluate(
        `(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.querySelector(${JSON.stringify(selector)})))`,
      )
    const differ = async (one: string, other: string): Promise<void> => {
      await page.waitForSelector(one)
      await page.waitForSelector(other)
      expect(await colorsOf(one)).not.toEqual(await colorsOf(other))
    }
    await differ('.chip.choice[aria-pressed=true]', '.chip.choice[aria-pressed=false]')
    await openNote(page)
    await differ('.tab[aria-selected=true]', '.tab[aria-selected=false]')
    await page.evaluate('stage.service.write({})')
    await chooseInMenu(page, 'History')
    await differ('.versions [aria-pressed=true]', '.versions [aria-pressed=false]')
    await page.keyboard.press('Escape')
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.locator('summary', { hasText: 'Treatment plan' }).click()
    await page.getByRole('button', { name: 'Write a plan' }).click()
    await differ('.button[type=submit][aria-disabled=true]', '.button.plain[aria-disabled=false]')
  })
})
