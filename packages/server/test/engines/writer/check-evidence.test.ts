import { describe, expect, it } from 'vitest'
import { checkEvidence, recheckNote, toNoteSection } from '../../../src/engines/writer/check-evidence.js'
import { makeNoteChecker } from '../../../src/engines/writer/note-checker.js'
import { talk } from './talk.js'

const transcript = talk(`
  clinician: How are you sleeping?
  client: About five hours a night, since March.
  clinician: Any side effects from the sertraline?
  client: No.
  client: I take fifty milligrams of sertraline, and my husband drinks every night.
  clinician: Any thoughts of suicide?
  client: Not really.
  clinician: You seem tired today. Let's raise the sertraline to one hundred milligrams.
  client: I don't want to see people. I haven't missed any doses.
  speaker_1: I heard shouting at home.
`)

const verdict = (text: string, ...transcriptItems: number[]): string => {
  const { isSupported, reason } = checkEvidence({ text, transcriptItems }, transcript)
  return isSupported ? 'supported' : (reason ?? 'no reason')
}

describe('a sentence', () => {
  it.each([
    ['Sleep per client: about five hours a night, since March.', [0, 1]],
    ['Client denied side effects from the sertraline.', [2, 3]],
    ['Client reports taking fifty milligrams of sertraline.', [4]],
    ['Client takes 50 mg of sertraline.', [4]],
    ['Client reports their husband drinks every night.', [4]],
    ['Clinician noted client seems tired today.', [7]],
    ['Plan to raise the sertraline to 100 mg.', [7]],
    ['Client reports not wanting to see people.', [8]],
    ['Client stated, "I don\'t want to see people."', [8]],
    ['A participant reported hearing shouting at home.', [9]],
    ['Allergies not discussed.', []],
    ['Homicidal ideation not assessed.', []],
  ])('%j is supported', (text, items) => {
    expect(verdict(text, ...items)).toBe('supported')
  })

  it.each([
    ['Client reports about six hours a night, since March.', [0, 1], 'number_not_said'],
    ['Client takes 500 mg of sertraline.', [4], 'number_not_said'],
    ['Client reports taking fifty milligrams of Lexapro.', [4], 'word_not_said'],
    ['Client endorsed side effects from the sertraline.', [2, 3], 'negation_differs'],
    ['Client reports side effects from the sertraline.', [2], 'other_speaker'],
    ['Client reports wanting to see people.', [8], 'negation_differs'],
    ['Client reports they have missed doses.', [8], 'negation_differs'],
    ['Client denied thoughts of suicide.', [5, 6], 'negation_differs'],
    ['Client endorsed thoughts of suicide.', [5, 6], 'negation_differs'],
    ['Clinician reports not wanting to see people.', [8], 'other_speaker'],
    ['Client reported hearing shouting at home.', [9], 'other_speaker'],
    ['Client reports drinking every night.', [4], 'other_subject'],
    ['Client stated, "I want to see people."', [8], 'quote_not_said'],
    ['Client was hospitalized in April.', [1], 'word_not_said'],
    ['Client reports poor sleep.', [], 'no_evidence'],
    ['Client reports poor sleep.', [99], 'no_evidence'],
    ['Side effects not discussed.', [], 'was_discussed'],
    ['Suicidal ideation not assessed.', [], 'was_discussed'],
  ])('%j is not: %s %s', (text, items, reason) => {
    expect(verdict(text, ...items)).toBe(reason)
  })
})

describe('that suicidal ideation was not assessed', () => {
  const isSupported = (spoken: string): boolean =>
    checkEvidence({ text: 'Suicidal ideation not assessed.', transcriptItems: [] }, talk(spoken)).isSupported

  it.each([
    'clinician: Have you had any thoughts of killing yourself?',
    'client: On Thursday I thought about killing myself.',
    'clinician: Have you thought about taking your own life?',
    'client: I wanted to take my life.',
    // Who asks and who answers is not known, or was taken for the other.
    'speaker_1: Have you had any thoughts of suicide?',
    'speaker_2: I thought about killing myself.',
    'clinician: Yes, on Thursday I thought about killing myself.',
  ])('is not borne out where it was: %s', (spoken) => expect(isSupported(spoken)).toBe(false))

  it.each([
    'client: My father killed himself, that was suicide.',
    'client: My brother said he wanted to take his life.',
    'speaker_1: Her friend died by suicide.',
    'client: My job is killing me.',
  ])('stands where somebody else is spoken of, or nobody: %s', (spoken) =>
    expect(isSupported(spoken)).toBe(true),
  )
})

describe('that something else was not discussed', () => {
  const isSupported = (text: string, spoken: string): boolean =>
    checkEvidence({ text, transcriptItems: [] }, talk(spoken)).isSupported

  it.each([
    ['Plan not discussed.', 'speaker_1: We meet again next Wednesday at three.'],
    ['Plan not discussed.', 'speaker_1: I will see you again in four weeks.'],
    [
      'Medication changes not discussed.',
      'clinician: Let us keep the sertraline at one hundred milligrams, and add trazodone fifty milligrams.',
    ],
    ['Medication changes not discussed.', "speaker_2: We'll increase your dose."],
    ['Medication changes not discussed.', "speaker_2: I'd like to increase the Zoloft to 100 mg."],
  ])('%j is not borne out by %j', (text, spoken) => expect(isSupported(text, spoken)).toBe(false))

  it.each([
    ['Plan not discussed.', 'client: We meet again next Wednesday, my sister and I.'],
    ['Medication changes not discussed.', 'client: I take fifty milligrams of sertraline.'],
    ['Medication changes not discussed.', 'clinician: Let us add a walk in the morning.'],
  ])('%j stands beside %j', (text, spoken) => expect(isSupported(text, spoken)).toBe(true))
})

