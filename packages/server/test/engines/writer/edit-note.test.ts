import type { NoteSection, NoteType, TranscriptItem } from '@casenote/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMedications } from '../../../src/engines/lexicon/medications.js'
import { editNote } from '../../../src/engines/writer/embedded/edit-note.js'
import { writeNote } from '../../../src/engines/writer/embedded/write-note.js'
import { findNumbers } from '../../../src/engines/writer/text/find-numbers.js'
import { hasNegation } from '../../../src/engines/writer/text/find-negation.js'
import { countWords, tokenizeWords } from '../../../src/engines/writer/text/tokenize-words.js'
import type { DraftSection } from '../../../src/engines/writer/writer-engine.js'

const transcript: TranscriptItem[] = [
  ['clinician', 'How have you been sleeping since last week?'],
  ['client', 'Not great. I wake up at three most nights and I worry about my job.'],
  ['clinician', 'How is it going with your brother Tom?'],
  ['client', 'I argued with my brother Tom on Sunday, he wants me to move.'],
  ['clinician', 'Are you taking the Zoloft?'],
  ['client', 'Yes, I take Zoloft 50 mg every morning. I have no side effects.'],
  ['clinician', 'Any thoughts of suicide?'],
  ['client', 'No, none at all.'],
  ['clinician', 'And what has helped?'],
  ['client', 'I started running twice a week and it helps my mood a lot.'],
  ['clinician', 'Great. Keep a thought record this week and we will meet again next Tuesday at ten.'],
].map(([speaker = '', text = ''], at) => ({
  startTime: at * 6,
  endTime: at * 6 + 5,
  speaker,
  transcript: text,
}))

const section = (key: string, sentences: [string, number[]][], join = ' '): NoteSection => ({
  key,
  title: key.charAt(0).toUpperCase() + key.slice(1),
  content: sentences.map(([text]) => text).join(join),
  evidence: sentences
    .filter(([, items]) => items.length > 0)
    .map(([sentence, transcriptItems]) => ({ sentence, transcriptItems, supported: true })),
})

const note: NoteSection[] = [
  section('subjective', [
    ['Client reports waking at three most nights and worrying about their job.', [0, 1]],
    ['Client reports an argument with their brother Tom on Sunday.', [2, 3]],
    ['Client takes Zoloft 50 mg every morning and denies side effects.', [4, 5]],
    ['Client has basically been feeling tired in general.', [1]],
    ['Client is proud of a new job offer.', []],
  ]),
  section('objective', [['Client appears calm and is engaged.', [9]]]),
  section('assessment', [
    ['Client denied suicidal ideation when asked.', [6, 7]],
    ['Sleep remains poor.', [1]],
  ]),
  section('plan', [
    ['Client will keep a thought record this week.', [10]],
    ['Next session is on Tuesday at ten.', [10]],
    ['Client can do that.', [10]],
  ]),
]

const edit = (instructions: string, given: NoteSection[] = note, noteType: NoteType = 'soap') =>
  editNote({ noteType, transcript, note: given, instructions }, writeNote, new AbortController().signal)

async function done(instructions: string, given?: NoteSection[]) {
  const outcome = await edit(instructions, given)
  if (!outcome.isDone) throw new Error(outcome.reason)
  return outcome
}

async function refusal(instructions: string): Promise<string> {
  const outcome = await edit(instructions)
  return outcome.isDone ? 'it was done' : outcome.reason
}

const texts = (sections: readonly DraftSection[], key?: string) =>
  sections
    .filter((one) => key === undefined || one.key === key)
    .flatMap(({ sentences }) => sentences.map(({ text }) => text))

/** As the pipeline stores it, for editing again. */
const store = (sections: readonly DraftSection[]): NoteSection[] =>
  sections.map(({ key, layout, sentences }) => ({
    key,
    title: key,
    content:
      layout === 'bullets'
        ? sentences.map(({ text }) => `- ${text}`).join('\n')
        : sentences.map(({ text }) => text).join(' '),
    evidence: sentences.map(({ text, transcriptItems }) => ({
      sentence: text,
      transcriptItems: [...transcriptItems],
      supported: true,
    })),
  }))

