import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkExactly } from '../../../src/engines/checker/check-exactly.js'
import { recheckNote } from '../../../src/engines/checker/recheck-note.js'
import { splitSentences } from '../../../src/engines/text/split-sentences.js'
import { danger, decision, medicine, score } from '../ledger/findings.js'
import { measureMs } from '../../support/measure-growth.js'
import { readingOf, section } from './talk.js'

/** Pieces that the checks look for, and what breaks them. */
const pieces = [
  ...'client denies suicidal ideation no gun 50 mg sertraline one hundred and a half past ten to 7:30 120/80 "I want to die" … not asked e.g. Dr. ( ) [ ] - • \n . , ; : ? ! % $ “ ” ’ PHQ-9 Client (12:40): "'.split(
    ' ',
  ),
  '\u0000',
  '\uD800',
  '👩‍⚕️',
  'ﬀ',
]
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((words) => words.join(' ')),
)
const reading = readingOf(
  danger({ words: 'I want to die.' }),
  danger({ id: 'b', element: 'means', standing: 'denied', words: 'No.' }),
  medicine({ id: 'c', dose: '50 mg' }),
  score({ id: 'd' }),
  decision({ id: 'e', words: 'See you Tuesday.' }),
)
const transcriptOf = (texts: readonly string[]) =>
  texts.map((transcript, index) => ({
    startTime: index,
    endTime: index + 1,
    speaker: index % 2 === 0 ? 'clinician' : 'client',
    transcript,
  }))

describe('any text', () => {
  it('is checked, rechecked and compared without a throw, one verdict a sentence', () => {
    fc.assert(
      fc.property(
        fc.array(anyText, { maxLength: 6 }),
        fc.array(anyText, { maxLength: 4 }),
        fc.array(fc.integer({ min: -2, max: 8 }), { maxLength: 4 }),
        (said, written, items) => {
          const sentences = written.map((text) => ({ text, transcriptItems: items }))
          const verdicts = checkExactly({
            sections: [{ key: 'a', layout: 'bullets', sentences }],
            transcript: transcriptOf(said),
            reading,
          })
          expect(verdicts.map((row) => row.length)).toEqual([written.length])
          const { ledger } = recheckNote({
            noteType: 'soap',
            sections: [{ ...section(...written), content: written.join('\n') }],
            transcript: transcriptOf(said),
            reading,
          })
          expect(ledger.entries).toHaveLength(reading.findings.length)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('keeps every sentence of a note that nobody changed', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc
            .array(fc.constantFrom('sleep', 'e.g.', '"Not well."', 'Dr. Lee', '4', 'mg'), {
              minLength: 1,
              maxLength: 8,
            })
            .map((words) => `Client ${words.join(' ')}.`),
          { minLength: 1, maxLength: 8 },
        ),
        (sentences) => {
          const before = section(...new Set(sentences))
          const [after] = recheckNote({
            noteType: 'soap',
            sections: [before],
            transcript: [],
            reading,
          }).sections
          expect(after?.evidence).toEqual(before.evidence)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('text made to hold it up', () => {
  const length = 50_000
  const fill = (piece: string): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
  const rows = [
    'a',
    '.',
    '"',
    ' ',
    '\n',
    '1',
    '1 ',
    '1,000',
    'no ',
    'one ',
    'hundred ',
    'ten to ',
    'and a half ',
    'e.g. ',
    '" a. ',
    'gun ',
    'denies suicide ',
    'wish to not ',
    "brother's ",
    'sertraline 50 mg ',
    '(1:00): ',
    "a'",
    'a-',
    '[',
    '...[',
    'asked denies ',
    'urge ',
    'PHQ-9 ',
    'not asked ',
    'Client (1:00): "a. ',
  ]
  /** A second for each on a quiet machine would be slow; what is not linear takes minutes. */
  const eachWithinMs = 6_000
  it.each(rows)('%j', (piece) => {
    const text = fill(piece)
    const transcript = transcriptOf(['Any thoughts of suicide?', text, text])
    const sentences = [text, `Client denies suicide: "${text.slice(0, 500)}" 50 mg`].map((one) => ({
      text: one,
      transcriptItems: [1, 2],
    }))
    const tookMs = measureMs(() => {
      recheckNote({ noteType: 'soap', sections: [{ ...section(), content: text }], transcript, reading })
      checkExactly({ sections: [{ key: 'a', layout: 'paragraph', sentences }], transcript, reading })
    })
    expect(tookMs).toBeLessThan(eachWithinMs)
  })

  it('cuts what once took minutes', () => {
    const text = `${'a'.repeat(24_000)}${'e.g. '.repeat(400)}`
    expect(measureMs(() => splitSentences(text))).toBeLessThan(1_000)
  })
})
