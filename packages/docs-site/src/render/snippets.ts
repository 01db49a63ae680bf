import type { Token, Tokens } from 'marked'
import { snippetLanguages, type SnippetCode } from './code.js'

/**
 * A snippet of a guide: `<!-- snippet: name 201 200 -->`, then one fenced block for each language. The numbers are what the
 * service answers, one after the other, the same number several times in a row written once. The snippets of one page
 * are one program in each language: what one names the next may use. The test of the guides runs them.
 */
export interface Snippet {
  name: string
  statuses: number[]
  code: SnippetCode
}

const opening = /^<!-- snippet: ([a-z0-9-]+)((?: \d{3})*) -->\s*$/

/** The snippet that begins with this token, and how many tokens it takes. Null: none does. */
export function readSnippet(
  tokens: readonly Token[],
  index: number,
): { snippet: Snippet; count: number } | null {
  const [, name, statuses = ''] = opening.exec(tokens[index]?.raw ?? '') ?? []
  if (name === undefined) return null
  const code: Record<string, string> = {}
  let next = index + 1
  for (; next < tokens.length; next += 1) {
    const token = tokens[next]
    if (token?.type === 'space') continue
    const { lang = '', text } = token as Tokens.Code
    if (token?.type !== 'code' || !snippetLanguages.some(({ fence }) => fence === lang) || lang in code) break
    code[lang] = text
  }
  for (const { fence } of snippetLanguages) {
    if (code[fence] === undefined) throw new Error(`the snippet ${name} has no block of ${fence}`)
  }
  const snippet = {
    name,
    statuses: statuses.split(' ').filter(Boolean).map(Number),
    code: code as SnippetCode,
  }
  return { snippet, count: next - index }
}
