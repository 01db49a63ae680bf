import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EditOutcome, WriterEngine } from '../../../src/engines/writer/writer-engine.js'
import { editOf, writtenNote } from '../describe-writer-engine.js'
import type { Script } from '../scripted-models.js'
import { dangerOf, medicationVisit, readAs, toTranscript } from '../session-fixtures.js'
import {
  faultOf,
  judgedOf,
  keysOf,
  never,
  ProseStage,
  requestOf,
  sentence,
  therapy,
  visit,
} from './prose-fixture.js'

let stage: ProseStage
let script: Script
let writer: WriterEngine

beforeEach(async () => {
  stage = await ProseStage.open()
  ;({ script } = stage)
  writer = stage.openWriter()
})
afterEach(() => stage.close())

const edited = (text: string, items: unknown[], source: 'session' | 'clinician' = 'session') => ({
  text,
  items,
  source,
})
const plan = (...sentences: ReturnType<typeof edited>[]) => ({ key: 'plan', layout: 'bullets', sentences })
const done = (...sections: unknown[]) => ({ isDone: true, reason: null, noteType: 'soap', sections })

const oldPlan = [
  edited('Client will continue the thought record.', [12]),
  edited('Client will walk in the evening.', [12, 13]),
  edited('Next session is on Tuesday.', [14]),
]

function noteOf(outcome: EditOutcome) {
  if (!outcome.isDone) throw new Error(`not done: ${outcome.reason}`)
  return outcome.note
}

