import { randomUUID } from 'node:crypto'
import type { WidgetAnswers, WidgetAssessments, WidgetLink } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerAll, makePagesFixture, tokenOf, type PagesFixture } from '../client-pages/pages-fixture.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { signIn, type SignedIn } from './widget-fixture.js'

let service: TestService
let partner: TestPartner
let pages: PagesFixture
let clinician: SignedIn

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  pages = makePagesFixture(service, partner)
  clinician = await signIn(service, partner)
})
afterAll(() => service.close())

const read = async (clientId: string): Promise<WidgetAssessments> =>
  (await clinician.call('GET', `/clients/${clientId}/assessments`)).json<WidgetAssessments>()

const send = (clientId: string, body: object) =>
  clinician.call('POST', `/clients/${clientId}/assessments`, { sendEmail: false, ...body })

describe('assessments from the client’s page', () => {
  it('are sent once each, seen as sent, opened and finished, and read item by item', async () => {
    const clientId = await pages.addClient()
    const { offered, canMail, outstanding } = await read(clientId)
    expect(offered.map(({ id }) => id)).toEqual(expect.arrayContaining(['phq9', 'gad7', 'gad2']))
    expect({ canMail, outstanding }).toEqual({ canMail: false, outstanding: [] })
    const sent = await send(clientId, { assessmentIds: ['gad2'] })
    expect(sent.statusCode).toBe(201)
    const link = sent.json<WidgetLink>()
    expect(link.isEmailed).toBe(false)
    expect((await send(clientId, { assessmentIds: ['gad2', 'phq9'] })).statusCode).toBe(409)
    expect((await read(clientId)).outstanding).toMatchObject([
      { assessmentId: 'gad2', name: 'GAD-2', openedAt: null, emailStatus: null },
    ])
    const bearer = await pages.letIn(tokenOf(link.url))
    expect((await read(clientId)).outstanding).toMatchObject([{ openedAt: expect.stringMatching(/Z$/) }])
    await pages.save(bearer, answerAll(await pages.sitting(bearer), 0, 2))
    await pages.call('POST', '/send', bearer)
    const { trends, outstanding: none } = await read(clientId)
    expect(none).toEqual([])
    const point = trends[0]?.points[0]
    expect(point).toMatchObject({ score: 4, severity: 'positive', severityName: 'Positive' })
    const answers = await clinician.call(
      'GET',
      `/clients/${clientId}/assessments/answers?scoreId=${point?.scoreId}`,
    )
    expect(answers.json<WidgetAnswers>()).toMatchObject({
      name: 'GAD-2',
      score: 4,
      severityName: 'Positive',
      answers: [
        { answer: 'More than half the days', points: 2, isFlagged: false },
        { answer: 'More than half the days', points: 2, isFlagged: false },
      ],
    })
    expect(await pages.audited(clientId)).toContain('assessment.administer by clinician')
  })

  it('get a new link, which closes the old one, and are taken back', async () => {
    const clientId = await pages.addClient()
    const first = (await send(clientId, { assessmentIds: ['gad2'] })).json<WidgetLink>()
    const [one] = (await read(clientId)).outstanding
    const change = (call: string, body: object) =>
      clinician.call('POST', `/clients/${clientId}/assessments/${call}`, body)
    const reissued = await change('reissue', { assignmentId: one?.id, sendEmail: false })
    expect(reissued.statusCode).toBe(200)
    expect(reissued.json<WidgetLink>().url).not.toBe(first.url)
    expect((await change('revoke', { assignmentId: one?.id })).statusCode).toBe(204)
    expect((await read(clientId)).outstanding).toEqual([])
    expect((await change('reissue', { assignmentId: one?.id, sendEmail: false })).statusCode).toBe(409)
  })

  it('that were sent together: one is taken back alone, and the one link leads to the others', async () => {
    const clientId = await pages.addClient()
    const link = (await send(clientId, { assessmentIds: ['phq9', 'gad2'] })).json<WidgetLink>()
    const { outstanding } = await read(clientId)
    expect(outstanding.map(({ name, sentWith }) => [name, sentWith])).toEqual([
      ['PHQ-9', ['GAD-2']],
      ['GAD-2', ['PHQ-9']],
    ])
    const revoke = (assignmentId: string | undefined) =>
      clinician.call('POST', `/clients/${clientId}/assessments/revoke`, { assignmentId })
    const opened = await pages.letIn(tokenOf(link.url))
    expect((await revoke(outstanding[0]?.id)).statusCode).toBe(204)
    // Who was let in before goes on, and so does who opens the link now.
    for (const bearer of [opened, await pages.letIn(tokenOf(link.url))]) {
      const { assessments } = await pages.sitting(bearer)
      expect(assessments.map(({ assignmentId }) => assignmentId)).toEqual([outstanding[1]?.id])
    }
    expect((await read(clientId)).outstanding).toMatchObject([{ name: 'GAD-2', sentWith: [] }])
    expect((await revoke(outstanding[1]?.id)).statusCode).toBe(204)
    expect((await pages.open(tokenOf(link.url))).statusCode).not.toBe(200)
    expect((await pages.call('GET', '/sitting', opened)).statusCode).toBe(401)
  })

  it('that were sent together: a link that was left to the others closes with a new link, or when it is revoked', async () => {
    const revoked = 'assessmentAssignment.revoke by partner'
    for (const shuts of ['reissue', 'revoke'] as const) {
      const clientId = await pages.addClient()
      const link = (await send(clientId, { assessmentIds: ['phq9', 'gad2'] })).json<WidgetLink>()
      const [phq9, gad2] = (await read(clientId)).outstanding.map(({ id }) => id)
      const change = (call: string, body: object) =>
        clinician.call('POST', `/clients/${clientId}/assessments/${call}`, body)
      await change('revoke', { assignmentId: phq9 })
      const opened = await pages.letIn(tokenOf(link.url))
      const revoke = async () => {
        const url = `/v2/assessment-assignments/${phq9}`
        return (await service.call({ method: 'DELETE', url, headers: partner.headers })).statusCode
      }
      const renew = () => change('reissue', { assignmentId: gad2, sendEmail: false })
      if (shuts === 'revoke') expect([await revoke(), await revoke()]).toEqual([204, 204])
      else expect((await renew()).statusCode).toBe(200)
      expect((await pages.open(tokenOf(link.url))).statusCode).not.toBe(200)
      expect((await pages.call('GET', '/sitting', opened)).statusCode).toBe(401)
      const { url } = (await renew()).json<WidgetLink>()
      const { assessments } = await pages.sitting(await pages.letIn(tokenOf(url)))
      expect(assessments.map(({ assignmentId }) => assignmentId)).toEqual([gad2])
      const audited = (await pages.audited(clientId)).filter((entry) => entry === revoked)
      expect(audited).toHaveLength(shuts === 'revoke' ? 1 : 0)
    }
  })

  it('are refused where they are unknown, and another client’s are none', async () => {
    const clientId = await pages.addClient()
    const otherId = await pages.addClient()
    expect((await send(clientId, { assessmentIds: [] })).statusCode).toBe(400)
    expect((await send(clientId, { assessmentIds: ['horoscope'] })).statusCode).toBe(400)
    await send(otherId, { assessmentIds: ['gad2'] })
    const [theirs] = (await read(otherId)).outstanding
    for (const call of ['reissue', 'revoke']) {
      const path = `/clients/${clientId}/assessments/${call}`
      const answer = await clinician.call('POST', path, { assignmentId: theirs?.id, sendEmail: false })
      expect(answer.statusCode).toBe(400)
    }
    const { trends } = await read(partner.clientId)
    const scoreId = trends[0]?.points[0]?.scoreId ?? ''
    const ask = (ofId: string, asked: string) =>
      clinician.call('GET', `/clients/${ofId}/assessments/answers?scoreId=${asked}`)
    expect((await ask(partner.clientId, scoreId)).statusCode).toBe(200)
    for (const asked of [scoreId, randomUUID()]) expect((await ask(clientId, asked)).statusCode).toBe(404)
  })
})
