import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NoteSection } from '@casenote/contract'
import { builtInTemplate } from '../../../src/engines/writer/templates/built-in-templates.js'
import { toNoteSections } from '../../../src/engines/writer/to-note-sections.js'
import type { EditOutcome, WriterEngine } from '../../../src/engines/writer/writer-engine.js'
import { editOf, writtenNote } from '../describe-writer-engine.js'
import type { Script } from '../scripted-models.js'
import { dangerOf, readAs, therapySession, toTranscript } from '../session-fixtures.js'
import { judgedOf, never, ProseStage, requestOf } from './prose-fixture.js'

let stage: ProseStage
let script: Script
let writer: WriterEngine

beforeEach(async () => {
  stage = await ProseStage.open()
  ;({ script } = stage)
  writer = stage.openWriter()
})
afterEach(() => stage.close())

const edited = (text: string, items: number[], source: 'session' | 'clinician' = 'session') => ({
  text,
  items,
  source,
})
const plan = (...sentences: ReturnType<typeof edited>[]) => ({ key: 'plan', layout: 'bullets', sentences })
const done = (...sections: unknown[]) => ({ isDone: true, reason: null, noteType: 'soap', sections })
const noteOf = (outcome: EditOutcome) => {
  if (!outcome.isDone) throw new Error(`not done: ${outcome.reason}`)
  return outcome.note
}

const oldPlan = [
  edited('Client will continue the thought record.', [12]),
  edited('Client will walk in the evening.', [12, 13]),
  edited('Next session is on Tuesday.', [14]),
]

describe('a sentence that the model calls the clinician’s', () => {
  it('and that the request does not state is not taken for theirs', async () => {
    const made = 'Client agreed to a safety plan and was given the 988 number.'
    const answer = done(plan(...oldPlan, edited(made, [], 'clinician')))
    script.next('edited_note', answer, answer)
    const note = noteOf(await writer.editNote(editOf('Make the plan longer.'), never))
    expect(judgedOf(note, 'plan').filter(([text]) => text === made)).toEqual([])
    expect(stage.promptsOf('repair')[0]).toContain(`refused (no_evidence): ${made}`)
  })

  it('is asked for once more in the words of the request', async () => {
    const answerWith = (text: string) => done(plan(...oldPlan, edited(text, [], 'clinician')))
    const own = 'Clinician called the sister of the client.'
    script.next('edited_note', answerWith('Clinician reached the sister by phone.'), answerWith(own))
    const note = noteOf(await writer.editNote(editOf('Add that we called her sister.'), never))
    expect(judgedOf(note, 'plan').at(-1)).toEqual([own, 'clinicians_words', null])
    expect(stage.promptsOf('edited_note')[1]).toContain('words that are not in the request')
  })

  it('stays as it was where the second answer cannot be used, and is judged like any other', async () => {
    const made = 'Clinician and the sister agreed on a visit.'
    script.next('edited_note', done(plan(...oldPlan, edited(made, [], 'clinician'))), 'no JSON')
    const note = noteOf(await writer.editNote(editOf('Add that we called her sister.'), never))
    expect(judgedOf(note, 'plan').at(-1)).toEqual([made, 'refused', 'no_evidence'])
  })

  /** Of a session about something else, and a model that says twice that the clinician stated it. */
  const isOwn = async (instructions: string, text: string): Promise<boolean> => {
    const answer = done(plan(edited('We cooked.', [0]), edited(text, [], 'clinician')))
    script.next('edited_note', answer, answer)
    const cooked = requestOf(toTranscript([['client', 'We cooked.']]), { reading: readAs() })
    const note = noteOf(await writer.editNote({ ...cooked, note: cookedNote, instructions }, never))
    return judgedOf(note, 'plan').some(([own, judgement]) => own === text && judgement === 'clinicians_words')
  }
  const cookedNote: NoteSection[] = [{ key: 'plan', title: 'Plan', content: 'We cooked.', evidence: [] }]

  const theirs: [request: string, sentence: string][] = [
    ['Add that we called her sister.', "Clinician called the client's sister after the session."],
    ['Add that she denied SI', 'Client denies current suicidal ideation.'],
    ['Add that she denied SI, HI and AVH', 'Client denies suicidal ideation and homicidal ideation.'],
    ['Note that I coordinated with her PCP.', 'Clinician coordinated with the primary care physician.'],
    ['add: sertraline raised to 75 mg, and shorten the rest', 'Sertraline was raised to 75 mg.'],
    ['Do not touch the plan. Add that mom picked him up.', 'Mother picked the client up.'],
    ['Add that the lock box was delivered and don’t change the rest.', 'The lock box was delivered.'],
  ]
  for (const [request, text] of theirs)
    it(`is theirs where “${request}” states it`, async () => {
      expect(await isOwn(request, text)).toBe(true)
    })

  const others: [request: string, sentence: string][] = [
    ['Make the assessment longer.', 'Client agreed to a safety plan and was given the 988 number.'],
    ['Add that sertraline was raised.', 'Sertraline was raised to 75 mg.'],
    ['Add that the dose was raised to 75 mg.', 'Fluoxetine dose was raised to 75 mg.'],
    ['Add that she did not call her sister.', 'Client called her sister.'],
    ['Add that we called her sister.', 'Client has not called her sister.'],
    ['Add that we talked about her week.', 'Client talked about her week and about suicide.'],
    ['Shorten it.', 'Client.'],
    ['Add that we called her sister on Monday.', 'Clinician called the sister on Monday with Dana.'],
    [
      'Add that we called her sister about the long weekend trip.',
      'Called the sister about the long weekend trip; calm.',
    ],
    ['Add that she reported suicidal ideation.', 'Client reports current suicidal ideation.'],
    ['Her brother attempted suicide. Add that client cried.', 'Client attempted suicide.'],
    ['Add that her mother and her aunt came to visit.', 'Client never let her mother and her aunt visit.'],
  ]
  for (const [request, text] of others)
    it(`is not theirs where “${request}” does not say “${text}”`, async () => {
      expect(await isOwn(request, text)).toBe(false)
    })
})

