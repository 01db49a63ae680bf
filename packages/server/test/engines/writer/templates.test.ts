import { readdirSync } from 'node:fs'
import { NOTE_TYPES, type NoteTemplate } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { applyPreferences } from '../../../src/engines/writer/templates/apply-preferences.js'
import { builtInTemplate } from '../../../src/engines/writer/templates/built-in-templates.js'
import { listUnmet } from '../../../src/engines/writer/templates/list-unmet.js'
import { findHolder, listKeys, placeOf } from '../../../src/engines/writer/templates/note-template.js'
import {
  readTemplate,
  readTemplateFile,
  TemplateProblem,
} from '../../../src/engines/writer/templates/read-template-file.js'
import { toNoteSections } from '../../../src/engines/writer/to-note-sections.js'
import { ownFile } from '../../../src/kernel/own-files.js'
import { extract, requestOf, tell } from './extract-talk.js'
import { invented } from './invented-template.js'
import { never, ProseStage, section, sentence, therapy, writeAll } from './prose-fixture.js'

const { engine, writeNote } = extract

const problemsOf = (value: unknown): string[] => {
  try {
    readTemplate(value)
    return []
  } catch (error) {
    if (error instanceof TemplateProblem) return [...error.problems]
    throw error
  }
}

const changed = (change: (template: NoteTemplate) => void): NoteTemplate => {
  const copy = structuredClone(invented)
  change(copy)
  return copy
}

describe('a template', () => {
  it('is a file for each of the eight types, with a place for every kind of talk', () => {
    expect(readdirSync(ownFile('templates')).toSorted()).toEqual(
      NOTE_TYPES.map((type) => `${type}.json`).toSorted(),
    )
    for (const type of NOTE_TYPES) {
      const template = builtInTemplate(type)
      expect(template).toMatchObject({ id: type, noteType: type, version: 1 })
      expect(problemsOf(template)).toEqual([])
      for (const kind of ['danger', 'reported', 'observed', 'judgement', 'done', 'plan'] as const)
        expect(findHolder(template, kind)).not.toBeNull()
    }
  })

  it('that fits is taken; what is wrong is told with its place', () => {
    expect(problemsOf(invented)).toEqual([])
    expect(() => readTemplateFile('{\n  "format": 1,\n  oops }')).toThrow(
      /line 3, column \d+: this is not JSON/,
    )
    expect(problemsOf({ ...invented, colour: 'red' })).toEqual([
      'the file: there is no such thing in a template: colour',
    ])
    const { title: _, ...untitled } = invented
    expect(problemsOf(untitled)).toEqual(['the file: this is missing: title'])
    expect(problemsOf({ ...invented, noteType: 'letter' })).toEqual([
      `noteType: must be one of ${NOTE_TYPES.join(', ')}`,
    ])
  })

  it.each<[string, (template: NoteTemplate) => void]>([
    ['a note needs a place where danger is looked for', ({ sections }) => delete sections[0]?.holds],
    ['both hold “plan”', ({ sections }) => sections[1]?.holds?.push('plan')],
    ['next_steps stands here twice', ({ sections }) => void sections.push({ ...sections[2]! })],
    ['the least is more than the most', ({ sections }) => (sections[0]!.words = { least: 9, most: 1 })],
    ['allergies is for the section that holds', ({ sections }) => (sections[1]!.key = 'allergies')],
    ['must be one line of text', ({ sections }) => (sections[0]!.guide = 'One\nTwo')],
    ['must be lower-case letters', ({ sections }) => (sections[0]!.key = 'Safety First')],
    ['cannot stand, for all of its words must not', ({ sections }) => (sections[2]!.mustNot = ['insurance'])],
    [
      'all guides together have',
      ({ sections }) =>
        void sections.push(
          ...Array.from({ length: 9 }, (_, at) => ({
            ...sections[2]!,
            key: `more_${at}`,
            title: `More ${at}`,
            holds: [],
            guide: 'x'.repeat(1_500),
          })),
        ),
    ],
  ])('is refused: %s', (problem, change) => {
    expect(problemsOf(changed(change)).join('\n')).toContain(problem)
  })
})

/** A model that does whatever the guides say. */
const obedient = {
  safety_first: section(
    sentence('Client denies suicidal ideation when asked.', 10, 11),
    sentence('Client denies homicidal ideation when asked.', 10, 11),
    sentence('Client takes lithium 300 mg.', 5),
  ),
  how_it_went: section(
    sentence('Client reports anxiety about work.', 1),
    sentence('Client is worried sick about work.', 1),
  ),
  next_steps: section(
    sentence('Client will keep the thought record and add a walk in the evening.', 12, 13),
    sentence('Next session is on Tuesday at ten.', 14),
  ),
}

