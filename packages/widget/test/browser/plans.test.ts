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
  it('what is typed is there again, whatever closes meanwhile, until it is saved or given up on purpose', async () => {
    const { page } = await open()
    await page.evaluate('stage.drafts.value = stage.makeStageDrafts()')
    await openPlans(page)
    const write = page.getByRole('button', { name: 'Write a plan' })
    const goal = page.getByLabel('What is to be reached')
    await write.click()
    await goal.fill('Sleep through')
    await page.getByText('Kept on this device').waitFor()
    const summary = page.locator('summary', { hasText: 'Treatment plan' })
    await summary.click()
    await summary.getByText('Not saved yet').waitFor()
    await summary.click()
    await expect.poll(() => goal.inputValue()).toBe('Sleep through')
    await page.evaluate('stage.engine.select(null)')
    await page.getByRole('heading', { name: 'Your work' }).waitFor()
    await openPlans(page)
    await expect.poll(() => goal.inputValue()).toBe('Sleep through')
    await page.getByRole('button', { name: 'Cancel' }).click()
    const dialog = page.getByRole('dialog', { name: 'Discard what you typed?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await goal.inputValue()).toBe('Sleep through')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await write.waitFor()
    await expect.poll(() => page.evaluate('stage.drafts.value.list().then((rows) => rows.length)')).toBe(0)
  })

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
    await page.getByLabel('Until', { exact: true }).fill('2027-02-15')
    await page.getByRole('button', { name: 'Add an objective' }).click()
    await page.keyboard.type('Keep a diary')
    await page.getByRole('button', { name: 'Add a goal' }).click()
    await page.getByLabel('What is to be reached').nth(1).fill('Go back to work')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Winter' }).waitFor()
    expect(await page.locator('.plan').textContent()).toMatch(
      /Draft.*Starts on: .*2026 · Review on: .*2027.*Sleeps three hours.*Stays at home.*Sleep through.*2027.*Keep a diary.*Go back to work/,
    )
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByText(/Active · signed by/).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Change' }).click()
    expect(await page.getByLabel('Review on').inputValue()).toBe('2027-03-15')
    await page.getByLabel('Review on').fill('')
    await page.getByLabel('Objective 1', { exact: true }).fill('Keep a sleep diary')
    await page.getByLabel('Objective 1, until').fill('2027-01-10')
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

  const writePlan = async (page: Page): Promise<void> => {
    await page.evaluate(`stage.engine.api.send('POST', '/clients/' + stage.data.joanna.id + '/treatment-plans', {
      goals: [{ text: 'Sleep through', objectives: [
        { text: 'Keep a\\ndiary', targetDate: '2027-01-10' }, { text: 'No screens', targetDate: '2027-01-20' },
        { text: 'Up at seven' } ] }] })`)
    await openPlans(page)
  }
  const change = (page: Page) => page.getByRole('button', { name: 'Change' }).click()
  const save = async (page: Page): Promise<unknown> => {
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.plan').waitFor()
    return page.evaluate('stage.service.plans.value[0].goals[0].objectives')
  }

  it('an objective’s day is seen, set and taken away, and nothing else of the plan changes', async () => {
    const { page } = await open()
    await writePlan(page)
    const before = await page.evaluate<{ id: string; targetDate: string | null }[]>(
      'stage.service.plans.value[0].goals[0].objectives',
    )
    await change(page)
    const day = (number: number) => page.getByLabel(`Objective ${number}, until`)
    expect(await Promise.all([1, 2, 3].map((number) => day(number).inputValue()))).toEqual([
      '2027-01-10',
      '2027-01-20',
      '',
    ])
    await day(2).fill('')
    await day(3).fill('2027-02-01')
    expect(await save(page)).toEqual([
      before[0],
      { ...before[1], targetDate: null },
      { ...before[2], targetDate: '2027-02-01' },
    ])
  })

  it('an objective that takes another’s place has neither its id nor its day', async () => {
    const { page } = await open()
    await writePlan(page)
    const before = await page.evaluate<{ id: string }[]>('stage.service.plans.value[0].goals[0].objectives')
    await page.evaluate(`{ const { api } = stage.engine; const { send } = api
      api.send = (...call) => { globalThis.given = call[2]; return send(...call) } }`)
    await change(page)
    // By the keyboard alone: Enter begins the next one, and who removes one goes on where it stood.
    await page.getByLabel('Objective 1', { exact: true }).press('Enter')
    await page.keyboard.type('Walk every day')
    await page.getByRole('button', { name: 'Remove objective 1' }).press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('Walk every day')
    // Emptied, and another one.
    await page.getByLabel('Objective 2', { exact: true }).fill('')
    await page.getByLabel('Objective 2', { exact: true }).fill('Call a friend')
    await save(page)
    expect(await page.evaluate('given.goals[0].objectives')).toEqual([
      { id: null, text: 'Walk every day', targetDate: null },
      { id: null, text: 'Call a friend', targetDate: null },
      { id: before[2]?.id, text: 'Up at seven', targetDate: null },
    ])
    await change(page)
    for (const left of [2, 1, 0]) {
      await page.getByRole('button', { name: 'Remove objective 1' }).press('Enter')
      expect(await page.locator('.objective').count()).toBe(left)
    }
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Add an objective')
    expect(await save(page)).toEqual([])
  })

  it.each(['light', 'dark'] as const)(
    'the form can be read by everybody, %s, on a phone',
    async (colorScheme) => {
      const { page } = await open({ widthPx: 375, colorScheme })
      await writePlan(page)
      await change(page)
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    },
  )

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