describe('an edit of the form', () => {
  it('makes bullets of one section and leaves the others as they are', async () => {
    const { sections } = await done('use bullet points in the plan')
    expect(sections.map(({ key, layout }) => [key, layout])).toEqual([
      ['subjective', 'paragraph'],
      ['objective', 'paragraph'],
      ['assessment', 'paragraph'],
      ['plan', 'bullets'],
    ])
    expect(texts(sections)).toEqual(note.flatMap(({ key }) => texts(sections, key)))
  })

  it('makes paragraphs of bullets, with a full stop each, and keeps the evidence', async () => {
    const given = [
      section(
        'plan',
        [
          ['- Keep a thought record', []],
          ['- Meet on Tuesday.', []],
        ],
        '\n',
      ),
    ]
    const { sections } = await done('use paragraphs', given)
    expect(sections).toEqual([
      {
        key: 'plan',
        layout: 'paragraph',
        sentences: [
          { text: 'Keep a thought record.', transcriptItems: [] },
          { text: 'Meet on Tuesday.', transcriptItems: [] },
        ],
      },
    ])
  })

  it('keeps the clinician’s own lines in sections that it does not touch', async () => {
    const given = [
      section(
        'subjective',
        [
          ['First line. And more.', []],
          ['Second line.', []],
        ],
        '\n\n',
      ),
      ...note.slice(3),
    ]
    const { sections } = await done('use bullets in the plan', given)
    expect(sections[0]?.sentences).toEqual([
      { text: 'First line.', transcriptItems: [] },
      { text: 'And more.', transcriptItems: [] },
      { text: 'Second line.', transcriptItems: [], startsParagraph: true },
    ])
  })

  it('says so when there is nothing to change', async () => {
    expect(await refusal('use paragraphs')).toMatch(/nothing to change/)
    expect(await refusal('use client wording')).toMatch(/nothing to change/)
  })

  it('writes in the past tense, but for the plan and for what comes', async () => {
    const { sections } = await done('write it in the past tense')
    expect(texts(sections)).toEqual([
      'Client reported waking at three most nights and worrying about their job.',
      'Client reported an argument with their brother Tom on Sunday.',
      'Client took Zoloft 50 mg every morning and denied side effects.',
      'Client had basically been feeling tired in general.',
      'Client was proud of a new job offer.',
      'Client appeared calm and was engaged.',
      'Client denied suicidal ideation when asked.',
      'Sleep remained poor.',
      'Client will keep a thought record this week.',
      'Next session is on Tuesday at ten.',
      'Client can do that.',
    ])
  })

  it('leaves quotes and nouns alone in the past tense', async () => {
    const given = [
      section('subjective', [
        ['Client states, "I am fine and he is not," and reports no needs for her reports.', [1]],
      ]),
    ]
    const { sections } = await done('past tense', given)
    expect(texts(sections)).toEqual([
      'Client stated, "I am fine and he is not," and reports no needs for her reports.',
    ])
  })

  it('says patient for client in every form, and knows the adjective', async () => {
    const given = [
      section('subjective', [['The client’s clients said "client", and client was patient; CLIENT.', [1]]]),
    ]
    const there = await done('say patient instead of client', given)
    expect(texts(there.sections)).toEqual([
      'The patient’s patients said "client", and patient was patient; PATIENT.',
    ])
    const back = await done('use client wording', store(there.sections))
    expect(texts(back.sections)).toEqual([
      'The client’s clients said "client", and client was patient; CLIENT.',
    ])
  })

  it('puts initials for persons, and for nobody else', async () => {
    const { sections } = await done('use initials instead of names')
    expect(texts(sections).filter((text) => text.includes('brother'))).toEqual([
      'Client reports an argument with their brother T on Sunday.',
    ])
    expect(texts(sections).join(' ')).toContain('Zoloft 50 mg')
    const doctors = [section('plan', [['Sarah Miller will call Dr. Jones in June about Zoloft.', [1]]])]
    expect(texts((await done('replace names with initials', doctors)).sections)).toEqual([
      'SM will call Dr. J in June about Zoloft.',
    ])
    const nobody = await edit('use initials', [section('plan', [['Will continue Prozac on Monday.', [1]]])])
    expect(nobody).toMatchObject({ isDone: false, reason: expect.stringMatching(/No names/) as string })
  })
})

