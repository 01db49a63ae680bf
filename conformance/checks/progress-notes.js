import { check } from '../check.js'
import {
  expectEqual,
  expectInvalid,
  expectKeys,
  expectPage,
  expectRefusal,
  expectRule,
  expectStatus,
  expectThat,
  expectTime,
  expectUuid,
  skip,
} from '../expect.js'
import { magicEditKeys, progressNoteKeys } from '../shapes.js'

const beingGenerated = 'Progress note is being generated'
const locked = 'Progress note is locked'

/** Every call that changes a note, with no body: the state is looked at first. */
const changes = /** @type {const} */ ([
  ['PATCH', '', '4 PATCH /progress-notes/{progressNoteId}'],
  ['POST', '/magic-edit', '4 POST /progress-notes/{progressNoteId}/magic-edit'],
  ['POST', '/regenerate', '4 POST /progress-notes/{progressNoteId}/regenerate'],
])

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'the note of a new session: 200, isLoading true, note empty or partial, every key',
    [
      '2 Progress note / isLoading',
      '2 Progress note / note',
      '2 Progress note / progressNoteId',
      '3 Progress note / generating',
      '4 GET /sessions/{sessionId}/progress-note',
      '7 Not ready / progress note',
      'ruling 5 / note before writing and after a failure',
      'ruling 6 / progress note',
    ],
    async ({ api, session }) => {
      const { id, noteType } = await session()
      const answer = await api.get(`/sessions/${id}/progress-note`)
      expectStatus(answer, 200)
      const note = answer.json
      expectKeys('the note', note, progressNoteKeys)
      if (note.status === 'failed') skip('the service gave the recording up before the note was asked for')
      expectEqual('isLoading', note.isLoading, true)
      expectEqual('note', note.note, [])
      expectEqual('status', note.status, 'generating')
      expectEqual('sessionId', note.sessionId, id)
      expectEqual('noteType', note.noteType, noteType)
      expectEqual('id', note.id, note.progressNoteId)
      expectEqual('finalizedAt', note.finalizedAt, null)
      if (note.progressNoteId !== null) expectUuid('progressNoteId', note.progressNoteId)
    },
  ),
  check(
    'the template of a note names its sections',
    ['ruling 6 / progress note'],
    async ({ api, session }) => {
      const { id } = await session()
      const { template, noteType } = (await api.get(`/sessions/${id}/progress-note`)).json
      expectKeys('template', template, ['noteType', 'sessionType', 'title', 'sections'])
      expectEqual('template.noteType', template.noteType, noteType)
      expectThat(Array.isArray(template.sections) && template.sections.length > 0, 'sections', template)
      for (const section of template.sections)
        expectKeys('a section of the template', section, ['key', 'title'])
    },
  ),
  check(
    'GET by progressNoteId is the same note as GET by session',
    ['4 GET /progress-notes/{progressNoteId}', '2 Progress note / progressNoteId'],
    async ({ api, session, progressNoteId }) => {
      const id = await progressNoteId()
      const byId = await api.get(`/progress-notes/${id}`)
      expectStatus(byId, 200)
      expectEqual(
        'the note',
        byId.json,
        (await api.get(`/sessions/${(await session()).id}/progress-note`)).json,
      )
    },
  ),
  ...changes.map(([method, suffix, clause]) =>
    check(
      `${method} /progress-notes/{progressNoteId}${suffix} while generating: 409, before the body is read`,
      [clause, 'ruling 1 / state before body'],
      async ({ api, progressNoteId }) => {
        const path = `/progress-notes/${await progressNoteId()}${suffix}`
        expectRule(await api.call(method, path), 409, beingGenerated)
        const headers = { 'content-type': 'application/json' }
        expectRule(await api.call(method, path, { rawBody: '{', headers }), 409, beingGenerated)
      },
    ),
  ),
  check(
    'a note that is being generated cannot be finalized: 409',
    ['ruling 4 / finalize note', 'ruling 1 / state before body'],
    async ({ api, progressNoteId }) => {
      expectRule(await api.post(`/progress-notes/${await progressNoteId()}/finalize`), 409, beingGenerated)
    },
  ),
  check(
    'the history of a note is a paginated list',
    ['ruling 4 / note history'],
    async ({ api, progressNoteId }) => {
      expectPage(await api.get(`/progress-notes/${await progressNoteId()}/versions`))
    },
  ),
  check(
    'a clinician without magic edits has an empty list of them',
    ['4 Lists / magic edits of a clinician', 'ruling 2 / empty list'],
    async ({ api, newClinician }) => {
      expectPage(await api.get(`/clinicians/${(await newClinician()).id}/magic-edit`), { totalItems: 0 })
    },
  ),
  check(
    'the note of a session that failed: isLoading false, note empty, status failed',
    [
      '3 Artifacts / transcription failure',
      'ruling 5 / note before writing and after a failure',
      'ruling 5 / session states',
    ],
    async ({ api, failedSession }) => {
      const { session } = await failedSession()
      const read = await api.get(`/sessions/${session.id}`)
      if (read.json.status !== 'failed') skip(`the session has not failed within --wait: ${read.json.status}`)
      const { isLoading, note, status } = (await api.get(`/sessions/${session.id}/progress-note`)).json
      expectEqual('the note', { isLoading, note, status }, { isLoading: false, note: [], status: 'failed' })
    },
  ),
  check(
    'a written note has sections with evidence, and an ETag for If-Match',
    ['2 Progress note / note', 'ruling 6 / progress note', 'ruling 4 / change note'],
    async ({ api, recordedNote }) => {
      const { note } = await recordedNote()
      expectEqual('status', note.status, 'generated')
      expectThat(note.note.length > 0, 'sections', note)
      for (const section of note.note) {
        expectKeys('a section', section, ['key', 'title', 'content', 'evidence'])
        for (const link of section.evidence)
          expectKeys('evidence', link, ['sentence', 'transcriptItems', 'supported'])
      }
      const read = await api.get(`/progress-notes/${note.id}`)
      expectThat(read.headers.get('etag') !== null, 'an ETag', read)
    },
  ),
  check(
    'userInstructions: trimmed, then 1 to 5000 code points, else 400',
    [
      '8 Limits / userInstructions',
      '4 POST /progress-notes/{progressNoteId}/magic-edit',
      'ruling 4 / userInstructions bounds',
      'ruling 6 / magic edit',
    ],
    async ({ api, noteToChange, settledNote }) => {
      const { note, session } = await noteToChange()
      const path = `/progress-notes/${note.id}/magic-edit`
      for (const userInstructions of [undefined, null, '', ' \n\t ', 7, 'x'.repeat(5001), '😀'.repeat(5001)])
        expectInvalid(await api.post(path, { userInstructions }), ['userInstructions'])
      const longest = '😀'.repeat(5000)
      const answer = await api.post(path, { userInstructions: `  ${longest}\n` })
      expectStatus(answer, 202)
      expectEqual('isLoading', answer.json.isLoading, true)
      await settledNote(session.id)
      const edits = expectPage(await api.get(`/clinicians/${session.clinicianId}/magic-edit`))
      const edit = edits.find(({ sessionId }) => sessionId === session.id)
      expectKeys('the magic edit', edit, magicEditKeys)
      expectEqual('userInstructions', edit?.userInstructions, longest)
    },
  ),
  check(
    'PATCH replaces the sections and keeps id and status; If-Match refuses a lost update; sections are needed',
    [
      '4 PATCH /progress-notes/{progressNoteId}',
      'ruling 4 / change note',
      'ruling 4 / note history',
      '8 Limits / retry safety',
    ],
    async ({ api, noteToChange }) => {
      const { note } = await noteToChange()
      const path = `/progress-notes/${note.id}`
      expectInvalid(await api.patch(path, {}), ['note'])
      const etag = (await api.get(path)).headers.get('etag') ?? ''
      const sections = note.note.map((/** @type {object} */ section) => ({
        ...section,
        content: 'Changed by hand.',
      }))
      const answer = await api.patch(path, { note: sections }, { headers: { 'if-match': etag } })
      expectStatus(answer, 200)
      expectEqual('id', answer.json.id, note.id)
      expectEqual('status', answer.json.status, note.status)
      expectEqual('content', answer.json.note[0].content, 'Changed by hand.')
      expectRule(await api.patch(path, { note: sections }, { headers: { 'if-match': etag } }), 409)
    },
  ),
  check(
    'regenerate: 202 and isLoading; then a new id, regenerated, and the old id still finds the note',
    [
      '4 POST /progress-notes/{progressNoteId}/regenerate',
      '3 Progress note / generated to regenerated',
      '2 Progress note / id may differ after regeneration',
      'ruling 5 / regeneration gives a new id',
    ],
    async ({ api, newRecordedNote, settledNote }) => {
      const { note, session } = await newRecordedNote()
      const answer = await api.post(`/progress-notes/${note.id}/regenerate`)
      expectStatus(answer, 202)
      expectEqual('isLoading', answer.json.isLoading, true)
      expectEqual('the id until it is done', answer.json.id, note.id)
      const regenerated = await settledNote(session.id)
      expectEqual('status', regenerated.status, 'regenerated')
      expectThat(regenerated.id !== note.id, 'a new id', regenerated.id)
      expectEqual('the note by its old id', (await api.get(`/progress-notes/${note.id}`)).json, regenerated)
    },
  ),
  check(
    'finalize: 200, locked; again 200; then PATCH, magic-edit and regenerate are 403, bodies unread',
    [
      '3 Progress note / finalized',
      '3 Progress note / locked 403',
      '7 Status / 403 locked',
      'ruling 4 / finalize note',
      'ruling 1 / state before body',
    ],
    async ({ api, newRecordedNote }) => {
      const { note } = await newRecordedNote()
      for (const _ of [1, 2]) {
        const answer = await api.post(`/progress-notes/${note.id}/finalize`)
        expectStatus(answer, 200)
        expectEqual('status', answer.json.status, 'finalized')
        expectTime('finalizedAt', answer.json.finalizedAt)
      }
      for (const [method, suffix] of changes)
        expectRefusal(await api.call(method, `/progress-notes/${note.id}${suffix}`), 403, { message: locked })
    },
  ),
  check(
    'the checks before signing: a mode for each at GET /partners; those of a note with their state and what they found',
    ['additions / checks before signing'],
    async ({ api, recordedNote }) => {
      const modes = (await api.get('/partners')).json.signingChecks
      for (const mode of Object.values(modes))
        expectThat(['off', 'warn', 'block_in_widget', 'block_everywhere'].includes(mode), 'a mode', mode)
      const { note } = await recordedNote()
      const answer = await api.get(`/progress-notes/${note.id}/checks`)
      expectStatus(answer, 200)
      const made = answer.json.checks
      for (const { code, mode, state, findings, total } of made) {
        expectEqual(`mode of ${code}`, mode, modes[code])
        expectThat(['passed', 'failed', 'not_checked'].includes(state), 'a state', state)
        expectEqual(`findings of ${code}`, findings.length, Math.min(total, 50))
      }
      expectThat(
        (await api.get(`/progress-notes/${note.id}`)).json.status === 'finalized' || made.length > 0,
        'checks of a note that is not final',
        made,
      )
    },
  ),
]
