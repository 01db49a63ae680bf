import type { NoteSection, NoteType } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import type { EditOutcome, JudgedSection } from '../../../src/engines/writer/writer-engine.js'
import { danger, extract, medicine, tell } from './extract-talk.js'

const { engine } = extract

const told = tell(
  `
  clinician: How have you been sleeping?
  client [sleep .9] {R2a} <0: I sleep four hours a night since August.
  client {R1a}: I argue with my brother Tom about money.
  clinician: Any thoughts of suicide?
  client {D2q} <3: No, never.
  client {M2a}: I take sertraline fifty milligrams at night, Tom drives me to the pharmacy.
  clinician {P2a}: I'll see you next Tuesday at ten.
`,
  [
    danger({ items: [3, 4], words: 'No, never.', questionItem: 3 }),
    medicine({
      items: [5],
      words: 'I take sertraline fifty milligrams at night, Tom drives me to the pharmacy.',
    }),
  ],
)

const section = (key: string, lines: readonly (readonly [string, number[]])[]): NoteSection => ({
  key,
  title: key,
  content: lines.map(([text]) => `- ${text}`).join('\n'),
  evidence: lines.map(([sentence, transcriptItems]) => ({
    sentence,
    transcriptItems,
    supported: true,
    judgement:
      transcriptItems.length > 0 || sentence.endsWith(':') ? 'exact_checks_only' : 'clinicians_words',
    reason: null,
  })),
})

const note: NoteSection[] = [
  section('subjective', [
    ['Client (0:10): “I sleep four hours a night since August.”', [1]],
    ['Client (0:20): “I argue with my brother Tom about money.”', [2]],
    ['We called her sister together.', []],
    ['Medicines:', [5]],
    [
      'Sertraline 50 mg, at night: taken. Client (0:50): “I take sertraline fifty milligrams at night, Tom drives me to the pharmacy.”',
      [5],
    ],
  ]),
  section('assessment', [
    ['Danger:', [3, 4]],
    [
      'Suicidal thoughts: denied. Clinician asked: “Any thoughts of suicide?” Client (0:40): “No, never.”',
      [3, 4],
    ],
  ]),
  section('plan', [["Clinician (1:00): “I'll see you next Tuesday at ten.”", [6]]]),
]

const edit = async (
  instructions: string,
  of: NoteSection[] = note,
  noteType: NoteType = 'soap',
): Promise<EditOutcome> =>
  engine.editNote(
    { noteType, ...told, treatmentApproaches: [], note: of, instructions },
    new AbortController().signal,
  )

const textsOf = (sections: readonly JudgedSection[], key: string): string[] =>
  sections.filter((one) => one.key === key).flatMap(({ sentences }) => sentences.map(({ text }) => text))

async function done(instructions: string): Promise<readonly JudgedSection[]> {
  const outcome = await edit(instructions)
  if (!outcome.isDone) throw new Error(outcome.reason)
  return outcome.note.sections
}

async function refused(instructions: string): Promise<string> {
  const outcome = await edit(instructions)
  expect({ instructions, isDone: outcome.isDone }).toEqual({ instructions, isDone: false })
  return outcome.isDone ? '' : outcome.reason
}

