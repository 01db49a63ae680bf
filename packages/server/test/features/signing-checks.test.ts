import type { NoteSection, Partner, PartnerApiError, ReviewItem, SigningChecks } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setSigningChecks } from '../../src/features/partners/index.js'
import { completeGeneration, findNoteOfSession } from '../../src/features/progress-notes/index.js'
import type { NoteGoal } from '../../src/features/progress-notes/note-goals.js'
import { signNote } from '../../src/features/progress-notes/sign-note.js'
import { findContext } from '../../src/features/sessions/index.js'
import { checkMinutes } from '../../src/features/signing-checks/check-minutes.js'
import { saveReading } from '../../src/features/transcripts/index.js'
import { makeNoteChecker } from '../../src/engines/checker/note-checker.js'
import type { TenantKeyRing } from '../../src/kernel/secrets/tenant-keys.js'
import { dangerOf, readAs, toTranscript } from '../engines/session-fixtures.js'
import { asPipeline, startRecord } from '../support/clinical-record.js'
import { listSubjects } from '../support/outcomes.js'
import { told } from '../support/note-calls.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, signIn, type SignedIn } from '../widget/widget-fixture.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
})
afterAll(() => service.close())

const talk = toTranscript([
  ['clinician', 'How was the week?'],
  ['client', 'Most nights I think about killing myself.'],
])
const thoughts = dangerOf(talk, 1)
const missed: ReviewItem = {
  id: thoughts.id,
  kind: 'danger',
  label: 'Suicidal thoughts: affirmed',
  words: thoughts.words,
  transcriptItems: [...thoughts.items],
  reason: 'not_written',
}

const namedTalk = toTranscript([
  ['clinician', 'How was the week?'],
  ['client', 'Since Rosalind left I think about killing myself.'],
])

const tenantOf = () => ({ tenantId: partner.partnerId })
const section = (key: string, content: string, evidence: NoteSection['evidence'] = []): NoteSection => ({
  key,
  title: key,
  content,
  evidence,
})
const own = 'Client told of a long walk along the river with a neighbour on Sunday afternoon.'
const next = 'Client means to call the neighbour again before the next appointment in two weeks.'
const refused = 'Client takes 50 mg of sertraline.'

/** A session with a written note. */
async function write(
  sections: NoteSection[],
  {
    hasDanger = false,
    review = hasDanger ? [missed] : [],
    clientId = partner.clientId,
    goals = [],
    items = talk,
    finding = hasDanger ? thoughts : null,
    namesToKeepOut = [],
  }: {
    hasDanger?: boolean
    review?: ReviewItem[]
    clientId?: string
    goals?: NoteGoal[]
    items?: typeof talk
    finding?: typeof thoughts | null
    namesToKeepOut?: string[]
  } = {},
): Promise<{ sessionId: string; progressNoteId: string }> {
  const context = asPipeline(await service.keys.get(tenantOf()))
  const { sessionId, generationId } = await startRecord(service.db, context, {
    clientId,
    items,
    given: { context: { namesToKeepOut } },
  })
  await service.db.write(tenantOf(), async (tx) => {
    if (finding !== null)
      await saveReading(tx, context.ring, { sessionId, transcript: items, reading: readAs(finding) })
    await completeGeneration(tx, context, { generationId, sections, review, goals, madeBy: 'test' })
  })
  const { progressNoteId } = (await callPartner('GET', `/sessions/${sessionId}/progress-note`)).json<{
    progressNoteId: string
  }>()
  return { sessionId, progressNoteId }
}

const callPartner = (method: 'GET' | 'POST', path: string) => service.ask(partner, method, path)
const sign = (sessionId: string, body: object = {}) =>
  clinician.call('POST', `/sessions/${sessionId}/progress-note/finalize`, body)
const finalize = (progressNoteId: string) => callPartner('POST', `/progress-notes/${progressNoteId}/finalize`)
const checksOf = async (progressNoteId: string): Promise<SigningChecks> =>
  (await callPartner('GET', `/progress-notes/${progressNoteId}/checks`)).json<SigningChecks>()
const failedOf = async (progressNoteId: string) =>
  (await checksOf(progressNoteId)).checks.filter(({ state }) => state === 'failed')
const set = (modes: Parameters<typeof setSigningChecks>[2]) =>
  setSigningChecks(service.owner, tenantOf(), modes)

