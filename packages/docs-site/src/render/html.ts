/** Markup that is safe to put into a page as it is. */
export interface Html {
  text: string
}

type Part = Html | string | readonly (Html | string)[]

/** Everything that is not markup already is escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? ''
  for (const [index, part] of parts.entries()) text += renderPart(part) + (strings[index + 1] ?? '')
  return { text }
}

function renderPart(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part)
  return 'text' in part ? part.text : part.map(renderPart).join('')
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