describe('an edit of what is said', () => {
  it('removes the sentences that speak of it', async () => {
    const { sections } = await done('remove the mention of her brother')
    expect(texts(sections, 'subjective')).toHaveLength(4)
    expect(texts(sections).join(' ')).not.toContain('brother')
  })

  it('removes only the end of a sentence that says something else as well', async () => {
    const { sections } = await done('remove the mention of her job in the subjective')
    expect(texts(sections, 'subjective')[0]).toBe('Client reports waking at three most nights.')
    expect(sections[0]?.sentences[0]?.transcriptItems).toEqual([0, 1])
  })

  it('removes a whole sentence where that is asked for', async () => {
    const { sections } = await done('delete the sentence about side effects')
    expect(texts(sections).join(' ')).not.toContain('Zoloft')
  })

  it('replaces words as they stand, everywhere, and keeps the evidence', async () => {
    const { sections } = await done('replace zoloft with sertraline')
    expect(sections[0]?.sentences[2]).toEqual({
      text: 'Client takes sertraline 50 mg every morning and denies side effects.',
      transcriptItems: [4, 5],
    })
  })

  it('never takes a part of a number for the number', async () => {
    const given = [section('plan', [['Doses are 150 mg, 1.50 mg, 50 mg and 50.5 mg.', [1]]])]
    const { sections } = await done('change 50 mg to 75 mg', given)
    expect(texts(sections)).toEqual(['Doses are 150 mg, 1.50 mg, 75 mg and 50.5 mg.'])
  })

  it('moves sentences with their evidence, and loses none', async () => {
    const { sections } = await done('move the sleep sentence from the assessment to the plan')
    expect(sections.find(({ key }) => key === 'plan')?.sentences.at(-1)).toEqual({
      text: 'Sleep remains poor.',
      transcriptItems: [1],
    })
    expect(texts(sections).toSorted()).toEqual(texts(store2(note)).toSorted())
  })

  it.each([
    ['remove the mention of her dog', /Nothing about “her dog”/],
    ['remove the mention of her brother and her dog', /Nothing about “her dog”/],
    ['replace Prozac with fluoxetine', /“Prozac” does not stand in the note/],
    ['move the part about horses to the plan', /Nothing about “horses”/],
    ['move the thought record to the plan', /stands in that section already/],
    ['turn this into a SOAP note', /of that type already/],
    ['mention her trip to Norway', /Nothing more about “her trip to Norway” was said/],
    ['add a diagnosis of PTSD', /was said/],
  ])('refuses: %s', async (instructions, reason) => {
    expect(await refusal(instructions)).toMatch(reason)
  })

  it('does all or nothing', async () => {
    expect(await refusal('use bullets in the plan and remove the mention of her dog')).toMatch(/her dog/)
    expect(await refusal('remove the mention of her brother and fix the typos')).toMatch(/fix the typos/)
  })
})

/** The note as drafts, for comparing. */
const store2 = (given: NoteSection[]): DraftSection[] =>
  given.map(({ key, content, evidence }) => ({
    key,
    layout: 'paragraph',
    sentences: content.split(/(?<=\.) (?=[A-Z])/).map((text) => ({
      text,
      transcriptItems: evidence.find(({ sentence }) => sentence === text)?.transcriptItems ?? [],
    })),
  }))

describe('shorter', () => {
  it('has fewer words, and keeps risk, medication and the clinician’s own words', async () => {
    const { sections } = await done('make it shorter')
    const words = countWords(texts(sections).join(' '))
    const before = countWords(note.map(({ content }) => content).join(' '))
    expect(words / before).toBeLessThan(0.85)
    const all = texts(sections).join(' ')
    for (const essential of ['Zoloft 50 mg', 'denied suicidal ideation', 'proud of a new job offer']) {
      expect(all).toContain(essential)
    }
  })

  it('keeps what it is told to keep', async () => {
    const plan = texts((await done('shorten the plan')).sections, 'plan')
    expect(plan).toEqual(['Next session is on Tuesday at ten.'])
    const { sections } = await done('shorten the plan but keep the thought record')
    expect(texts(sections, 'plan').join(' ')).toContain('thought record')
  })

  it('keeps the homework, which the note calls by what it is', async () => {
    expect(texts((await done('shorten it, but keep the homework')).sections, 'plan')).toContain(
      'Client will keep a thought record this week.',
    )
  })

  it.each([
    'Client to say that sentence each morning.',
    'One walk to the library this week.',
    'Client to keep a sleep diary.',
  ])('knows homework in the words of a plan: %s', async (task) => {
    const given = [
      section('plan', [
        [task, [10]],
        ['Client stated that thirteen calls in four hours wore them out on Sunday and Monday.', [3]],
        ['Client stated that eleven reports and two meetings were done by Friday at five.', [3]],
      ]),
    ]
    const { sections } = await done('shorten it to one sentence, but keep the homework', given)
    expect(texts(sections)).toEqual([task])
  })

  it('keeps a section that is named', async () => {
    const { sections } = await done('make it shorter but keep the plan')
    expect(texts(sections, 'plan')).toHaveLength(3)
  })

  it('fails when what is to be kept is not there', async () => {
    expect(await refusal('make it shorter, but keep the horoscope')).toBe(
      'Nothing about “the horoscope” stands in the note, so it cannot be kept.',
    )
  })

  it('counts the note where the note is to have a number of words, and each section where it says so', async () => {
    const { sections } = await done('limit the note to 50 words')
    expect(countWords(texts(sections).join(' '))).toBeLessThanOrEqual(50)
    expect(sections.map(({ sentences }) => sentences.length)).not.toContain(0)
    expect(await refusal('limit the note to 20 words')).toMatch(
      /^The note cannot be brought to 20 words .* least\.$/,
    )
    expect(await refusal('limit each section to 1 sentence')).toMatch(
      /^A section cannot be brought to 1 sentence /,
    )
  })

  it('comes to the number that is asked for, or says why it cannot', async () => {
    const { sections } = await done('make the plan one sentence')
    expect(texts(sections, 'plan')).toHaveLength(1)
    expect(await refusal('shorten the subjective to one sentence')).toMatch(
      /without leaving out risk, medication/,
    )
  })
})