describe('the checks before signing', () => {
  it('name what was said about danger, what is not borne out and what is empty, each with its place and mend', async () => {
    const evidence: NoteSection['evidence'] = [
      { sentence: refused, transcriptItems: [1], supported: false, judgement: 'refused', reason: 'dose' },
    ]
    const { sessionId, progressNoteId } = await write(
      [section('subjective', refused, evidence), section('plan', '')],
      { hasDanger: true },
    )
    const checks = await checksOf(progressNoteId)
    expect(checks).toMatchObject({ progressNoteId, sessionId, blocksWidget: false, blocksPartnerApi: false })
    expect(checks.checks.map(({ code, state, total }) => [code, state, total])).toEqual([
      ['danger_not_written', 'failed', 1],
      ['unsupported_sentence', 'failed', 1],
      ['empty_section', 'failed', 1],
      ['cloned_text', 'passed', 0],
      ['service_minutes', 'not_checked', 0],
      ['goal_not_linked', 'not_checked', 0],
    ])
    expect(checks.checks.flatMap(({ findings }) => findings)).toEqual([
      expect.objectContaining({
        sectionKey: 'assessment',
        words: thoughts.words,
        transcriptItems: [1],
        mend: 'write_words',
      }),
      expect.objectContaining({ sectionKey: 'subjective', sentence: refused, mend: 'change_sentence' }),
      expect.objectContaining({ sectionKey: 'plan', sentence: null, mend: 'fill_section' }),
    ])
    const inWidget = await clinician.call('GET', `/sessions/${sessionId}/progress-note/checks`)
    expect(inWidget.json()).toEqual(checks)
  })

  it('do not ask for a sentence about danger that was left out because nothing said bears it out', async () => {
    const leftOut: ReviewItem = {
      ...missed,
      id: 'left-out',
      words: '',
      transcriptItems: [],
      reason: 'left_out',
    }
    const { progressNoteId } = await write([section('subjective', own)], { review: [leftOut] })
    expect(await failedOf(progressNoteId)).toEqual([])
  })

  it('by default stop nobody, and say nothing of a note that is final', async () => {
    const { sessionId, progressNoteId } = await write([section('subjective', ''), section('plan', '')])
    expect((await sign(sessionId)).statusCode).toBe(200)
    expect((await checksOf(progressNoteId)).checks).toEqual([])
    const other = await write([section('subjective', '')])
    expect((await finalize(other.progressNoteId)).statusCode).toBe(200)
  })

  it('find what stands in the last signed note of the client, and not in the one of another client', async () => {
    const { clinicianId, clientId } = await addColleague(service, partner)
    expect(clinicianId).not.toBe(partner.clinicianId)
    const first = await write([section('subjective', `${own} ${next}`)])
    await finalize(first.progressNoteId)
    const again = await write([section('subjective', own), section('plan', next)])
    expect(await failedOf(again.progressNoteId)).toEqual([
      expect.objectContaining({
        code: 'cloned_text',
        findings: [
          expect.objectContaining({ sectionKey: 'subjective', sentence: own, mend: 'rewrite_sentence' }),
          expect.objectContaining({ sectionKey: 'plan', sentence: next }),
        ],
      }),
    ])
    const ofAnother = await write([section('subjective', own), section('plan', next)], { clientId })
    expect(await failedOf(ofAnother.progressNoteId)).toEqual([])
  })

  it('404 for another tenant’s note, and for a clinician who does not treat the client', async () => {
    const { sessionId, progressNoteId } = await write([section('subjective', own)])
    const stranger = await service.addPartner()
    const asked = await service.call({
      method: 'GET',
      url: `/v2/progress-notes/${progressNoteId}/checks`,
      headers: stranger.headers,
    })
    expect(asked.statusCode).toBe(404)
    const colleague = await signIn(service, partner, (await addColleague(service, partner)).clinicianId)
    expect((await colleague.call('GET', `/sessions/${sessionId}/progress-note/checks`)).statusCode).toBe(404)
  })
})

