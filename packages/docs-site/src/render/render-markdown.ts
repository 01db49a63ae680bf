import { Marked, type Token, type Tokens } from 'marked'
import { renderCode, renderSnippet } from './code.js'
import { escapeHtml } from './html.js'
import type { Heading, PageContent, Section } from './page.js'
import { toSlug } from './slug.js'
import { readSnippet, type Snippet } from './snippets.js'

export type { Token, Tokens } from 'marked'

/** Where a link of a guide leads on the site; null: to nothing that the site has. */
export type ResolveLink = (href: string) => string | null

export const readTokens = (markdown: string): Token[] => new Marked().lexer(markdown)

export function listSnippets(markdown: string): Snippet[] {
  const tokens = readTokens(markdown)
  return tokens.flatMap((_, index) => readSnippet(tokens, index)?.snippet ?? [])
}

/** A guide as a page. Markup in it is shown as text; comments are not shown. */
export function renderMarkdown(markdown: string, resolveLink: ResolveLink): PageContent {
  const tokens = readTokens(markdown)
  const anchors = new Set<string>()
  const headings: Heading[] = []
  const sections: Section[] = []
  const marked = makeRenderer(resolveLink)
  let html = ''
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token
    if (token.type === 'heading') {
      const heading = readHeading(token as Tokens.Heading, anchors)
      sections.push({ heading: heading.text, anchor: heading.level === 1 ? null : heading.anchor, text: '' })
      if (heading.level > 1) headings.push(heading)
      html += renderHeading(heading, marked.parseInline((token as Tokens.Heading).text) as string)
      continue
    }
    const taken = readSnippet(tokens, index)
    const section = sections.at(-1)
    if (taken !== null) {
      html += renderSnippet(taken.snippet.name.replaceAll('-', ' '), taken.snippet.code).text
      if (section !== undefined) section.text += ` ${taken.snippet.code.sh}`
      index += taken.count - 1
      continue
    }
    html += marked.parser([token])
    if (section !== undefined) section.text += ` ${plainText(token)}`
  }
  const title = sections[0]?.heading ?? ''
  return { title, html, headings, sections }
}

function readHeading({ depth, tokens }: Tokens.Heading, taken: Set<string>): Heading {
  const text = tokens.map(plainText).join('').trim()
  const slug = toSlug(text)
  let anchor = slug
  for (let count = 1; taken.has(anchor); count += 1) anchor = `${slug}-${count}`
  taken.add(anchor)
  return { level: depth, text, anchor }
}

export function renderHeading({ level, text, anchor }: Heading, inline: string): string {
  if (level === 1) return `<h1>${inline}</h1>\n`
  const link = `<a class="anchor" href="#${anchor}" aria-label="Link to ${escapeHtml(text)}">#</a>`
  return `<h${level} id="${anchor}">${inline} ${link}</h${level}>\n`
}

function makeRenderer(resolveLink: ResolveLink): Marked {
  let tables = 0
  return new Marked({
    renderer: {
      code: ({ text, lang }) => `${renderCode(`Example${lang ? `, ${lang}` : ''}`, text).text}\n`,
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escapeHtml(text)),
      image: ({ text }) => escapeHtml(text),
      // To be ticked on paper: a form field would need a name and keep nothing.
      checkbox: () => '<span class="box">☐</span> ',
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = resolveLink(href)
        return target === null ? text : `<a href="${escapeHtml(target)}">${text}</a>`
      },
      table({ header, rows }) {
        tables += 1
        const row = (cells: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const head = row(header, 'th').replaceAll('<th></th>', '<td></td>')
        // Wide ones scroll sideways, so they must be reachable by keyboard and have a name.
        return (
          `<div class="table" tabindex="0" role="group" aria-label="Table ${tables}"><table>` +
          `<thead>${head}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>\n`
        )
      },
    },
  })
}

/** What a reader reads of it, for search. */
function plainText(token: Token): string {
  if (token.type === 'html') return ''
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows]
      .flat()
      .map(({ tokens }) => `${tokens.map(plainText).join('')} `)
      .join('')
  }
  if (token.type === 'list') return (token as Tokens.List).items.map((item) => `${plainText(item)} `).join('')
  const { tokens, text, raw } = token as { tokens?: Token[]; text?: string; raw: string }
  return tokens === undefined ? (text ?? raw) : tokens.map(plainText).join('')
}
