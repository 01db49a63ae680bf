import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findBarriers, missesChromium, openBrowser } from '../../../server/test/support/open-browser.js'
import { makeStageOpener } from './open-stage.js'
import { openNote } from './screen-states.js'

describe.skipIf(missesChromium('checks before signing'))('checks before signing', () => {
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

  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const signing = () => page.getByRole('dialog', { name: 'Sign and lock this note?' })
  /** An empty plan, a sentence of the last note, and something that was said and is not written. */
  const spoil = () =>
    page.evaluate(`{
      const { note } = stage.service.note.value
      const first = stage.data.transcript.transcriptItems.findIndex(({ speaker }) => speaker === 'client')
      stage.service.cloned.value = [note[0].evidence[0].sentence]
      stage.service.write({
        note: note.map((one) => (one.key === 'plan' ? { ...one, content: '', evidence: [] } : one)),
        review: [{ id: 'd1', kind: 'danger', label: 'Suicidal thoughts: affirmed', reason: 'not_written',
          words: stage.data.transcript.transcriptItems[first].transcript, transcriptItems: [first] }],
      })
    }`)
  const openSigning = async (): Promise<void> => {
    await openNote(page)
    await button('Sign').click()
    await signing().getByText('1 section is empty').waitFor()
  }
  const chosen = () =>
    page.evaluate<string>(`(() => {
      const { activeElement: field } = document
      return field.tagName === 'TEXTAREA' ? field.value.slice(field.selectionStart, field.selectionEnd) : ''
    })()`)

  it('are listed in the dialog, and each leads to its place', async () => {
    await spoil()
    await openSigning()
    const said = (await signing().textContent()) ?? ''
    expect(said).toContain('Said about danger, not in the note')
    expect(said).toContain('1 sentence is the one of the last signed note')
    await button(/^Write Plan/).click()
    await signing().waitFor({ state: 'detached' })
    await page.waitForSelector('[data-key=plan] textarea:focus')
    await page.keyboard.type('Back in a week.')
    await button('Sign').click()
    await signing()
      .getByRole('button', { name: /^Edit Subjective/ })
      .click()
    const sentence = await page.evaluate('stage.service.cloned.value[0]')
    await expect.poll(chosen).toBe(sentence)
  })

  it('put what was said about danger into the note, as a quote that the service knows again', async () => {
    await spoil()
    await openSigning()
    await button(/^Write it into Assessment/).click()
    await expect.poll(chosen).toMatch(/^Client said: “.+”$/)
    await expect
      .poll(() =>
        page.evaluate(`stage.service.note.value.note.find(({ key }) => key === 'assessment').content`),
      )
      .toContain('Client said: “')
  })

  it('keep the note from being signed where the partner wants it, until it is mended', async () => {
    await page.evaluate(`stage.service.checkModes.value = { empty_section: 'block_in_widget' }`)
    await spoil()
    await openSigning()
    await signing().getByText('Your organization lets this note be signed only once').waitFor()
    const confirm = signing().getByRole('button', { name: 'Sign and lock' })
    expect(await confirm.getAttribute('aria-disabled')).toBe('true')
    await button(/^Write Plan/).click()
    await page.waitForSelector('[data-key=plan] textarea:focus')
    await page.keyboard.type('Back in a week.')
    await button('Sign').click()
    await signing().getByText('Said about danger, not in the note').waitFor()
    expect(await confirm.getAttribute('aria-disabled')).toBe('false')
    await confirm.click()
    await page.getByText('This note is locked').waitFor()
  })

  const bill = `stage.service.checkModes.value = { service_minutes: 'block_in_widget' }
    stage.service.billed.value = { serviceCode: '90837', startedAt: '2026-11-15T09:00:20.000Z', endedAt: '2026-11-15T09:45:00.000Z' }`
  const openBilled = async (): Promise<void> => {
    await page.evaluate(bill)
    await openNote(page)
    await button('Sign').click()
    await signing().getByText('the session took').waitFor()
  }
  const confirm = () => signing().getByRole('button', { name: 'Sign and lock' })

  it('that minutes and code fit is mended in the dialog, and looked at anew', async () => {
    await openBilled()
    expect(await confirm().getAttribute('aria-disabled')).toBe('true')
    const end = signing().getByLabel('End')
    expect(await signing().getByLabel('Service code').inputValue()).toBe('90837')
    expect(await end.inputValue()).toBe('2026-11-15T09:45')
    const save = signing().getByRole('button', { name: 'Save' })
    await end.fill('2026-11-15T08:45')
    await signing().getByText('The end must be after the start.').waitFor()
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await end.fill('2026-11-15T09:50')
    await end.press('Enter')
    await signing().getByText('the session took 49 minutes.').waitFor()
    await signing().getByLabel('Service code').fill('90834 ')
    await save.click()
    await signing().getByText('Minutes and service code do not fit').waitFor({ state: 'detached' })
    expect(await page.evaluate('stage.service.billed.value')).toEqual({
      serviceCode: '90834',
      startedAt: '2026-11-15T09:00:20.000Z',
      endedAt: '2026-11-15T09:50:00.000Z',
    })
    expect(await page.evaluate(`document.activeElement.closest('dialog') !== null`)).toBe(true)
    await confirm().click()
    await page.getByText('This note is locked').waitFor()
  })

  it('what is billed is not corrected by a colleague who signs', async () => {
    await page.evaluate(
      `stage.service.session.value = { ...stage.service.session.value, clinicianId: 'somebody else' }`,
    )
    await openBilled()
    await signing().getByText('The clinician of the session corrects code and times.').waitFor()
    expect(await signing().getByLabel('Service code').count()).toBe(0)
  })

  it('code and times that could not be saved stay as they were typed', async () => {
    await openBilled()
    await page.evaluate(`stage.service.failures.push({ path: '/service', status: 0, message: '' })`)
    await signing().getByLabel('Service code').fill('90834')
    await signing().getByRole('button', { name: 'Save' }).click()
    await signing().getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    expect(await signing().getByLabel('Service code').inputValue()).toBe('90834')
  })

  it.each(['light', 'dark'] as const)('can be read by everybody, %s, on a phone', async (colorScheme) => {
    ;({ page } = await open({ widthPx: 360, colorScheme }))
    await page.evaluate(bill)
    await spoil()
    await openSigning()
    await signing().getByLabel('Service code').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await signing().getByRole('button', { name: 'Cancel' }).click()
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.getByText('Before the session').click()
    await page.getByText('Keep the sleep diary.').waitFor()
    await page.getByText('Timeline').click()
    await page.getByText('Danger: Suicidal thoughts: affirmed').waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })

  it('the brief shows no plan where the page keeps it itself', async () => {
    await page.evaluate(
      `stage.settings.value = { hideTreatmentPlan: true }; stage.engine.select(stage.data.joanna.id)`,
    )
    await page.getByText('Before the session').click()
    await page.getByText('Please write down when you wake up.').waitFor()
    expect(await page.getByText('Keep the sleep diary.').count()).toBe(0)
  })
})