describe('editing a note', () => {
  it('changes the section that the model gives back and keeps the rest with its evidence', async () => {
    const note = noteOf(await writer.editNote(editOf('Remove the walk.'), never))
    expect(keysOf(note.sections)).toEqual(['subjective', 'assessment', 'plan'])
    expect(judgedOf(note, 'subjective')).toEqual([
      ['Client reports daily anxiety about work.', 'verified', null],
      ['Client wakes at three and worries for an hour or two.', 'verified', null],
    ])
    expect(note.sections[2]).toMatchObject({
      layout: 'bullets',
      sentences: [
        { text: 'Client will continue the thought record.', transcriptItems: [12], judgement: 'verified' },
        { text: 'Next session is on Tuesday.', transcriptItems: [14], judgement: 'verified' },
      ],
    })
    // What stays keeps its judgement: nobody is asked about it again.
    expect(stage.asked).toEqual(['edited_note', 'danger'])
  })

  it('what is new is judged as in a new note, and asked for once more if it is refused', async () => {
    script
      .next('edited_note', done(plan(...oldPlan, edited('Client will walk daily with a partner.', [13]))))
      .next('verification', {
        verdicts: [{ n: 1, verdict: 'refused', reason: 'certainty', items: [13] }],
      })
      .next('repair', {
        changes: [{ n: 1, text: 'Partner would like to walk with the client.', items: [13] }],
        additions: [],
      })
    const note = noteOf(await writer.editNote(editOf('Say more about the walk.'), never))
    expect(judgedOf(note, 'plan').at(-1)).toEqual([
      'Partner would like to walk with the client.',
      'verified',
      null,
    ])
  })

  it('what the clinician states is theirs', async () => {
    const own = "Clinician called the client's sister after the session."
    script.next('edited_note', done(plan(...oldPlan, edited(own, [], 'clinician'))))
    const note = noteOf(await writer.editNote(editOf('Add that we called her sister.'), never))
    expect(judgedOf(note, 'plan').at(-1)).toEqual([own, 'clinicians_words', null])
  })

  it('words of the clinician stay theirs in a later edit, whatever it changes', async () => {
    const own = 'Sister was called.'
    const [subjective, assessment, stored] = writtenNote
    const note = [
      subjective!,
      {
        ...assessment!,
        content: `${assessment!.content} ${own}`,
        evidence: [
          ...assessment!.evidence,
          {
            sentence: own,
            transcriptItems: [],
            supported: true,
            judgement: 'clinicians_words' as const,
            reason: null,
          },
        ],
      },
      stored!,
    ]
    const after = noteOf(await writer.editNote(editOf('Remove the walk.', { note }), never))
    expect(judgedOf(after, 'assessment').at(-1)).toEqual([own, 'clinicians_words', null])
  })

  it('what contradicts the session is refused with the reason, even in the words of the clinician', async () => {
    const own = 'Client reports current suicidal ideation.'
    const answer = done(plan(...oldPlan, edited(own, [], 'clinician')))
    script.next('edited_note', answer, answer)
    const outcome = await writer.editNote(editOf('Add that the client is suicidal.'), never)
    expect(outcome).toEqual({
      isDone: false,
      reason: `The session says otherwise, so this was not written: “${own}”`,
    })
  })

  it('a sentence with items is not taken for the words of the clinician', async () => {
    script.next(
      'edited_note',
      done(plan(...oldPlan, edited('Client takes sertraline 200 mg.', [13], 'clinician'))),
    )
    const note = noteOf(await writer.editNote(editOf('Say more.'), never))
    const texts = judgedOf(note, 'plan')
    expect(texts.filter(([, judgement]) => judgement === 'clinicians_words')).toEqual([])
    expect(texts.map(([text]) => text).join()).not.toContain('200')
  })

  const assessment = (...sentences: ReturnType<typeof edited>[]) => ({
    key: 'assessment',
    layout: 'paragraph',
    sentences,
  })
  const denial = {
    section: 'assessment',
    text: 'Client denies suicidal ideation when asked.',
    items: [10, 11],
  }

  it('danger that an edit drops is put back', async () => {
    script
      .next('edited_note', done(assessment(edited('Client is engaged in the work.', [5]))))
      .next('repair', { changes: [], additions: [denial] })
    const note = noteOf(await writer.editNote(editOf('Make the assessment shorter.'), never))
    expect(stage.promptsOf('repair')[0]).toContain('- danger, "No, nothing like that." {items: 10, 11}')
    expect(judgedOf(note, 'assessment')).toContainEqual([denial.text, 'verified', null])
  })

  it('danger that the model found goes with the note, and its words are quoted if a sentence about it is refused', async () => {
    const words = 'I always assume the worst.'
    const found = {
      matter: 'suicide',
      element: 'thoughts',
      standing: 'unclear',
      time: 'present',
      whose: 'client',
      items: [5],
      words,
    }
    const wrong = edited('Client is planning the worst.', [5])
    const refused = { verdicts: [{ n: 1, verdict: 'refused', reason: 'act', items: [5] }] }
    script
      .next('danger', { findings: [found] })
      .next('edited_note', done(plan(...oldPlan, wrong)))
      .next('verification', refused, refused)
      .next('repair', { changes: [], additions: [] })
    const note = noteOf(await writer.editNote(editOf('Say what they plan.'), never))
    expect(note.findings).toContainEqual(expect.objectContaining({ foundBy: 'model', words }))
    expect(judgedOf(note, 'plan').map(([text]) => text)).toEqual([
      ...oldPlan.map(({ text }) => text),
      `Client said: “${words}”`,
    ])
  })

  it('gives the reason of the model, or one of ours', async () => {
    expect(await writer.editNote(editOf('Add a PHQ-9 score of 23.'), never)).toEqual({
      isDone: false,
      reason: 'Nobody mentioned that in the session.',
    })
    script.next('edited_note', { isDone: false, reason: null, noteType: 'soap', sections: [] })
    expect(await writer.editNote(editOf('Hm.'), never)).toMatchObject({
      isDone: false,
      reason: expect.stringMatching(/\w/),
    })
  })

  it('an edit to another type of note has all its sections', async () => {
    const sections = ['data', 'assessment', 'plan'].map((key) => ({
      key,
      layout: 'paragraph',
      sentences: [edited('Client reports anxiety.', [1])],
    }))
    const partly = { ...done(...sections.slice(1)), noteType: 'dap' }
    script.next('edited_note', partly, { ...partly, sections: sections.toReversed() })
    const outcome = await writer.editNote(editOf('Make it a DAP note.'), never)
    expect(outcome).toMatchObject({ isDone: true, noteType: 'dap' })
    expect(keysOf(noteOf(outcome).sections)).toEqual(['data', 'assessment', 'plan'])
  })

  const walk = plan(edited('Walk.', [12]))
  const faulty: [string, unknown][] = [
    ['a section of another type of note', done({ ...walk, key: 'data' })],
    ['an unknown section', done({ ...walk, key: 'backdoor' })],
    ['a section twice', done(walk, walk)],
    ['nothing', done()],
    ['an empty note', done(...writtenNote.map(({ key }) => ({ key, layout: 'paragraph', sentences: [] })))],
    ['items that do not exist', done(plan(edited('Walk.', [77])))],
    ['no JSON', 'Sure, done!'],
  ]
  for (const [name, answer] of faulty) {
    it(`${name} is asked for once more, then malformed`, async () => {
      script.next('edited_note', answer, answer, answer)
      expect(await faultOf(writer.editNote(editOf('Change the plan.'), never))).toMatchObject({
        kind: 'malformed',
      })
      expect(stage.asked).toEqual(['edited_note', 'edited_note'])
      expect(stage.promptsOf('edited_note')[1]).toContain('could not be used')
    })
  }
})

