import { describe, expect, it } from 'vitest'
import { compareNote, withoutComparison } from '../../../src/engines/ledger/compare-note.js'
import { findDropped } from '../../../src/engines/ledger/find-dropped.js'
import type { Ledger } from '../../../src/engines/ledger/ledger.js'
import type { Finding } from '../../../src/engines/reader/reading.js'
import { section, talk } from '../checker/talk.js'
import { allergy, danger, decision, medicine, score } from './findings.js'

const compare = (findings: Finding[], sentences: string[], items = [0, 1], lines = 'client: Well.'): Ledger =>
  compareNote({
    sections: [section(...sentences.map((sentence) => ({ sentence, transcriptItems: items })))],
    findings,
    transcript: talk(lines),
  })

const stateOf = (finding: Finding, ...sentences: string[]): string =>
  compare([finding], sentences).entries[0]?.state ?? ''

describe('danger', () => {
  const affirmed = danger({ words: 'Some nights I think about killing myself.' })
  const denied = danger({ standing: 'denied', words: 'No.', questionItem: 0 })
  const rows: [finding: Finding, sentence: string, state: string][] = [
    [affirmed, 'Client reports suicidal ideation on some nights.', 'stated'],
    [affirmed, 'Client says "some nights I think about killing myself".', 'stated'],
    [affirmed, 'Client denies suicidal ideation.', 'contradicted'],
    [affirmed, 'Client sleeps badly on some nights.', 'not_written'],
    [affirmed, 'Client has a history of suicidal ideation in 2012.', 'contradicted'],
    [affirmed, 'Client attempted suicide.', 'contradicted'],
    [denied, 'Client denies suicidal ideation when asked.', 'stated'],
    [denied, 'Clinician (0:00): "Any thoughts of suicide?" Client (0:05): "No."', 'stated'],
    [denied, 'Client reports suicidal ideation.', 'contradicted'],
    [danger({ element: 'wish_to_be_dead' }), 'Client has a plan to end their life.', 'contradicted'],
    [danger({ element: 'wish_to_be_dead' }), 'Client endorses a passive wish not to wake up.', 'stated'],
    [danger({ element: 'plan', standing: 'denied' }), 'Client denies any plan or intent.', 'stated'],
    [danger({ time: 'past' }), 'Client reports past suicidal ideation at age 19.', 'stated'],
    [danger({ time: 'past' }), 'Client reports current suicidal ideation.', 'contradicted'],
    [danger({ time: 'past' }), 'Client denies current suicidal ideation.', 'not_written'],
    [danger({ whose: 'other', element: 'attempt' }), "Client's brother died by suicide.", 'stated'],
    [danger({ whose: 'other', element: 'attempt' }), 'Client attempted suicide.', 'contradicted'],
    [
      danger({ standing: 'unclear' }),
      'Asked about suicidal thoughts, client answered "who knows".',
      'stated',
    ],
    [danger({ standing: 'unclear' }), 'Client denies suicidal ideation.', 'not_written'],
    [danger({ element: 'means' }), 'Client has a handgun at home.', 'stated'],
    [danger({ element: 'means' }), 'Client denies having a gun.', 'contradicted'],
    [danger({ matter: 'self_harm', element: 'act' }), 'Client cut their arm on Sunday.', 'stated'],
    [danger({ matter: 'self_harm', element: 'thoughts' }), 'Client had an urge to cut their arm.', 'stated'],
    [
      danger({ matter: 'psychosis', element: 'voices' }),
      'Client hears voices at night and denies commands.',
      'stated',
    ],
    [danger({ matter: 'harm_to_others' }), 'Client denies homicidal ideation.', 'contradicted'],
    [danger({ matter: 'abuse', element: 'violence' }), 'Partner choked client last week.', 'stated'],
    [danger({ certainty: 'suspected' }), 'Client denies suicidal ideation.', 'not_written'],
  ]
  it.each(rows)('%o: %s is %s', (finding, sentence, state) => {
    expect(stateOf(finding, sentence)).toBe(state)
  })

  it('takes no refused sentence for a statement', () => {
    const sections = [
      section({
        sentence: 'Client reports suicidal ideation.',
        transcriptItems: [0],
        supported: false,
        judgement: 'refused',
      }),
    ]
    const { entries } = compareNote({ sections, findings: [affirmed], transcript: [] })
    expect(entries[0]?.state).toBe('not_written')
  })

  it('keeps a first denial and a later yes apart', () => {
    const first = danger({ id: 'first', standing: 'denied', items: [0, 1], words: 'No.' })
    const later = danger({ id: 'later', items: [30, 31], words: 'Yes, at night I think of suicide.' })
    const sections = [
      section(
        { sentence: 'Client first denied suicidal ideation when asked.', transcriptItems: [0, 1] },
        { sentence: 'Client later reported suicidal thoughts at night.', transcriptItems: [30, 31] },
      ),
    ]
    const { entries } = compareNote({ sections, findings: [first, later], transcript: [] })
    expect(entries.map(({ state }) => state)).toEqual(['stated', 'stated'])
  })
})

