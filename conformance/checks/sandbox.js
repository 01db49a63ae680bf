import { setTimeout as wait } from 'node:timers/promises'
import { check } from '../check.js'
import { expectEqual, expectRefusal, expectStatus, expectThat, skip } from '../expect.js'

const clause = 'additions / what a sandbox can be made to do'

/**
 * What a sandbox answers; anywhere else the control is the one 404, and there is nothing more to see.
 * @param {import('../client.js').Answer} answer
 */
function requireSandbox(answer) {
  if (answer.status !== 404) return
  expectRefusal(answer, 404)
  skip('not a sandbox that is at home')
}

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check('an assignment is completed with given answers, and has a score', [clause], async (context) => {
    const { api, newClient } = context
    const { id } = await newClient()
    const assigned = await api.post(`/clients/${id}/assessments`, { assessmentIds: ['phq2'] })
    expectStatus(assigned, 201)
    const answers = ['phq2_1', 'phq2_2'].map((questionKey) => ({ questionKey, answerValue: 1 }))
    const path = `/sandbox/assessments/${assigned.json.assignments[0].id}/complete`
    const completed = await api.post(path, { answers })
    requireSandbox(completed)
    expectStatus(completed, 201)
    expectEqual('score', completed.json.score, 2)
    expectStatus(await api.get(`/assessment-scores/${completed.json.id}`), 200)
  }),
  check('calls fail as they were asked to, and then no more', [clause], async (context) => {
    const { api, newClient } = context
    const { id } = await newClient()
    // Others are at work beside this: a path of its own.
    const pathPrefix = `/clients/${id}`
    for (const status of [429, 503]) {
      let asked = await api.post('/sandbox/faults', { status, count: 1, pathPrefix })
      // Taken once a second for a sandbox.
      for (let tries = 0; asked.status === 429 && tries < 20; tries += 1) {
        expectThat(asked.headers.has('retry-after'), 'a refused control has Retry-After')
        await wait(500)
        asked = await api.post('/sandbox/faults', { status, count: 1, pathPrefix })
      }
      requireSandbox(asked)
      expectStatus(asked, 201)
      let failed = await api.get(`/clients/${id}`)
      // Another process of the service hears of it within a second.
      for (let tries = 0; failed.status === 200 && tries < 20; tries += 1) {
        await wait(100)
        failed = await api.get(`/clients/${id}`)
      }
      expectStatus(failed, status)
      expectThat(failed.headers.has('retry-after'), `${status} has Retry-After`)
      if (status === 429) expectEqual('429', failed.json, { message: 'Too Many Requests' })
      else expectRefusal(failed, status)
      expectStatus(await api.get(`/clients/${id}`), 200)
    }
    expectStatus(await api.call('DELETE', '/sandbox/faults'), 204)
  }),
]
