import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeNoteChecker } from '../../../src/engines/checker/note-checker.js'
import { makeOwnStatementFinder } from '../../../src/engines/writer/prose/own-statement.js'
import type { EditOutcome, WriterEngine } from '../../../src/engines/writer/writer-engine.js'
import { editOf } from '../describe-writer-engine.js'
import type { Script } from '../scripted-models.js'
import { judgedOf, never, ProseStage } from './prose-fixture.js'

const checker = makeNoteChecker()
afterAll(() => checker.close())

let stage: ProseStage
let script: Script
let writer: WriterEngine

beforeEach(async () => {
  stage = await ProseStage.open(checker)
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
    script.next('edited_note', done(plan(...oldPlan, edited(made, [], 'clinician'))))
    const note = noteOf(await writer.editNote(editOf('Make the plan longer.'), never))
    expect(judgedOf(note, 'plan').filter(([text]) => text === made)).toEqual([])
    expect(stage.promptsOf('repair')[0]).toContain(`refused (no_evidence): ${made}`)
  })

  const isOwn = (request: string, text: string): boolean => makeOwnStatementFinder(request)(text)

  const theirs: [request: string, sentence: string][] = [
    ['Add that we called her sister.', "Clinician called the client's sister after the session."],
    ['Add that she denied SI, HI and AVH', 'Client denies suicidal ideation and homicidal ideation.'],
    ['Note that I coordinated with her PCP.', 'Clinician coordinated with the primary care physician.'],
    ['add: sertraline raised to 75 mg, and shorten the rest', 'Sertraline was raised to 75 mg.'],
    ['Do not touch the plan. Add that mom picked him up.', 'Mother picked the client up.'],
    ['Add that the lock box was delivered and don’t change the rest.', 'The lock box was delivered.'],
  ]
  for (const [request, text] of theirs)
    it(`is theirs where “${request}” states it`, () => {
      expect(isOwn(request, text)).toBe(true)
    })

  const others: [request: string, sentence: string][] = [
    ['Make the assessment longer.', 'Client agreed to a safety plan and was given the 988 number.'],
    ['Add that sertraline was raised.', 'Sertraline was raised to 75 mg.'],
    ['Add that the dose was raised to 75 mg.', 'Fluoxetine dose was raised to 75 mg.'],
    ['Add that she did not call her sister.', 'Client called her sister.'],
    ['Add that we called her sister.', 'Client has not called her sister.'],
    ['Add that we talked about her week.', 'Client talked about her week and about suicide.'],
    ['Shorten it.', 'Client.'],
  ]
  for (const [request, text] of others)
    it(`is not theirs where “${request}” does not say “${text}”`, () => {
      expect(isOwn(request, text)).toBe(false)
    })
})