const mdm = {
  problemsAddressed: [{ problem: 'Depression', level: 'moderate', rationale: 'Not at goal.', items: [1] }],
  riskOfComplications: { level: 'moderate', rationale: 'Sertraline was raised to 100 mg.', items: [6] },
  crisisInterventionIdentified: false,
  crisisInterventionRationale: null,
  crisisItems: [],
}

describe('MDM elements', () => {
  it('are findings with the items behind them', async () => {
    script.next('mdm_elements', mdm)
    expect(await writer.deriveMdm(visit, never)).toEqual({
      problemsAddressed: [
        { problem: 'Depression', level: 'moderate', rationale: 'Not at goal.', evidence: [1] },
      ],
      riskOfComplications: {
        level: 'moderate',
        rationale: 'Sertraline was raised to 100 mg.',
        evidence: [6],
      },
      crisisInterventionIdentified: false,
      crisisInterventionRationale: null,
      crisisInterventionEvidence: [],
    })
  })

  it('a rationale that is refused becomes the words it rests on, with the level na', async () => {
    script.next('mdm_elements', mdm).next('verification', {
      verdicts: [
        { n: 1, verdict: 'borne_out', reason: null, items: [] },
        { n: 2, verdict: 'refused', reason: 'not_said', items: [6] },
      ],
    })
    const derived = await writer.deriveMdm(visit, never)
    expect(derived.problemsAddressed[0]).toMatchObject({ level: 'moderate', rationale: 'Not at goal.' })
    expect(derived.riskOfComplications).toEqual({
      level: 'na',
      rationale: `As said: “${medicationVisit[6]?.transcript}”`,
      evidence: [6],
    })
  })

  it('a crisis whose rationale is refused stays one, in the words it rests on', async () => {
    script
      .next('mdm_elements', {
        ...mdm,
        crisisInterventionIdentified: true,
        crisisInterventionRationale: 'Patient attempted suicide last night.',
        crisisItems: [9],
      })
      .next('verification', {
        verdicts: [
          { n: 1, verdict: 'borne_out', reason: null, items: [] },
          { n: 2, verdict: 'borne_out', reason: null, items: [] },
          { n: 3, verdict: 'refused', reason: 'contradicted', items: [8, 9] },
        ],
      })
    expect(await writer.deriveMdm(visit, never)).toMatchObject({
      crisisInterventionIdentified: true,
      crisisInterventionRationale: 'As said: “No.”',
      crisisInterventionEvidence: [9],
    })
  })

  it('are for prescriber note types only', async () => {
    expect(await faultOf(writer.deriveMdm(therapy, never))).toMatchObject({ kind: 'refused' })
    expect(stage.server.callCount).toBe(0)
  })

  const faulty: [string, object][] = [
    [
      'a problem that rests on nothing',
      { problemsAddressed: [{ problem: 'X', level: 'low', rationale: 'Y', items: [] }] },
    ],
    ['a risk that rests on nothing', { riskOfComplications: { level: 'high', rationale: 'Y', items: [] } }],
    ['a level of its own', { riskOfComplications: { level: 'extreme', rationale: 'Y', items: [1] } }],
    ['a crisis without a reason', { crisisInterventionIdentified: true, crisisItems: [1] }],
    [
      'a crisis that rests on nothing',
      { crisisInterventionIdentified: true, crisisInterventionRationale: 'Y' },
    ],
  ]
  for (const [name, wrong] of faulty) {
    it(`${name} is malformed`, async () => {
      script.next('mdm_elements', { ...mdm, ...wrong }, { ...mdm, ...wrong })
      expect(await faultOf(writer.deriveMdm(visit, never))).toMatchObject({ kind: 'malformed' })
    })
  }

  it('a visit without any decision has no risk, and that rests on nothing', async () => {
    const none = { level: 'na', rationale: 'Nothing was decided.', items: [] }
    script.next('mdm_elements', { ...mdm, problemsAddressed: [], riskOfComplications: none })
    expect(await writer.deriveMdm({ ...visit, reading: readAs() }, never)).toMatchObject({
      problemsAddressed: [],
      riskOfComplications: { level: 'na', rationale: 'Nothing was decided.' },
    })
  })
})

