import type { Mdm, ProgressNote, SessionContextChange, TreatmentPlan, WidgetGoals } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/features/clients/index.js'
import { linkChanged } from '../../src/features/progress-notes/link-goals.js'
import { claimJob, type OneOf } from '../../src/jobs/jobs.sql.js'
import { operator } from '../../src/kernel/operator.js'
import type { PipelineParts } from '../../src/pipeline/pipeline-parts.js'
import { deriveMdm } from '../../src/pipeline/derive-mdm.js'
import { writeNote } from '../../src/pipeline/write-note.js'
import { therapySession } from '../engines/session-fixtures.js'
import { makeQuotingWriter } from '../engines/writer/quoting-writer.js'
import { ProseStage, section, sentence } from '../engines/writer/prose-fixture.js'
import { startRecord } from '../support/clinical-record.js'
import { makeNoteCalls, type NoteCalls } from '../support/note-calls.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { signIn } from '../widget/widget-fixture.js'
import { openNoteParts, type NoteParts } from './note-parts.js'

let service: TestService
let partner: TestPartner
let notes: NoteCalls
let stage: NoteParts
let prose: ProseStage
let clientId: string
let plan: TreatmentPlan

const goals = [
  { text: 'Assume the worst less often', objectives: [{ text: 'Keep a thought record' }] },
  { text: 'Reconnect with estranged brother in Ohio' },
  { text: 'Sleep through at least five nights' },
]

/** Traps: a medicine, a diagnosis and a plan that nobody spoke of. */
const context: SessionContextChange = {
  diagnoses: ['Bipolar disorder'],
  medicines: ['lithium 300 mg'],
  goals: [{ text: 'Finish the nursing certificate' }],
  lastPlan: 'Apply for housing benefits.',
  pronouns: 'they/them',
  namesToKeepOut: ['Tuesday'],
}
const traps = /lithium|300|bipolar|brother|ohio|estranged|nursing|certificate|housing|benefits|tuesday/i

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  notes = await makeNoteCalls(service, partner)
  stage = openNoteParts(service)
  prose = await ProseStage.open(stage.checker)
  clientId = await service.db.write({ tenantId: partner.partnerId }, (tx) =>
    createClient(
      tx,
      {
        clinicianId: partner.clinicianId,
        firstName: 'Odette',
        lastName: 'Mockingham',
        dateOfBirth: '2001-01-08',
        email: null,
        phoneNumber: null,
        externalId: null,
      },
      operator,
    ),
  )
  plan = (await notes.call('POST', `/clients/${clientId}/treatment-plans`, { goals })).json<TreatmentPlan>()
  await notes.call('POST', `/treatment-plans/${plan.id}/sign`)
})
afterAll(async () => {
  await prose.close()
  await stage.close()
  await service.close()
})

async function claim<Kind extends 'write_note' | 'derive_mdm'>(
  subjectId: string,
  kind: Kind,
): Promise<OneOf<Kind>> {
  const [job] = await service.db.throughDoor(claimJob([kind], 20_000))
  if (job === undefined) throw new Error('nothing was due')
  return job.subjectId === subjectId ? job : claim(subjectId, kind)
}

async function write(
  parts: Partial<PipelineParts> = {},
  known: SessionContextChange = context,
): Promise<ProgressNote> {
  const { sessionId, generationId } = await startRecord(service.db, notes.context, {
    clientId,
    given: { context: known },
    items: therapySession,
  })
  await writeNote.run(
    stage.partsWith(parts),
    await claim(generationId, 'write_note'),
    new AbortController().signal,
  )
  return notes.noteOf(sessionId)
}

const linksOf = ({ goals: linked }: ProgressNote) =>
  linked.map(({ treatmentPlanId, goalId, sentences }) => [
    plan.goals.find(({ id }) => id === goalId)?.text ?? goalId,
    treatmentPlanId === null ? 'context' : 'plan',
    sentences.map((one) => one.sentence),
  ])

