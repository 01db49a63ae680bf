import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFindings } from '../../../src/engines/reader/read-findings.js'
import { TOPICS, type TopicScores } from '../../../src/engines/reader/reading.js'
import { readTalk } from '../../../src/engines/reader/talk/read-talk.js'

/** Words that the rules look for, in any order: what nobody says must not break them either. */
const vocabulary =
  'I you he my mother not never no yeah maybe kill myself suicide gun pills overdose voices tell me hit him hurt yourself sertraline Zoloft fifty 100 mg milligrams from to half a at night stop start allergic penicillin hives PHQ-9 blood pressure over eighty out of ten see you in two weeks if when I was nineteen . , ? ! … – "'.split(
    ' ',
  )
const said = fc.array(fc.constantFrom(...vocabulary), { maxLength: 40 }).map((words) => words.join(' '))
const item = fc.record({
  speaker: fc.constantFrom('clinician', 'client', 'speaker_1'),
  transcript: fc.oneof(said, fc.string({ unit: 'grapheme', maxLength: 80 })),
})
const scores: fc.Arbitrary<TopicScores> = fc.dictionary(
  fc.constantFrom(...TOPICS),
  fc.integer({ min: 2, max: 100 }).map((percent) => percent / 100),
  { maxKeys: 5 },
)
const talk = fc.array(fc.tuple(item, scores), { maxLength: 14 })

describe('findings', () => {
  it('name items of the talk in order, and words that stand in one of them; the same each time', () => {
    fc.assert(
      fc.property(talk, (rows) => {
        const items = rows.map(([one]) => one)
        const topics = rows.map(([, one]) => one)
        const turns = readTalk(items)
        const { findings, questionOf } = readFindings(turns, topics)
        for (const finding of findings) {
          expect(finding.items.length).toBeGreaterThan(0)
          expect(finding.items).toEqual([...new Set(finding.items)].toSorted((a, b) => a - b))
          expect(finding.items.every((at) => at >= 0 && at < items.length)).toBe(true)
          expect(finding.items.some((at) => items[at]?.transcript.includes(finding.words))).toBe(true)
          if (finding.kind === 'danger' && finding.questionItem !== null)
            expect(finding.items).toContain(finding.questionItem)
        }
        for (const [answer, question] of Object.entries(questionOf))
          expect(question).toBeLessThan(Number(answer))
        expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length)
        expect(readFindings(turns, topics)).toEqual({ findings, questionOf })
      }),
      { numRuns: 400 },
    )
  })

  it('of no talk are none', () => {
    expect(readFindings([], [])).toEqual({ findings: [], questionOf: {} })
  })

  // What a rule that goes back over its text would need minutes for, in one item.
  it.each([
    'no ',
    'I ',
    'a',
    'fifty ',
    'one hundred and ',
    'sertraline fifty milligrams ',
    'he just really always ',
    'wish not be here ',
    '. ',
    'do you? ',
    'took a the my whole all of ',
    'from 50 to 100 to ',
  ])('of %j without end come in a time that grows with its length', (word) => {
    const full = Object.fromEntries(TOPICS.map((topic) => [topic, 0.9])) as TopicScores
    const read = (characters: number) => {
      const transcript = word.repeat(characters / word.length)
      const start = performance.now()
      readFindings(readTalk([{ speaker: 'client', transcript }]), [full])
      return performance.now() - start
    }
    read(2000)
    const [short, long] = [read(16_000), read(128_000)]
    expect(long).toBeLessThan(200 + 30 * short)
  })
})
