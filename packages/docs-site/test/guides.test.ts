import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { guidePages } from '../src/pages.js'
import { listSnippets, readTokens, type Token, type Tokens } from '../src/render/render-markdown.js'
import { readSnippet } from '../src/render/snippets.js'

const root = new URL('../../../', import.meta.url)
const readGuide = (file: string): string => readFileSync(new URL(file, root), 'utf8')

describe('the guides', () => {
  /** Code that somebody will copy, with the comment that stands before it. */
  function listLooseCode(markdown: string): { code: Tokens.Code; before: string }[] {
    const tokens = readTokens(markdown)
    const loose: { code: Tokens.Code; before: string }[] = []
    for (let index = 0; index < tokens.length; index += 1) {
      const snippet = readSnippet(tokens, index)
      if (snippet !== null) index += snippet.count - 1
      else if (tokens[index]?.type === 'code') {
        loose.push({ code: tokens[index] as Tokens.Code, before: findBefore(tokens, index) })
      }
    }
    return loose
  }

  const findBefore = (tokens: readonly Token[], index: number): string =>
    tokens
      .slice(0, index)
      .findLast(({ type }) => type !== 'space')
      ?.raw.trim() ?? ''

  const languages = new Set(['sh', 'bash', 'ts', 'js', 'python'])

  it.for(guidePages)('$file has no code that no test runs', ({ file }) => {
    const notRun = listLooseCode(readGuide(file))
      .filter(({ code }) => languages.has(code.lang ?? ''))
      .filter(({ before }) => {
        const [, test] = /^<!-- (?:run|checked) by (test\/\S+\.test\.ts) -->$/.exec(before) ?? []
        return test === undefined || readGuide(`packages/server/${test}`) === ''
      })
    expect(notRun.map(({ code }) => code.text)).toEqual([])
  })

  it.for(guidePages)('$file has JSON that can be read', ({ file }) => {
    for (const { code } of listLooseCode(readGuide(file))) {
      if (code.lang === 'json') expect(() => JSON.parse(code.text) as unknown).not.toThrow()
    }
  })

  it('have a name for each snippet of a page', () => {
    for (const { file } of guidePages) {
      const names = listSnippets(readGuide(file)).map(({ name }) => name)
      expect([file, new Set(names).size]).toEqual([file, names.length])
    }
  })
})