describe('longer', () => {
  it('adds what was said and is not in the note yet, with its evidence', async () => {
    const { sections } = await done('make the subjective longer')
    const added = sections[0]?.sentences.slice(5) ?? []
    expect(added.length).toBeGreaterThan(0)
    for (const { transcriptItems } of added) expect(transcriptItems.length).toBeGreaterThan(0)
  })

  it('does not say twice what the session says twice', async () => {
    const twice = [...transcript, ...transcript.slice(8)]
    const outcome = await editNote(
      { noteType: 'soap', transcript: twice, note, instructions: 'make it longer' },
      writeNote,
      new AbortController().signal,
    )
    if (!outcome.isDone) throw new Error(outcome.reason)
    expect(texts(outcome.sections).filter((text) => /running/.test(text))).toHaveLength(1)
  })

  it('does not add what stands in a longer sentence already', async () => {
    const said = [
      ['clinician', 'How would you describe your mood this week?'],
      ['client', "By the afternoon I'm okay. I cannot concentrate. I have not eaten since. I feel hopeless."],
      ['clinician', 'What else?'],
      ['client', 'I missed four days of work this month.'],
    ].map(([speaker = '', text = ''], at) => ({ startTime: at, endTime: at + 1, speaker, transcript: text }))
    const given = [
      section('subjective', [
        [
          'Client reported by the afternoon they are okay; they cannot concentrate; they have not eaten since; they feel hopeless.',
          [0, 1],
        ],
      ]),
    ]
    const outcome = await editNote(
      { noteType: 'soap', transcript: said, note: given, instructions: 'make it longer' },
      writeNote,
      new AbortController().signal,
    )
    const added = outcome.isDone ? texts(outcome.sections).slice(1) : []
    expect(added.join(' ')).toMatch(/four days/)
    expect(added.join(' ')).not.toMatch(/afternoon|concentrat|eaten|hopeless/)
  })

  it('adds about a topic', async () => {
    const { sections } = await done('mention that she started running')
    expect(texts(sections).join(' ')).toMatch(/running twice a week/)
  })

  it('refuses when nothing more was said', async () => {
    let given = note
    for (let round = 0; round < 10; round += 1) {
      const outcome = await edit('make the whole note longer', given)
      if (!outcome.isDone) {
        expect(outcome.reason).toMatch(/Nothing more/)
        return
      }
      given = store(outcome.sections)
    }
    throw new Error('it never ends')
  })
})

describe('another note type', () => {
  it('is written anew from the transcript, and keeps what the clinician wrote', async () => {
    const outcome = await done('turn this into a DAP note')
    expect(outcome.noteType).toBe('dap')
    expect(outcome.sections.map(({ key }) => key)).toEqual(['data', 'assessment', 'plan'])
    expect(texts(outcome.sections, 'data')).toContain('Client is proud of a new job offer.')
    expect(texts(outcome.sections).join(' ')).toMatch(/Zoloft/)
  })

  it('takes further instructions in the words of the new template', async () => {
    const { sections } = await done('turn this into a DAP note and put the data in bullets')
    expect(sections.find(({ key }) => key === 'data')?.layout).toBe('bullets')
  })
})

