import type { AssessmentScore, Page, PageInvitation, WidgetAssessments } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { signIn } from '../widget/widget-fixture.js'
import { answer, makePagesFixture, type PagesFixture } from './pages-fixture.js'

let service: TestService
let partner: TestPartner
let pages: PagesFixture

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  pages = makePagesFixture(service, partner)
})
afterAll(() => service.close())

/** Of PHQ-9, which has published words in Spanish, and GAD-7, of which none were at hand. */
async function open(fields: { language?: string }) {
  const clientId = await pages.addClient(fields)
  const { tokens, assignmentIds } = await pages.administer(['phq9', 'gad7'], clientId)
  return { clientId, assignmentIds, bearer: await pages.letIn(tokens[0] ?? '') }
}

const spanishBrowser = { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' }
const englishBrowser = { 'accept-language': 'en-US,en;q=0.9' }

describe('what a client reads', () => {
  it('is what they picked, else what the record says, else what the browser asks for, else English', async () => {
    const known = await open({ language: 'es-US' })
    const unknown = await open({})
    const languageOf = async (bearer: string, headers: Record<string, string>) =>
      (await pages.sitting(bearer, headers)).assessments[0]?.language
    expect(await languageOf(known.bearer, { ...englishBrowser, 'casenote-language': 'en' })).toBe('en')
    expect(await languageOf(unknown.bearer, { ...englishBrowser, 'casenote-language': 'es' })).toBe('es')
    expect(await languageOf(known.bearer, englishBrowser)).toBe('es')
    expect(await languageOf(unknown.bearer, spanishBrowser)).toBe('es')
    expect(await languageOf(unknown.bearer, {})).toBe('en')
    // What no page sends decides nothing.
    expect(await languageOf(known.bearer, { 'casenote-language': 'x'.repeat(100) })).toBe('es')
  })

  it('is told to the page with everything that the page shows, so that its own words go by it', async () => {
    const { bearer } = await open({ language: 'es' })
    expect((await pages.sitting(bearer)).language).toBe('es')
    expect((await pages.sitting((await open({})).bearer)).language).toBeNull()
    const clientId = await pages.addClient({ language: 'es-PR' })
    const invited = await pages.letIn(await pages.invite(clientId), 'invitation')
    const read = await pages.call('GET', '/invitation', invited)
    expect(read.json<PageInvitation>().language).toBe('es-PR')
    const answered = await pages.call('POST', '/invitation', invited, { isAccepted: true })
    expect(answered.json<PageInvitation>().language).toBe('es-PR')
  })

  it('is a form in published words only: one that has none in Spanish stays in English, and says so', async () => {
    const { bearer } = await open({ language: 'es' })
    const [phq9, gad7] = (await pages.sitting(bearer)).assessments
    expect([phq9?.language, gad7?.language]).toEqual(['es', 'en'])
    expect(phq9?.questions[8]?.text).toBe(
      'Pensamientos de que estaría mejor muerto(a) o de lastimarse de alguna manera',
    )
    expect(phq9?.attribution).toContain('No se requiere permiso')
    expect(gad7?.questions[0]?.text).toBe('Feeling nervous, anxious or on edge')
    expect(gad7?.attribution).toContain('No permission required')
  })
})

it('an answer about self-harm is told to the clinician in the words that were read, and in English', async () => {
  const { bearer, clientId, assignmentIds } = await open({ language: 'es' })
  // The language is switched and switched back, and each time the same answer given again.
  const given = ['es', 'en', 'es'].map((language) => ({
    ...answer(assignmentIds[0] ?? '', 'phq9_9', 1),
    language,
  }))
  expect((await pages.save(bearer, given)).statusCode).toBe(200)
  const clinician = await signIn(service, partner)
  const question =
    'Pensamientos de que estaría mejor muerto(a) o de lastimarse de alguna manera ' +
    '(Thoughts that you would be better off dead or of hurting yourself in some way)'
  const words = 'Varios días (Several days)'
  const listed = await clinician.call('GET', `/clients/${clientId}/danger`)
  expect(listed.json()).toMatchObject({ items: [{ question, words }] })
  const { alerts } = (
    await clinician.call('GET', `/clients/${clientId}/assessments`)
  ).json<WidgetAssessments>()
  expect(alerts.map(({ questionDisplay, answerDisplay }) => [questionDisplay, answerDisplay])).toEqual([
    [question, words],
  ])
})

it('answers of a score are in the words that were read for each, also of who switched midway', async () => {
  const { bearer, clientId, assignmentIds } = await open({ language: 'es' })
  const [phq9Id = ''] = assignmentIds
  const keys = (await pages.sitting(bearer)).assessments[0]?.questions.map(({ key }) => key) ?? []
  // The first three in Spanish, the others in English; the first was changed after the switch.
  const given = keys.map((key, at) => ({ ...answer(phq9Id, key, 0), language: at < 3 ? 'es' : 'en' }))
  const changed = { ...answer(phq9Id, keys[0] ?? '', 1), language: 'en' }
  await pages.save(bearer, [...given, changed])
  await pages.call('POST', '/send', bearer)
  const url = `/v2/clients/${clientId}/assessment-scores`
  const read = await service.call({ method: 'GET', url, headers: partner.headers })
  const [score] = read.json<Page<AssessmentScore>>().data
  expect(score).toMatchObject({ score: 1, language: 'en' })
  const displayed = score?.answers.map(({ questionDisplay, answerDisplay }) => [
    questionDisplay,
    answerDisplay,
  ])
  expect(displayed?.slice(0, 4)).toEqual([
    ['Little interest or pleasure in doing things', 'Several days'],
    ['Se ha sentido decaído(a), deprimido(a) o sin esperanzas', 'Ningún día'],
    [expect.stringContaining('dormido(a)'), 'Ningún día'],
    ['Feeling tired or having little energy', 'Not at all'],
  ])
})
