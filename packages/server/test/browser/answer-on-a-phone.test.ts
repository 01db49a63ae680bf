import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import type { AssessmentScore } from '@casenote/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerAll, makePagesFixture, type PagesFixture } from '../client-pages/pages-fixture.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { findBarriersOnBoth, missesChromium, openBrowser } from '../support/open-browser.js'

const isSkipped = missesChromium("the clients' pages: answering on a phone, invitations")

/** Set to look at the screens. */
const screenshotFolder = process.env['CASENOTE_TEST_SCREENSHOTS']

let service: TestService
let partner: TestPartner
let pages: PagesFixture
let browser: Browser
let origin: string

describe.skipIf(isSkipped)("the client's page", () => {
  beforeAll(async () => {
    service = await makeTestService()
    partner = await service.addPartner()
    pages = makePagesFixture(service, partner)
    await service.api.app.listen({ host: '127.0.0.1', port: 0 })
    origin = `http://127.0.0.1:${(service.api.app.server.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  it('answers PHQ-9 and GAD-7 in one sitting, through two lost networks and a reload, and tells of both in one event', async () => {
    const { tokens, clientId } = await pages.administer(['phq9', 'gad7'])
    const { context, page, hosts } = await openPhone()
    await page.goto(`${origin}/a/${tokens[0]}`)
    await look(page, 'birth-date')
    expect(new URL(page.url()).pathname).toBe('/a')
    await giveBirthDate(page)
    await page.getByText('Up to 18 short questions').waitFor()
    await look(page, 'welcome')
    await page.getByRole('button', { name: 'Begin' }).click()
    await look(page, 'question')
    // Counted with all that may be asked, so that no answer makes the way longer; the licence is read once.
    await page.getByText('Question 1 of 18').waitFor()
    expect(await page.locator('.attribution').count()).toBe(1)
    await answerOn(page, 'Several days', 1)
    await page.getByText('Question 2 of 18').waitFor()
    expect(await page.locator('.attribution').count()).toBe(0)
    await answerOn(page, 'Not at all', 2)
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Saved')

    await context.setOffline(true)
    await answerOn(page, 'More than half the days', 3)
    await answerOn(page, 'Not at all', 4)
    await page.getByText('No connection').waitFor()
    await look(page, 'no-connection')
    await context.setOffline(false)
    await page.getByText('Saved', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Back' }).click()
    expect(await page.getByRole('button', { name: 'Not at all' }).getAttribute('aria-pressed')).toBe('true')
    await answerOn(page, 'Nearly every day', 4)

    // Lost a second time, and the page is loaded again before the answer could be sent.
    await page.route('**/pages/v1/answers', (route) => route.abort())
    await answerOn(page, 'Several days', 5)
    await page.getByText('No connection').waitFor()
    await page.unroute('**/pages/v1/answers')
    await page.reload()
    await page.getByText('Question 6 of 18').waitFor()
    await page.getByText('Saved', { exact: true }).waitFor()

    for (let at = 6; at <= 8; at += 1) await answerOn(page, 'Not at all', at)
    await page.keyboard.press('2')
    await page.getByRole('link', { name: 'Call 988' }).waitFor()
    await look(page, 'help')
    await page.getByRole('button', { name: 'Go on with the questions' }).click()
    await answerOn(page, 'Not difficult at all', 10)
    for (let at = 11; at <= 17; at += 1) await answerOn(page, 'Several days', at)
    await look(page, 'last-question')
    await answerOn(page, 'Very difficult', 18)
    await look(page, 'send')
    await page.getByRole('button', { name: 'Send my answers' }).click()
    await page.getByText('reached your care team').waitFor()
    await look(page, 'done')

    const events = await pages.completions(clientId)
    expect(events).toHaveLength(1)
    expect(await fetchScores(events[0])).toEqual([
      ['phq9', 1 + 0 + 2 + 3 + 1 + 0 + 0 + 0 + 1, ['self_harm']],
      ['gad7', 7, []],
    ])
    expect([...hosts]).toEqual([new URL(origin).host])
    expect(
      await page.evaluate<unknown>('[sessionStorage.length, localStorage.length, document.cookie]'),
    ).toEqual([0, 0, ''])
    await context.close()
  })

  it('goes on where the client left off on another device, and does not show there what was answered', async () => {
    const { tokens } = await pages.administer(['gad7'])
    const phone = await openPhone()
    await phone.page.goto(`${origin}/a/${tokens[0]}`)
    await giveBirthDate(phone.page)
    await phone.page.getByRole('button', { name: 'Begin' }).click()
    await answerOn(phone.page, 'Nearly every day', 1)
    await phone.page.getByText('Saved', { exact: true }).waitFor()
    await phone.context.close()
    const other = await openPhone({ colorScheme: 'dark', viewport: { width: 320, height: 568 } })
    await other.page.goto(`${origin}/a/${tokens[0]}`)
    await giveBirthDate(other.page)
    await other.page.getByText('Question 2 of 8').waitFor()
    await other.page.goBack()
    await other.page.getByText('You answered this before').waitFor()
    expect(await other.page.locator('[aria-pressed=true]').count()).toBe(0)
    await look(other.page, 'answered-elsewhere-dark-320')
    await other.page.getByRole('button', { name: 'Keep it and go on' }).click()
    await other.page.getByText('Question 2 of 8').waitFor()
    await other.context.close()
  })

  it('says the same of a wrong date and an unknown link, and asks again after a pause', async () => {
    const { tokens, clientId } = await pages.administer(['gad2'])
    const { context, page } = await openPhone({ viewport: { width: 320, height: 568 } })
    await page.goto(`${origin}/a/${tokens[0]}`)
    for (let round = 0; round < 2; round += 1) {
      await page.getByRole('button', { name: 'Need help right now?' }).click()
      await page.getByRole('link', { name: 'Call 988' }).waitFor()
      // The browser's own "back" closes the help, as its button does, and does so each time.
      await page.goBack()
      await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
    }
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Please give month, day and year').waitFor()
    await giveBirthDate(page, { month: 'March', day: '2', year: '1990' })
    await page.getByText('do not open anything').waitFor()
    await look(page, 'refused-320')
    await page.goto(`${origin}/a/nothing`)
    await giveBirthDate(page)
    await page.getByText('do not open anything').waitFor()
    await page.goto(`${origin}/a/${tokens[0]}`)
    await giveBirthDate(page)
    await page.getByRole('button', { name: 'Begin' }).click()
    await pages.rows('update casenote.client_openings set expires_at = now() where client_id = $1', [
      clientId,
    ])
    await page.getByRole('button', { name: 'Several days' }).click()
    await page.getByText('Are you still there?').waitFor()
    await look(page, 'again')
    await giveBirthDate(page)
    await page.getByText('Question 2 of').waitFor()
    await waitUntil(
      async () => (await pages.rows('select 1 from casenote.assessment_answers', [])).length > 0,
      'the answer arrived',
    )
    await context.close()
  })

  it('shows an invitation and takes the answer', async () => {
    const clientId = await pages.addClient()
    const token = await pages.invite(clientId)
    const { context, page } = await openPhone({ colorScheme: 'dark' })
    await page.goto(`${origin}/i/${token}`)
    await giveBirthDate(page)
    await page.getByText('An invitation from Clinic').waitFor()
    await look(page, 'invitation-dark')
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('You accepted the invitation').waitFor()
    await look(page, 'accepted-dark')
    await page.goto(`${origin}/i`)
    await context.close()
  })

  it('speaks Spanish: by the browser, the mailed link and the record, and what the person picks goes before them', async () => {
    const clientId = await pages.addClient({ language: 'es-US' })
    const { tokens } = await pages.administer(['phq2', 'gad2'], clientId)
    const english = await openPhone({ viewport: { width: 320, height: 640 } })
    const { page } = english
    const languageOf = () => page.evaluate<string>('document.documentElement.lang')
    await page.goto(`${origin}/a/${tokens[0]}`)
    await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
    // As a mail in Spanish leads here.
    await page.goto(`${origin}/a/${tokens[1]}#es`)
    await page.getByRole('heading', { name: '¿Es usted?' }).waitFor()
    expect([await languageOf(), await page.title()]).toEqual(['es', 'Un mensaje de su clínica'])
    await page.reload()
    await look(page, 'es-birth-date-320')
    await page.getByLabel('Día').fill('3')
    await page.getByLabel('Mes').selectOption({ label: 'febrero' })
    await page.getByLabel('Año').fill('1990')
    await page.getByRole('button', { name: 'Continuar' }).click()
    await page.getByText('Hasta 4 preguntas breves').waitFor()
    await look(page, 'es-welcome-320')
    await page.getByRole('button', { name: 'Empezar' }).click()
    await page.getByText('Pregunta 1 de 4').waitFor()
    const question = page.locator('section.question')
    expect(await question.getAttribute('lang')).toBe('es')
    expect(await page.locator('.only-in').count()).toBe(0)
    await look(page, 'es-question-320')

    // Picked: the question on the screen stays, in the other words.
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Little interest or pleasure in doing things' }).waitFor()
    await page.getByRole('button', { name: 'Several days' }).click()
    await page.getByText('Question 2 of 4').waitFor()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('Question 2 of 4').waitFor()
    await english.context.setOffline(true)
    await page.getByRole('button', { name: 'Español' }).click()
    await page.getByText('Aquí, estas preguntas solo están disponibles en inglés.').waitFor()
    expect([await languageOf(), await question.getAttribute('lang')]).toEqual(['es', 'en'])
    await english.context.setOffline(false)
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Español' }).click()
    await page.getByRole('button', { name: 'Varios días' }).click()

    // Of GAD-2 no published Spanish words are here.
    await page.getByText('Pregunta 3 de 4').waitFor()
    await page.getByText('Aquí, estas preguntas solo están disponibles en inglés.').waitFor()
    expect(await question.getAttribute('lang')).toBe('en')
    await look(page, 'es-english-question-320')
    await page.getByRole('button', { name: '¿Necesita ayuda ahora mismo?' }).click()
    await page.getByRole('link', { name: 'Llame al 988' }).waitFor()
    await page.getByText('oprima 2 para español').waitFor()
    await look(page, 'es-help-320')
    await page.getByRole('button', { name: 'Continuar con las preguntas' }).click()
    for (const at of [3, 4]) {
      await page.getByText(`Pregunta ${at} de 4`).waitFor()
      await page.getByRole('button', { name: 'Not at all' }).click()
    }
    await look(page, 'es-send-320')
    await page.getByRole('button', { name: 'Enviar mis respuestas' }).click()
    await page.getByText('han llegado a su equipo de atención').waitFor()
    await look(page, 'es-done-320')
    await english.context.close()

    const spanish = await openPhone({ locale: 'es-MX', viewport: { width: 320, height: 640 } })
    await spanish.page.goto(`${origin}/i/${await pages.invite(await pages.addClient())}`)
    await spanish.page.getByRole('heading', { name: '¿Es usted?' }).waitFor()
    await spanish.page.getByLabel('Día').fill('3')
    await spanish.page.getByLabel('Mes').selectOption({ label: 'febrero' })
    await spanish.page.getByLabel('Año').fill('1990')
    await spanish.page.getByRole('button', { name: 'Continuar' }).click()
    await spanish.page.getByText('Una invitación de').waitFor()
    await look(spanish.page, 'es-invitation-320')
    await spanish.context.close()
  })

  it('says that there is nothing to answer when what was on the screen is gone as the language is picked', async () => {
    const { tokens, clientId } = await pages.administer(['gad2'])
    const bearer = await pages.letIn(tokens[0] ?? '')
    await pages.save(bearer, answerAll(await pages.sitting(bearer), 0, 0))
    await pages.call('POST', '/send', bearer)
    const { assignmentIds } = await pages.administer(['phq2'], clientId)
    const { context, page } = await openPhone()
    // The link of a completed one stands, and leads to what was sent since.
    await page.goto(`${origin}/a/${tokens[0]}`)
    await giveBirthDate(page)
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByText('Question 1 of 2').waitFor()
    const url = `/v2/assessment-assignments/${assignmentIds[0]}`
    await service.call({ method: 'DELETE', url, headers: partner.headers })
    await page.getByRole('button', { name: 'Español' }).click()
    await page.getByText('En este momento no hay nada que responder').waitFor()
    await context.close()
  })

  it('needs no sideways scrolling at 320 pixels with text at twice its size', async () => {
    const { tokens } = await pages.administer(['pcl5'])
    const { context, page } = await openPhone({ viewport: { width: 320, height: 640 } })
    await page.goto(`${origin}/a/${tokens[0]}`)
    const double = () => page.evaluate("document.documentElement.style.fontSize = '34px'")
    const root = 'document.documentElement'
    const isNarrow = () => page.evaluate<boolean>(`${root}.scrollWidth <= ${root}.clientWidth`)
    await giveBirthDate(page)
    for (const button of ['Begin', 'Extremely', 'Back']) {
      await page.getByRole('button', { name: button }).waitFor()
      await double()
      await look(page, `twice-${button}`)
      expect([button, await isNarrow()]).toEqual([button, true])
      await page.getByRole('button', { name: button }).click()
    }
    await context.close()
  })
})

