import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countWords } from '../../../src/engines/text/tokenize-words.js'
import type { WrittenNote } from '../../../src/engines/writer/writer-engine.js'
import { danger, extract, tell, type Told } from './extract-talk.js'

const { write } = extract

/** From some 400 words on an extract is shorter than its talk. Each sentence has a word of its own, by which it is found in a note. */
interface Spoken {
  code: string
  words: number
}
const filler = 'was about the green door and the long hallway with the lamp at the end of it'.split(' ')
const own = (at: number): string => `Matter${at}x`
const say = ({ words }: Spoken, at: number): string =>
  `${[own(at), ...Array.from({ length: words - 1 }, (_, word) => filler[word % filler.length])].join(' ')}.`

function talkOf(
  turns: readonly (readonly Spoken[])[],
  speakerOf: (turn: number) => string = () => 'client',
): Told {
  let at = 0
  const lines = turns.map((sentences, turn) => {
    const said = sentences.map((one) => say(one, at++)).join(' ')
    return `${speakerOf(turn)} {${sentences.map(({ code }) => code).join(' ')}}: ${said}`
  })
  return tell(lines.join('\n'))
}

const findOwn = (text: string): number[] => [...text.matchAll(/matter(\d+)x/gi)].map(([, at]) => Number(at))
const quotedIn = (note: WrittenNote): Set<number> => new Set(textsOf(note).flatMap(findOwn))
const quotesOf = (note: WrittenNote): string[] =>
  textsOf(note).flatMap((text) => [...text.matchAll(/“([^”]*)”/g)].map(([, quote = '']) => quote))
const pairsOf = (places: readonly number[]): [number, number][] =>
  places.slice(1).map((next, at) => [places[at] ?? 0, next])
const textsOf = (note: WrittenNote): string[] =>
  note.sections.flatMap(({ sentences }) => sentences.map(({ text }) => text))
const wordsSaid = ({ transcript }: Told): number => wordsOf(transcript.map((item) => item.transcript))
const wordsOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + countWords(text), 0)

/** Of different lengths: of what is worth exactly the same for its words all of it is quoted, or nothing. */
const lengthOf = (turn: number): number => 6 + (turn % 7)

describe('what is quoted of a long talk', () => {
  it('is what is worth most', async () => {
    // Two of each length, one after the other.
    const turns = Array.from({ length: 100 }, (_, turn) => [
      { code: turn % 2 === 0 ? 'R2a' : 'R1a', words: lengthOf(Math.floor(turn / 2)) },
    ])
    const quoted = quotedIn(await write(talkOf(turns)))
    const [key, useful] = [0, 1].map((rest) => [...quoted].filter((at) => at % 2 === rest))
    expect(key?.length).toBeGreaterThan(30)
    expect(useful?.length).toBeLessThan(20)
    for (const at of useful ?? []) expect(quoted).toContain(at - 1)
  })

  it('begins where a quote can begin and ends where it can end, unless that costs too many words', async () => {
    const rest = Array.from({ length: 100 }, (_, turn) => [{ code: 'R2a', words: lengthOf(turn) }])
    const quotedOf = async (...pair: Spoken[]): Promise<number[]> => {
      const quoted = quotedIn(await write(talkOf([pair, ...rest])))
      return [0, 1].filter((at) => quoted.has(at))
    }
    const [few, many] = [3, 60]
    expect(await quotedOf({ code: 'R0a', words: few }, { code: 'R2p', words: few })).toEqual([0, 1])
    expect(await quotedOf({ code: 'R0a', words: many }, { code: 'R2p', words: few })).toEqual([])
    expect(await quotedOf({ code: 'R2j', words: few }, { code: 'R0a', words: few })).toEqual([0, 1])
    expect(await quotedOf({ code: 'R2j', words: few }, { code: 'R0a', words: many })).toEqual([])
  })

  it('is what is worth most for its words', async () => {
    const turns = Array.from({ length: 100 }, (_, turn) => [{ code: 'R2a', words: turn % 4 < 2 ? 5 : 15 }])
    const short = Array.from({ length: 100 }, (_, turn) => turn).filter((turn) => turn % 4 < 2)
    expect([...quotedIn(await write(talkOf(turns)))].toSorted((a, b) => a - b)).toEqual(short)
  })

  it('is, about danger, also what is worth little', async () => {
    const rest = Array.from({ length: 100 }, (_, turn) => [{ code: 'R2a', words: lengthOf(turn) }])
    const words = 'I think about killing myself.'
    const more = `The thought of killing myself comes ${'on the stairs and in the yard and '.repeat(6)}at work.`
    const opened = (code: string): Told => {
      const lines = talkOf(rest).transcript.map((item) => `client {R2a}: ${item.transcript}`)
      lines.splice(4, 0, `client {${code}}: ${more}`)
      return tell(`client {D2a}: ${words}\n${lines.join('\n')}`, [
        danger({ items: [0], words, standing: 'affirmed' }),
      ])
    }
    expect(textsOf(await write(opened('D1a'))).join(' ')).toContain(more)
    expect(textsOf(await write(opened('R1a'))).join(' ')).not.toContain(more)
  })

  it('keeps to the words, also of what has cheap ones', async () => {
    const names =
      'Lithium. Zoloft. Prozac. Lamictal. Abilify. Ativan. Klonopin. Xanax. Buspar. Celexa. Effexor.'
    const told = tell(Array.from({ length: 40 }, () => `client {M2a}: ${names}`).join('\n'))
    expect(wordsOf(quotesOf(await write(told)))).toBeLessThan(shareMost * wordsSaid(told))
  })

  /** Two fifths are chosen; what a quote cannot do without comes to that: up to 0.63 of invented turns that point back at one another. */
  const shareMost = 0.7

  const spoken = fc.record({
    code: fc.constantFrom('R2a', 'R1a', 'R0a', 'R2p', 'R1p', 'R2j', 'N', 'R2n', 'P2a', 'I1a', 'M1a'),
    words: fc.integer({ min: 3, max: 14 }),
  })
  const turns = fc.array(fc.array(spoken, { minLength: 1, maxLength: 4 }), { minLength: 60, maxLength: 80 })

  it('keeps to the words, and passes over nothing that says something', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (given) => {
        const told = talkOf(given, (turn) => (turn % 2 === 0 ? 'clinician' : 'client'))
        const note = await write(told)
        expect(wordsOf(quotesOf(note))).toBeLessThan(shareMost * wordsSaid(told))
        const codes = given.flat().map(({ code }) => code)
        for (const quote of quotesOf(note))
          for (const [before, next] of pairsOf(findOwn(quote)))
            for (const passed of codes.slice(before + 1, next)) expect(['N', 'R2n']).toContain(passed)
      }),
      { numRuns: 60, endOnFailure: true },
    )
  })
})
