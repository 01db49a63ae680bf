import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findBarriers, missesChromium, openBrowser } from '../../../server/test/support/open-browser.js'
import { makeStageOpener } from './open-stage.js'
import {
  askMagicEdit,
  doMagicEdit,
  editElsewhere,
  goneGun,
  editSubjective,
  openNote,
  openTranscript,
  openSession,
  screenStates,
  showJohan,
} from './screen-states.js'

const savedSection = (page: Page, key: string): Promise<string> =>
  page.evaluate<string>(
    `stage.service.note.value.note.find((section) => section.key === ${JSON.stringify(key)}).content`,
  )

const whenSaved = (page: Page) => page.waitForSelector('.save-state[data-state=saved]')

describe.skipIf(missesChromium('what the screens do'))('the screens', () => {
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

  it('lead from a refused consent to a dictation by keyboard, in which nobody else has a place', async () => {
    await screenStates['client who did not agree']?.(page)
    await page.getByRole('button', { name: 'Dictate' }).focus()
    await page.keyboard.press('Enter')
    const only = page.getByText('Only you, after the session: the client is not heard.')
    await only.waitFor()
    await page.getByRole('button', { name: 'Start dictating' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Dictating' }).waitFor()
    await only.waitFor()
    expect(await page.evaluate('stage.recorder.value.isDictated')).toBe(true)
    // Struck it can be, as any recording.
    await page.getByRole('button', { name: 'Strike what was just said' }).waitFor()
    for (const gone of ['other side', 'Jot down']) expect(await page.getByText(gone).count()).toBe(0)
    await page.evaluate('stage.engine.select(null)')
    await page.getByText('Dictating about Joanna Smith').waitFor()
    await page.getByRole('button', { name: 'Go to the recording' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('heading', { name: 'Paused' }).waitFor()
  })

  it('show by keyboard what somebody agreed to, say where nobody kept the words, and can be asked again', async () => {
    await screenStates['client without consent']?.(page)
    // In the clinician's own words, whose version alone is kept.
    await page.getByRole('button', { name: 'The client agreed' }).click()
    await page.getByText('Consents', { exact: true }).click()
    await page.getByText('Show what was agreed to').focus()
    await page.keyboard.press('Enter')
    await page.getByText('only the version is kept').waitFor()
    await page.getByLabel('Full name').fill('Grace Guardian')
    await page.getByLabel('I have read the text, and I agree.').check()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    const signed = page.locator('li details', { hasText: 'Show what was signed' })
    await signed.locator('summary').focus()
    await page.evaluate(
      `stage.service.failures.push({ path: '/consents/00000000-0000-4000-8000-000000000901', status: 503, message: 'Not now.' })`,
    )
    await page.keyboard.press('Enter')
    await signed.getByText('Not now.').waitFor()
    await signed.getByRole('button').focus()
    await page.keyboard.press('Enter')
    await signed.getByText('It is your choice.').waitFor()
    expect(await signed.locator('[lang=en] li').allTextContents()).toContain('You may say no.')
    await signed.locator('summary').focus()
    await page.keyboard.press('Enter')
    await signed.getByText('It is your choice.').waitFor({ state: 'detached' })
  })

  it('ask for nobody’s consent where what was typed or dictated goes to the right client', async () => {
    for (const source of ['typed', 'dictated', 'recording']) {
      ;({ page } = await open())
      await page.evaluate(`stage.service.session.value = { ...stage.service.session.value, source: '${source}' };
        stage.data.clients.forEach((client) => { client.consentedAt = null })`)
      await openSession(page)
      await page.evaluate(showJohan)
      await page.getByRole('button', { name: 'Wrong client?' }).click()
      await page.locator('dialog[open]:has-text("Johan Lindqvist")').waitFor()
      const agreed = page.locator('dialog[open]').getByRole('checkbox')
      expect(await agreed.count()).toBe(source === 'recording' ? 1 : 0)
    }
  })

  it('lead from a refused consent to typing, keep what was typed when it fails, and send it by keyboard', async () => {
    await screenStates['client who did not agree']?.(page)
    await page.getByRole('button', { name: 'Type a note' }).click()
    const field = page.getByRole('textbox', { name: 'What happened in this session?' })
    await field.fill('a'.repeat(50_001))
    await page.getByRole('alert').getByText('1 character too many.').waitFor()
    await page.getByRole('button', { name: 'Write the note', disabled: true }).waitFor()
    await field.fill('Denies SI.\nPlan: sleep diary')
    await page.evaluate(
      `stage.service.failures.push({ path: '/typed-sessions', status: 0, message: 'No answer.' })`,
    )
    await field.press('Tab')
    // Past the type of the note and its template.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('No answer.').waitFor()
    expect(await field.inputValue()).toBe('Denies SI.\nPlan: sleep diary')
    await page.keyboard.press('Enter')
    await page.getByText('drafted from what you typed').waitFor()
    expect(await page.evaluate('stage.service.typed')).toEqual(['Denies SI.\nPlan: sleep diary'])
    const become = (stage: string) =>
      page.evaluate(
        `stage.service.session.value = { ...stage.service.session.value, stage: '${stage}' }; undefined`,
      )
    const notice = page.getByText('The note of Joanna Smith is ready')
    await page.getByRole('button', { name: 'Back' }).click()
    await become('done')
    await notice.waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    // One that becomes ready behind the lock is told of when it is opened.
    await become('writing')
    await page.evaluate('stage.engine.select(null)')
    await openSession(page)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.evaluate(
      `stage.auth.value = { state: 'locked', clinician: stage.data.clinician, isAsked: false }; undefined`,
    )
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    await become('done')
    expect(await notice.count()).toBe(0)
    await page.evaluate(
      `stage.auth.value = { state: 'signedIn', clinician: stage.data.clinician }; undefined`,
    )
    await notice.waitFor()
  })

  it('show in the list what became of a session, while it is worked on and when one comes back', async ({
    onTestFinished,
  }) => {
    onTestFinished(() => page.close())
    const become = (fields: string) =>
      page.evaluate(`stage.service.session.value = { ...stage.service.session.value, ${fields} }; undefined`)
    const chip = page.locator('.list-row .chip').first()
    await page.clock.install()
    await become(`stage: 'transcribing'`)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await chip.getByText('Transcribing').waitFor()
    for (const [stage, words] of [
      ['writing', 'Writing'],
      ['failed', 'Failed'],
    ]) {
      await become(`stage: '${stage}'`)
      await page.clock.runFor(20_000)
      await chip.getByText(words ?? '').waitFor()
    }
    // While one look has no answer nobody begins another: who asked meanwhile gets one more, of which the answer stays.
    await page.evaluate(
      `(() => {
        const read = stage.service.requests.get
        globalThis.looks = []
        stage.service.requests.get = (path) => {
          if (!path.startsWith('/sessions?')) return read(path)
          return new Promise((answer) => looks.push(() => answer(read(path))))
        }
      })()`,
    )
    const lookThrice = `for (const _ of [1, 2, 3]) document.dispatchEvent(new Event('visibilitychange')); looks.length`
    expect(await page.evaluate(lookThrice)).toBe(1)
    await page.evaluate('looks[0]()')
    await expect.poll(() => page.evaluate('looks.length')).toBe(2)
    await become(`stage: 'writing'`)
    await page.evaluate('looks[1]()')
    await chip.getByText('Writing').waitFor()
    expect(await page.evaluate('looks.length')).toBe(2)
  })

  it('show what was jotted down of a session that failed, where no transcript is', async () => {
    await page.evaluate(
      `stage.service.pad.value = { text: 'Tearful at the door', markers: [{ id: 'm1', atSeconds: 62 }] }`,
    )
    await screenStates['failed session']?.(page)
    await page.getByText('Tearful at the door').waitFor()
    await page.getByText('Marked as important: 1:02').waitFor()
  })

  it.each([
    ['a lost microphone', `state: 'paused', pauseReason: 'The microphone was unplugged.'`, 'was unplugged'],
    ['a full disk', `warning: 'The storage of this device is full.'`, 'is full'],
    ['silence', `silentSeconds: 44`, 'Nothing heard for 40 seconds'],
  ])('say %s aloud beside another screen, too', async (_trouble, state, words) => {
    await screenStates['recording behind another screen']?.(page)
    await page.evaluate(`stage.recorder.value = { ...stage.recorder.value, ${state} }; undefined`)
    await page.getByRole('alert').filter({ hasText: words }).waitFor()
    await page.getByRole('button', { name: 'Go to the recording' }).waitFor()
  })

  it('say that a text could not be saved when its screen was left, and lead back to it', async () => {
    await openNote(page)
    await page.getByRole('button', { name: 'Edit Plan' }).click()
    await page.getByRole('textbox', { name: 'Plan' }).fill('Walk every evening.')
    await page.evaluate(
      `for (let times = 0; times < 4; times += 1) stage.service.failures.push({ path: '/progress-note', status: 0, message: '' })`,
    )
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    const told = page.getByRole('alert').filter({ hasText: 'Not saved: The service cannot be reached.' })
    await told.getByRole('button', { name: 'Open Joanna Smith' }).waitFor()
  })

  it('play no recording behind the lock, and leave it where it was', async () => {
    await openTranscript(page)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    const pause = page.getByRole('group', { name: 'Player' }).getByRole('button', { name: 'Pause' })
    await pause.waitFor()
    await page.evaluate(
      `stage.auth.value = { state: 'locked', clinician: stage.data.clinician, isAsked: false }; undefined`,
    )
    await page.getByRole('heading', { name: 'Locked' }).waitFor()
    await page.evaluate(
      `stage.auth.value = { state: 'signedIn', clinician: stage.data.clinician }; undefined`,
    )
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    expect(await pause.count()).toBe(0)
  })

  it('strike no other lines than those that were shown, after an answer that was lost', async () => {
    await openTranscript(page)
    await page.getByRole('button', { name: 'Strike a stretch' }).click()
    const dialog = page.getByRole('dialog', { name: 'Strike a stretch' })
    const look = dialog.getByRole('button', { name: 'See what goes' })
    const strike = dialog.getByRole('button', { name: 'Strike for good' })
    await dialog.getByLabel('First line').selectOption({ index: 2 })
    const chosen = await dialog.getByLabel('First line').inputValue()
    await look.click()
    await dialog.getByText('1 line goes for good').waitFor()
    // It is done, and the answer is lost.
    await page.evaluate(
      `{
        const { transcript, failures } = stage.service
        const { transcriptItems } = transcript.value
        transcript.value = { ...transcript.value, transcriptItems: transcriptItems.toSpliced(2, 1) }
        failures.push({ path: '/strike', status: 0, message: '' })
      }`,
    )
    await strike.click()
    await dialog.getByText('The service cannot be reached.').waitFor()
    await look.waitFor()
    expect(await strike.count()).toBe(0)
    expect(await dialog.getByLabel('First line').inputValue()).toBe(chosen)
    await look.click()
    await strike.waitFor()
    // Another tab strikes what stands before it.
    await page.evaluate(
      `{
        const { transcript, session } = stage.service
        const { transcriptItems } = transcript.value
        transcript.value = { ...transcript.value, transcriptItems: transcriptItems.slice(1) }
        stage.service.write({})
      }`,
    )
    await look.waitFor()
    await look.click()
    await strike.click()
    await dialog.waitFor({ state: 'detached' })
    const [struck] = await page.evaluate<{ start: number }[]>('stage.service.struck')
    expect(struck).toMatchObject({ start: 24, end: 31.5 })
  })

  it('lead to every moment that was marked, also where two are in one line', async () => {
    await page.evaluate(
      `stage.service.pad.value = { text: '', markers: [{ id: 'm1', atSeconds: 9000 }, { id: 'm2', atSeconds: 9060 }] }`,
    )
    await openTranscript(page)
    await page.locator('button.mark-chip').first().waitFor()
    expect(await page.locator('button.mark-chip').allTextContents()).toEqual(['2:30:00', '2:31:00'])
    await page.getByText('Marked as important at 2:30:00, 2:31:00').waitFor()
  })

  it('name what a score means, never by its key, and draw its last point beside every label', async () => {
    await openNote(page)
    await page.getByRole('tab', { name: 'Assessments' }).click()
    await page.locator('.chart').waitFor()
    const text = (await page.locator('[role=tabpanel]').textContent()) ?? ''
    expect(text).toContain('Moderately severe')
    expect(text).not.toMatch(/[a-z]_[a-z]/)
    const covered = await page.evaluate<number>(
      `(() => {
        const boxes = (selector) => [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect())
        const marks = boxes('.chart .mark, .chart .flag-ring')
        const labels = boxes('.chart .axis')
        const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
        return marks.filter((mark) => labels.some((label) => meet(mark, label))).length
      })()`,
    )
    expect(covered).toBe(0)
  })

  it('say each thing once to a screen reader, also the same thing again, and leave nothing stale', async ({
    onTestFinished,
  }) => {
    onTestFinished(() => page.close())
    await page.clock.install()
    await openNote(page)
    const said = page.locator('main > [role=status]')
    const copy = page.getByRole('button', { name: 'Copy to record' })
    await copy.click()
    await said.getByText('Copied to your record system').waitFor()
    await page.evaluate(`document.querySelector('main > [role=status] p').dataset.isFirst = ''`)
    await copy.click()
    await said.locator('p:not([data-is-first])').getByText('Copied to your record system').waitFor()
    await page.clock.runFor(10_000)
    expect(await said.textContent()).toBe('')
  })

  it('show that a copy did not work, and try again', async () => {
    await openNote(page)
    await page.evaluate(
      `Object.assign(document, { execCommand: () => globalThis.mayCopy === true }); navigator.clipboard?.writeText && Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('no')) }); undefined`,
    )
    await page.getByRole('button', { name: 'Copy Plan' }).click()
    const dialog = page.getByRole('dialog', { name: 'Nothing was copied' })
    await dialog.getByText('The browser did not allow it').waitFor()
    await page.evaluate('globalThis.mayCopy = true')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Copied: Plan' }).waitFor()
  })

  it('ask whose session it was beside the heading, and do not change the question while it is read', async () => {
    await openNote(page)
    await page.evaluate(
      `(() => {
        const other = stage.data.clients.find(({ lastName }) => lastName === 'Lindqvist').id
        const read = stage.service.requests.get
        const held = new Promise((go) => (globalThis.letGo = go))
        stage.service.requests.get = async (path) => {
          if (path === '/clients/' + other) await held
          return read(path)
        }
        stage.chart.value = { clientId: other, options: {}, serial: 1 }
      })()`,
    )
    const link = page.locator('.screen-heading').getByRole('button', { name: 'Wrong client?' })
    await link.click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('.pending').waitFor()
    expect(await dialog.getByRole('searchbox').count()).toBe(0)
    await page.evaluate('letGo()')
    await page.getByRole('dialog', { name: 'Was this Johan Lindqvist’s session?' }).waitFor()
    await page.evaluate(`stage.chart.value = { clientId: stage.data.joanna.id, options: {}, serial: 2 }`)
    expect(await dialog.textContent()).toContain('Was this Johan Lindqvist’s session?')
  })

  it('save what is typed by themselves', async () => {
    await openNote(page)
    await editSubjective(page, 'Client slept well.')
    await page.waitForSelector('.save-state[data-state=pending]')
    await whenSaved(page)
    expect(await savedSection(page, 'subjective')).toBe('Client slept well.')
  })

  it('keep both edits when two tabs change different sections', async () => {
    await openNote(page)
    await editSubjective(page, 'Client slept well.')
    await editElsewhere(page, 'plan', 'Walk every day.')
    await whenSaved(page)
    expect(await savedSection(page, 'subjective')).toBe('Client slept well.')
    expect(await savedSection(page, 'plan')).toBe('Walk every day.')
  })

  it('ask which text stays when two tabs change one section, and save the choice', async () => {
    await openNote(page)
    await editSubjective(page, 'Client slept well.')
    await editElsewhere(page, 'subjective', 'Client slept badly.')
    // The field is gone, and then the button: the focus is on what took their place.
    await page.waitForSelector('[data-key=subjective] .attention:focus')
    await page.getByRole('button', { name: 'Keep my text' }).press('Enter')
    await page.waitForSelector('[data-key=subjective] .section-field:focus')
    await whenSaved(page)
    expect(await savedSection(page, 'subjective')).toBe('Client slept well.')
  })

  it('show what was typed into a section that is gone, to be copied, and let the note be signed after it', async () => {
    await openNote(page)
    await editSubjective(page, 'Client slept well.')
    await page.evaluate(
      `stage.service.write({ note: stage.service.note.value.note.filter(({ key }) => key !== 'subjective') })`,
    )
    const lost = page.getByRole('group', { name: 'No longer in the note: Subjective' })
    await lost.getByText('Client slept well.').waitFor()
    await lost.getByRole('button', { name: 'Copy' }).waitFor()
    const sign = page.getByRole('button', { name: 'Sign', exact: true })
    expect(await sign.getAttribute('aria-disabled')).toBe('true')
    await lost.getByRole('button', { name: 'Go on without it' }).click()
    await lost.waitFor({ state: 'detached' })
    expect(await sign.getAttribute('aria-disabled')).toBe('false')
  })

  it('say that a note or a transcript could not be read, and read it when asked', async () => {
    await page.evaluate(
      `stage.service.failures.push({ path: '/progress-note', status: 500, message: 'Trouble with the note' }, { path: '/transcript', status: 500, message: 'Trouble with the words' })`,
    )
    await openSession(page)
    const again = page.getByRole('tabpanel').getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await again.click()
    await page.locator('.lines').waitFor()
    await page.getByRole('tab', { name: 'Note' }).click()
    await page.locator('.sentence').first().waitFor()
  })

  it('show what was typed beside a note that was signed meanwhile, to be copied, and add nothing to it', async () => {
    await openNote(page)
    const before = await savedSection(page, 'subjective')
    await editSubjective(page, 'Client slept well.')
    await page.evaluate(
      `stage.service.write({ status: 'finalized', finalizedAt: '2026-11-15T11:00:00.000Z' })`,
    )
    const conflict = page.locator('.sides')
    await conflict.getByRole('button', { name: 'Copy' }).waitFor()
    await page.waitForSelector('.note > .notice:focus')
    expect(await page.getByRole('button', { name: 'Keep my text' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Keep the saved text' }).click()
    await conflict.waitFor({ state: 'detached' })
    expect(await savedSection(page, 'subjective')).toBe(before)
  })

  it('say that a text is not saved, keep it, and save it when asked', async () => {
    await openNote(page)
    await page.evaluate(`stage.service.failures.push({ path: '/progress-note', status: 0, message: '' })`)
    await editSubjective(page, 'Client slept well.')
    await page.getByRole('button', { name: 'Save now' }).waitFor()
    await page.setViewportSize({ width: 1_280, height: 800 })
    const tops = await page.evaluate(
      `[...document.querySelectorAll('.action-bar > .button, .action-bar > .menu')].map((one) => Math.round(one.getBoundingClientRect().top))`,
    )
    expect(new Set(tops as number[]).size).toBe(1)
    await page.getByRole('button', { name: 'Save now' }).click()
    await whenSaved(page)
    expect(await savedSection(page, 'subjective')).toBe('Client slept well.')
  })

  it('lead from a sentence to its lines of the transcript and back, by keyboard alone', async () => {
    await openNote(page)
    await page.locator('.sentence').first().focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForSelector('.sentence:focus:has-text("waking around three")')
    // Below the text it comes only when it is asked for.
    expect(await page.locator('.evidence-panel').count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByText('I wake up around three').waitFor()
    await page.waitForSelector('.evidence-panel:focus')
    await page.keyboard.press('Escape')
    await page.locator('.evidence-panel').waitFor({ state: 'detached' })
    await page.waitForSelector('.sentence:focus:has-text("waking around three")')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.evidence-panel:focus')
    await page.getByText('I wake up around three').waitFor()
    // Past closing and the two lines: the question and its answer.
    for (let count = 0; count < 4; count += 1) await page.keyboard.press('Tab')
    await page.waitForSelector(':focus:has-text("Show in the transcript")')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.asked-for')
    await page.waitForSelector('.asked-for :focus')
    const marked = await page.locator('.asked-for .line-text').allTextContents()
    expect(marked).toEqual([
      'Clinician How has your sleep been?',
      'Client Bad. I wake up around three and then I lie there worrying for an hour or two.',
    ])
    await page.getByRole('button', { name: 'Back to the note' }).press('Enter')
    await page.waitForSelector('.sentence:focus')
    expect(await page.locator('.sentence:focus').textContent()).toContain('waking around three')
  })

  it('move between tabs by arrow keys', async () => {
    await openNote(page)
    await page.getByRole('tab', { name: 'Note' }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('tab', { name: 'Assessments', selected: true }).waitFor()
    await page.keyboard.press('Home')
    await page.getByRole('tab', { name: 'Note', selected: true }).waitFor()
  })

  it('keep the words of a magic edit until it worked, and the text in sight meanwhile', async () => {
    await openNote(page)
    const field = page.getByLabel('What should be changed?')
    await page.evaluate(
      `stage.service.failures.push({ path: '/magic-edit', status: 409, message: 'Being generated' })`,
    )
    await field.fill('Make it rhyme')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.locator('form.magic').getByRole('alert').waitFor()
    expect(await field.inputValue()).toBe('Make it rhyme')
    await askMagicEdit(page, 'Make it rhyme')
    await page.getByText('Next appointment on Tuesday at ten.').waitFor()
    await page.evaluate(
      `stage.service.magicEdits.push({ createdAt: '2026-11-15T10:30:00.000Z', failureReason: '“rhyme” was not understood.' }); stage.service.write({ isLoading: false, status: 'generated', note: stage.data.sections })`,
    )
    await page.locator('form.magic').getByText('“rhyme” was not understood.').waitFor()
    expect(await field.inputValue()).toBe('Make it rhyme')
  })

  it('show a magic edit as a diff in its sections, to be kept or undone one by one, by keyboard', async () => {
    await doMagicEdit(page)
    expect(await page.getByLabel('What should be changed?').inputValue()).toBe('')
    expect(await page.locator('.changed del').count()).toBeGreaterThan(1)
    await page.getByRole('button', { name: 'Undo the change of Objective' }).press('Enter')
    await page.locator('.changed[data-key=objective]').waitFor({ state: 'detached' })
    expect(await savedSection(page, 'objective')).not.toBe('')
    await page.evaluate(
      `stage.service.failures.push({ path: '/rewriting/keep', status: 500, message: 'Not kept.' })`,
    )
    await page.getByRole('button', { name: 'Keep Plan as changed' }).press('Enter')
    await page.locator('.sections').getByText('Not kept.').waitFor()
    await page.getByRole('button', { name: 'Keep Plan as changed' }).press('Enter')
    await page.locator('.rewriting').waitFor({ state: 'detached' })
    await page.waitForSelector('[data-key=plan] .button:focus')
    expect(await savedSection(page, 'plan')).toBe('Continue.')
    expect(await page.evaluate('stage.service.keeps')).toMatchObject([{ generationId: 'next', goneCount: 0 }])
  })

  it('name above the diff what a magic edit dropped about danger, and ask, also when it is signed', async () => {
    await doMagicEdit(page, goneGun)
    const change = page.locator('.rewriting')
    await change.getByText('The pills are still in the drawer.').waitFor()
    await change.getByText('Brother keeps the hunting rifle locked.').waitFor()
    // Looked over section by section it still waits for an answer.
    for (const name of ['Objective', 'Plan'])
      await page.getByRole('button', { name: `Keep ${name} as changed` }).click()
    expect(await page.evaluate('stage.service.keeps.length')).toBe(0)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.locator('dialog').getByText('The pills are still in the drawer.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Undo all changes' }).click()
    await change.waitFor({ state: 'detached' })
    expect(await savedSection(page, 'plan')).toContain('Next appointment')
  })

  it('say before signing where it is not known what a magic edit dropped, and ask once more', async () => {
    await doMagicEdit(page, 'null')
    const dialog = page.locator('dialog')
    const sign = () => page.getByRole('button', { name: 'Sign', exact: true }).click()
    await sign()
    await dialog.getByText('It could not be checked whether').waitFor()
    await page.keyboard.press('Escape')
    await page.evaluate(
      `stage.service.failures.push({ path: '/rewriting', status: 500, message: 'Trouble' })`,
    )
    await sign()
    await dialog.getByText('It could not be checked whether').waitFor()
    await page.keyboard.press('Escape')
    await page.evaluate(`stage.service.gone.value = ${goneGun}`)
    await sign()
    await dialog.getByText('Brother keeps the hunting rifle locked.').waitFor()
    expect(await dialog.getByText('It could not be checked whether').count()).toBe(0)
  })

  it('suggest for a magic edit what the writer in use can do', async () => {
    await openNote(page)
    const chips = page.locator('form.magic .chip')
    expect(await chips.allTextContents()).toContain('Make it shorter')
    await page.evaluate(
      `stage.auth.value = { state: 'signedIn', clinician: { ...stage.data.clinician, hasModel: false } }`,
    )
    await chips.getByText('Replace “…” with “…”').waitFor()
    expect(await chips.allTextContents()).not.toContain('Make it shorter')
  })

  it('correct words by keyboard, keep what is typed, show who did it, and offer to write them so always', async () => {
    await openTranscript(page)
    await page
      .locator('.line', { hasText: 'worrying' })
      .getByRole('button', { name: /^Correct/ })
      .press('Enter')
    const field = page.getByLabel('What was said')
    await page.waitForSelector('.correct-line textarea:focus')
    await field.fill((await field.inputValue()).replace('worrying', 'ruminating'))
    await page.getByRole('tab', { name: 'Note' }).click()
    await page.getByRole('tab', { name: 'Transcript' }).click()
    expect(await field.inputValue()).toContain('ruminating')
    await page.evaluate(
      `stage.service.failures.push({ path: '/transcript/corrections', status: 0, message: '' }, { path: '/transcript/corrections', status: 0, message: '' })`,
    )
    await field.press('Control+Enter')
    await page.locator('.correct-line').getByRole('alert').waitFor()
    expect(await field.inputValue()).toContain('ruminating')
    await page.evaluate('stage.service.failures.length = 0')
    await field.press('Control+Enter')
    await page.getByText('Corrected by Ada Example').waitFor()
    await page.waitForSelector('.correct:focus')
    await page.getByText('Always write “ruminating” for “worrying”?').waitFor()
    await page.getByRole('button', { name: 'For the clinic' }).click()
    await page.getByRole('button', { name: 'Words', exact: true }).click()
    await page.locator('.vocabulary').getByText('ruminating', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove ruminating' }).click()
    await page.getByText('No words yet.').waitFor()
  })

  it('show a summary as it is now, while its tab stays open, also one that comes after its note', async ({
    onTestFinished,
  }) => {
    onTestFinished(() => page.close())
    const become = (has: boolean): Promise<unknown> =>
      page.evaluate(
        `stage.service.session.value = { ...stage.service.session.value, hasSummary: ${has} }; undefined`,
      )
    await page.evaluate(
      `globalThis.words = 'Of the words of before.'; ((get) => (stage.service.requests.get = async (path) => path.endsWith('/summary') ? { ...(await get(path)), summary: words } : get(path)))(stage.service.requests.get); undefined`,
    )
    await become(false)
    await openSession(page)
    await page.getByRole('tab', { name: 'Summary' }).click()
    await page.getByText('The summary is not ready yet.').waitFor()
    await page.clock.install()
    await page.evaluate('stage.service.write({})')
    await become(true)
    await page.getByText('Of the words of before.').waitFor()
    await page.evaluate(`globalThis.words = 'Of the words of then.'`)
    await page.clock.runFor(21_000)
    await page.getByText('Of the words of then.').waitFor()
    await page.evaluate(`globalThis.words = 'Of the words of now.'; stage.service.write({})`)
    await page.getByText('Of the words of now.').waitFor()
  })

  it('show the words of a transcript as they are now, and none of before that come late', async () => {
    await openTranscript(page)
    const putRight = (words: string) =>
      page.evaluate(
        `stage.service.transcript.value = { ...stage.service.transcript.value, transcriptItems: stage.service.transcript.value.transcriptItems.with(0, { ...stage.service.transcript.value.transcriptItems[0], transcript: '${words}' }) }; undefined`,
      )
    const line = page.locator('.lines li').first()
    await putRight('Put right by a colleague.')
    await page.evaluate('stage.service.write({})')
    await line.getByText('Put right by a colleague.').waitFor()
    await page.getByRole('tab', { name: 'Note' }).click()
    await putRight('Put right once more.')
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await line.getByText('Put right once more.').waitFor()
    await page.evaluate(
      `(() => {
        const read = stage.service.requests.get
        stage.service.requests.get = async (path) => {
          const answer = await read(path)
          if (path.endsWith('/transcript')) await new Promise((go) => (globalThis.letGo = go))
          return answer
        }
        stage.service.write({})
      })()`,
    )
    await expect.poll(() => page.evaluate('typeof letGo')).toBe('function')
    await line.getByRole('button', { name: /^Correct the words/ }).click()
    await line.getByLabel('What was said').fill('Put right here.')
    await line.getByLabel('What was said').press('Control+Enter')
    await page.locator('.correct-line').waitFor({ state: 'detached' })
    await page.evaluate('letGo()')
    expect(await line.locator('.line-text').textContent()).toContain('Put right here.')
  })

  it('play the recording from any place and at any speed, and mark what is heard', async () => {
    await openTranscript(page)
    const position = page.getByRole('slider', { name: 'Position in the recording' })
    await page.getByLabel('Speed').selectOption('1.5')
    await position.fill('20')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.waitForSelector('.lines [aria-current=true]')
    // Held by the hand, whatever is drawn meanwhile.
    const drag = (to: string): Promise<unknown> =>
      page.evaluate(
        `((slider) => { slider.value = '${to}'; slider.dispatchEvent(new Event('input', { bubbles: true })) })(document.querySelector('.player input'))`,
      )
    await drag('5')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    expect(await position.inputValue()).toBe('5')
    await position.dispatchEvent('change')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await drag('90')
    await position.dispatchEvent('pointercancel')
    await expect.poll(async () => Number(await position.inputValue())).toBeLessThan(90)
    // Let go without a change that a browser tells of.
    await drag('60')
    await position.dispatchEvent('pointerup')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await position.fill('20')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    expect(Number(await position.inputValue())).toBeGreaterThanOrEqual(20)
    await page.waitForSelector('.lines [aria-current=true]')
  })

  it('take a signature for done whose answer was lost', async () => {
    await openNote(page)
    await page.evaluate(
      `(() => {
        const { requests } = stage.service
        const { send } = requests
        requests.tell = ({ note }) => (globalThis.told = note.status)
        requests.send = async (method, path, ...rest) => {
          const answer = await send(method, path, ...rest)
          if (path.endsWith('/finalize')) throw new stage.EngineError('No answer.', 0)
          return answer
        }
      })()`,
    )
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByRole('button', { name: 'Sign and lock' }).click()
    await page.getByText('This note is locked').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('globalThis.told')).toBe('finalized')
  })

  it('lock a note once it is signed', async () => {
    await openNote(page)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByRole('button', { name: 'Sign and lock' }).click()
    await page.getByText('This note is locked').waitFor()
    expect(await page.getByRole('button', { name: /Edit|Write again|Apply/ }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Copy to record' }).count()).toBe(1)
  })

  it('give the page the note as it is read there: its own words, without the plan it keeps', async () => {
    await page.evaluate(
      `stage.settings.value = { copyNoteButtonText: 'Into the chart', hideTreatmentPlan: true, patientReference: 'Patient' }`,
    )
    await page.getByLabel('Search your patients').waitFor()
    await openNote(page)
    expect(await page.getByRole('heading', { name: 'Plan' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Into the chart' }).click()
    const copied = await page.evaluate<{ note: string; sessionId: string }[]>('stage.copied')
    expect(copied).toHaveLength(1)
    expect(copied[0]?.note).toMatch(/^Subjective\nClient reports a rough week/)
    expect(copied[0]?.note).not.toContain('Tuesday')
    expect(copied[0]?.sessionId).toBe(await page.evaluate('stage.data.session.sessionId'))
  })

  it('stay with a running recording whatever client the page selects', async () => {
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.getByRole('button', { name: 'Start recording' }).click()
    await page.waitForSelector('.timer')
    await page.evaluate(`stage.chart.value = { clientId: 'somebody else', options: {}, serial: 1 }`)
    await page.getByText('Your record system shows another client').waitFor()
    await page.getByRole('button', { name: 'Finish' }).click()
    await page.getByRole('tab', { name: 'Note' }).waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Joanna Smith')
  })

  it('offer the languages that are known here, where there are several, and begin in the one that was chosen', async () => {
    const language = page.getByLabel('Language of the session')
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.getByText('Words of your own for the note').waitFor()
    expect(await language.count()).toBe(0)
    await page.evaluate(
      `stage.auth.value = { state: 'signedIn', clinician: { ...stage.data.clinician, languages: ['en', 'es', 'de'] } }`,
    )
    expect(await language.locator('option').allTextContents()).toEqual(['English', 'Spanish', 'German'])
    expect(await language.inputValue()).toBe('')
    await page.evaluate(
      `{ const { recorder } = stage.engine; const { start } = recorder; globalThis.begun = []
        recorder.start = (one) => { begun.push(one.options.language); return start(one) } }`,
    )
    await language.selectOption('es')
    await page.getByRole('button', { name: 'Start recording' }).click()
    await page.waitForSelector('.timer')
    expect(await page.evaluate('begun')).toEqual(['es'])
  })

  it('take what is typed and dictated for English, whatever is spoken in the session, until another language is chosen there', async () => {
    await page.evaluate(
      `stage.auth.value = { state: 'signedIn', clinician: { ...stage.data.clinician, languages: ['en', 'es'] } }`,
    )
    await page.evaluate(
      `{ const { recorder, api } = stage.engine; const { start } = recorder; const { send } = api; globalThis.given = []
        recorder.start = (one) => { given.push(one.options.language); return start(one) }
        api.send = (...call) => { given.push(call[2]?.language); return send(...call) } }`,
    )
    const begin = async (name: string): Promise<void> => {
      await page.evaluate(`stage.selection.value = { clientId: stage.data.joanna.id, options: { language: 'es' },
        serial: stage.selection.value.serial + 1 }`)
      expect(await page.getByLabel('Language of the session').inputValue()).toBe('es')
      await page.getByRole('button', { name, exact: true }).click()
    }
    const type = async (chosen: string): Promise<void> => {
      await begin('Type a note')
      const language = page.getByLabel('Language you write in')
      expect(await language.inputValue()).toBe('')
      await language.selectOption(chosen)
      await page.getByLabel('What happened in this session?').fill('We spoke about sleep.')
      await page.getByRole('button', { name: 'Write the note' }).click()
      await page.waitForSelector('.screen [role=tablist], .steps')
    }
    await type('')
    await type('es')
    await begin('Dictate')
    const language = page.getByLabel('Language you dictate in')
    expect(await language.inputValue()).toBe('')
    await page.getByRole('button', { name: 'Start dictating' }).click()
    await page.waitForSelector('.timer')
    expect(await page.evaluate('given')).toEqual([null, 'es', ''])
  })

  it('say that English alone is understood where the clinician types and dictates, and no other language can be chosen', async () => {
    for (const name of ['Type a note', 'Dictate']) {
      await page.evaluate('stage.engine.select(stage.data.joanna.id)')
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByText('In English: no other language is understood here.').waitFor()
    }
  })

  it('tell the clinician what of the page’s context was refused, names to keep out before all, until the note is signed', async () => {
    const leaveOut = (fields: string) =>
      page.evaluate(
        `stage.service.session.value = { ...stage.service.session.value, contextLeftOut: ${fields} }`,
      )
    await leaveOut(`['diagnoses', 'namesToKeepOut']`)
    await openNote(page)
    const notice = page.locator('.notice', { hasText: 'Details from your record system are missing' })
    await notice.getByText('The names that must not stand in the note were refused.').waitFor()
    await notice.getByText('diagnoses, names to keep out').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await leaveOut(`['goals']`)
    await notice.getByText('not known to the note: goals.').waitFor()
    expect(await notice.textContent()).not.toContain('names')
    await page.evaluate(`stage.service.write({ status: 'finalized' })`)
    await notice.waitFor({ state: 'detached' })
  })

  it('take nobody away who has gone on when an answer comes late, and say what failed meanwhile where they are', async () => {
    const hold = `stage.engine.recorder.uploadFile = () => new Promise((resolve, reject) => Object.assign(globalThis, { resolve, reject })); undefined`
    const choose = async (): Promise<void> => {
      await page.evaluate(`${hold}; stage.engine.select(stage.data.joanna.id)`)
      const file = { name: 'visit.wav', mimeType: 'audio/wav', buffer: Buffer.from('sound') }
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByRole('button', { name: 'Starting' }).waitFor()
      await page.evaluate('stage.engine.select(null)')
      await page.getByRole('heading', { name: 'Your work' }).waitFor()
    }
    await choose()
    await page.evaluate(`reject(new stage.EngineError('visit.wav is no recording.', 400))`)
    const told = page.getByRole('alert').filter({ hasText: 'Something that you began did not work' })
    await told.getByText('visit.wav is no recording.').waitFor()
    await told.getByRole('button', { name: 'Close' }).click()
    await told.waitFor({ state: 'detached' })
    // Where another file can be chosen.
    await choose()
    await page.evaluate(`reject(new stage.EngineError('visit.wav is no recording.', 400))`)
    await told.getByRole('button', { name: 'Open Joanna Smith' }).click()
    await page.getByRole('heading', { name: 'Joanna Smith', level: 1 }).waitFor()
    await told.waitFor({ state: 'detached' })
    await choose()
    await page.evaluate(`resolve({ sessionId: stage.data.session.sessionId })`)
    await page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done)))`)
    expect(await page.getByRole('tablist').count()).toBe(0)
    await page.getByRole('heading', { name: 'Your work' }).waitFor()
  })

  it('leave who records again where they are when the recording before is known late', async () => {
    const start = async (): Promise<void> => {
      await page.evaluate('stage.engine.select(stage.data.joanna.id)')
      await page.getByRole('button', { name: 'Start recording' }).click()
      await page.waitForSelector('.timer')
    }
    await page.evaluate(`stage.engine.recorder.finish = () => {
      stage.recorder.value = { state: 'idle' }
      return new Promise((resolve) => (globalThis.know = resolve))
    }; undefined`)
    await start()
    await page.getByRole('button', { name: 'Finish' }).click()
    await start()
    await page.evaluate('know({ sessionId: stage.data.session.sessionId })')
    await page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done)))`)
    expect([await page.locator('.timer').count(), await page.getByRole('tablist').count()]).toEqual([1, 0])
  })

  it('show the next clinician nothing of the last one', async () => {
    await openNote(page)
    await page.evaluate(`stage.auth.value = { state: 'signedOut' }`)
    await page.getByRole('heading', { name: 'Not signed in' }).waitFor()
    await page.evaluate(
      `stage.auth.value = { state: 'signedIn', clinician: { ...stage.data.clinician, id: 'other', firstName: 'Tobias' } }`,
    )
    await page.getByRole('heading', { name: 'Hello, Tobias' }).waitFor()
    expect(await page.getByRole('tab').count()).toBe(0)
  })

  it('name three voices by the keyboard, and show the names beside their lines', async () => {
    await screenStates['naming three voices']?.(page)
    const third = page.getByRole('group', { name: 'Voice 3' })
    expect(await third.getByLabel('Who is it?').inputValue()).toBe('partner')
    await third.getByLabel('Name').focus()
    await page.keyboard.type('Ben')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Save speakers' }).press('Enter')
    await page.getByRole('button', { name: 'Write again' }).waitFor()
    const speakers = await page.locator('.lines .speaker').allTextContents()
    expect(new Set(speakers)).toEqual(new Set(['Clinician', 'Joanna', 'Ben']))
  })

  it('write speakers that were corrected, and offer to write the note again', async () => {
    await openSession(page)
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await page.getByRole('button', { name: 'Correct speakers' }).click()
    await page.getByRole('button', { name: 'Swap clinician and client' }).click()
    await page.getByRole('button', { name: 'Save speakers' }).click()
    await page.getByRole('button', { name: 'Write again' }).waitFor()
    expect(await page.locator('.lines li').first().textContent()).toContain('Client Good to see you again')
  })
})
