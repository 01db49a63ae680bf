import { describe, expect, it } from 'vitest'
import { isTooMuchJson } from '../../src/http/count-json.js'

const judge = (text: string): boolean => isTooMuchJson(Buffer.from(text))

describe('a body is not parsed', () => {
  it.each([
    ['with as many levels', '['.repeat(100_001)],
    ['with more values than a note can have', `[${'0,'.repeat(100_001)}0]`],
    ['with as many empty lists', `[${'[],'.repeat(60_000)}0]`],
  ])('%s', (_what, text) => expect(judge(text)).toBe(true))
})

describe('a body is parsed', () => {
  it.each([
    ['with few values, however deep', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['with brackets and commas in its texts', JSON.stringify({ content: '[,{'.repeat(300_000) })],
    ['with quotes and backslashes before them', JSON.stringify({ content: '\\",['.repeat(100_000) })],
    ['that ends within a text', `{"content":"${'['.repeat(200)}`],
    ['that is no JSON', ']]]]'],
  ])('%s', (_what, text) => expect(judge(text)).toBe(false))
})