describe('the minutes against the service code', () => {
  const at = (minutes: number, serviceCode: string | null = '90834') =>
    checkMinutes({
      serviceCode,
      startedAt: '2026-11-15T09:00:00.000Z',
      endedAt: new Date(Date.parse('2026-11-15T09:00:00.000Z') + minutes * 60_000).toISOString(),
    })

  it('fit from the first minute of a code to its last, in whole minutes', () => {
    expect([37.9, 38, 52.9, 53].map((minutes) => at(minutes) === '')).toEqual([false, true, true, false])
    expect([15, 16, 37, 38].map((minutes) => at(minutes, '90832') === '')).toEqual([false, true, true, false])
    expect([52, 53, 180].map((minutes) => at(minutes, '90837-95') === '')).toEqual([false, true, true])
    expect(at(45, '90837')).toBe('90837 is for 53 minutes or more; the session took 45 minutes.')
  })

  it('cannot be told without a code, of a code that has none, or without both times', () => {
    expect([at(45, null), at(45, '99214'), at(45, '908371')]).toEqual([null, null, null])
    expect(checkMinutes({ serviceCode: '90834', startedAt: null, endedAt: null })).toBeNull()
  })

  it('are taken from the session’s context', async () => {
    const { sessionId, progressNoteId } = await write([section('subjective', own)])
    const context = {
      serviceCode: '90837',
      startedAt: '2026-11-15T09:00:00.000Z',
      endedAt: '2026-11-15T09:45:00.000Z',
    }
    await service.call({
      method: 'PATCH',
      url: `/v2/sessions/${sessionId}/context`,
      headers: partner.headers,
      payload: context,
    })
    const failed = await failedOf(progressNoteId)
    expect(failed.find(({ code }) => code === 'service_minutes')?.findings).toEqual([
      expect.objectContaining({ label: at(45, '90837'), mend: 'correct_service' }),
    ])
  })

  it('are corrected by the session’s clinician, who can sign then; the rest of the context stays', async () => {
    const { sessionId, progressNoteId } = await write([section('subjective', own)], {
      namesToKeepOut: ['Rosalind'],
    })
    const path = `/sessions/${sessionId}/service`
    const wrong = {
      serviceCode: '90837',
      startedAt: '2026-11-15T09:00:00.000Z',
      endedAt: '2026-11-15T09:45:00.000Z',
    }
    await service.ask(partner, 'PATCH', `/sessions/${sessionId}/context`, wrong)
    await set({ service_minutes: 'block_in_widget' })
    expect((await sign(sessionId)).statusCode).toBe(409)
    expect((await clinician.call('GET', path)).json()).toEqual(wrong)
    const bad = await clinician.call('PATCH', path, { ...wrong, endedAt: wrong.startedAt })
    expect(told(bad)).toMatchObject([400, { message: ['endedAt must be after startedAt'] }])
    const unread = await clinician.call('PATCH', path, {
      ...wrong,
      startedAt: 'nine',
      serviceCode: 'a'.repeat(21),
    })
    const message = [
      'serviceCode must be shorter than or equal to 20 characters',
      'startedAt must be a valid ISO 8601 date string',
    ]
    expect(told(unread)).toMatchObject([400, { message }])
    // Who treats the client as well reads the session, and does not bill it.
    const colleague = await addColleague(service, partner)
    const other = await signIn(service, partner, colleague.clinicianId)
    await service.ask(partner, 'POST', `/clients/${partner.clientId}/secondary-clinicians`, {
      clinicianIds: [colleague.clinicianId],
    })
    expect((await other.call('GET', `/sessions/${sessionId}`)).statusCode).toBe(200)
    for (const method of ['GET', 'PATCH'] as const)
      expect((await other.call(method, path, wrong)).statusCode).toBe(404)
    const right = { ...wrong, serviceCode: '90834' }
    const corrected = await clinician.call('PATCH', path, right)
    expect([corrected.statusCode, corrected.json()]).toEqual([200, right])
    expect((await callPartner('GET', `/sessions/${sessionId}/context`)).json()).toMatchObject({
      ...right,
      namesToKeepOut: ['Rosalind'],
    })
    const changes = await listSubjects(service, tenantOf(), 'session.changeContext', sessionId)
    expect(changes).toHaveLength(2)
    expect((await failedOf(progressNoteId)).map(({ code }) => code)).not.toContain('service_minutes')
    expect((await sign(sessionId)).statusCode).toBe(200)
    expect((await clinician.call('PATCH', path, wrong)).statusCode).toBe(403)
    await set({ service_minutes: 'warn' })
  })
})