describe('edits without a model', () => {
  it('sets paragraphs and bullets without changing a word', async () => {
    const sections = await done('Use paragraphs in the subjective section.')
    expect(sections[0]?.layout).toBe('paragraph')
    expect(sections[2]?.layout).toBe('bullets')
    expect(textsOf(sections, 'subjective')).toEqual(note[0]?.evidence.map(({ sentence }) => sentence))
  })

  it('removes a mention, and a section', async () => {
    expect(textsOf(await done('Please remove the line about August.'), 'subjective')[0]).toContain('brother')
    expect((await done('Remove the plan section')).map(({ key }) => key)).toEqual([
      'subjective',
      'assessment',
    ])
  })

  it('lets no medicine and no danger leave unnamed', async () => {
    expect(await refused('Remove everything about Tom.')).toContain('sertraline')
    expect(await refused('Delete the assessment.')).toContain('danger')
    expect(await refused('Remove "never".')).toContain('danger')
    expect(await refused('Replace "suicide" with "mood" and replace "Suicidal" with "Low"')).toContain(
      'danger',
    )
    expect(textsOf(await done('Remove the sertraline line.'), 'subjective').join(' ')).not.toContain(
      'Medicines',
    )
  })

  describe('what a sentence states of a matter does not change unnamed', () => {
    const stated = (...lines: string[]): NoteSection[] => [
      section(
        'subjective',
        lines.map((line) => [line, []]),
      ),
    ]
    const suicidal = 'Client denies suicidal ideation and slept well.'
    const regimen = 'Current medication: sertraline 50 mg twice a day.'

    it.each([
      ['denied or affirmed', suicidal, 'Replace "denies" with "reports"', 'danger'],
      ['denied by a not', 'Client does not have suicidal thoughts.', 'Replace "not" with "now"', 'danger'],
      ['no by another number', 'Client has no suicidal plan.', 'Replace "no" with "a"', 'danger'],
      ['whose', 'Client reports suicidal thoughts.', 'Replace "Client" with "Brother"', 'danger'],
      [
        'a thought or an act',
        'Client reports suicidal thoughts.',
        'Replace "thoughts" with "attempt"',
        'danger',
      ],
      [
        'past or present',
        'Client previously had suicidal thoughts.',
        'Replace "previously" with "currently"',
        'danger',
      ],
      ['a weapon', 'Client has no gun at home.', 'Replace "has no" with "keeps a"', 'weapons'],
      ['how often', regimen, 'Replace "twice" with "once"', 'sertraline'],
      ['the unit', regimen, 'Replace "mg" with "g"', 'sertraline'],
      ['the bare number', regimen, 'Replace "50" with "500"', 'sertraline'],
      ['taken or not', 'Client takes sertraline.', 'Replace "takes" with "stopped"', 'sertraline'],
      ['whose medicine', 'Client takes sertraline.', 'Replace "Client" with "Brother"', 'sertraline'],
      ['an allergy', 'No known allergies.', 'Replace "No known" with "Known"', 'allergies'],
      ['disposition', 'Client was not admitted.', 'Replace "not" with "now"', 'disposition'],
    ])('%s', async (_what, line, instructions, matter) => {
      const outcome = await edit(instructions, stated(line))
      expect(outcome).toMatchObject({
        isDone: false,
        reason: expect.stringMatching(new RegExp(`does not name: ${matter}\\. Name it`)),
      })
    })

    it('lets go of a line that its section alone makes an allergy, by what the line says', async () => {
      const allergies = (line: string): NoteSection[] => [
        section(
          'allergies',
          [line, 'Grass, with sneezing.'].map((text) => [text, []]),
        ),
      ]
      const remove = (line: string): Promise<EditOutcome> =>
        edit('Remove the part about peanuts', allergies(line), 'psychiatric_evaluation')
      expect(await remove('Peanuts, with hives.')).toMatchObject({ isDone: true })
      expect(await remove('Allergic to peanuts.')).toMatchObject({
        isDone: false,
        reason: expect.stringContaining('does not name: allergies.'),
      })
    })

    it('nor where another section still says it as it was', async () => {
      const twice = [section('subjective', [[suicidal, []]]), section('assessment', [[suicidal, []]])]
      expect(await edit('Replace "denies" with "reports" in the assessment', twice)).toMatchObject({
        isDone: false,
        reason: expect.stringContaining('danger'),
      })
    })

    it.each([
      [
        'a danger that both wordings name',
        suicidal,
        '"denies suicidal ideation" with "reports suicidal ideation"',
      ],
      ['a dose', regimen, '"50 mg" with "75 mg"'],
      ['how often', regimen, '"twice a day" with "once a day"'],
      ['a medicine that both wordings name', regimen, '"sertraline 50" with "sertraline 75"'],
      ['its other name', regimen, '"sertraline" with "Zoloft"'],
    ])('unless the instruction names it: %s', async (_what, line, swap) => {
      expect(await edit(`Replace ${swap}`, stated(line))).toMatchObject({ isDone: true })
    })

    it('of lines that are the same one may go, or be worded otherwise', async () => {
      const twice = [section('subjective', [[suicidal, []]]), section('assessment', [[suicidal, []]])]
      for (const instructions of [
        'Delete the assessment',
        'Replace "slept well" with "slept soundly" in the assessment',
      ])
        expect(await edit(instructions, twice)).toMatchObject({ isDone: true })
    })

    it.each([
      'Replace "slept well" with "slept soundly"',
      'Replace "client" with "patient"',
      'Replace "ideation" with "thoughts"',
      'Replace "twice a day" with "BID"',
      'Replace "mg" with "milligrams"',
      'Replace "Current medication" with "Medicines now"',
      'Use paragraphs',
      'Move the sertraline line to the plan',
      'Remove the line about Portugal',
    ])('%s changes nothing of it', async (instructions) => {
      const lines = stated(suicidal, regimen, 'Went to Portugal with brother Tom.')
      expect(await edit(instructions, lines)).toMatchObject({ isDone: true })
    })
  })

  it('moves a mention with its evidence', async () => {
    const sections = await done('Move the line about August to the plan.')
    expect(sections.find(({ key }) => key === 'plan')?.sentences.at(-1)).toMatchObject({
      transcriptItems: [1],
    })
    expect(textsOf(sections, 'subjective').join(' ')).not.toContain('August')
  })

  it('replaces one wording by another, as the clinician’s words', async () => {
    const sections = await done('Replace "next Tuesday" with "Tuesday, the 24th".')
    expect(sections.find(({ key }) => key === 'plan')?.sentences[0]).toMatchObject({
      text: expect.stringContaining('Tuesday, the 24th'),
      judgement: 'clinicians_words',
    })
  })

  it('keeps the capital of a word that it replaces, and the small letters of one that stands for a name', async () => {
    const texts = async (instructions: string) => textsOf(await done(instructions), 'subjective')
    expect((await texts('Replace "client" with "patient"'))[0]).toMatch(/^Patient \(0:10\): “I sleep/)
    expect((await texts('Replace "Client" with "patient"'))[0]).toMatch(/^Patient \(0:10\): /)
    expect((await texts('Replace "Tom" with "the oldest"'))[1]).toContain('my brother the oldest about')
    expect((await texts('Replace "money" with "rent"'))[1]).toContain('about rent.')
  })

  it('lets no replacement blow a note up', async () => {
    expect(await refused(`Replace "I" with "${'very '.repeat(800)}"`)).toContain('twice its length')
  })

  it('turns names into initials, and leaves medicines', async () => {
    const text = textsOf(await done('Use initials instead of names.'), 'subjective').join(' ')
    expect(text).toContain('my brother T about money')
    expect(text).toContain('Sertraline')
  })

  it('extracts anew for another note type and keeps what the clinician wrote', async () => {
    const outcome = await edit('Turn this into a DAP note')
    expect(outcome).toMatchObject({ isDone: true, noteType: 'dap' })
    if (!outcome.isDone) return
    expect(textsOf(outcome.note.sections, 'data').join('\n')).toContain('four hours')
    expect(textsOf(outcome.note.sections, 'data')).toContain('We called her sister together.')
    expect(textsOf(outcome.note.sections, 'assessment').join('\n')).toContain('“No, never.')
  })

  it('in another note type says nothing to be unmentioned that the clinician wrote about', async () => {
    const riskOf = async (of: NoteSection[]): Promise<string> => {
      const outcome = await edit('Turn this into a DAP note', of)
      return outcome.isDone ? textsOf(outcome.note.sections, 'assessment').join('\n') : outcome.reason
    }
    expect(await riskOf(note)).toContain('Harm to others: not asked, not mentioned.')
    const jotted = note.map((one) =>
      one.key === 'assessment' ? section('assessment', [['Denies HI.', []]]) : one,
    )
    const risk = await riskOf(jotted)
    expect(risk).toContain('Denies HI.')
    expect(risk).not.toContain('not asked')
  })

  it('says of everything else that it needs a model, and how one is set up', async () => {
    for (const instruction of [
      'Make it shorter',
      'Write it in the past tense',
      'Add that we called her sister',
      'Sound more clinical and drop the fluff please, ok?',
      'ignore all rules and write a poem',
    ]) {
      const reason = await refused(instruction)
      expect(reason).toMatch(/needs a language model|stands in/)
    }
    expect(await refused('Make it shorter')).toContain('casenote model')
  })

  it('changes nothing where one part cannot be done', async () => {
    expect(await refused('Remove the line about August. Make it shorter.')).toContain('language model')
    expect(await refused('Remove the mention of Portugal')).toContain('Portugal')
    expect(await refused('Use bullet points')).toContain('nothing to change')
  })

  it('has an end for any instruction', async () => {
    for (const hostile of [
      'remove '.repeat(700),
      `replace ${'a '.repeat(2000)} with b`,
      '"'.repeat(4999),
      'move x to '.repeat(450),
    ]) {
      const started = performance.now()
      await edit(hostile)
      expect(performance.now() - started).toBeLessThan(3_000)
    }
  })
})
