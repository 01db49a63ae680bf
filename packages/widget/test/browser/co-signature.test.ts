import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missesChromium, openBrowser } from '../../../server/test/support/open-browser.js'
import { makeStageOpener } from './open-stage.js'
import { openNote, openToCoSign } from './screen-states.js'

describe.skipIf(missesChromium('co-signing'))('a note under supervision', () => {
  let browser: Browser
  let open: ReturnType<typeof makeStageOpener>

  beforeAll(async () => {
    browser = await openBrowser()
    open = makeStageOpener(browser)
  })
  afterAll(() => browser.close())

  const isShown = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).isVisible()

  it('is found on home by the supervisor, read with its danger, and co-signed by keyboard', async () => {
    const { page, complaints } = await open()
    await page.evaluate('stage.service.danger.value = stage.data.danger')
    await openToCoSign(page)
    await page.waitForSelector('.danger-strip')
    expect(await page.getByRole('tab', { name: 'Assessments' }).count()).toBe(0)
    expect(await page.getByText('Wrong client?').count()).toBe(0)
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await page.waitForSelector('.lines .line')
    expect([await page.locator('.correct').count(), await isShown(page, 'Correct speakers')]).toEqual([
      0,
      false,
    ])
    await page.getByRole('tab', { name: 'Note' }).click()
    expect([await isShown(page, 'Edit Subjective'), await isShown(page, 'Addendum')]).toEqual([false, false])
    // Beside what the first signature did not answer for, the second needs a word why.
    await page.keyboard.press('Control+Enter')
    const confirm = page.getByRole('button', { name: 'Co-sign and lock' })
    await confirm.waitFor()
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByLabel('Why do you sign without it?').fill('Seen together today.')
    await confirm.click()
    await page
      .getByText(/Signed by Noor Haddad on .*, co-signed by Amara Osei on/)
      .first()
      .waitFor()
    await page.waitForSelector('.notice:focus:has-text("co-signed by Amara Osei")')
    expect(await page.evaluate('stage.service.signings')).toEqual(['Seen together today.'])
    expect(await isShown(page, 'Addendum')).toBe(true)
    expect(complaints).toEqual([])
  })

  it('is not signed where another text came while it was being signed; the reason stays', async () => {
    const { page } = await open()
    await page.evaluate('stage.service.danger.value = stage.data.danger')
    await openToCoSign(page)
    const write = (content: string, how: string) =>
      page.evaluate(
        `{ const note = stage.service.note.value.note.map((section) => ({ ...section, content: '${content}' })); ${how} }`,
      )
    const confirm = page.getByRole('button', { name: 'Co-sign and lock' })
    const openDialog = () => page.getByRole('button', { name: 'Co-sign', exact: true }).click()
    const changed = page.getByText('The note has changed, and is not signed')
    await openDialog()
    await page.getByLabel('Why do you sign without it?').fill('Seen together today.')
    // It came by the live stream.
    await write('Taken back and signed again.', 'stage.service.write({ note })')
    await changed.waitFor()
    expect(await confirm.isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByText('Taken back and signed again.').first().waitFor()
    // And now without it: only the service knows.
    await openDialog()
    expect(await page.getByLabel('Why do you sign without it?').inputValue()).toBe('Seen together today.')
    await write(
      'And once more.',
      `stage.service.note.value = { ...stage.service.note.value, note };
      stage.service.failures.push({ path: '/finalize', status: 409, message: 'Changed.' })`,
    )
    await confirm.click()
    await changed.waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('And once more.').first().waitFor()
    await openDialog()
    await confirm.click()
    await page.getByText('co-signed by Amara Osei').first().waitFor()
    expect(await page.evaluate('stage.service.signings')).toEqual(['Seen together today.'])
  })

  it('asks nothing again that the first signature answered for', async () => {
    const { page } = await open()
    await page.evaluate(
      `stage.service.danger.value = stage.data.danger.map((item) => ({ ...item, isAnswered: true }))`,
    )
    await openToCoSign(page)
    await page.waitForSelector('.danger-strip')
    await page.getByRole('button', { name: 'Co-sign', exact: true }).click()
    await page.waitForSelector('dialog[open]')
    expect(await page.getByRole('button', { name: 'Co-sign and lock' }).isEnabled()).toBe(true)
  })

  it('is returned with a word why, and the supervisor is back home', async () => {
    const { page } = await open()
    await openToCoSign(page)
    await page.getByRole('button', { name: 'Return', exact: true }).click()
    await page.waitForSelector('dialog[open] textarea:focus')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Return', exact: true }).isDisabled()).toBe(true)
    await page.keyboard.type('The plan lacks the weekend.')
    await dialog.getByRole('button', { name: 'Return', exact: true }).click()
    await page.waitForSelector('h1:has-text("Hello")')
    await openNote(page)
    await page.getByText('The plan lacks the weekend.').waitFor()
    expect(await isShown(page, 'Sign')).toBe(true)
  })

  it('says to who signs under supervision whose signature comes after theirs', async () => {
    const { page } = await open()
    await page.evaluate(
      `stage.auth.value = { ...stage.auth.value, clinician: { ...stage.data.clinician, supervisor: { name: 'Bea Example', isActive: true } } }`,
    )
    await openNote(page)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByText('Bea Example is asked to co-sign.').waitFor()
    expect(await page.getByText('This cannot be undone.').count()).toBe(0)
  })

  it('asks who co-signs when the dialog opens, and once more where that was another when it was signed', async () => {
    const { page } = await open()
    const name = (supervisor: string | null) =>
      `{ ...stage.data.clinician, supervisor: ${supervisor === null ? null : `{ name: '${supervisor}', isActive: true }`} }`
    await page.evaluate(`stage.renewed.value = ${name('Bea Example')}`)
    await openNote(page)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByText('Bea Example is asked to co-sign.').waitFor()
    await page.evaluate(
      `stage.renewed.value = ${name(null)};
      stage.service.failures.push({ path: '/finalize', status: 409, message: 'Who co-signs has changed.' })`,
    )
    await page.getByRole('button', { name: 'Sign and lock' }).click()
    await page.getByText('has just changed').waitFor()
    await page.getByText('This cannot be undone.').waitFor()
    await page.getByRole('button', { name: 'Sign and lock' }).click()
    await page
      .getByText(/Signed by Ada Example on/)
      .first()
      .waitFor()
    expect(await page.evaluate('stage.service.expected')).toEqual([false])
  })
})