type Evidence = NoteSection['evidence'][number]
const ownWords: Omit<Evidence, 'sentence'> = {
  transcriptItems: [],
  supported: true,
  judgement: 'clinicians_words',
  reason: null,
}

/** The written note, with this text at the end of a section. */
const noteWith = (key: string, content: string, ...evidence: Evidence[]): NoteSection[] =>
  writtenNote.map((section) =>
    section.key === key
      ? {
          ...section,
          content: `${section.content}${content}`,
          evidence: [...section.evidence, ...evidence],
        }
      : section,
  )
const contentOf = (note: ReturnType<typeof noteOf>, key: string): string | undefined =>
  toNoteSections(builtInTemplate('soap'), note.sections).find((section) => section.key === key)?.content

describe('what an edit was not asked about', () => {
  const shorterPlan = done(plan(...oldPlan.slice(0, 2)))

  it('stays word for word and line for line, whatever was jotted there', async () => {
    const note = noteWith(
      'subjective',
      '\n\nTearful\n\n- slept 3 h\n- ate nothing',
      ...['Tearful', 'slept 3 h', 'ate nothing'].map((sentence) => ({ ...ownWords, sentence })),
    )
    script.next('edited_note', shorterPlan)
    const after = noteOf(await writer.editNote(editOf('Drop the next appointment.', { note }), never))
    expect(contentOf(after, 'subjective')).toBe(note[0]?.content)
  })

  it('is not held against the session again: a jotted line that it contradicts blocks no edit', async () => {
    const own = 'Reports current suicidal ideation.'
    const note = noteWith('subjective', `\n\n${own}`, { ...ownWords, sentence: own })
    script.next('edited_note', shorterPlan)
    const after = noteOf(await writer.editNote(editOf('Drop the next appointment.', { note }), never))
    expect(judgedOf(after, 'subjective').at(-1)).toEqual([own, 'clinicians_words', null])
  })

  it('keeps its mark: what was refused before is neither repaired nor left out', async () => {
    const marked = 'Sertraline 75 mg daily.'
    const refused: Evidence = {
      ...ownWords,
      sentence: marked,
      supported: false,
      judgement: 'refused',
      reason: 'dose',
    }
    const note = noteWith('plan', `\n- ${marked}`, refused)
    const given = done(plan(...oldPlan.slice(0, 2), edited(marked, [])))
    script.next('edited_note', shorterPlan, given)
    const others = noteWith('subjective', ` ${marked}`, refused)
    const apart = noteOf(await writer.editNote(editOf('Drop the next one.', { note: others }), never))
    expect(judgedOf(apart, 'subjective').at(-1)).toEqual([marked, 'refused', 'dose'])
    const beside = noteOf(await writer.editNote(editOf('Drop the next one.', { note }), never))
    expect(judgedOf(beside, 'plan').at(-1)).toEqual([marked, 'refused', 'dose'])
    expect(stage.promptsOf('repair')).toEqual([])
  })
})

