import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerReader } from '../../../src/engines/models/openai/answer-reader.js'

function read(pieces: readonly string[]): string {
  const reader = new AnswerReader()
  return pieces.map((piece) => reader.feed(piece)).join('') + reader.end()
}

const json = '{"a":["}",{"b":"\\"]}"}],"c":"```"}'

const wrapped: Record<string, string> = {
  'nothing around it': json,
  'a thought': `<think>Let me see: {"a":1}</think>\n\n${json}`,
  'an empty thought': `<think>\n\n</think>\n${json}`,
  'a thought whose opening tag the server keeps': `Okay, so {"a":1} would be\nwrong.</think>${json}`,
  'a tag that is never closed, and the answer at once': `<think>\n${json}`,
  'a fence': `\`\`\`json\n${json}\n\`\`\``,
  'a fence without a language': `\`\`\`\n${json}\n\`\`\`\n`,
  'a thought and a fence': `<think>hm</think>\n\`\`\`json\n${json}\n\`\`\``,
  'sentences before and after': `Here it is:\n\`\`\`json\n${json}\n\`\`\`\nI hope {this} helps.`,
}

describe('an answer is read past', () => {
  for (const [name, text] of Object.entries(wrapped)) {
    it(name, () => {
      expect(read([text])).toBe(json)
      expect(read(text.split(''))).toBe(json)
      fc.assert(
        fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
          const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
          expect(read(at.slice(1).map((end, index) => text.slice(at[index], end)))).toBe(json)
        }),
      )
    })
  }

  it('gives out an object while it is written, not at its end', () => {
    const reader = new AnswerReader()
    expect(reader.feed('<think>a')).toBe('')
    expect(reader.feed('b</think> {"a"')).toBe('{"a"')
    expect(reader.feed(':1')).toBe(':1')
    expect(reader.feed('} and more')).toBe('}')
    expect(reader.end()).toBe('')
  })

  it('a thought that is never closed is no answer', () => {
    expect(read(['<think>I wonder what {"a":1} is'])).toBe('')
  })

  it('what holds no object is given out as it is', () => {
    expect(read(['I cannot ', 'do this.'])).toBe('I cannot do this.')
    expect(read(['<thi'])).toBe('<thi')
  })

  it('a thought without end is broken off, and reading it stays linear', () => {
    const reader = new AnswerReader()
    const startedAt = performance.now()
    expect(() => {
      for (let count = 0; count < 300_000; count += 1) reader.feed(count === 0 ? '<think>x' : '<')
    }).toThrow('longer than is waited for')
    // A search from the start for each piece would take minutes.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  it('no text makes it fail', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('<think>', '</think>', '```', '{', '}', '"'))),
        (pieces) => {
          expect(typeof read(pieces)).toBe('string')
        },
      ),
    )
  })
})
