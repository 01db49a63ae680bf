import { describe, expect, it } from 'vitest'
import { isTooMuchJson } from '../../src/http/count-json.js'

const judge = (text: string): boolean => isTooMuchJson(Buffer.from(text))

const objectOf = (names: readonly string[]): string => `{${names.map((name) => `"${name}":1`).join(',')}}`
const count = (length: number): number[] => Array.from({ length }, (_, at) => at)

/** Ten names of few, in another order each time: each object is of another kind than all before it. */
const shuffled = (at: number): string[] => {
  const names = count(10).map((name) => `field${name}`)
  let chance = at + 1
  return count(10).map(() => {
    // As Park and Miller draw them.
    chance = (chance * 48_271) % 2_147_483_647
    return names.splice(chance % names.length, 1)[0] ?? ''
  })
}

describe('a body is not parsed', () => {
  it.each([
    ['with as many levels', '['.repeat(100_001)],
    ['with more values than a note can have', `[${'0,'.repeat(100_001)}0]`],
    ['with as many empty lists', `[${'[],'.repeat(60_000)}0]`],
    ['of names alone', objectOf(count(60_000).map((at) => `k${at}`))],
    [
      'of objects with a name of their own',
      `[${count(6_000)
        .map((at) => objectOf([`k${at}`]))
        .join(',')}]`,
    ],
    [
      'of objects whose few names are shuffled',
      `[${count(8_900)
        .map((at) => objectOf(shuffled(at)))
        .join(', \n')}]`,
    ],
  ])('%s', (_what, text) => expect(judge(text)).toBe(true))
})

describe('a body is parsed', () => {
  it.each([
    ['with few values, however deep', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['with brackets and commas in its texts', JSON.stringify({ content: '[,{'.repeat(300_000) })],
    ['with quotes and backslashes before them', JSON.stringify({ content: '\\",['.repeat(100_000) })],
    ['that ends within a text', `{"content":"${'['.repeat(200)}`],
    ['that is no JSON', ']]]]'],
    ['of as many objects alike', `[${`${objectOf(count(9).map((at) => `field${at}`))},`.repeat(9_000)}0]`],
    ['with a map of more names than we know of', objectOf(count(4_000).map((at) => `speaker_${at}`))],
    ['of texts that look like names', `["a:",${'"b : c",'.repeat(40_000)}0]`],
  ])('%s', (_what, text) => expect(judge(text)).toBe(false))
})
