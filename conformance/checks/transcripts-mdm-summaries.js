import { check } from '../check.js'
import {
  expectEqual,
  expectInvalid,
  expectKeys,
  expectRefusal,
  expectRule,
  expectStatus,
  expectThat,
  expectUuid,
  skip,
} from '../expect.js'

/** What a partner looks for instead of the status (contract part 7). */
const artifacts = /** @type {const} */ ([
  ['transcript', 'transcriptItems', '4 GET /sessions/{sessionId}/transcript'],
  ['mdm', 'problemsAddressed', '4 GET /sessions/{sessionId}/mdm'],
  ['summary', 'summary', 'ruling 4 / summary'],
])

/** @param {import('../context.js').Context} context */
async function readFailed({ api, failedSession }) {
  const { session } = await failedSession()
  const { json } = await api.get(`/sessions/${session.id}`)
  if (json.status !== 'failed') skip(`the session has not failed within --wait: ${json.status}`)
  return json
}

const levels = ['na', 'minimal', 'low', 'moderate', 'high']

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  ...artifacts.map(([name, key, clause]) =>
    check(
      `GET /sessions/{sessionId}/${name} before it exists: HTTP 200 with a PartnerApiError of 404 and no ${key}`,
      [
        clause,
        '3 Artifacts / asking early is normal',
        '7 Not ready / transcript and mdm',
        '9 Versioning / rule 4, transcript and mdm become 404',
        'ruling 6 / not ready: 200 with 404 inside',
        ...(name === 'summary' ? ['4 Operations / fetch summaries'] : []),
      ],
      async ({ api, session }) => {
        const answer = await api.get(`/sessions/${(await session()).id}/${name}`)
        expectRefusal(answer, 404, { httpStatus: 200 })
        expectEqual(`the key ${key}`, Object.hasOwn(answer.json, key), false)
        expectEqual('the keys', Object.keys(answer.json).toSorted(), ['error', 'path'])
      },
    ),
  ),
  check(
    'why a session failed: with the session and with what is asked for of it, as code, sentence and whether to try again',
    ['additions / why a session failed'],
    async (context) => {
      const { api, session } = context
      const { id, failure } = await readFailed(context)
      expectKeys('failure', failure, ['code', 'message', 'retryable'])
      for (const artifact of ['transcript', 'mdm', 'summary'])
        expectEqual(
          `failure of the ${artifact}`,
          (await api.get(`/sessions/${id}/${artifact}`)).json.failure,
          failure,
        )
      expectEqual('failure of a session that is under way', (await session()).failure, null)
    },
  ),
  check(
    'retry: 409 for a session that has not failed; a new session of a failed one, and the same when asked again',
    ['additions / try a session again'],
    async (context) => {
      const { api, session } = context
      const { id, sessionExternalId, failure } = await readFailed(context)
      if (!failure.retryable) skip('it would fail the same way again')
      const answer = await api.post(`/sessions/${id}/retry`)
      expectStatus(answer, 200)
      expectEqual('retryOf', answer.json.retryOf, id)
      expectEqual('sessionExternalId', answer.json.sessionExternalId, sessionExternalId)
      expectEqual('asked again', (await api.post(`/sessions/${id}/retry`)).json.id, answer.json.id)
      expectRule(await api.post(`/sessions/${(await session()).id}/retry`), 409)
    },
  ),
  check(
    'strike: 400 for what is no stretch; 409 while the session is processed',
    ['additions / strike a stretch'],
    async ({ api, session }) => {
      const path = `/sessions/${(await session()).id}/strike`
      expectInvalid(await api.post(path, {}), ['start', 'end'])
      expectInvalid(await api.post(path, { start: -1, end: 'x' }), ['start', 'end'])
      expectInvalid(await api.post(path, { start: 5, end: 5 }), ['end'])
      expectRule(await api.post(path, { start: 0, end: 1 }), 409)
    },
  ),
  check(
    'a session that failed has no transcript, now or later',
    ['3 Artifacts / transcription failure', '7 Not ready / transcript and mdm'],
    async ({ api, failedSession }) => {
      const { session } = await failedSession()
      for (const [name] of artifacts)
        expectRefusal(await api.get(`/sessions/${session.id}/${name}`), 404, { httpStatus: 200 })
    },
  ),
  check(
    'a transcript has items with startTime, endTime, speaker and transcript',
    ['2 Transcript / transcriptItems', 'ruling 6 / transcript'],
    async ({ api, recordedNote }) => {
      const { session } = await recordedNote()
      const answer = await api.get(`/sessions/${session.id}/transcript`)
      expectStatus(answer, 200)
      expectEqual('sessionId', answer.json.sessionId, session.id)
      expectThat(answer.json.transcriptItems?.length > 0, 'transcriptItems', answer)
      for (const item of answer.json.transcriptItems) {
        expectKeys('an item', item, ['startTime', 'endTime', 'speaker', 'transcript'])
        expectThat(
          typeof item.startTime === 'number' && item.endTime >= item.startTime,
          'times in seconds',
          item,
        )
        expectThat(/^(clinician|client|speaker_\d+)$/.test(item.speaker), 'a speaker', item.speaker)
      }
    },
  ),
  check('speakers can be corrected', ['ruling 4 / correct speakers'], async ({ api, noteToChange }) => {
    const { session } = await noteToChange()
    const path = `/sessions/${session.id}/transcript`
    const { speaker } = (await api.get(path)).json.transcriptItems[0]
    const answer = await api.patch(path, { speakers: { [speaker]: 'client' } })
    expectStatus(answer, 200)
    expectEqual('the speaker', answer.json.transcriptItems[0].speaker, 'client')
  }),
  check(
    'who is heard can be named, by voice, and no line changes for a name',
    ['additions / who is heard'],
    async ({ api, noteToChange }) => {
      const { session } = await noteToChange()
      const { json: before } = await api.get(`/sessions/${session.id}/transcript`)
      const { voice } = before.speakers[0]
      const path = `/sessions/${session.id}/speakers`
      const answer = await api.patch(path, { speakers: [{ voice, name: 'Juniper' }] })
      expectStatus(answer, 200)
      expectEqual('the name', answer.json.speakers[0].name, 'Juniper')
      expectEqual(
        'the lines',
        JSON.stringify(answer.json.transcriptItems),
        JSON.stringify(before.transcriptItems),
      )
      expectRefusal(await api.patch(path, { speakers: [{ voice: 9_999, name: 'Nobody' }] }), 400)
    },
  ),
  check(
    'a linked session is another client’s, of a voice that is heard; 400 for any other',
    ['additions / a session for each of several'],
    async ({ api, recordedNote, newClient }) => {
      const { session } = await recordedNote()
      const { id: clientId } = await newClient()
      const path = `/sessions/${session.id}/linked-sessions`
      expectInvalid(await api.post(path, {}), ['clientId', 'voices'])
      expectRefusal(await api.post(path, { clientId, voices: [9_999] }), 400)
      expectRefusal(await api.post(path, { clientId: session.clientId, voices: [1] }), 400)
    },
  ),
  check(
    'MDM elements have problems with rationale and level, the risk, and whether there was a crisis',
    [
      '2 MDM / problemsAddressed',
      '2 MDM / risk of complications',
      '2 MDM / crisis intervention',
      'ruling 6 / MDM',
    ],
    async ({ api, recordedNote }) => {
      const { session } = await recordedNote()
      const answer = await api.get(`/sessions/${session.id}/mdm`)
      expectStatus(answer, 200)
      const mdm = answer.json
      expectKeys('MDM', mdm, [
        'mdmId',
        'id',
        'createdAt',
        'sessionId',
        'problemsAddressed',
        'riskOfComplications',
        'crisisInterventionIdentified',
        'crisisInterventionRationale',
      ])
      for (const problem of mdm.problemsAddressed) {
        expectKeys('a problem', problem, ['problem', 'level', 'rationale'])
        expectThat(levels.includes(problem.level), `a level of ${levels.join(', ')}`, problem.level)
      }
      expectKeys('riskOfComplications', mdm.riskOfComplications, ['level', 'rationale'])
      expectThat(typeof mdm.crisisInterventionIdentified === 'boolean', 'a boolean', answer)
    },
  ),
  check(
    'a summary is the same by session and by summaryId',
    ['ruling 6 / summary', 'ruling 4 / summary'],
    async ({ api, recordedNote }) => {
      const { session } = await recordedNote()
      const answer = await api.get(`/sessions/${session.id}/summary`)
      expectStatus(answer, 200)
      expectKeys('the summary', answer.json, ['summaryId', 'id', 'createdAt', 'sessionId', 'summary'])
      expectUuid('summaryId', answer.json.summaryId)
      expectEqual(
        'the summary by id',
        (await api.get(`/summaries/${answer.json.summaryId}`)).json,
        answer.json,
      )
    },
  ),
]
