import { describe, expect, it } from 'vitest'
import { findGone } from '../../../src/engines/ledger/find-gone.js'
import { readFindings } from '../../../src/engines/reader/read-findings.js'
import { readTalk } from '../../../src/engines/reader/talk/read-talk.js'
import type { Finding } from '../../../src/engines/reader/reading.js'
import { section, talk } from '../checker/talk.js'
import { allergy, danger, decision, medicine, score } from './findings.js'

const toSections = (sentences: readonly string[]) => [
  section(...sentences.map((sentence) => ({ sentence, transcriptItems: [0, 1] }))),
]
const gone = (findings: Finding[], before: string[], after: string[]) =>
  findGone({
    before: toSections(before),
    after: toSections(after),
    findings,
    transcript: talk('client: Well.'),
  }).map(({ kind, label, words, isContradicted }) => [kind, label === null ? words : label, isContradicted])

describe('what a change of a note took out of it', () => {
  it('names what was said about danger, medicines, allergies and disposition, danger first, and no score', () => {
    const findings = [
      score({ id: 'phq' }),
      decision({ id: 'er', about: 'disposition', words: 'go to the emergency room' }),
      allergy({ id: 'allergy' }),
      medicine({ id: 'med' }),
      danger({ id: 'gun', element: 'means', words: 'I have a handgun at home.' }),
    ]
    const before = [
      'PHQ-9 is 14.',
      'Client goes to the emergency room.',
      'Client is allergic to penicillin.',
      'Client takes sertraline.',
      'Client has a handgun at home.',
    ]
    expect(gone(findings, before, ['Client was well.']).map(([kind]) => kind)).toEqual([
      'danger',
      'medicine',
      'allergy',
      'disposition',
    ])
    expect(gone(findings, before, before)).toEqual([])
  })

  it.each(['gun', 'firearm', 'pistol', 'rifle', 'shotgun', 'handgun', 'revolver', 'Glock', 'box of ammo'])(
    'knows a weapon where the reader knows one: %s',
    (weapon) => {
      const sentence = `Keeps a ${weapon} at his brother's.`
      expect(gone([], [sentence], ['Client was well.'])).toEqual([['weapon', sentence, false]])
      const said = readFindings(readTalk(talk(`client: I keep a ${weapon} at home.`)), []).findings
      expect(said.map(({ kind }) => kind)).toEqual(['danger'])
    },
  )

  it('says where the note now says otherwise', () => {
    const before = ['Client reports suicidal ideation on some nights.']
    expect(gone([danger({})], before, ['Client denies suicidal ideation.'])).toMatchObject([
      ['danger', expect.any(String), true],
    ])
  })

  it('names a sentence that only the clinician knew of, and not one that is said in other words', () => {
    const before = ['Brother keeps the hunting rifle locked at his house.', 'Client likes to walk.']
    expect(gone([], before, ['Client walks.'])).toEqual([['weapon', before[0], false]])
    expect(gone([], before, ['The hunting rifle is locked at the house of the brother.'])).toEqual([])
  })

  it('is not comforted by another sentence about the same matter', () => {
    const before = ['Lithium was stopped by her doctor in May.', 'Continue lithium levels next week.']
    expect(gone([], before, ['Continue lithium levels next week.'])).toEqual([['medicine', before[0], false]])
  })

  it('names a sentence for what nobody spoke of, though the rest of it stays or is named already', () => {
    const rifle = ["Takes sertraline and keeps a rifle at his brother's."]
    expect(gone([medicine({})], rifle, ['Takes sertraline.'])).toEqual([['weapon', rifle[0], false]])
    expect(gone([medicine({})], rifle, ['Client was well.']).map(([kind]) => kind)).toEqual([
      'weapon',
      'medicine',
    ])
    const hotline = ['PHQ-9 is 14; 988 was given.']
    expect(gone([score({})], hotline, ['PHQ-9 is 14.'])).toEqual([['danger', hotline[0], false]])
  })

  it('is silent about a sentence of which every matter is stated in other words, by the ledger', () => {
    const before = ['He has been on Zoloft since his daughter was born last summer.']
    expect(gone([medicine({})], before, ['Takes sertraline.'])).toEqual([])
  })

  it('names at most a hundred', () => {
    const before = Array.from(
      { length: 300 },
      (_, at) => `Rifle number ${at} of street ${at * 7} is locked away.`,
    )
    expect(gone([], before, ['Nothing.'])).toHaveLength(100)
  })
})
