import { html, type Html } from '../html.js'

/** The document's texts use one mark only: code between backticks. */
export function renderInline(text: string): Html {
  const parts = text.split('`')
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
