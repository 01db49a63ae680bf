import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers, missesChromium, openBrowser } from '../../../server/test/support/open-browser.js'
import { makeStageOpener } from './open-stage.js'
import { openNote } from './screen-states.js'

describe.skipIf(missesChromium('treatment plans'))('treatment plans in the widget', () => {
  let browser: Browser
  let open: ReturnType<typeof makeStageOpener>

  beforeAll(async () => {
    browser = await openBrowser()
    open = makeStageOpener(browser)
  })
  afterAll(() => browser.close())

  const openPlans = async (page: Page): Promise<void> => {
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.locator('summary', { hasText: 'Treatment plan' }).click()
  }
  it('a plan is written, changed, signed and ended', async () => {
    const { page, complaints } = await open()
    await openPlans(page)
    await page.getByText('No treatment plan yet.').waitFor()
    await page.getByRole('button', { name: 'Write a plan' }).click()
    await page.getByLabel('Title').fill('Winter')
    await page.getByLabel('Starts on').fill('2026-11-15')
    await page.getByLabel('Review on').fill('2027-03-15')
    await page.getByLabel('Problems').fill('Sleeps three hours\n\nStays at home')
    await page.getByLabel('What is to be reached').fill('Sleep through')
    await page.getByLabel('Until').fill('2027-02-15')
    await page.getByLabel('Objectives').fill('Keep a diary')
    await page.getByRole('button', { name: 'Add a goal' }).click()
    await page.getByLabel('What is to be reached').nth(1).fill('Go back to work')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Winter' }).waitFor()
    expect(await page.locator('.plan').textContent()).toMatch(
      /Draft.*Starts on: .*2026 · Review on: .*2027.*Sleeps three hours.*Stays at home.*Sleep through.*2027.*Keep a diary.*Go back to work/,
    )
    // As a record system has it.
    await page.evaluate(`{
      const [{ goals: [first, ...rest], ...plan }] = stage.service.plans.value
      const objectives = first.objectives.map((one) => ({ ...one, targetDate: '2027-01-10' }))
      stage.service.plans.value = [{ ...plan, goals: [{ ...first, objectives }, ...rest] }]
    }`)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByText(/Keep a diary · .*2027/).waitFor()
    await page.getByText(/Active · signed by/).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Change' }).click()
    expect(await page.getByLabel('Review on').inputValue()).toBe('2027-03-15')
    await page.getByLabel('Review on').fill('')
    await page.getByLabel('Objectives').first().fill('Keep a sleep diary')
    await page.getByLabel('State').first().selectOption('met')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Active · changed, not signed yet').waitFor()
    await page.getByText('Sleep through · Met').waitFor()
    await page.getByText(/Keep a sleep diary · .*2027/).waitFor()
    expect(await page.locator('.plan').textContent()).not.toContain('Review on')
    await page.getByRole('button', { name: 'End the plan' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End the plan' }).click()
    await page.getByText('Ended', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Change' }).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('is not offered on pages that keep the plan themselves', async () => {
    const { page } = await open()
    await page.evaluate(
      'stage.engine.settings.value = { ...stage.engine.settings.value, hideTreatmentPlan: true }',
    )
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.locator('summary', { hasText: 'Assessments' }).waitFor()
    expect(await page.locator('summary', { hasText: 'Treatment plan' }).count()).toBe(0)
  })

  it('a note shows what it says about each goal, and about which it says nothing', async () => {
    const { page } = await open()
    await page.evaluate(
      `stage.service.write({ goals: [{ goalId: 'a', treatmentPlanId: null, sentences: [] }] })`,
    )
    await openNote(page)
    await page.locator('summary', { hasText: 'Progress by goal' }).click()
    await page.getByText('Joanna slept through four nights.').waitFor()
    expect(await page.getByText('Nothing in this note is linked to it.').count()).toBe(1)
    expect(await findBarriers(page)).toEqual([])
  })
})
