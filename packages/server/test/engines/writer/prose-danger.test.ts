import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WriterEngine, WritingRequest } from '../../../src/engines/writer/writer-engine.js'
import type { Script } from '../scripted-models.js'
import { dangerOf, readAs, threeHourSession, toTranscript } from '../session-fixtures.js'
import { judgedOf, never, ProseStage, requestOf, section, sentence, writeAll } from './prose-fixture.js'

let stage: ProseStage
let script: Script
let writer: WriterEngine

beforeEach(async () => {
  stage = await ProseStage.open()
  ;({ script } = stage)
  writer = stage.openWriter()
})
afterEach(() => stage.close())

const write = async (given: WritingRequest) => (await writeAll(writer, given)).note

const passing = toTranscript([
  ['clinician', 'How are the evenings?'],
  ['client', 'Long. I have put my papers in order and given the dog to my brother, so that is done.'],
  ['clinician', 'I see. And work?'],
  ['client', 'Work is work.'],
])
const words = 'I have put my papers in order and given the dog to my brother'
const found = {
  matter: 'suicide',
  element: 'preparation',
  standing: 'affirmed',
  time: 'present',
  whose: 'client',
  items: [1],
  words,
}
const noteWith = (...risk: ReturnType<typeof sentence>[]) => ({
  subjective: section(sentence('Client describes long evenings.', 1)),
  objective: section(),
  assessment: section(...risk),
  plan: section(),
})

describe('danger that the model finds', () => {
  const read = { ...dangerOf(passing, 1, words), element: 'preparation' as const }

  for (const [name, misread] of [
    ['another person’s', { ...read, whose: 'other' as const }],
    ['the past', { ...read, time: 'past' as const }],
  ] as const)
    it(`is kept where the reader took the same words for ${name}`, async () => {
      script.next('progress_note', noteWith()).next('danger', { findings: [found] })
      const { findings } = await write(requestOf(passing, { reading: readAs(misread) }))
      expect(findings).toEqual([
        misread,
        expect.objectContaining({ foundBy: 'model', whose: 'client', time: 'present' }),
      ])
    })

  it('is known to the exact checks: what the model found was not left unasked', async () => {
    script
      .next('progress_note', noteWith(sentence('Suicidal ideation was not assessed.')))
      .next('danger', { findings: [found] })
    const note = await write(requestOf(passing, { reading: readAs() }))
    expect(judgedOf(note, 'assessment').map(([text]) => text)).toEqual([
      'Harm to others: not asked, not mentioned.',
    ])
    expect(stage.promptsOf('repair')[0]).toContain('refused (not_asked)')
  })

  it('lets no denial pass that only the model read so', async () => {
    const denied = {
      ...found,
      element: 'thoughts',
      standing: 'denied',
      words: 'Work is work.',
      items: [2, 3],
    }
    const lie = 'Client denies suicidal ideation.'
    script.next('progress_note', noteWith(sentence(lie, 2, 3))).next('danger', { findings: [denied] })
    const note = await write(requestOf(passing, { reading: readAs() }))
    expect(judgedOf(note, 'assessment').map(([text]) => text)).not.toContain(lie)
    expect(stage.promptsOf('repair')[0]).toContain('refused (denial)')
  })

  it('is only suspected where its words are part of a word that was said', async () => {
    script.next('progress_note', noteWith()).next('danger', { findings: [{ ...found, words: 'pap' }] })
    const { findings } = await write(requestOf(passing, { reading: readAs() }))
    expect(findings).toEqual([expect.objectContaining({ foundBy: 'model', certainty: 'suspected' })])
  })
})

describe('danger in three hours of talk', () => {
  const talk = threeHourSession().map((item, index) =>
    index === 700 ? { ...item, speaker: 'client', transcript: `So that is settled. ${words}.` } : item,
  )

  it('is asked of every part of the talk, not of the facts that were taken from it', async () => {
    await write(requestOf(talk, { reading: readAs() }))
    const prompts = stage.promptsOf('danger')
    expect(prompts).toHaveLength(3)
    expect(prompts.every((prompt) => prompt.includes('<transcript>') && !prompt.includes('<facts>'))).toBe(
      true,
    )
    expect(prompts.some((prompt) => prompt.includes(`[700] client: So that is settled. ${words}.`))).toBe(
      true,
    )
  })
})

describe('the place of what the model finds', () => {
  const spelled = "It’s settled: I've put my papers — in order… given the dog to my brother"
  const talk = threeHourSession().map((item, index) =>
    index === 700
      ? {
          ...item,
          speaker: 'client',
          transcript: "Well. It's settled, I've put my papers in order and given the dog to my brother, so.",
        }
      : item,
  )
  const asSaid = "It's settled, I've put my papers in order and given the dog to my brother"
  const findAt = async (...answers: object[][]) => {
    script.next('danger', ...answers.map((findings) => ({ findings })))
    return (await write(requestOf(talk, { reading: readAs() }))).findings
  }
  const isPlace = (items: number[]) =>
    expect.objectContaining({ items, words: asSaid, certainty: 'plain', foundBy: 'model' })

  it('is where its words were said, in the spelling of the transcript', async () => {
    const told = { ...found, words: spelled }
    expect(await findAt([], [{ ...told, items: [700] }])).toEqual([isPlace([700])])
    stage.server.chats.length = 0
    expect(await findAt([], [{ ...told, items: [688] }])).toEqual([isPlace([700])])
  })

  it('is found where the model counts the items of a part from its beginning', async () => {
    await write(requestOf(talk, { reading: readAs() }))
    const start = Number(/<transcript>\n\[(\d+)\]/.exec(stage.promptsOf('danger')[1] ?? '')?.[1])
    expect(start).toBeGreaterThan(300)
    const local = [700, 690].map((item) => item - start)
    const [said, guessed] = await findAt(
      [],
      [
        { ...found, words: spelled, items: [local[0]] },
        { ...found, element: 'plan', words: 'a plan to die', items: [local[1]] },
      ],
    )
    expect(said).toEqual(isPlace([700]))
    expect(guessed).toMatchObject({ items: [690], certainty: 'suspected', words: talk[690]?.transcript })
  })

  it('is nowhere where neither the words nor the items are in the part', async () => {
    expect(await findAt([], [{ ...found, words: 'a plan to die', items: [3] }])).toEqual([])
  })

  it('is not moved for a changed word', async () => {
    const changed = { ...found, words: spelled.replace('dog', 'cat'), items: [690] }
    expect(await findAt([], [changed])).toEqual([
      expect.objectContaining({ items: [690], certainty: 'suspected' }),
    ])
  })
})

describe('a session in which nothing was said', () => {
  it('can be edited, and no model is asked what was said in it', async () => {
    const stored = {
      key: 'plan',
      title: 'Plan',
      content: 'Call the school.',
      evidence: [
        {
          sentence: 'Call the school.',
          transcriptItems: [],
          supported: true,
          judgement: 'clinicians_words' as const,
          reason: null,
        },
      ],
    }
    const plan = {
      key: 'plan',
      layout: 'bullets',
      sentences: [
        { text: 'Call the school.', items: [], source: 'session' },
        { text: 'Risk was not assessed.', items: [], source: 'session' },
      ],
    }
    script.next('edited_note', { isDone: true, reason: null, noteType: 'soap', sections: [plan] })
    const request = requestOf([], { reading: readAs() })
    const outcome = await writer.editNote({ ...request, note: [stored], instructions: 'Bullets.' }, never)
    expect(outcome).toMatchObject({ isDone: true })
    expect(stage.asked).toEqual(['edited_note'])
  })
})