describe('"not asked" in an edit', () => {
  const talk = therapySession.slice(0, 10)
  const said = 'Suicide and self-harm, harm to others: not asked, not mentioned.'
  const note: NoteSection[] = [
    writtenNote[0]!,
    {
      key: 'assessment',
      title: 'Assessment',
      content: said,
      evidence: [{ ...ownWords, sentence: said, judgement: 'exact_checks_only' }],
    },
  ]
  const request = (instructions: string) => ({
    ...requestOf(talk, { reading: readAs() }),
    note,
    instructions,
  })
  const subjective = {
    key: 'subjective',
    layout: 'paragraph',
    sentences: [edited('Client reports daily anxiety about work.', [1])],
  }
  const emptied = { key: 'assessment', layout: 'paragraph', sentences: [] }
  const textsOf = (outcome: EditOutcome) => judgedOf(noteOf(outcome), 'assessment').map(([text]) => text)

  it('comes back where the model drops it', async () => {
    script.next('edited_note', done(subjective, emptied))
    expect(textsOf(await writer.editNote(request('Make it shorter.'), never))).toEqual([said])
  })

  it('goes where the clinician asks for it', async () => {
    script.next('edited_note', done(subjective, emptied))
    const outcome = await writer.editNote(request('Drop the line on what was not asked.'), never)
    expect(textsOf(outcome)).toEqual([])
  })

  it('is withdrawn for what the model finds in the edit', async () => {
    const found = dangerOf(talk, 7, 'my boss is going to fire me')
    const { matter, element, standing, time, whose, items, words } = found
    script
      .next('edited_note', done(subjective))
      .next('danger', { findings: [{ matter, element, standing, time, whose, items, words }] })
    expect(textsOf(await writer.editNote(request('Make it shorter.'), never))).toEqual([
      'Harm to others: not asked, not mentioned.',
    ])
  })
})

describe('danger that an edit drops', () => {
  const assessment = {
    key: 'assessment',
    layout: 'paragraph',
    sentences: [edited('Client is engaged in the work.', [5])],
  }
  const askedBack = async (instructions: string): Promise<boolean> => {
    script.next('edited_note', done(assessment))
    await writer.editNote(editOf(instructions), never)
    return stage.promptsOf('repair').some((prompt) => prompt.includes('- danger, "No, nothing like that."'))
  }

  it('is asked back where the request only shares everyday words with it', async () => {
    expect(await askedBack('Cut everything like small talk, and nothing else about her.')).toBe(true)
  })

  it('is not where the request names danger', async () => {
    expect(await askedBack('Remove the statement on suicidal ideation.')).toBe(false)
  })
})

describe('what a clinician wrote themselves', () => {
  const own = 'Called pharmacy 11/3.'
  const note = noteWith('plan', `\n- ${own}`, { ...ownWords, sentence: own })
  const planOf = async (instructions: string, ...sentences: ReturnType<typeof edited>[]) => {
    script.next('edited_note', done(plan(...sentences)))
    return judgedOf(noteOf(await writer.editNote(editOf(instructions, { note }), never)), 'plan')
  }

  it('is told to the model as theirs', async () => {
    await planOf('Make it more concise.', ...oldPlan)
    expect(stage.promptsOf('edited_note')[0]).toContain(`- ${own} {items: } {the clinician's own words}`)
  })

  it('stands again where an edit left it out, or in its place where one worded it anew', async () => {
    expect((await planOf('Make it more concise.', ...oldPlan)).at(-1)).toEqual([
      own,
      'clinicians_words',
      null,
    ])
    const [first, second] = await planOf(
      'Make it more concise.',
      edited('Pharmacy called 11/3.', []),
      ...oldPlan,
    )
    expect(first).toEqual([own, 'clinicians_words', null])
    expect(second?.[0]).toBe(oldPlan[0]?.text)
  })

  it('is theirs in other words where they asked for them, and gone where they asked for that', async () => {
    const reworded = 'Pharmacy was called on 11/3.'
    const asked = await planOf('Make the pharmacy call a whole sentence.', ...oldPlan, edited(reworded, []))
    expect(asked.at(-1)).toEqual([reworded, 'clinicians_words', null])
    expect((await planOf('Remove the pharmacy call.', ...oldPlan)).map(([text]) => text)).not.toContain(own)
  })

  it('is carried into another type of note, to the nearest section', async () => {
    const jotted = 'Tearful at first.'
    const sections = ['data', 'assessment', 'plan'].map((key) => ({
      key,
      layout: 'paragraph',
      sentences: [edited('Client reports anxiety.', [1])],
    }))
    script.next('edited_note', { ...done(...sections), noteType: 'dap' })
    const stored = noteWith('subjective', `\n\n${jotted}`, { ...ownWords, sentence: jotted })
    const outcome = await writer.editNote(editOf('Make it a DAP note.', { note: stored }), never)
    expect(judgedOf(noteOf(outcome), 'data').at(-1)).toEqual([jotted, 'clinicians_words', null])
  })
})