describe('whatever the note and the instruction', () => {
  const sentence = fc.constantFrom(
    'Client reports low mood.',
    'Client denies suicidal ideation.',
    'Client takes lithium 300 mg daily.',
    'Client has not slept more than 4.5 hours.',
    'The client argues with her sister Anna, and she feels sad.',
    'Clinician is using CBT in order to test thoughts.',
    'Client states, "I am not okay."',
    'They do not drink and they have 2 dogs.',
    'Patient will call on Monday.',
    'Sleep is poor',
  )
  const anyNote = fc
    .tuple(
      ...['subjective', 'objective', 'assessment', 'plan'].map((key) =>
        fc.record({
          key: fc.constant(key),
          sentences: fc.array(fc.tuple(sentence, fc.array(fc.nat(9), { maxLength: 2 })), { maxLength: 6 }),
          isList: fc.boolean(),
        }),
      ),
    )
    .map((sections) =>
      sections.map(({ key, sentences, isList }) => {
        const made = section(key, sentences, isList ? '\n' : ' ')
        return isList ? { ...made, content: made.content.replaceAll(/^(?=.)/gm, '- ') } : made
      }),
    )

  const forms = [
    'use bullets',
    'use paragraphs',
    'past tense',
    'say patient instead of client',
    'use client wording',
    'use initials',
  ]

  it('an edit of the form changes no number, no medication and no negation, and loses no sentence', async () => {
    await fc.assert(
      fc.asyncProperty(anyNote, fc.constantFrom(...forms), async (given, instructions) => {
        const before = await edit('use bullets', given).then((one) => (one.isDone ? one.sections : null))
        const after = await edit(instructions, given)
        if (!after.isDone || before === null) return
        const read = (sections: readonly DraftSection[]) =>
          texts(sections).map((text) => ({
            numbers: findNumbers(tokenizeWords(text)).flatMap(({ readings }) => readings),
            medications: findMedications(text).map(({ name }) => name),
            isNegated: hasNegation(text),
          }))
        expect(read(after.sections)).toEqual(read(before))
        expect(after.sections.map(({ sentences }) => sentences.map((one) => one.transcriptItems))).toEqual(
          before.map(({ sentences }) => sentences.map((one) => one.transcriptItems)),
        )
      }),
      { numRuns: 150 },
    )
  })

  it('an edit of the form that was done finds nothing more to do', async () => {
    const idempotent = [...forms, 'remove the mention of her sister', 'replace low mood with sadness']
    await fc.assert(
      fc.asyncProperty(anyNote, fc.constantFrom(...idempotent), async (given, instructions) => {
        const once = await edit(instructions, given)
        if (!once.isDone) return
        expect((await edit(instructions, store(once.sections))).isDone).toBe(false)
      }),
      { numRuns: 150 },
    )
  })

  it('shorter never has more words, and never leaves out risk or medication', async () => {
    const essential = (text: string) => /suicid/.test(text) || findMedications(text).length > 0
    await fc.assert(
      fc.asyncProperty(anyNote, async (given) => {
        const after = await edit('make it shorter', given)
        if (!after.isDone) return
        const before = given.map(({ content }) => content).join(' ')
        expect(countWords(texts(after.sections).join(' '))).toBeLessThan(countWords(before))
        const count = (text: string) => text.split(/(?<=[.])\s/).filter(essential).length
        expect(texts(after.sections).filter(essential).length).toBe(count(before))
      }),
      { numRuns: 150 },
    )
  })

  it('moving loses and changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(anyNote, fc.constantFrom('subjective', 'plan'), async (given, to) => {
        const after = await edit(`move the part about mood to the ${to}`, given)
        const before = await edit('use bullets', given)
        if (!after.isDone || !before.isDone) return
        expect(texts(after.sections).toSorted()).toEqual(texts(before.sections).toSorted())
      }),
      { numRuns: 100 },
    )
  })
})

describe('a sentence that is moved', () => {
  it('takes the place of the one that said that nothing was discussed', async () => {
    const given = note.map((one) =>
      one.key === 'objective' ? section('objective', [['Objective findings not discussed.', []]]) : one,
    )
    const { sections } = await done('move the sleep sentence to the objective', given)
    expect(texts(sections, 'objective')).toEqual(['Sleep remains poor.'])
  })
})

describe('the past tense', () => {
  it('turns a verb whose subject is no person', async () => {
    const given = [section('subjective', [['Client reports that running helps her mood.', [9]]])]
    const { sections } = await done('write it in the past tense', given)
    expect(texts(sections)).toEqual(['Client reported that running helped her mood.'])
  })
})
