/** What there are words in: pages, mails and the widget (decision 0031). Without TypeBox, for what browsers load. */
export const TEXT_LANGUAGES = ['en', 'es'] as const
export type TextLanguage = (typeof TEXT_LANGUAGES)[number]

/** The first of them that there are words in, by language alone: `es-MX` is answered with `es`. Null: none of them. */
export function pickLanguage(wanted: readonly (string | null | undefined)[]): TextLanguage | null {
  for (const tag of wanted) {
    const [language] = (tag ?? '').toLowerCase().split('-', 1)
    const found = TEXT_LANGUAGES.find((one) => one === language)
    if (found !== undefined) return found
  }
  return null
}
