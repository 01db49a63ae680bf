import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findBarriers, missesChromium, openBrowser } from '../../../server/test/support/open-browser.js'
import { makeStageOpener } from './open-stage.js'
import { openExtract, openNote, openReview, openStruck } from './screen-states.js'

describe.skipIf(missesChromium('what the screens say before a note is signed'))(
  'before a note is signed',
  () => {
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

    const openPoints = () => page.getByRole('region', { name: 'Open points' })
    const points = () => openPoints().getByRole('listitem')
    const signing = () => page.getByRole('dialog', { name: 'Sign and lock this note?' })
    const showDialog = () => page.getByRole('button', { name: 'Sign', exact: true }).click()

    it('a note whose text was struck, and not written again, says so, and is signed once it has words', async () => {
      await openStruck(page)
      const told = page.locator('.note .notice.danger')
      expect(await told.textContent()).toContain('A stretch of the session was struck')
      await page.getByRole('button', { name: 'Write again' }).waitFor()
      const sign = page.getByRole('button', { name: 'Sign', exact: true })
      expect(await sign.count()).toBe(0)
      expect(await findBarriers(page)).toEqual([])
      await page.getByRole('button', { name: 'Edit Plan' }).click()
      await page.getByRole('textbox', { name: 'Plan' }).fill('Call on Monday.')
      await page.getByRole('button', { name: 'Done editing Plan' }).click()
      await sign.waitFor()
      expect(await told.count()).toBe(0)
    })

    describe('the open points', () => {
      it('are not there where nothing is open', async () => {
        await openNote(page)
        expect(await openPoints().count()).toBe(0)
      })

      it('stand above the sections, five of them at first, each with its words', async () => {
        await openReview(page)
        expect(await points().count()).toBe(5)
        const first = await points().first().textContent()
        expect(first).toContain('Danger')
        expect(first).toContain('Wish to be dead: affirmed')
        expect(first).toContain('Said, not written')
        expect(first).toContain('“Some nights I think it would be easier if I just did not wake up.”')
        const isAbove = await page.evaluate(
          `document.querySelector('.review').compareDocumentPosition(document.querySelector('.sections')) === Node.DOCUMENT_POSITION_FOLLOWING`,
        )
        expect(isAbove).toBe(true)
        expect(await findBarriers(page)).toEqual([])
      })

      it('are all shown when asked for, by keyboard', async () => {
        await openReview(page)
        await openPoints().locator('summary').focus()
        await page.keyboard.press('Enter')
        await openPoints().getByText('Next appointment').waitFor()
        expect(await points().count()).toBe(7)
        expect(await findBarriers(page)).toEqual([])
      })

      it('show danger always, however many there are and wherever they are listed', async () => {
        await page.evaluate(
          `stage.service.write({ review: Array.from({ length: 9 }, (_, index) => ({ ...stage.data.review[index === 8 ? 0 : 2], id: 'point-' + index })) })`,
        )
        await openNote(page)
        expect(await points().count()).toBe(6)
        expect(await points().last().textContent()).toContain('Wish to be dead')
      })

      it('name who said it where several spoke, by a label', async () => {
        await page.evaluate(
          `stage.service.write({ review: [['client', 0], ['speaker_2', 2]].map(([speaker, at]) => ({ ...stage.data.review[at], speaker })) })`,
        )
        await openNote(page)
        const labels = await openPoints().locator('li > p:first-child').allTextContents()
        expect(labels[0]).toContain('Wish to be dead: affirmed (Client)')
        expect(labels[1]).toContain('Sertraline 50: taken (Speaker 2)')
        expect(await findBarriers(page)).toEqual([])
      })

      it('lead to their line of the transcript', async () => {
        await openReview(page)
        await page
          .getByRole('button', { name: 'Show in the transcript: Suicidal thoughts: no clear answer' })
          .press('Enter')
        await page.waitForSelector('.asked-for')
        const marked = await page.locator('.asked-for').allTextContents()
        expect(marked.map((line) => line.slice(4))).toEqual([
          'Clinician I want to check on safety. Have you had any thoughts of ending your life?',
          'Client No, nothing like that.',
        ])
        await page.getByRole('button', { name: 'Back to the note' }).click()
        await page.waitForSelector('[data-review="danger-11-suicide-thoughts"]:focus')
      })

      it('are gone once the note has them', async () => {
        await openReview(page)
        await page.evaluate('stage.service.write({ review: [] })')
        await openPoints().waitFor({ state: 'detached' })
      })
    })

    describe('the signing', () => {
      it('names each open danger in its words, and counts the rest', async () => {
        await openReview(page)
        await showDialog()
        const danger = await signing().locator('.notice.danger').textContent()
        expect(danger).toContain('Wish to be dead: affirmed')
        expect(danger).toContain('“I mean, not really. Not like that.”')
        expect(danger).not.toContain('Sertraline')
        const warnings = await signing().locator('.notice.warning').allTextContents()
        expect(warnings).toEqual([
          expect.stringMatching(/^1 sentence is not borne out by the session. By signing you vouch for it./),
          'Open points besides danger: 5',
        ])
        expect(await findBarriers(page)).toEqual([])
      })

      it('says of danger that was left out that a sentence was, in place of words', async () => {
        await page.evaluate(
          `stage.service.write({ review: [{ ...stage.data.review[0], words: '', reason: 'left_out' }] })`,
        )
        await openNote(page)
        await showDialog()
        const item = signing().locator('.notice.danger li')
        await item.getByText('A sentence about this was left out').waitFor()
        expect(await item.textContent()).not.toContain('“')
      })

      it('says nothing of the kind where nothing is open', async () => {
        await page.evaluate('stage.service.write({ note: stage.data.sections.slice(0, 1) })')
        await openNote(page)
        await showDialog()
        await signing().waitFor()
        expect(await signing().locator('.notice').count()).toBe(0)
      })

      it('saves what was typed first, and tells of what is open in that', async () => {
        await openReview(page)
        await page.getByRole('button', { name: 'Edit Plan' }).click()
        await page.getByRole('textbox', { name: 'Plan' }).fill('Walk every evening.')
        await showDialog()
        await expect
          .poll(() =>
            page.evaluate(`stage.service.note.value.note.find(({ key }) => key === 'plan').content`),
          )
          .toBe('Walk every evening.')
        await page.evaluate('stage.service.write({ review: stage.data.review.slice(0, 1) })')
        await signing().getByText('no clear answer').waitFor({ state: 'detached' })
        expect(await signing().locator('.notice.danger li').count()).toBe(1)
      })
    })

    describe('a sentence', () => {
      const cardOf = async (sentence: string): Promise<string> => {
        await page.evaluate('stage.service.write({ note: stage.data.judgedSections })')
        await openNote(page)
        await page.locator('.sentence', { hasText: sentence }).click()
        return (await page.locator('.evidence-panel').textContent()) ?? ''
      }

      it('that was refused says why', async () => {
        expect(await cardOf('Client sleeps 3 hours')).toContain(
          'A number in this sentence was not said there.',
        )
        expect(await page.locator('.sentence.refused', { hasText: '3 hours' }).textContent()).toContain(
          '(Not borne out by the session)',
        )
      })

      it('that no model compared is not shown as if one had', async () => {
        expect(await cardOf('completed the thought record')).toContain(
          'Checked by rules only; no language model compared it with the session.',
        )
      })

      it('is told by the shape of its mark, and in words where no model compared it', async () => {
        const shapeOf = (judgement: string) =>
          page.locator(`.sentence.${judgement} path`).first().getAttribute('d')
        for (const [language, words] of [
          ['en', '(Checked by rules only)'],
          ['es', '(Comprobada solo con reglas)'],
        ] as const) {
          ;({ page } = await open({ language }))
          await page.evaluate('stage.service.write({ note: stage.data.judgedSections })')
          await openNote(page)
          const shapes = ['verified', 'exact_checks_only', 'refused', 'clinicians_words'].map(shapeOf)
          expect(new Set(await Promise.all(shapes)).size).toBe(4)
          expect(await page.locator('.sentence.exact_checks_only').textContent()).toContain(words)
          expect(await page.locator('.sentence.verified').first().textContent()).not.toContain('(')
        }
      })

      it('that a model compared is shown with its lines alone', async () => {
        const card = await cardOf('rough week')
        expect(card).toContain('From the transcript')
        expect(card).not.toContain('rules')
      })

      it('of the clinician is called theirs, and not missing from the transcript', async () => {
        const card = await cardOf('We called her sister')
        expect(card).toBe(
          'We called her sister together.The clinician’s own words. It need not have been said in the session.',
        )
        const own = page.locator('.sentence.clinicians_words')
        expect(await own.textContent()).toContain('(The clinician’s own words)')
        expect(await page.getByText('2 sentences are not borne out').count()).toBe(1)
      })
    })

    describe('an extract', () => {
      it('says what it is and how to get a note', async () => {
        await openExtract(page)
        const notice = await page.locator('.notice.info').textContent()
        expect(notice).toContain('Quotes, not a finished note')
        expect(notice).toContain('without a language model')
        expect(notice).toContain('casenote model find')
      })

      it('shows its quotes as lists, with headings among them, and what was said', async () => {
        await openExtract(page)
        const items = page.locator('[data-key=assessment] li')
        expect(await items.count()).toBe(4)
        expect(await items.nth(1).textContent()).not.toContain('by rules')
        expect(await page.locator('.list-heading').allTextContents()).toEqual(['Danger:', 'Also said:'])
        await items.nth(1).locator('.sentence').click()
        const card = await page.locator('.evidence-panel').textContent()
        expect(card).toContain('Quoted from the session')
        expect(card).toContain('No, nothing like that.')
        expect(card).not.toContain('Checked by rules')
      })

      it('suggests only edits that need no model, with the open word ready to be typed over', async () => {
        await page.evaluate(
          `stage.auth.value = { state: 'signedIn', clinician: { ...stage.data.clinician, hasModel: false } }`,
        )
        await openExtract(page)
        const suggestions = page.getByRole('list', { name: 'Suggestions' })
        expect(await suggestions.getByText('Make it shorter').count()).toBe(0)
        await suggestions.getByRole('button', { name: 'Move the part about … to Plan' }).click()
        await page.locator('textarea:focus').waitFor()
        await page.keyboard.type('work')
        expect(await page.getByLabel('What should be changed?').inputValue()).toBe(
          'Move the part about work to Plan',
        )
        expect(await suggestions.getByRole('button', { name: 'Make it a DAP note' }).count()).toBe(1)
      })
    })
  },
)
