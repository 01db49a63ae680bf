import { JUDGEMENTS, REFUSAL_REASONS } from '@casenote/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitBlocks, splitEvidence } from '../../../../src/frame/ui/note/split-evidence.js'
import { someText } from './some-text.js'

describe('a section with its evidence', () => {
  const someEvidence = fc.array(
    fc.record({
      sentence: someText,
      transcriptItems: fc.array(fc.nat(20)),
      supported: fc.boolean(),
      judgement: fc.constantFrom(...JUDGEMENTS),
      reason: fc.constantFrom(null, ...REFUSAL_REASONS),
    }),
  )
  /** With the beginnings of list items, some of them within sentences. */
  const someList = fc
    .array(fc.constantFrom('client ', 'slept', ' well.', '\n', '\n- ', '- ', '\n12. ', ' • '), {
      maxLength: 30,
    })
    .map((words) => words.join(''))

  it('shows its content whole, whatever the evidence says', () => {
    fc.assert(
      fc.property(someText, someEvidence, (content, evidence) => {
        expect(
          splitEvidence(content, evidence)
            .map(({ text }) => text)
            .join(''),
        ).toBe(content)
      }),
    )
  })

  it('loses nothing to its lists but their marks', () => {
    fc.assert(
      fc.property(someList, someEvidence, (content, evidence) => {
        const lines = splitBlocks(splitEvidence(content, evidence)).flatMap(({ lines: some }) =>
          some.map(({ marker, parts }) => `${marker}${parts.map(({ text }) => text).join('')}`),
        )
        expect(lines.join('\n')).toBe(content)
      }),
    )
  })

  const blocksOf = (content: string, sentences: string[]): string[][] => {
    const answered = { supported: true, judgement: 'verified', reason: null, transcriptItems: [1] } as const
    const parts = splitEvidence(
      content,
      sentences.map((sentence) => ({ ...answered, transcriptItems: [1], sentence })),
    )
    return splitBlocks(parts).map(({ kind, lines }) => [
      kind,
      ...lines.map((line) => line.parts.map(({ text }) => text).join('')),
    ])
  }

  it('has a list where lines begin with a dash, and text around it', () => {
    expect(blocksOf('Plan:\n- Walk. Daily.\n- Sleep.\nThen see.', ['Walk.', 'Sleep.'])).toEqual([
      ['text', 'Plan:'],
      ['bullets', 'Walk. Daily.', 'Sleep.'],
      ['text', 'Then see.'],
    ])
  })

  it('knows the marks that models and people set, also within the checked sentence', () => {
    expect(blocksOf('* Walk.\n• Sleep.\n1. Eat.\n  2) Drink.', ['* Walk.', '1. Eat.'])).toEqual([
      ['bullets', 'Walk.', 'Sleep.'],
      ['numbers', 'Eat.', 'Drink.'],
    ])
  })

  it('takes no dash, number or star for a list that does not begin a line as one', () => {
    const content = 'Slept 7-8 h.\n-5 °C outside\n1988 was hard.\n3.5 mg\n**Plan** follows - later'
    expect(blocksOf(content, [])).toEqual([['text', ...content.split('\n')]])
  })
})