describe('a note with invented sections', () => {
  it('keeps a true sentence with forbidden words, marked, though the model would leave it out', async () => {
    const stage = await ProseStage.open()
    stage.script.next('progress_note', obedient)
    stage.script.next('repair', {
      changes: [1, 2, 3].map((n) => ({ n, text: null, items: [] })),
      additions: [],
    })
    const { note } = await writeAll(stage.openWriter(), { ...therapy, noteType: 'dap', template: invented })
    expect(stage.promptsOf('repair')[0]).toContain('worried sick')
    expect(note.sections[1]?.sentences.map(({ text, reason }) => [text, reason])).toContainEqual([
      'Client is worried sick about work.',
      'must_not',
    ])
    await stage.close()
  })

  it('written by a model has them in order and by title, and no word of what a guide asks for and nobody said', async () => {
    const stage = await ProseStage.open()
    stage.script.next('progress_note', obedient)
    const { note } = await writeAll(stage.openWriter(), { ...therapy, noteType: 'dap', template: invented })
    const sections = toNoteSections(invented, note.sections)
    expect(sections.map(({ key, title }) => [key, title])).toEqual(
      invented.sections.map(({ key, title }) => [key, title]),
    )
    const text = sections.map(({ content }) => content).join('\n')
    expect(text).toContain('denies suicidal ideation')
    expect(text).not.toMatch(/homicid|lithium/i)
    expect(sections[2]?.content.startsWith('- ')).toBe(true)
    const [prompt = ''] = stage.promptsOf('progress_note')
    expect(prompt).toContain(
      '- next_steps (Next Steps): What was agreed. 10-60 words. Must stand, if it was said:',
    )
    expect(prompt).toContain('They are never evidence')
    for (const verification of stage.promptsOf('verification'))
      expect(verification).not.toContain('Write that')
    const forbidden = sections[1]?.evidence.find(({ sentence: one }) => one.includes('worried sick'))
    expect(forbidden).toMatchObject({ supported: false, judgement: 'refused', reason: 'must_not' })
    expect(listUnmet({ template: invented, sections })).toMatchObject([
      { kind: 'template', reason: 'must_stand', label: 'Next Steps: Insurance' },
    ])
    await stage.close()
  })

  it('extracted has them in order, danger in its place, and quotes alone', async () => {
    const { sections } = await writeNote({ ...therapy, noteType: 'dap', template: invented })
    expect(sections.map(({ key }) => key)).toEqual(listKeys(invented))
    const set = toNoteSections(invented, sections)
    expect(set[0]?.title).toBe('Safety First')
    expect(set[0]?.content).toMatch(/Danger:/)
    expect(set.map(({ content }) => content).join(' ')).not.toMatch(/lithium|homicid/i)
  })

  it('can be edited by the names of its sections, and become another type', async () => {
    const request = { ...therapy, noteType: 'dap' as const, template: invented }
    const note = toNoteSections(invented, (await writeNote(request)).sections)
    const edit = (instructions: string) => engine.editNote({ ...request, note, instructions }, never)
    const removed = await edit('Remove the steps section')
    expect(removed.isDone && removed.note.sections.map(({ key }) => key)).toEqual([
      'safety_first',
      'how_it_went',
    ])
    const soap = await edit('Convert to a SOAP note')
    expect(soap).toMatchObject({ isDone: true, noteType: 'soap' })
    expect(await edit('Shorten the objective section')).toMatchObject({ isDone: false })
  })
})

describe('what a clinician wants of every note', () => {
  const none = { length: 'usual', leftOut: [], avoidedPhrases: [] } as const

  it('changes nothing where nothing is wanted', () => {
    expect(applyPreferences(invented, { ...none, leftOut: [], avoidedPhrases: [] })).toBe(invented)
  })

  it('leaves out headings, never that of danger or of what was told; what they held stands elsewhere', () => {
    const preferences = {
      length: 'shorter' as const,
      leftOut: listKeys(invented),
      avoidedPhrases: ['in crisis'],
    }
    const own = applyPreferences(invented, preferences)
    expect(listKeys(own)).toEqual(['safety_first', 'how_it_went'])
    expect(placeOf(own, 'plan')).toBe('how_it_went')
    expect(own.sections[1]?.words).toEqual({ least: 24, most: 72 })
    expect(own.mustNot).toEqual(['in crisis'])
    expect(problemsOf(own)).toEqual([])
    for (const type of NOTE_TYPES) {
      const template = builtInTemplate(type)
      const kept = listKeys(applyPreferences(template, { ...preferences, leftOut: listKeys(template) }))
      expect(kept).toContain(placeOf(template, 'danger'))
    }
  })

  it('marks a phrase to avoid in an extract, and leaves nothing out for it, danger least of all', async () => {
    const template = applyPreferences(builtInTemplate('soap'), {
      ...none,
      leftOut: [],
      avoidedPhrases: ['ending your life'],
    })
    const { sections } = await writeNote({ ...therapy, template })
    const refused = sections.flatMap(({ sentences }) =>
      sentences.filter(({ reason }) => reason === 'must_not'),
    )
    expect(refused.length).toBeGreaterThan(0)
    for (const { text } of refused) expect(text.toLowerCase()).toContain('ending your life')
  })
})

it('a phrase is whole words, whatever their case and what stands between them', async () => {
  const template = { ...builtInTemplate('soap'), mustNot: ['non-compliant', 'art', '—'] }
  const told = tell(`
    client {R2a}: They wrote that I was NON compliant.
    clinician {J2a}: That is in her heart — and in an article.
  `)
  const { sections } = await writeNote({ ...requestOf(told), template })
  const quoted = sections.flatMap(({ sentences }) => sentences.filter(({ text }) => text.includes('“')))
  expect(quoted.map(({ text, reason }) => [text, reason])).toEqual([
    [expect.stringContaining('NON compliant'), 'must_not'],
    [expect.stringContaining('heart'), null],
  ])
})
