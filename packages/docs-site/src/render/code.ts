import { escapeHtml, html, type Html } from './html.js'

/** What guides write for the address of the service: it is right on a newcomer's machine, and replaced by the real one. */
export const writtenOrigin = 'http://localhost:8080'

/** The languages of a snippet in the order of their tabs. Lines that use an SDK instead would be one more language here. */
export const snippetLanguages = [
  { fence: 'sh', label: 'curl' },
  { fence: 'ts', label: 'TypeScript' },
  { fence: 'python', label: 'Python' },
] as const

export type SnippetCode = Readonly<Record<(typeof snippetLanguages)[number]['fence'], string>>

/** Scrolls sideways, so it must be reachable by keyboard and have a name. */
export function renderCode(name: string, code: string): Html {
  const parts = code.split(writtenOrigin).map(escapeHtml)
  const text = parts.join(`<span class="origin">${writtenOrigin}</span>`)
  return html`<pre tabindex="0" role="group" aria-label="${name}"><code>${{ text }}</code></pre>`
}

/** All three stand one below the other; the script makes tabs of them. */
export function renderSnippet(name: string, code: SnippetCode): Html {
  return html`<div class="snippet">
    ${snippetLanguages.map(
      ({ fence, label }) =>
        html`<div class="language" data-language="${label}">
          <p class="label">${label}</p>
          ${renderCode(`${name}, ${label}`, code[fence])}
        </div>`,
    )}
  </div>`
}
