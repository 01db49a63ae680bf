import type { PageAnswers } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDataFolder, startCasenote } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { answer, answerAll, makePagesFixture, type PagesFixture } from './pages-fixture.js'

let service: TestService
let partner: TestPartner
let pages: PagesFixture
let env: Record<string, string>
let folder: { path: string; remove(): Promise<void> }

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  pages = makePagesFixture(service, partner)
  folder = await makeDataFolder()
  env = {
    ...service.settingsFor(folder.path),
    CASENOTE_LOG_LEVEL: 'error',
  }
})
afterAll(async () => {
  await service.close()
  await folder.remove()
})

const post = (url: string, bearer: string, path: string, payload?: PageAnswers): Promise<boolean> =>
  fetch(`${url}/pages/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
  }).then(
    ({ ok }) => ok,
    () => false,
  )

describe('kill -9 of the API process', () => {
  it('loses no answer that the page was told is saved, and what is sent again counts once', async () => {
    const { tokens, assignmentIds } = await pages.administer(['pcl5'])
    const bearer = await pages.letIn(tokens[0] ?? '')
    const given = Array.from({ length: 20 }, (_, index) =>
      answer(assignmentIds[0] ?? '', `pcl5_${index + 1}`, index % 5),
    )
    const victim = await startCasenote(env, 'api')
    const saves = given.map((one) => post(victim.url, bearer, '/answers', { answers: [one] }))
    // Some are committed and acknowledged by now, some committed only, some neither.
    await Promise.any(saves)
    await victim.process.end('SIGKILL')
    const acknowledged = await Promise.all(saves)
    const known = async () =>
      (await pages.sitting(bearer)).assessments[0]?.questions.map(({ answer: value }) => value) ?? []
    const kept = await known()
    for (const [index, isAcknowledged] of acknowledged.entries()) {
      if (isAcknowledged) expect(kept[index]).toBe(given[index]?.value)
    }
    // As the page does: everything that was not acknowledged goes again, with the same ids.
    const again = given.filter((_, index) => acknowledged[index] !== true)
    if (again.length > 0) expect((await pages.save(bearer, again)).statusCode).toBe(200)
    expect(await known()).toEqual(given.map(({ value }) => value))
    const rows = await pages.rows('select 1 from casenote.assessment_answers where assignment_id = $1', [
      assignmentIds[0],
    ])
    expect(rows).toHaveLength(20)
  })

  it('while answers are sent ends in one event, however often they are sent again', async () => {
    const { tokens, clientId } = await pages.administer(['phq9', 'gad7'])
    const bearer = await pages.letIn(tokens[0] ?? '')
    const sitting = await pages.sitting(bearer)
    await pages.save(bearer, [...answerAll(sitting, 0, 1), ...answerAll(sitting, 1, 1)])
    const victim = await startCasenote(env, 'api')
    const sends = Array.from({ length: 10 }, () => post(victim.url, bearer, '/send'))
    await Promise.any(sends)
    await victim.process.end('SIGKILL')
    await Promise.all(sends)
    expect((await pages.call('POST', '/send', bearer)).json()).toEqual({ remaining: 0 })
    const events = await pages.completions(clientId)
    expect(events).toHaveLength(1)
    expect(events[0]?.payload).toMatchObject({
      assessmentScores: [{ assessmentId: 'phq9' }, { assessmentId: 'gad7' }],
    })
  })
})