describe('a "not"', () => {
  const said = talk(`
    clinician: How much time are you spending on washing now?
    client: An hour. I don't know, I haven't even cleaned the kitchen. It's just so sad.
    clinician: Have you had any thoughts of not wanting to be alive?
    client: No, never.
    clinician: And how much do you sleep?
    client: I feel like I haven't slept.
    clinician: Use the time out at a four, not at a nine.
    clinician: Any thoughts of not wanting to be here?
    client: Yeah. At night.
    clinician: So no thoughts of suicide?
    client: No.
  `)
  const isSupported = (text: string, ...transcriptItems: number[]): boolean =>
    checkEvidence({ text, transcriptItems }, said).isSupported

  it.each([
    ['Asked how much time they are spending on washing now: an hour.', [0, 1]],
    ['Client denied thoughts of not wanting to be alive.', [2, 3]],
    ['Client endorsed thoughts of not wanting to be here.', [7, 8]],
    ['Client denied thoughts of suicide.', [9, 10]],
    ['Client to use the time out at a four, not at a nine.', [6]],
    ['Client reports it is so sad.', [1]],
  ])('that was said stands: %s', (text, items) => {
    expect(isSupported(text, ...items)).toBe(true)
  })

  it.each([
    ['Asked how much time they are not spending on washing now: an hour.', [0, 1]],
    ['Client denied thoughts of wanting to be alive.', [2, 3]],
    ['Client endorsed thoughts of wanting to be here.', [7, 8]],
    ['Client reports they have even cleaned the kitchen.', [1]],
    ['Client reports it is not so sad.', [1]],
    ['Client reports they feel like they have slept.', [4, 5]],
    ['Client to use the time out at a four, at a nine.', [6]],
  ])('that was lost or put in is found: %s', (text, items) => {
    expect(isSupported(text, ...items)).toBe(false)
  })
})

describe('a section', () => {
  const draft = {
    key: 'plan',
    layout: 'bullets' as const,
    sentences: [
      { text: 'Plan to raise the sertraline to one hundred milligrams.', transcriptItems: [7] },
      { text: 'Client will see a cardiologist.', transcriptItems: [7] },
    ],
  }

  it('keeps what is not supported, and marks it', () => {
    const section = toNoteSection(draft, 'Plan', transcript)
    expect(section.content).toBe(
      '- Plan to raise the sertraline to one hundred milligrams.\n- Client will see a cardiologist.',
    )
    expect(section.evidence.map(({ supported }) => supported)).toEqual([true, false])
  })

  it('is checked again after somebody edited it', () => {
    const section = toNoteSection(draft, 'Plan', transcript)
    const edited = {
      ...section,
      content:
        '- Plan to raise the sertraline to one hundred milligrams.\n- Client reports not wanting to see people.\n- Client owns a boat.',
    }
    const [again] = recheckNote({ sections: [edited], transcript, given: [] }, () => true)
    expect(again?.evidence).toEqual([
      {
        sentence: 'Plan to raise the sertraline to one hundred milligrams.',
        transcriptItems: [7],
        supported: true,
      },
      { sentence: 'Client reports not wanting to see people.', transcriptItems: [8], supported: true },
      { sentence: 'Client owns a boat.', transcriptItems: [], supported: false },
    ])
  })

  it('that is being checked for too long keeps what it had, and looks for nothing more', () => {
    const section = toNoteSection(draft, 'Plan', transcript)
    const longer = { ...section, content: `${section.content}\n- Client reports not wanting to see people.` }
    const [again] = recheckNote({ sections: [longer], transcript, given: [] }, () => false)
    expect(again?.evidence.slice(0, -1)).toEqual(section.evidence)
    expect(again?.evidence.at(-1)).toEqual({
      sentence: 'Client reports not wanting to see people.',
      transcriptItems: [],
      supported: false,
    })
  })

  it('is checked in a thread as it would be here', async () => {
    const section = toNoteSection(draft, 'Plan', transcript)
    const request = {
      sections: [{ ...section, content: `${section.content}\n- Client owns a boat.` }],
      transcript,
      given: [],
    }
    const checker = makeNoteChecker()
    expect(await checker.recheck(request)).toEqual(recheckNote(request, () => true))
    await checker.close()
  })
})

describe('a name that the clinician gave', () => {
  const said = talk('clinician: Let us look at the evidence for that thought.\nclient: Okay.')
  const check = (text: string, given: string[]) =>
    checkEvidence({ text, transcriptItems: [0, 1] }, said, given).isSupported

  it('needs no evidence in what the clinician did', () => {
    const text = 'Clinician proposed looking at the evidence for that thought (Cognitive Behavioral Therapy).'
    expect(check(text, ['Cognitive Behavioral Therapy'])).toBe(true)
    expect(check(text, [])).toBe(false)
  })

  it('needs evidence in what the client is said to have said', () => {
    expect(
      check('Client reported okay about Cognitive Behavioral Therapy.', ['Cognitive Behavioral Therapy']),
    ).toBe(false)
  })
})