describe('goals', () => {
  const goalOf = (text: string, ...sentences: string[]): NoteGoal => ({
    goalId: text,
    treatmentPlanId: null,
    text,
    sentences: sentences.map((sentence) => ({ section: 'subjective', sentence })),
  })
  const sleep = goalOf('Sleep through the night without medication')
  const stateOf = async (progressNoteId: string) =>
    (await checksOf(progressNoteId)).checks.find(({ code }) => code === 'goal_not_linked')

  it('are named where the note speaks to none of them, until a sentence of it does', async () => {
    const sections = [section('subjective', own), section('assessment', own)]
    const { sessionId, progressNoteId } = await write(sections, { goals: [sleep] })
    expect(await stateOf(progressNoteId)).toMatchObject({
      state: 'failed',
      findings: [{ words: sleep.text, sectionKey: 'assessment', mend: 'write_about_goal' }],
    })
    const typed = 'Client did sleep through four nights without medication.'
    const note = [
      { key: 'subjective', content: own },
      { key: 'assessment', content: typed },
    ]
    await clinician.call('PATCH', `/sessions/${sessionId}/progress-note`, { note })
    expect((await stateOf(progressNoteId))?.state).toBe('passed')
  })

  it('are spoken to by a typed sentence about an objective', async () => {
    const goal = { ...goalOf('Be less isolated'), objectives: ['Keep a thought record'] }
    const { sessionId, progressNoteId } = await write([section('subjective', own)], { goals: [goal] })
    expect((await stateOf(progressNoteId))?.state).toBe('failed')
    const note = [{ key: 'subjective', content: 'Client filled in the thought record.' }]
    await clinician.call('PATCH', `/sessions/${sessionId}/progress-note`, { note })
    expect((await stateOf(progressNoteId))?.state).toBe('passed')
  })

  it('are not named where one of them is spoken to', async () => {
    const goals = [sleep, goalOf('Walk with a neighbour', own)]
    const { progressNoteId } = await write([section('subjective', own)], { goals })
    expect((await stateOf(progressNoteId))?.state).toBe('passed')
  })
})

