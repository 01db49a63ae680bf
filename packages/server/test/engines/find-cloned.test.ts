import { describe, expect, it } from 'vitest'
import { findCloned } from '../../src/engines/signing/find-cloned.js'
import { readForSigning } from '../../src/engines/signing/read-for-signing.js'
import { expectLinear } from '../support/measure-growth.js'

const sectionOf = (content: string, key = 'plan') => ({ key, title: 'Plan', content })
const cloned = (now: string, before: string) => findCloned([sectionOf(now)], [sectionOf(before)])

const old =
  'Client described three panic attacks on the underground since the last appointment. Client will practise slow breathing twice a day before work.'
const fresh = 'Client rode the underground to work on Tuesday with her sister and stayed calm throughout.'

describe('text cloned from the last note', () => {
  it('is named sentence by sentence, with its share of the words that count', () => {
    const sentence = 'Client will practise slow breathing twice a day before work.'
    const found = cloned(`${fresh} ${sentence}`, old)
    expect(found.sentences).toEqual([{ sectionKey: 'plan', sentence }])
    expect(found.share).toBeCloseTo(10 / 25)
    expect(cloned(old, old).share).toBe(1)
    expect(cloned(fresh, old)).toEqual({ share: 0, sentences: [] })
  })

  it('is known in other letters and with a word changed, not with half of the words changed', () => {
    const changed =
      'CLIENT described four panic attacks on the underground, since the last appointment in the clinic today.'
    expect(cloned(changed.replace('four', 'three'), old).sentences).toHaveLength(1)
    const other = 'Client described three panic attacks at home that began after a quarrel with her brother.'
    expect(cloned(other, old).sentences).toEqual([])
  })

  it('is known wherever it stands: in another section, in another order', () => {
    const [first = '', second = ''] = old.split(/(?<=\.) /)
    const found = findCloned([sectionOf(second, 'data'), sectionOf(first, 'assessment')], [sectionOf(old)])
    expect(found.sentences.map(({ sectionKey }) => sectionKey)).toEqual(['data', 'assessment'])
  })

  it('leaves short stock sentences and an earlier note without text uncounted', () => {
    expect(
      cloned('Client was on time. No risk was reported.', 'Client was on time. No risk was reported.'),
    ).toEqual({
      share: 0,
      sentences: [],
    })
    expect(findCloned([sectionOf(old)], [])).toEqual({ share: 0, sentences: [] })
  })

  it('takes time that grows with the text alone, however alike its words are', () => {
    const prepare = (length: number) => {
      const text = 'again and again the same words come '.repeat(length / 36)
      return () => void cloned(text, text)
    }
    expectLinear(prepare, 2_000_000)
  })
})

describe('what a text says about itself before it is signed', () => {
  it('names sections without a letter or figure, and sentences that were refused', () => {
    const evidence = [
      {
        sentence: 'Takes 50 mg.',
        transcriptItems: [3],
        supported: false,
        judgement: 'refused' as const,
        reason: 'dose' as const,
      },
      {
        sentence: 'Slept well.',
        transcriptItems: [1],
        supported: true,
        judgement: 'verified' as const,
        reason: null,
      },
    ]
    const sections = [
      { key: 'data', title: 'Data', content: 'Takes 50 mg. Slept well.', evidence },
      { key: 'assessment', title: 'Assessment', content: ' –\n', evidence: [] },
      { key: 'plan', title: 'Plan', content: '', evidence: [] },
    ]
    const { emptySections, unsupported } = readForSigning({ sections, earlier: null })
    expect(emptySections).toEqual({
      entries: [{ sectionKey: 'assessment' }, { sectionKey: 'plan' }],
      total: 2,
    })
    expect(unsupported).toEqual({
      entries: [{ sectionKey: 'data', sentence: 'Takes 50 mg.', transcriptItems: [3] }],
      total: 1,
    })
  })

  it('lists fifty of a kind at most, and counts all', () => {
    const sections = Array.from({ length: 70 }, (_, index) => ({
      key: `s${index}`,
      title: '',
      content: '',
      evidence: [],
    }))
    const { emptySections } = readForSigning({ sections, earlier: null })
    expect([emptySections.entries.length, emptySections.total]).toEqual([50, 70])
  })
})
