import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { missesChromium, openBrowser } from '../../../server/test/support/open-browser.js'
import { makeStageOpener } from './open-stage.js'
import { openFailed, openFailedTyping, openNote, openTranscript, screenStates } from './screen-states.js'

/** Drafts, gaps of recordings and the clipboard are for secure pages only. */
const origin = 'https://stage.test'

const account = 'Denies SI.\nPlan: sleep diary'

const showJohan = `stage.chart.value = { clientId: stage.data.clients.find(({ lastName }) => lastName === 'Lindqvist').id, options: {}, serial: 1 }`

const anotherLanguage = 'a session in another language'

describe.skipIf(missesChromium('the ways out of what went wrong'))('the screens', () => {
  let browser: Browser
  let open: ReturnType<typeof makeStageOpener>
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser()
    open = makeStageOpener(browser, origin)
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    ;({ page } = await open())
  })

  const field = () => page.getByRole('textbox', { name: 'What happened in this session?' })

  it('lead from a session in another language to typing', async () => {
    await screenStates[anotherLanguage]?.(page)
    await page.getByRole('alert').getByText('it was not in English').waitFor()
    await page.getByRole('button', { name: 'Type a note' }).click()
    // Nothing of a recording is taken for something that was typed.
    expect(await field().inputValue()).toBe('')
    await field().fill(account)
    await page.getByRole('button', { name: 'Write the note' }).click()
    await page.getByText('drafted from what you typed').waitFor()
  })

  it('have a session written on the clinician’s word that it was English, and say where that fails', async () => {
    await screenStates[anotherLanguage]?.(page)
    const failure = { path: '/write-anyway', status: 409, message: 'The recording is no longer kept' }
    await page.evaluate(`stage.service.failures.push(${JSON.stringify(failure)})`)
    const english = page.getByRole('button', { name: 'It was English: write it anyway' })
    await english.click()
    await page.getByText(failure.message).waitFor()
    await english.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Your note is on its way').waitFor()
  })

  it('name of a withdrawn session what must be taken out, also to the page, and lead nowhere that is not theirs', async () => {
    await page.evaluate(
      `stage.service.copies.push({ to: 'page', chartClientId: stage.data.joanna.id }, { to: 'clipboard' })`,
    )
    await openFailed(page, `isWithdrawn: true, correctedBy: null, failure: 'x'`)
    await page.getByText('into the chart of Joanna Smith').waitFor()
    await page.getByText('That session is not yours to open.').waitFor()
    for (const name of ['Open the new session', 'Wrong client?', 'Type a note'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(
      await page.evaluate(
        `stage.raised.filter(({ event }) => event === 'noteWithdrawn').map(({ detail }) => detail.copies.length)`,
      ),
    ).toEqual([2])
  })

  it('say why a text is not taken, keep it, and have it wait for the addendum', async () => {
    await openNote(page)
    const full = 'A progress note has at most 2000 versions.'
    await page.evaluate(
      `stage.service.failures.push({ path: '/progress-note', status: 409, message: '${full}', code: 'note_versions_full' })`,
    )
    await page.getByRole('button', { name: 'Edit Plan' }).click()
    await page.locator('.section-field').fill('Walk daily.')
    await page.locator('.section-field').press('Escape')
    const refused = page.getByRole('alert').filter({ hasText: full })
    await refused.waitFor()
    expect(await page.locator('[data-key=plan]').textContent()).toContain('Walk daily.')
    await refused.getByRole('button', { name: 'Keep for an addendum' }).press('Enter')
    await page.getByText('What you kept for an addendum waits').waitFor()
    expect(await page.locator('[data-key=plan]').textContent()).not.toContain('Walk daily.')
    await page.waitForSelector('.save-state[data-state=saved]')
    await page.evaluate(
      `stage.service.write({ status: 'finalized', finalizedAt: '2026-11-15T11:00:00.000Z' })`,
    )
    await expect.poll(() => page.getByLabel('Add to this note').inputValue()).toBe('Plan: Walk daily.')
  })

  it('leave what is said about a colleague’s session to the colleague', async () => {
    await openFailed(
      page,
      `canWriteAnyway: true, canBeTriedAgain: true, clinicianId: 'colleague', failure: 'x'`,
    )
    await page.getByRole('button', { name: 'Type a note' }).waitFor()
    for (const name of ['It was English: write it anyway', 'Try again', 'Wrong client?'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
  })

  it('try a typed note again, which needs no word of it a second time', async () => {
    await openFailedTyping(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('drafted from what you typed').waitFor()
    expect(await page.evaluate('stage.service.typed')).toEqual([account])
  })

  it('move nobody who has gone to another chart when a typed note, or one tried again, is taken late', async () => {
    const hold = (): Promise<unknown> =>
      page.evaluate(`globalThis.sent = stage.service.requests.send;
        stage.service.requests.send = (...given) => new Promise((answer) => (globalThis.letGo = () => answer(sent(...given))));
        undefined`)
    const goToJohan = async (): Promise<void> => {
      await expect.poll(() => page.evaluate('globalThis.letGo !== undefined')).toBe(true)
      await page.evaluate(
        `stage.engine.select(stage.data.clients.find(({ lastName }) => lastName === 'Lindqvist').id)`,
      )
      await page.getByRole('heading', { level: 1, name: 'Johan Lindqvist' }).waitFor()
    }
    const letGo = async (): Promise<void> => {
      await page.evaluate(`globalThis.watch ??= stage.service.requests.watchSession;
        stage.service.requests.watchSession = (...given) => { globalThis.isFollowed = true; return watch(...given) };
        globalThis.isFollowed = false; stage.service.requests.send = sent; letGo(); globalThis.letGo = undefined`)
      await expect.poll(() => page.evaluate('isFollowed')).toBe(true)
    }
    const hearOfIt = async (): Promise<void> => {
      await page.evaluate(
        `stage.service.session.value = { ...stage.service.session.value, stage: 'done',
          note: { ...stage.service.session.value.note, status: 'generated', isLoading: false } }`,
      )
      await page.getByText('The note of Joanna Smith is ready').waitFor()
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Johan Lindqvist')
      await page.getByRole('button', { name: 'Dismiss' }).click()
    }
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.getByRole('button', { name: 'Type a note' }).click()
    await field().fill(account)
    await hold()
    await page.getByRole('button', { name: 'Write the note' }).click()
    await goToJohan()
    await letGo()
    await hearOfIt()
    await page.evaluate('stage.engine.select(null)')
    await openFailedTyping(page)
    await hold()
    await page.getByRole('button', { name: 'Try again' }).click()
    await goToJohan()
    await letGo()
    await hearOfIt()
  })

  it('take up the text of a typed note that failed, below what was begun since, and once', async () => {
    await page.evaluate('stage.drafts.value = stage.makeStageDrafts()')
    await openFailedTyping(page)
    const change = page.getByRole('button', { name: 'Change what you typed' })
    await change.click()
    await expect.poll(() => field().inputValue()).toBe(account)
    const changed = `${account.replace('sleep', 'a sleep')} and a walk`
    await field().fill(changed)
    // On the client's page it waits, and nothing of it is lost.
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Go on typing' }).click()
    await expect.poll(() => field().inputValue()).toBe(changed)
    await page.evaluate('stage.engine.select(null)')
    await page.locator('.list-row', { hasText: 'Joanna' }).first().click()
    await change.click()
    await expect.poll(() => field().inputValue()).toBe(changed)
    await page.getByRole('button', { name: 'Write the note' }).click()
    await page.getByText('drafted from what you typed').waitFor()
    expect(await page.evaluate('stage.service.typed.at(-1)')).toBe(changed)
    await page.evaluate('stage.engine.select(stage.data.joanna.id)')
    await page.waitForSelector('h1:has-text("Joanna")')
    await page.getByRole('button', { name: 'Start recording' }).waitFor()
    expect(await page.getByRole('button', { name: 'Go on typing' }).count()).toBe(0)
  })

  it('hear no key behind the lock: nothing is recorded by it, nor marked', async () => {
    await screenStates['recording with words and marks']?.(page)
    await page.getByRole('button', { name: 'Off the record' }).waitFor()
    const marks = await page.evaluate<number>('stage.service.pad.value.markers.length')
    await page.evaluate(
      `stage.auth.value = { state: 'locked', clinician: stage.data.clinician, isAsked: false }; undefined`,
    )
    await page.getByRole('heading', { name: 'Locked' }).waitFor()
    await page.keyboard.press('F8')
    await page.keyboard.press('F2')
    expect(await page.evaluate('stage.recorder.value.state')).toBe('recording')
    expect(await page.evaluate('stage.service.pad.value.markers.length')).toBe(marks)
    await page.evaluate(
      `stage.auth.value = { state: 'signedIn', clinician: stage.data.clinician }; undefined`,
    )
    await page.getByRole('button', { name: 'Off the record' }).waitFor()
    await page.keyboard.press('F2')
    await page.keyboard.press('F8')
    await page.getByRole('button', { name: 'Back on the record' }).waitFor()
    expect(await page.evaluate('stage.service.pad.value.markers.length')).toBe(marks + 1)
  })

  it('keep a correction that was being typed when the screen is left, and say where it waits', async () => {
    await page.evaluate('stage.drafts.value = stage.makeStageDrafts()')
    const leave = async (): Promise<void> => {
      await page.evaluate('stage.engine.select(null)')
      await page.getByRole('heading', { name: 'Your work' }).waitFor()
    }
    const words = page.getByLabel('What was said')
    const waits = page.getByText('You began to correct a line')
    await openTranscript(page)
    await page
      .locator('.line', { hasText: 'worrying' })
      .getByRole('button', { name: /^Correct/ })
      .click()
    const typed = (await words.inputValue()).replace('worrying', 'ruminating')
    await words.fill(typed)
    await expect.poll(() => page.evaluate('stage.drafts.value.list().then((rows) => rows.length)')).toBe(1)
    await leave()
    await openNote(page)
    await waits.waitFor()
    await page.getByRole('button', { name: 'Go on typing' }).click()
    await page.waitForSelector('.correct-line textarea:focus')
    expect([await words.inputValue(), await waits.count()]).toEqual([typed, 0])
    // Who walks along the tabs is not taken into it.
    await page.getByRole('tab', { name: 'Note' }).click()
    await page.keyboard.press('ArrowRight')
    await words.waitFor()
    await page.waitForSelector('[role=tab]:focus')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Corrected by Ada Example').waitFor()
    await expect.poll(() => page.evaluate('stage.drafts.value.list().then((rows) => rows.length)')).toBe(0)
    await leave()
    await openNote(page)
    expect(await waits.count()).toBe(0)
  })

  it('lose nothing that is typed while a correction is on its way, and offer none that was saved', async () => {
    await page.evaluate(`stage.drafts.value = stage.makeStageDrafts();
      ((send) => (stage.service.requests.send = (...given) => new Promise((answer, fail) => (globalThis.letGo = () => send(...given).then(answer, fail)))))(stage.service.requests.send); undefined`)
    const words = page.getByLabel('What was said')
    const save = async (): Promise<void> => {
      await page.evaluate('globalThis.letGo = null')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect.poll(() => page.evaluate('letGo !== null')).toBe(true)
    }
    const begin = (said: string) =>
      page
        .locator('.line', { hasText: said })
        .getByRole('button', { name: /^Correct/ })
        .click()
    const countKept = () => page.evaluate('stage.drafts.value.list().then((rows) => rows.length)')
    await openTranscript(page)
    await begin('worrying')
    await words.fill('Bad. I ruminate.')
    await save()
    await words.fill('Bad. I ruminate for hours.')
    await page.evaluate('letGo()')
    await page.locator('.correct-line [aria-busy=true]').waitFor({ state: 'detached' })
    expect(await words.inputValue()).toBe('Bad. I ruminate for hours.')
    // Who put it right is not known yet, and the next line is begun.
    await page.evaluate(`stage.service.away.value = ['/transcript/corrections']`)
    await save()
    await page.evaluate('letGo()')
    await words.waitFor({ state: 'detached' })
    await begin('four times')
    await words.fill('I did it three times.')
    await page.evaluate('stage.service.away.value = []')
    await page.getByText('Corrected by Ada Example').waitFor()
    expect([await words.inputValue(), await countKept()]).toEqual(['I did it three times.', 1])
    await save()
    await page.evaluate('stage.engine.select(null)')
    await page.getByRole('heading', { name: 'Your work' }).waitFor()
    await page.evaluate('letGo()')
    await expect.poll(countKept).toBe(0)
  })

  it('send words of the clinician’s own with a file, and keep them until then', async () => {
    await page.evaluate('stage.drafts.value = stage.makeStageDrafts()')
    const openForm = async (): Promise<void> => {
      await page.evaluate('stage.engine.select(stage.data.joanna.id)')
      await page.waitForSelector('h1:has-text("Joanna")')
    }
    await openForm()
    await page.getByText('Words of your own for the note').click()
    await page.getByLabel('Jot down').fill('Looked away')
    await page.evaluate('stage.engine.select(null)')
    await page.waitForSelector('.list-row')
    await openForm()
    await expect.poll(() => page.getByLabel('Jot down').inputValue()).toBe('Looked away')
    const file = { name: 'visit.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.waitForSelector('h1:has-text("Joanna")')
    await expect
      .poll(() => page.evaluate('stage.uploaded.map(({ jotted }) => jotted)'))
      .toEqual(['Looked away'])
    await page.evaluate('stage.engine.select(null)')
    await openForm()
    await page.getByText('Words of your own for the note').click()
    expect(await page.getByLabel('Jot down').inputValue()).toBe('')
    // What is typed while a file is on its way is for the next one.
    await page.evaluate(
      `stage.engine.recorder.uploadFile = () => new Promise((arrive) => (globalThis.arrive = arrive)); undefined`,
    )
    await page.getByLabel('Jot down').fill('Came late')
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Starting' }).waitFor()
    await page.getByLabel('Jot down').fill('Came late\nCried')
    await page.evaluate('arrive({ sessionId: stage.data.session.sessionId })')
    await page.waitForSelector('[role=tab]')
    await page.evaluate('stage.engine.select(null)')
    await page.waitForSelector('.list-row')
    await openForm()
    await expect.poll(() => page.getByLabel('Jot down').inputValue()).toBe('Cried')
  })

  it('offer to put a failed session under the right client', async () => {
    await openFailed(page, `failure: 'The session could not be processed'`)
    await page.getByRole('button', { name: 'Wrong client?' }).click()
    await page.getByRole('dialog').getByText('Whose session was this?').waitFor()
  })

  it('spend no line on “Wrong client?” at 440 px', async () => {
    await page.setViewportSize({ width: 440, height: 760 })
    await openNote(page)
    const box = (selector: string) => page.locator(selector).first().boundingBox()
    const [name, link] = [await box('.screen-heading h1'), await box('.screen-heading .link')]
    expect(link?.y ?? 0).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0))
  })

  it('spend no line on it at 320 px either, however long the name is', async () => {
    await page.setViewportSize({ width: 320, height: 560 })
    await page.evaluate(
      `stage.service.session.value = { ...stage.service.session.value, client: { ...stage.data.joanna, firstName: 'Maximiliane Theodora', lastName: 'Montgomery-Lindqvist Roe' } }; undefined`,
    )
    await openNote(page)
    const boxOf = async (selector: string) =>
      (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const [name, chip, link] = [
      await boxOf('.heading-line h1'),
      await boxOf('.screen-heading .chip'),
      await boxOf('.screen-heading .link'),
    ]
    expect(name.height).toBeGreaterThan(40)
    expect(Math.abs(chip.y + chip.height / 2 - link.y - link.height / 2)).toBeLessThan(4)
    expect(link.x + link.width).toBeLessThanOrEqual(320)
  })

  describe('words that are copied by hand', () => {
    beforeEach(async () => {
      const permissions = ['clipboard-read', 'clipboard-write']
      await page.context().grantPermissions(permissions, { origin })
      await page.evaluate(`navigator.clipboard.writeText('what was there before')`)
    })

    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
    const select = (selector: string): Promise<unknown> =>
      page.evaluate(`getSelection().selectAllChildren(document.querySelector('${selector}'))`)

    it('go where the browser takes them, on record, while the page shows the same client or none', async () => {
      await openNote(page)
      await select('.sentence')
      await page.keyboard.press('Control+c')
      await expect.poll(clipboard).toContain('Client')
      await expect
        .poll(() => page.evaluate('stage.service.copies'))
        .toEqual([{ to: 'clipboard', chartClientId: null }])
      expect(await page.getByRole('dialog').count()).toBe(0)
    })

    it('are on record where they are dragged out, or copied from an earlier version, also after a failed call', async () => {
      await openNote(page)
      await page.evaluate(
        `stage.service.failures.push({ path: '/copies', status: 500, message: '' }); getSelection().selectAllChildren(document.querySelector('.sentence')); document.querySelector('.sentence').dispatchEvent(new Event('dragstart', { bubbles: true }))`,
      )
      const copies = () => page.evaluate('stage.service.copies.length')
      await expect.poll(copies).toBe(1)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'History' }).click()
      await page.locator('.history p').first().waitFor()
      await select('.history')
      await page.keyboard.press('Control+c')
      await expect.poll(copies).toBe(2)
      // But never as the next clinician's.
      await page.evaluate(`stage.service.failures.push({ path: '/copies', status: 500, message: '' })`)
      await page.keyboard.press('Control+c')
      await expect.poll(() => page.evaluate('stage.service.failures.length')).toBe(0)
      await page.evaluate(
        `stage.auth.value = { state: 'signedIn', clinician: { ...stage.data.clinician, id: 'next' } };
          dispatchEvent(new Event('online')); new Promise((resolve) => setTimeout(resolve))`,
      )
      expect(await copies()).toBe(2)
    })

    it('are on record before their session is put under the right client', async () => {
      await openNote(page)
      await page.evaluate(
        `(({ requests }) => { const { send } = requests; requests.send = async (method, path, ...rest) => {
          if (path.endsWith('/copies')) await new Promise((resolve) => (globalThis.letCopy = resolve))
          if (path.endsWith('/correct-client')) globalThis.copiesThen = stage.service.copies.length
          return send(method, path, ...rest) } })(stage.service); undefined`,
      )
      await select('.sentence')
      await page.keyboard.press('Control+c')
      await expect.poll(() => page.evaluate('typeof letCopy')).toBe('function')
      await page.getByRole('button', { name: 'Wrong client?' }).click()
      await page.getByRole('dialog').getByRole('searchbox').fill('lindqvist')
      await page.getByRole('dialog').locator('.list-row').click()
      const agreed = page.getByRole('dialog').getByRole('checkbox')
      if ((await agreed.count()) > 0) await agreed.check()
      await page.getByRole('button', { name: 'Move to Johan Lindqvist' }).click()
      await page.evaluate('letCopy()')
      await expect.poll(() => page.evaluate('globalThis.copiesThen')).toBe(1)
    })

    it('are asked about anew where the page moves on under the question', async () => {
      await openNote(page)
      await page.evaluate(showJohan)
      await select('.sentence')
      await page.keyboard.press('Control+c')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Johan Lindqvist' }).waitFor()
      await page.evaluate(
        `stage.chart.value = { clientId: stage.data.clients.at(-1).id, options: {}, serial: 2 }`,
      )
      await dialog.getByText('Nothing was copied.').waitFor()
      expect([await clipboard(), await dialog.getByRole('button', { name: /^Copy to/ }).count()]).toEqual([
        'what was there before',
        0,
      ])
      await dialog.getByRole('button', { name: 'Try again' }).click()
      await dialog.getByRole('button', { name: /^Copy to the chart of/ }).click()
      await expect
        .poll(() => page.evaluate('stage.service.copies.map(({ chartClientId }) => chartClientId)'))
        .toEqual([await page.evaluate('stage.data.clients.at(-1).id')])
    })

    it('are asked about, of the note, its field and the transcript, while the page shows another client', async () => {
      await openNote(page)
      await page.evaluate(showJohan)
      await select('.sentence')
      await page.keyboard.press('Control+c')
      const dialog = page.getByRole('dialog', { name: /Copy into another/ })
      await dialog.waitFor()
      expect(await clipboard()).toBe('what was there before')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect([await clipboard(), await page.evaluate('stage.service.copies')]).toEqual([
        'what was there before',
        [],
      ])
      await page.getByRole('button', { name: 'Edit Subjective' }).click()
      await page.getByRole('textbox', { name: 'Subjective' }).press('Control+a')
      await page.keyboard.press('Control+x')
      await dialog.waitFor()
      await dialog.getByRole('button', { name: 'Johan Lindqvist' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(await clipboard()).toContain('Client')
      expect(await page.getByRole('textbox', { name: 'Subjective' }).inputValue()).toContain('Client')
      expect(await page.evaluate('stage.service.copies.length')).toBe(1)
    })

    it('are asked about in the transcript too', async () => {
      await openTranscript(page)
      await page.evaluate(showJohan)
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Control+c')
      await page.getByRole('dialog', { name: /Copy into another/ }).waitFor()
      expect(await clipboard()).toBe('what was there before')
    })
  })
})