async function openPhone(
  options: {
    colorScheme?: 'dark' | 'light'
    viewport?: { width: number; height: number }
    locale?: string
  } = {},
): Promise<{ context: BrowserContext; page: Page; hosts: Set<string> }> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  const hosts = new Set<string>()
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) hosts.add(new URL(request.url()).host)
  })
  page.on('dialog', (dialog) => void dialog.accept())
  page.on('pageerror', (error) => expect.unreachable(error.message))
  return { context, page, hosts }
}

async function giveBirthDate(
  page: Page,
  { month, day, year } = { month: 'February', day: '3', year: '1990' },
) {
  await page.getByLabel('Month').selectOption({ label: month })
  await page.getByLabel('Day').fill(day)
  await page.getByLabel('Year').fill(year)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Chooses, on the question with this number. */
async function answerOn(page: Page, answer: string, at: number): Promise<void> {
  await page.getByText(`Question ${at} of`).waitFor()
  await page.getByRole('button', { name: answer }).click()
  await page.getByText(`Question ${at} of`).waitFor({ state: 'detached' })
}

/** Every screen is free of barriers, on a desktop as well. */
async function look(page: Page, name: string): Promise<void> {
  await page.locator('h1').waitFor()
  if (screenshotFolder !== undefined) {
    mkdirSync(screenshotFolder, { recursive: true })
    await page.screenshot({ path: join(screenshotFolder, `${name}.png`), fullPage: true })
  }
  expect(await findBarriersOnBoth(page)).toEqual([])
}

async function fetchScores(event: unknown): Promise<unknown[]> {
  const { payload } = event as { payload: { assessmentScores: { assessmentScoreUrl: string }[] } }
  return Promise.all(
    payload.assessmentScores.map(async ({ assessmentScoreUrl }) => {
      const url = new URL(assessmentScoreUrl).pathname
      const score = (
        await service.call({ method: 'GET', url, headers: partner.headers })
      ).json<AssessmentScore>()
      return [score.assessmentId, score.score, score.flags]
    }),
  )
}
