import type { NoteSection } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { makeKnownKeeper, recheckNote } from '../../../src/engines/checker/recheck-note.js'
import type { Finding } from '../../../src/engines/reader/reading.js'
import { danger, medicine, score } from '../ledger/findings.js'
import { readingOf, section, talk } from './talk.js'

type Evidence = NoteSection['evidence'][number]

const lines = `
  clinician: How is your sleep?
  client: I wake at four and stare at the bedroom ceiling until morning.
  clinician: Any thoughts of suicide?
  client: Yes, at night.
`

const recheck = (before: NoteSection, content: string, ...findings: Finding[]): Evidence[] =>
  recheckNote({
    noteType: 'soap',
    sections: [{ ...before, content }],
    transcript: talk(lines),
    reading: readingOf(...findings),
  }).sections[0]?.evidence ?? []

const short = (evidence: readonly Evidence[]): unknown[] =>
  evidence.map(({ sentence, judgement, reason, transcriptItems }) => [
    sentence,
    judgement,
    reason,
    transcriptItems,
  ])

describe('a name that is kept out of the note', () => {
  const named = talk('client: I will kill Rosalind tomorrow.')
  const finding = danger({
    items: [0],
    words: 'I will kill Rosalind tomorrow.',
    matter: 'harm_to_others',
    element: 'threat',
  })
  const reviewOf = (content: string) =>
    recheckNote({
      noteType: 'soap',
      sections: [{ ...section(), content }],
      transcript: named,
      reading: readingOf(finding),
      names: ['Rosalind'],
    }).ledger.review.map(({ words }) => words)

  it('is missed by no later comparison, whether the note has it or not, and stands in no list', () => {
    expect(reviewOf('Client said: "I will kill R tomorrow."')).toEqual([])
    expect(reviewOf('Client said: "I will kill Rosalind tomorrow."')).toEqual([])
    expect(reviewOf('Client slept.')).toEqual(['I will kill R tomorrow.'])
  })
})

describe('what stayed', () => {
  const quote = 'Client (0:05): "I slept. Not well. At all."'
  const before = section(
    { sentence: 'Client sleeps badly.', transcriptItems: [1], judgement: 'verified' },
    { sentence: quote, transcriptItems: [1], judgement: 'exact_checks_only' },
    {
      sentence: 'Client wakes at 5.',
      transcriptItems: [1],
      judgement: 'refused',
      supported: false,
      reason: 'number',
    },
  )

  it('keeps items, judgement and reason, wherever it stands now', () => {
    const content = `- Client wakes at 5.\n- ${quote}\n\nMother called today. Client sleeps badly.`
    expect(short(recheck(before, content))).toEqual([
      ['Client wakes at 5.', 'refused', 'number', [1]],
      [quote, 'exact_checks_only', null, [1]],
      ['Mother called today.', 'clinicians_words', null, []],
      ['Client sleeps badly.', 'verified', null, [1]],
    ])
  })

  it('is found by its text: inside another sentence it is another', () => {
    const changed = 'Client wakes at 5. Not so: Client sleeps badly at times.'
    expect(short(recheck(before, changed)).map((row) => (row as string[])[1])).toEqual([
      'refused',
      'clinicians_words',
    ])
  })

  it('gives evidence of an earlier version a judgement', () => {
    const old = [
      { sentence: 'Client sleeps badly.', transcriptItems: [1], supported: true },
      { sentence: 'Client eats well.', transcriptItems: [1], supported: false },
    ] as unknown as Evidence[]
    const evidence = recheck({ ...before, evidence: old }, 'Client sleeps badly. Client eats well.')
    expect(short(evidence)).toEqual([
      ['Client sleeps badly.', 'exact_checks_only', null, [1]],
      ['Client eats well.', 'refused', 'not_said', [1]],
    ])
  })
})