describe('medicines', () => {
  const rows: [finding: Finding, sentence: string, state: string][] = [
    [medicine(), 'Client takes sertraline.', 'stated'],
    [medicine({ dose: '50 mg' }), 'Client takes Zoloft 50 mg.', 'stated'],
    [medicine({ dose: '50 mg' }), 'Client takes Zoloft.', 'not_written'],
    [medicine({ dose: '50 mg' }), 'Client takes sertraline 100 mg.', 'contradicted'],
    [medicine({ dose: '20' }), 'Client takes sertraline, "twenty".', 'stated'],
    [medicine({ status: 'stopped' }), 'Client takes sertraline.', 'contradicted'],
    [medicine({ status: 'stopped' }), 'Client stopped sertraline in May.', 'stated'],
    [medicine({ name: 'quilfen', said: 'quilfen' }), 'Client takes Quilfen at night.', 'stated'],
    [medicine(), 'Client takes fluoxetine.', 'not_written'],
  ]
  it.each(rows)('%o: %s is %s', (finding, sentence, state) => {
    expect(stateOf(finding, sentence)).toBe(state)
  })

  it('does not call a dose false that was weighed in the talk', () => {
    const lines = 'clinician: The sertraline stays at fifty.\nclient: Okay.\nclinician: Or a hundred, later.'
    const { entries } = compare(
      [medicine({ dose: '50', items: [0] })],
      ['Raising sertraline to 100 mg was considered.'],
      [2],
      lines,
    )
    expect(entries[0]?.state).toBe('not_written')
  })
})

describe('allergies, scores, decisions', () => {
  const rows: [finding: Finding, sentence: string, state: string][] = [
    [allergy(), 'Client is allergic to penicillin, with hives.', 'stated'],
    [allergy(), 'No known drug allergies.', 'contradicted'],
    [allergy({ standing: 'denied', substance: '' }), 'No known drug allergies.', 'stated'],
    [allergy(), 'Client took penicillin once.', 'not_written'],
    [score(), 'PHQ-9 score is 14.', 'stated'],
    [score(), 'PHQ-9 score is 18.', 'contradicted'],
    [score(), 'Client completed a questionnaire.', 'not_written'],
    [score({ name: 'blood pressure', value: '120/80' }), 'BP 120/80.', 'stated'],
    [decision({ words: 'See you Tuesday at four.' }), 'Next session is Tuesday at 4.', 'stated'],
    [
      decision({ standing: 'declined', about: 'referral', words: 'I do not want the group.' }),
      'Client declined the group.',
      'stated',
    ],
    [
      decision({ standing: 'declined', about: 'referral', words: 'I do not want the group.' }),
      'Client will attend the group.',
      'contradicted',
    ],
    [decision({ words: 'See you Tuesday.' }), 'Mood was low.', 'not_written'],
  ]
  it.each(rows)('%o: %s is %s', (finding, sentence, state) => {
    expect(stateOf(finding, sentence)).toBe(state)
  })
})

describe('the review list', () => {
  it('has danger first, in plain words, with its reason', () => {
    const { review } = compare(
      [
        decision({ id: 'd', words: 'See you Tuesday.' }),
        score({ id: 's' }),
        allergy({ id: 'al' }),
        medicine({ id: 'm', dose: '50 mg' }),
        danger({ id: 'x', certainty: 'suspected' }),
        danger({ id: 'y', standing: 'denied', questionItem: 0 }),
        danger({ id: 'z', standing: 'unclear', time: 'past' }),
      ],
      ['Mood was low.'],
    )
    expect(review.map(({ label, reason }) => [label, reason])).toEqual([
      ['Suicidal thoughts: denied when asked', 'not_written'],
      ['Suicidal thoughts: no clear answer, in the past', 'unclear_answer'],
      ['Suicidal thoughts: possibly spoken of', 'suspected'],
      ['Sertraline 50 mg: taken', 'not_written'],
      ['Allergy to penicillin: hives', 'not_written'],
      ['PHQ-9: 14', 'not_written'],
      ['Next appointment', 'not_written'],
    ])
  })

  it('lists a dose without a unit also where it is written', () => {
    const { review } = compare([medicine({ dose: '20' })], ['Client takes sertraline "20".'])
    expect(review.map(({ id, reason }) => [id, reason])).toEqual([['a-unit', 'no_unit']])
  })

  it('is bounded, and without a comparison holds everything', () => {
    const findings = Array.from({ length: 500 }, (_, index) => danger({ id: `d${index}` }))
    const { entries, review } = withoutComparison(findings)
    expect(review).toHaveLength(100)
    expect(entries.every(({ state }) => state === 'not_written')).toBe(true)
  })
})

describe('what an edit dropped', () => {
  it('names danger, medicines, allergies and disposition, and nothing else', () => {
    const findings = [
      danger({ id: 'gun', element: 'means' }),
      medicine({ id: 'med' }),
      score({ id: 'score' }),
      decision({ id: 'er', about: 'disposition', words: 'You go to the emergency room now.' }),
    ]
    const before = compare(findings, [
      'Client has a gun at home.',
      'Client takes sertraline.',
      'PHQ-9 is 14.',
      'Client goes to the emergency room.',
    ])
    const after = compare(findings, ['Client was well.'])
    expect(findDropped(before, after).map(({ finding }) => finding.id)).toEqual(['gun', 'med', 'er'])
    expect(findDropped(before, before)).toEqual([])
    expect(findDropped(before, { entries: [], review: [] })).toHaveLength(3)
  })
})