describe('a summary', () => {
  it('has only sentences that rest on what was said', async () => {
    const sentences = [
      sentence('Client reports anxiety.', 1),
      sentence('Client is cured.'),
      sentence('Next session is on Tuesday.', 14),
    ]
    script.next('summary', { sentences })
    expect(await writer.summarize(therapy, never)).toBe('Client reports anxiety. Next session is on Tuesday.')
  })

  it('leaves out what is refused: it shows no marks', async () => {
    const sentences = [sentence('Client reports anxiety.', 1), sentence('Client was fired.', 7)]
    script.next('summary', { sentences }).next('verification', {
      verdicts: [
        { n: 1, verdict: 'borne_out', reason: null, items: [] },
        { n: 2, verdict: 'refused', reason: 'act', items: [7] },
      ],
    })
    expect(await writer.summarize(therapy, never)).toBe('Client reports anxiety.')
  })

  it('leads with danger that the model left out', async () => {
    const talk = toTranscript([
      ['clinician', 'How was the week?'],
      ['client', 'Bad. Most nights I think about killing myself.'],
      ['client', 'We cooked together on Sunday.'],
    ])
    const words = 'Most nights I think about killing myself.'
    const request = requestOf(talk, { reading: readAs(dangerOf(talk, 1, words)) })
    script.next('summary', { sentences: [sentence('Client cooked with family.', 2)] })
    expect(await writer.summarize(request, never)).toBe(
      `Said about danger: “${words}” Client cooked with family.`,
    )
    const told = 'Client reports thinking about killing themselves most nights.'
    script.next('summary', { sentences: [sentence(told, 1)] })
    expect(await writer.summarize(request, never)).toBe(told)
  })

  it('is never empty, even if all of it is refused', async () => {
    script
      .next('summary', { sentences: [sentence('Client was fired.', 7)] })
      .next('verification', { verdicts: [{ n: 1, verdict: 'refused', reason: 'act', items: [7] }] })
    expect(await writer.summarize({ ...therapy, reading: readAs() }, never)).toMatch(/\w/)
  })

  it('an answer that is cut short is asked for once more', async () => {
    stage.server.mischief.push({ kind: 'say', text: '{"sentences": [', finishReason: 'length' })
    expect(await writer.summarize(therapy, never)).toMatch(/stated/)
    expect(stage.promptsOf('summary')[1]).toContain('write less')
  })
})