describe('what is new', () => {
  const empty = section()

  it('is the clinician’s, with the items that plainly bear it out', () => {
    expect(
      short(recheck(empty, 'Client stares at the bedroom ceiling until morning. We called her sister.')),
    ).toEqual([
      ['Client stares at the bedroom ceiling until morning.', 'clinicians_words', null, [1]],
      ['We called her sister.', 'clinicians_words', null, []],
    ])
  })

  const suicidal = danger({ items: [2, 3] })
  const lithium = medicine({ name: 'lithium', said: 'lithium', dose: null, use: 'twice a day' })
  const pressure = score({
    name: 'blood pressure',
    value: '128/82',
    words: 'One twenty-eight over eighty-two.',
  })
  const weight = score({ name: 'weight', value: '182', words: 'You are at 182 pounds.' })
  const rows: [sentence: string, findings: Finding[], reason: string | null][] = [
    ['Client denies suicidal ideation.', [suicidal], 'contradicted'],
    ['Client denies suicidal ideation.', [suicidal, danger({ id: 'b', standing: 'denied' })], null],
    ['Client denies suicidal ideation.', [danger({ certainty: 'suspected' })], null],
    ['No weapons in the home.', [danger({ matter: 'harm_to_others', element: 'means' })], 'contradicted'],
    ['Client reports suicidal ideation.', [danger({ standing: 'denied' })], 'contradicted'],
    ['Client denies any suicide attempt.', [danger({ element: 'attempt', time: 'past' })], 'contradicted'],
    ['Client denies any suicide attempt since.', [danger({ element: 'attempt', time: 'past' })], null],
    ['Takes sertraline 100 mg.', [medicine({ dose: '50 mg' })], 'dose'],
    ['Takes sertraline 50 mg.', [medicine({ dose: '50 mg' })], null],
    ['Increase sertraline to 100 mg next month.', [medicine({ dose: '50 mg' })], null],
    ['PHQ-9 was 18.', [score()], 'number'],
    ['PHQ-9 was 14.', [score()], null],
    ['PHQ-9 was 18 at the last visit.', [score()], null],
    ['Takes lithium three times a day.', [lithium], 'number'],
    ['Takes lithium 3x daily.', [lithium], 'number'],
    ['Takes lithium twice daily.', [lithium], null],
    ['Takes lithium b.i.d.', [lithium], null],
    ['Lithium is raised to three times a day.', [lithium], null],
    ['Takes lithium and lorazepam three times a day.', [lithium], null],
    ['Walks three times a day.', [lithium], null],
    ['BP 150/95.', [pressure], 'number'],
    ['BP 128/82 today.', [pressure], null],
    ['BP was 150/95 at the last visit.', [pressure], null],
    ['Weight 190 lb.', [weight], 'number'],
    ['Weight 182 lb.', [weight], null],
    ['Weight 83 kg.', [weight], null],
    ['Weight is down 5 lb.', [weight], null],
    ['Mood was low.', [suicidal, medicine({ dose: '50 mg' }), score()], null],
  ]
  it.each(rows)('%s with %o', (sentence, findings, reason) => {
    const [entry] = recheck(empty, sentence, ...findings)
    expect(entry).toMatchObject({
      supported: reason === null,
      judgement: reason === null ? 'clinicians_words' : 'refused',
      reason,
    })
  })

  it('that denies what was affirmed is a contradiction in the list, though it cites nothing', () => {
    const { ledger } = recheckNote({
      noteType: 'soap',
      sections: [{ ...empty, content: 'Client denies suicidal ideation.' }],
      transcript: talk(lines),
      reading: readingOf({ ...suicidal, words: 'Yes, at night.' }),
    })
    expect(ledger.review.map(({ reason }) => reason)).toEqual(['contradicted'])
    expect(ledger.entries[0]?.sentence).toBe('Client denies suicidal ideation.')
  })

  it('is theirs where the session was never read', () => {
    const { sections, ledger } = recheckNote({
      noteType: 'soap',
      sections: [{ ...empty, content: 'Client denies suicidal ideation.' }],
      transcript: talk(lines),
      reading: null,
    })
    expect(sections[0]?.evidence[0]?.judgement).toBe('clinicians_words')
    expect(ledger).toEqual({ entries: [], review: [] })
  })
})

it('without a thread keeps what stayed and takes new lines as they are', () => {
  const before = section({ sentence: 'Client sleeps badly.', transcriptItems: [1] })
  const kept = makeKnownKeeper()({ ...before, content: 'Client sleeps badly. She eats. Well.\n- And walks.' })
  expect(short(kept.evidence)).toEqual([
    ['Client sleeps badly.', 'verified', null, [1]],
    ['She eats. Well.', 'clinicians_words', null, []],
    ['And walks.', 'clinicians_words', null, []],
  ])
})
