import { NOTE_TYPES } from '@casenote/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { builtInTemplate } from '../../../src/engines/writer/templates/built-in-templates.js'
import { makeNoteChecker } from '../../../src/engines/checker/note-checker.js'
import { writeNote } from '../../../src/engines/writer/extract/write-note.js'
import { mentionsSuicide, mentionsViolence } from '../../../src/engines/writer/jotted-danger.js'
import { placeJotted, splitJotted } from '../../../src/engines/writer/place-jotted.js'
import { toNoteSections } from '../../../src/engines/writer/to-note-sections.js'
import type { WrittenNote } from '../../../src/engines/writer/writer-engine.js'
import { therapySession } from '../session-fixtures.js'
import { goodNote, ProseStage, requestOf, therapy, writeAll } from './prose-fixture.js'
import { listKeys } from '../../../src/engines/writer/templates/note-template.js'

const checker = makeNoteChecker()
afterAll(() => checker.close())

const jotted = splitJotted(
  '- Looked away when speaking of work\n\n  Plan: letter for the school\nP: call the mother\n',
)

const ownOf = ({ sections }: WrittenNote): [string, string][] =>
  sections.flatMap(({ key, sentences }) =>
    sentences
      .filter(({ judgement }) => judgement === 'clinicians_words')
      .map(({ text }): [string, string] => [key, text]),
  )

const expected = [
  ['objective', 'Looked away when speaking of work'],
  ['plan', 'letter for the school'],
  ['plan', 'call the mother'],
]

describe('what the clinician jotted down', () => {
  it('stands in an extract word for word, as theirs and resting on no line of the transcript', () => {
    const note = writeNote({ ...therapy, jotted })
    expect(ownOf(note)).toEqual(expected)
    const objective = toNoteSections(builtInTemplate('soap'), note.sections).find(
      ({ key }) => key === 'objective',
    )
    expect(objective?.content).toContain('Looked away when speaking of work')
    expect(objective?.evidence.at(-1)).toMatchObject({ supported: true, transcriptItems: [], reason: null })
  })

  it('is told to a model as data, and stands in its note as it is, judged by nobody', async () => {
    const stage = await ProseStage.open(checker)
    stage.script.next('progress_note', goodNote)
    const { note } = await writeAll(stage.openWriter(), { ...therapy, jotted })
    expect(ownOf(note)).toEqual(expected)
    expect(stage.promptsOf('progress_note')[0]).toContain('<jotted>\nLooked away when speaking of work;')
    for (const prompt of stage.promptsOf('verification')) expect(prompt).not.toContain('- Looked away')
    await stage.close()
  })

  it('has a place in every type of note', () => {
    for (const noteType of NOTE_TYPES) {
      const sections = listKeys(builtInTemplate(noteType)).map((key) => ({
        key,
        layout: 'paragraph' as const,
        sentences: [],
      }))
      const placed = placeJotted(builtInTemplate(noteType), sections, ['Tearful'])
      expect(placed.flatMap(({ sentences }) => sentences.map(({ text }) => text))).toEqual(['Tearful'])
    }
  })

  it('about danger is not contradicted by "not asked, not mentioned"', () => {
    // Without the question about it, which stands near the end.
    const untold = requestOf(therapySession.slice(0, 10))
    const textOf = (lines: string[]): string => JSON.stringify(writeNote({ ...untold, jotted: lines }))
    expect(textOf([])).toContain('Suicide and self-harm, harm to others: not asked, not mentioned.')
    expect(textOf(['Denied SI at the door'])).toContain('Harm to others: not asked, not mentioned.')
    expect(textOf(['Denied SI at the door'])).not.toContain('uicide and self-harm')
  })

  it.each([
    'Says at the door she wants to die',
    'thinks she is better off dead',
    'talked of killing herself',
    'passive si, no plan',
    'denies si/hi',
    'si',
    'would end his life',
    "OD'd last year",
    'hurt herself in May',
    'fresh cuts on forearm',
  ])('speaks of suicide or self-harm: %s', (line) => {
    expect(mentionsSuicide([line])).toBe(true)
  })

  it.each([
    'cutting down on alcohol',
    'cutting back hours',
    'passive in session',
    'gun shop job',
    'said hi',
    'hit her head',
    'violent film',
    'violent husband',
    'Tearful',
  ])('speaks of neither: %s', (line) => {
    expect([mentionsSuicide([line]), mentionsViolence([line])]).toEqual([false, false])
  })

  it.each([
    'wants to hit his boss',
    'Firearm at home',
    'threatened to kill the neighbor',
    'denies hi',
    'no violence',
  ])('speaks of harm to others: %s', (line) => {
    expect(mentionsViolence([line])).toBe(true)
  })

  it('keeps the minus of a number, and goes by a letter only where one section begins with it', () => {
    expect(splitJotted('-3 kg since May\n- Tearful\n-- late\n*\n-20 mg at night')).toEqual([
      '-3 kg since May',
      'Tearful',
      'late',
      '-20 mg at night',
    ])
    const sections = listKeys(builtInTemplate('pirp')).map((key) => ({
      key,
      layout: 'paragraph' as const,
      sentences: [],
    }))
    const placed = placeJotted(builtInTemplate('pirp'), sections, [
      'P: call the school',
      'R: calmer',
      'Plan: letter',
    ])
    expect(placed.map(({ key, sentences }) => [key, sentences.map(({ text }) => text)])).toEqual([
      ['problem', ['P: call the school']],
      ['intervention', []],
      ['response', ['calmer']],
      ['plan', ['letter']],
    ])
  })
})