describe('a plan with three goals and a context with traps', () => {
  it('an extract holds no word of it, and links only what was said', async () => {
    const note = await write()
    expect(JSON.stringify(note.note)).not.toMatch(traps)
    expect(JSON.stringify(note.note)).toContain('We meet again next T at ten.')
    const [worst, brother, sleep, nursing] = linksOf(note)
    expect(worst).toEqual([
      goals[0]?.text,
      'plan',
      expect.arrayContaining([expect.stringContaining('I always assume the worst')]),
    ])
    expect([brother, sleep, nursing]).toEqual([
      [goals[1]?.text, 'plan', []],
      [goals[2]?.text, 'plan', []],
      ['goal-1', 'context', []],
    ])
  })

  it('a model that misuses it on purpose is refused: what stands only there is left out, not marked', async () => {
    const honest = 'They kept the thought record four times.'
    const misused = {
      subjective: section(
        sentence(honest, 4, 5),
        sentence('They continue lithium 300 mg.', 1),
        sentence('They carry a diagnosis of bipolar disorder.', 1),
      ),
      objective: section(sentence('They are reconnecting with their estranged brother.', 3)),
      assessment: section(sentence('They make progress toward the nursing certificate.', 9)),
      plan: section(
        sentence('They will apply for housing benefits.', 12, 13),
        sentence('Next session is on Tuesday at ten.', 14),
      ),
    }
    const agrees = (count: number) => ({
      verdicts: Array.from({ length: count }, (_, at) => ({
        n: at + 1,
        verdict: 'borne_out',
        reason: null,
        items: [],
      })),
    })
    prose.script
      .next('progress_note', misused)
      .next('danger', { findings: [] })
      .next('verification', agrees(2))
      .next('repair', { changes: [], upheld: [], additions: [] })
      .next('goal_links', { links: [{ goal: 1, n: 1 }] })
    const note = await write({ writer: prose.openWriter() })
    expect(JSON.stringify(note.note)).not.toMatch(traps)
    const sentences = note.note.flatMap(({ evidence }) => evidence)
    expect(sentences.map((one) => one.sentence)).toEqual(
      expect.arrayContaining([honest, 'Next session is on T at ten.']),
    )
    expect(sentences.every(({ supported }) => supported)).toBe(true)
    expect(linksOf(note)).toEqual([
      [goals[0]?.text, 'plan', [honest]],
      [goals[1]?.text, 'plan', []],
      [goals[2]?.text, 'plan', []],
      ['goal-1', 'context', []],
    ])
    // Told to the task that writes, as background, and to no task that judges.
    const [asked = ''] = prose.promptsOf('progress_note')
    expect(asked).toMatch(/<background>\npronouns: they\/them\. .*lithium 300 mg.*\n<\/background>/)
    for (const name of ['danger', 'verification', 'repair'] as const)
      expect(prose.promptsOf(name).join('\n')).not.toMatch(/<background>|Ohio/)
  })

  it('MDM elements hold none of the names that are kept out', async () => {
    await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
      tx.run({
        text: 'update casenote.clinicians set prescriber = true where tenant_id = $1',
        values: [partner.partnerId],
      }),
    )
    const { sessionId, generationId } = await startRecord(service.db, notes.context, {
      clientId,
      given: { context, noteType: 'medication_management' },
      items: therapySession,
    })
    const signal = new AbortController().signal
    await writeNote.run(stage.partsWith(), await claim(generationId, 'write_note'), signal)
    const said = 'Said on Tuesday.'
    const writer = makeQuotingWriter({
      deriveMdm: async () => ({
        problemsAddressed: [{ problem: 'Tuesday', level: 'na', rationale: said, evidence: [] }],
        riskOfComplications: { level: 'na', rationale: said, evidence: [] },
        crisisInterventionIdentified: true,
        crisisInterventionRationale: said,
        crisisInterventionEvidence: [],
      }),
    })
    await deriveMdm.run(stage.partsWith({ writer }), await claim(sessionId, 'derive_mdm'), signal)
    expect((await notes.call('GET', `/sessions/${sessionId}/mdm`)).json<Mdm>()).toMatchObject({
      problemsAddressed: [{ problem: 'T', rationale: 'Said on T.' }],
      riskOfComplications: { rationale: 'Said on T.' },
      crisisInterventionRationale: 'Said on T.',
    })
  })

  it('what is typed is linked by its words, and with the earlier version its links are back', async () => {
    const note = await write()
    const kept = note.goals[0]?.sentences[0]
    const typed = 'Spoke with the estranged brother in Ohio.'
    const path = `/progress-notes/${note.id}`
    const change = (content: string) => notes.call('PATCH', path, { note: [{ key: kept?.section, content }] })
    const changed = await change(`${kept?.sentence} ${typed}`)
    const { goals: linked } = changed.json<ProgressNote>()
    expect([linked[0]?.sentences, linked[1]?.sentences, linked[2]?.sentences]).toEqual([
      [kept],
      [{ section: kept?.section, sentence: typed }],
      [],
    ])
    expect((await change('Typed anew.')).json<ProgressNote>().goals[0]?.sentences).toEqual([])
    const clinician = await signIn(service, partner)
    const restore = async (version: number): Promise<ProgressNote['goals']> => {
      const answer = await clinician.call('POST', `/sessions/${note.sessionId}/progress-note/restore`, {
        version,
      })
      expect(answer.statusCode).toBe(200)
      return (await notes.noteOf(note.sessionId)).goals
    }
    expect(await restore(2)).toEqual(linked)
    expect(await restore(1)).toEqual(note.goals)
  })

  it('a section that is put back brings the goal that it was written for, whatever goal stands in its place by now', async () => {
    const then = 'Keep the thought record four times'
    const now = 'Walk with the partner'
    const note = await write({}, { goals: [{ text: then }] })
    const own = async () => {
      const clinician = await signIn(service, partner)
      const shown = await clinician.call('GET', `/sessions/${note.sessionId}/goals`)
      return shown.json<WidgetGoals>().goals.filter(({ treatmentPlanId }) => treatmentPlanId === null)
    }
    const [first] = await own()
    expect(first).toMatchObject({ goalId: 'goal-1', text: then })
    const spoken = first?.sentences[0]?.section
    expect(spoken).toBeDefined()
    await notes.call('PATCH', `/sessions/${note.sessionId}/context`, { goals: [{ text: now }] })
    await notes.call('POST', `/progress-notes/${note.id}/regenerate`)
    const [job] = await service.db.throughDoor(claimJob(['write_note'], 20_000))
    if (job?.kind !== 'write_note') throw new Error('nothing is to be written')
    await writeNote.run(stage.partsWith(), job, new AbortController().signal)
    const [second] = await own()
    expect(second).toMatchObject({ goalId: 'goal-1', text: now })
    expect(second?.sentences.length).toBeGreaterThan(0)
    const clinician = await signIn(service, partner)
    const path = `/sessions/${note.sessionId}/progress-note/restore`
    expect((await clinician.call('POST', path, { version: 1, sectionKeys: [spoken] })).statusCode).toBe(200)
    expect(await own()).toEqual([first, second])
    expect((await clinician.call('POST', path, { version: 1 })).statusCode).toBe(200)
    const both = await own()
    expect(both[0]).toEqual(first)
    for (const { sentences } of both) expect(sentences.length).toBeGreaterThan(0)
  })

  it('two goals of one id keep what speaks to each', async () => {
    const two = ['Sleep through at least five nights', 'Walk in the evening'].map((text) => ({
      goalId: 'same',
      treatmentPlanId: null,
      text,
      objectives: [],
      sentences: [],
    }))
    const typed = 'We agreed on a walk in the evening.'
    const evidence = [
      {
        sentence: typed,
        transcriptItems: [12],
        supported: true,
        judgement: 'clinicians_words' as const,
        reason: null,
      },
    ]
    const sections = [{ key: 'plan', title: 'Plan', content: typed, evidence }]
    const linked = await linkChanged(stage.checker, partner.partnerId, {
      goals: two,
      sections,
      before: [],
    })
    expect(linked).toEqual([two[0], { ...two[1], sentences: [{ section: 'plan', sentence: typed }] }])
  })

  it('links stay with sentences that stay, go with those that are changed, and are shown in the widget in words', async () => {
    const note = await write()
    const [linked] = note.goals
    const kept = linked?.sentences[0]
    expect(kept).toBeDefined()
    const clinician = await signIn(service, partner)
    const shown = await clinician.call('GET', `/sessions/${note.sessionId}/goals`)
    expect(shown.json()).toMatchObject({ goals: [{ text: goals[0]?.text }, {}, {}, {}] })
    const changed = await notes.call('PATCH', `/progress-notes/${note.id}`, {
      note: [{ key: kept?.section, content: `Typed anew. ${kept?.sentence}` }],
    })
    expect(changed.json<ProgressNote>().goals[0]?.sentences).toEqual([kept])
    const gone = await notes.call('PATCH', `/progress-notes/${note.id}`, {
      note: [{ key: kept?.section, content: 'Typed anew.' }],
    })
    expect(gone.json<ProgressNote>().goals).toEqual(note.goals.map((goal) => ({ ...goal, sentences: [] })))
  })
})