describe('what a partner chooses', () => {
  it('is shown at GET /partners, and a check that is off is not listed', async () => {
    await set({ empty_section: 'off', cloned_text: 'off' })
    const { signingChecks } = (await callPartner('GET', '/partners')).json<Partner>()
    expect(signingChecks).toEqual({
      danger_not_written: 'warn',
      unsupported_sentence: 'warn',
      empty_section: 'off',
      cloned_text: 'off',
      service_minutes: 'warn',
      goal_not_linked: 'warn',
    })
    const { progressNoteId } = await write([section('subjective', '')])
    expect((await checksOf(progressNoteId)).checks.map(({ code }) => code)).toEqual([
      'danger_not_written',
      'unsupported_sentence',
      'service_minutes',
      'goal_not_linked',
    ])
    await set({ empty_section: 'warn', cloned_text: 'warn' })
  })

  it('blocks in the widget alone: 409 there until it is mended, 200 by finalize', async () => {
    await set({ empty_section: 'block_in_widget' })
    const { sessionId, progressNoteId } = await write([section('subjective', own), section('plan', '')])
    expect(await checksOf(progressNoteId)).toMatchObject({ blocksWidget: true, blocksPartnerApi: false })
    const stopped = await sign(sessionId)
    expect(stopped.headers['casenote-error-code']).toBe('checks_failed')
    expect(told(stopped)).toEqual([409, 'The note does not pass a check that keeps it from being signed.'])
    const filled = {
      note: [
        { key: 'subjective', content: own },
        { key: 'plan', content: next },
      ],
    }
    expect((await clinician.call('PATCH', `/sessions/${sessionId}/progress-note`, filled)).statusCode).toBe(
      200,
    )
    expect((await sign(sessionId)).statusCode).toBe(200)
    const other = await write([section('plan', '')])
    expect((await finalize(other.progressNoteId)).statusCode).toBe(200)
    await set({ empty_section: 'warn' })
  })

  it('blocks finalize as well where it says so: 409 with a plain string, and no event', async () => {
    await set({ empty_section: 'block_everywhere' })
    const { progressNoteId } = await write([section('subjective', own), section('plan', '')])
    const answer = await finalize(progressNoteId)
    expect(told(answer)).toEqual([
      409,
      'Progress note does not pass the checks before signing. 1 section is empty.',
    ])
    expect(answer.json<PartnerApiError>().error.message).not.toContain(own)
    await set({ empty_section: 'warn' })
    expect((await finalize(progressNoteId)).statusCode).toBe(200)
    // What is final stays so, whatever is chosen since.
    await set({ empty_section: 'block_everywhere' })
    expect((await finalize(progressNoteId)).statusCode).toBe(200)
    await set({ empty_section: 'warn' })
  })

  it('lets no text pass that was changed while it was checked, not even where it cannot be checked again', async () => {
    await set({ empty_section: 'block_everywhere' })
    const { sessionId } = await write([section('subjective', own)])
    const read = await findNoteOfSession(service.db, tenantOf(), sessionId)
    if (read === null) throw new Error('there is no note')
    const emptied = { note: [{ key: 'subjective', content: '' }] }
    await clinician.call('PATCH', `/sessions/${sessionId}/progress-note`, emptied)
    const checker = makeNoteChecker()
    const parts = {
      db: service.db,
      checker,
      findContext: (ring: TenantKeyRing, id: string) => findContext(service.db, ring, id),
      findNamedItems: async () => null,
    }
    const context = {
      ...asPipeline(await service.keys.get(tenantOf())),
      actor: { kind: 'partner', id: partner.partnerId } as const,
    }
    const look = { stated: new Set<string>(), checks: [] }
    const signature = { rule: { isAskedFor: false }, surface: 'partner_api', look, ifMatch: null } as const
    const signing = service.db.write(tenantOf(), (tx) =>
      signNote(parts, { ...tenantOf(), transaction: tx }, context, read, signature),
    )
    await expect(signing).rejects.toMatchObject({ code: 'note_changed' })
    await checker.close()
    await set({ empty_section: 'warn' })
  })

  it('blocks beside danger whatever reason is given, until it is written or closed', async () => {
    await set({ danger_not_written: 'block_in_widget' })
    const { sessionId } = await write([section('subjective', own)], { hasDanger: true })
    const { items } = (await clinician.call('GET', `/sessions/${sessionId}/danger`)).json<{
      items: { id: string }[]
    }>()
    const itemIds = items.map(({ id }) => id)
    const reason = { openDangerReason: 'Talked about on the phone', openDangerItemIds: itemIds }
    expect((await sign(sessionId, reason)).headers['casenote-error-code']).toBe('checks_failed')
    const closing = { itemIds, reason: 'A figure of speech' }
    await clinician.call('POST', `/clients/${partner.clientId}/danger/close`, closing)
    expect((await sign(sessionId)).statusCode).toBe(200)
    await set({ danger_not_written: 'warn' })
  })

  it('a name that is kept out is not put back by what is offered, and what is written stays written', async () => {
    const { sessionId, progressNoteId } = await write([section('assessment', own)], {
      items: namedTalk,
      finding: dangerOf(namedTalk, 1),
      review: [{ ...missed, words: dangerOf(namedTalk, 1).words }],
      namesToKeepOut: ['Rosalind'],
    })
    const [missing] = await failedOf(progressNoteId)
    expect(missing?.code).toBe('danger_not_written')
    const words = missing?.findings.map((one) => one.words) ?? []
    expect(missing?.findings.map(({ quote }) => quote)).toEqual([`Client said: “${words[0]}”`])
    expect(words).toEqual(['Since R left I think about killing myself.'])
    for (const added of [`Client said: “${words[0]}”`, `Client said: “${words[0]}” Client slept.`]) {
      const note = [{ key: 'assessment', content: `${own}\n${added}` }]
      await clinician.call('PATCH', `/sessions/${sessionId}/progress-note`, { note })
      expect((await failedOf(progressNoteId)).map(({ code }) => code)).not.toContain('danger_not_written')
    }
  })

  it('offers what was typed or dictated as that, and what one of several said with who it was', async () => {
    const sayings = [
      [{ source: 'typed' }, 'Typed by the clinician'],
      [{ source: 'dictated' }, 'Dictated by the clinician'],
      [{ speaker: 'speaker_3' }, 'Speaker 3 said'],
    ] as const
    for (const [known, who] of sayings) {
      const items = talk.map((item) => ({ ...item, ...known }))
      const { progressNoteId } = await write([section('assessment', own)], { hasDanger: true, items })
      const [missing] = await failedOf(progressNoteId)
      expect(missing?.findings.map(({ quote }) => quote)).toEqual([`${who}: “${thoughts.words}”`])
      const note = [{ key: 'assessment', content: `${own}\n${missing?.findings[0]?.quote}` }]
      await service.ask(partner, 'PATCH', `/progress-notes/${progressNoteId}`, { note })
      expect((await failedOf(progressNoteId)).map(({ code }) => code)).not.toContain('danger_not_written')
    }
  })

  it('the quoted words of what is missing, written into the note, mend it', async () => {
    const { sessionId, progressNoteId } = await write(
      [section('subjective', own), section('assessment', own)],
      {
        hasDanger: true,
      },
    )
    const [missing] = await failedOf(progressNoteId)
    const { sectionKey, words } = missing?.findings[0] ?? {}
    const note = [
      { key: 'subjective', content: own },
      { key: sectionKey, content: `${own}\nClient said: “${words}”` },
    ]
    await clinician.call('PATCH', `/sessions/${sessionId}/progress-note`, { note })
    expect((await failedOf(progressNoteId)).map(({ code }) => code)).not.toContain('danger_not_written')
  })
})
