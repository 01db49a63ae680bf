/** How a page wants the compact view to look: custom properties for its styles, and what could not be honoured, by name. */
export interface Theme {
  /** Names of groups that something was given for. */
  parts: string[]
  properties: Record<string, string>
  ignored: string[]
}

/** What a page may give, and a property of CSS by which a browser says whether the value is one. */
const looks: Readonly<Record<string, string>> = {
  backgroundColor: 'color',
  color: 'color',
  borderColor: 'color',
  borderRadius: 'border-radius',
  borderWidth: 'border-top-width',
  padding: 'padding',
  fontFamily: 'font-family',
  fontSize: 'font-size',
}

const groups: Readonly<Record<string, readonly string[]>> = {
  container: Object.keys(looks),
  buttons: Object.keys(looks),
  inputs: Object.keys(looks),
  audioIndicator: ['color', 'backgroundColor', 'borderRadius'],
}

const sizes = new Set(['width', 'height'])

const toKebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Values that reach for something outside, or that the browser does not know, are ignored like unknown names. */
export function readTheme(
  given: Record<string, unknown>,
  isSupported: (property: string, value: string) => boolean,
): Theme {
  const theme: Theme = { parts: [], properties: {}, ignored: [] }
  for (const [group, value] of Object.entries(given)) {
    if (sizes.has(group)) continue
    const known = groups[group]
    if (known === undefined || typeof value !== 'object' || value === null) {
      theme.ignored.push(group)
      continue
    }
    for (const [look, wanted] of Object.entries(value)) {
      const property = known.includes(look) ? looks[look] : undefined
      const text = typeof wanted === 'number' ? `${wanted}px` : String(wanted)
      if (property === undefined || /url\(|var\(|;/i.test(text) || !isSupported(property, text)) {
        theme.ignored.push(`${group}.${look}`)
        continue
      }
      theme.properties[`--theme-${toKebab(group)}-${toKebab(look)}`] = text
      if (!theme.parts.includes(group)) theme.parts.push(group)
    }
  }
  return theme
}
