import { NOTE_TYPES } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { builtInTemplate } from '../../../src/engines/writer/templates/built-in-templates.js'
import { splitJotted } from '../../../src/engines/writer/place-jotted.js'
import { toNoteSections } from '../../../src/engines/writer/to-note-sections.js'
import type { WrittenNote } from '../../../src/engines/writer/writer-engine.js'
import { therapySession } from '../session-fixtures.js'
import { extract } from './extract-talk.js'
import { goodNote, ProseStage, requestOf, therapy, writeAll } from './prose-fixture.js'

const { writeNote } = extract

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

// Without the question about danger, which stands near the end.
const untold = requestOf(therapySession.slice(0, 10))

/** What a note says was neither asked nor mentioned; empty where it says so of nothing. */
const unmentioned = async (...lines: string[]): Promise<string> => {
  const { sections } = await writeNote({ ...untold, jotted: lines })
  const texts = sections.flatMap(({ sentences }) => sentences.map(({ text }) => text))
  return texts.find((text) => text.includes('not asked')) ?? ''
}

describe('what the clinician jotted down', () => {
  it('stands in an extract word for word, as theirs and resting on no line of the transcript', async () => {
    const note = await writeNote({ ...therapy, jotted })
    expect(ownOf(note)).toEqual(expected)
    const objective = toNoteSections(builtInTemplate('soap'), note.sections).find(
      ({ key }) => key === 'objective',
    )
    expect(objective?.content).toContain('Looked away when speaking of work')
    expect(objective?.evidence.at(-1)).toMatchObject({ supported: true, transcriptItems: [], reason: null })
  })

  it('is told to a model as data, and stands in its note as it is, judged by nobody', async () => {
    const stage = await ProseStage.open()
    stage.script.next('progress_note', goodNote)
    const { note } = await writeAll(stage.openWriter(), { ...therapy, jotted })
    expect(ownOf(note)).toEqual(expected)
    expect(stage.promptsOf('progress_note')[0]).toContain('<jotted>\nLooked away when speaking of work;')
    for (const prompt of stage.promptsOf('verification')) expect(prompt).not.toContain('- Looked away')
    await stage.close()
  })

  it('has a place in every type of note', async () => {
    for (const noteType of NOTE_TYPES) {
      const own = ownOf(await writeNote({ ...untold, noteType, jotted: ['Tearful'] }))
      expect(own.map(([, text]) => text)).toEqual(['Tearful'])
    }
  })

  it('about danger is not contradicted by "not asked, not mentioned"', async () => {
    expect(await unmentioned()).toBe('Suicide and self-harm, harm to others: not asked, not mentioned.')
    expect(await unmentioned('Denied SI at the door')).toBe('Harm to others: not asked, not mentioned.')
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
  ])('speaks of suicide or self-harm: %s', async (line) => {
    expect(await unmentioned(line)).not.toContain('uicide')
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
  ])('speaks of neither: %s', async (line) => {
    expect(await unmentioned(line)).toBe(await unmentioned())
  })

  it.each([
    'wants to hit his boss',
    'Firearm at home',
    'threatened to kill the neighbor',
    'denies hi',
    'no violence',
  ])('speaks of harm to others: %s', async (line) => {
    expect(await unmentioned(line)).not.toContain('arm to others')
  })

  it('keeps the minus of a number, and goes by a letter only where one section begins with it', async () => {
    expect(splitJotted('-3 kg since May\n- Tearful\n-- late\n*\n-20 mg at night')).toEqual([
      '-3 kg since May',
      'Tearful',
      'late',
      '-20 mg at night',
    ])
    const lettered = ['P: call the school', 'R: calmer', 'Plan: letter']
    expect(ownOf(await writeNote({ ...untold, noteType: 'pirp', jotted: lettered }))).toEqual([
      ['problem', 'P: call the school'],
      ['response', 'calmer'],
      ['plan', 'letter'],
    ])
  })
})
