/** A text by its place in the file: `note.unsupportedCount.one`. */
export type TextPlaces = ReadonlyMap<string, string>

export function listTexts(value: unknown, place = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[place, value]])
  const entries = Object.entries((value ?? {}) as Record<string, unknown>)
  return new Map(entries.flatMap(([key, one]) => [...listTexts(one, place === '' ? key : `${place}.${key}`)]))
}

/** `{Reference}` is `{reference}` at the beginning of a sentence, which may begin otherwise in another language. */
const placesOf = (text: string): string =>
  [...new Set(text.toLowerCase().match(/\{\w+\}/g))].toSorted().join(' ') || 'none'

/** Each problem names the key, so that whoever added a text knows where its translation is missing. */
export function findProblems(
  original: TextPlaces,
  translation: TextPlaces,
  mayBeSame: (place: string) => boolean,
): string[] {
  const missing = [...original.keys()].filter((place) => !translation.has(place))
  const unknown = [...translation.keys()].filter((place) => !original.has(place))
  const shared = [...original].flatMap(([place, text]) => {
    const translated = translation.get(place)
    return translated === undefined ? [] : [{ place, text, translated }]
  })
  return [
    ...missing.map((place) => `not translated: ${place}`),
    ...unknown.map((place) => `translated, but not in the original: ${place}`),
    ...shared.flatMap(({ place, text, translated }) => {
      if (translated.trim() === '') return [`empty: ${place}`]
      if (placesOf(text) !== placesOf(translated)) {
        return [`other places for values: ${place} (${placesOf(text)}, not ${placesOf(translated)})`]
      }
      return text === translated && !mayBeSame(place) ? [`the same as the original: ${place}`] : []
    }),
  ]
}
