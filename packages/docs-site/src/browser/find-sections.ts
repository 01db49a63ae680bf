/** As the build writes them: address, title of the page, heading, text. */
export type SearchEntry = readonly [href: string, title: string, heading: string, text: string]

export interface Found {
  href: string
  title: string
  heading: string
  excerpt: string
}

/** A list that nobody scrolls through. */
const foundMax = 10

const excerptLength = 120

/** Sections in which every word occurs, the best first: words in headings count more than words in the text. */
export function findSections(entries: readonly SearchEntry[], query: string): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return entries
    .map((entry) => ({ entry, points: rate(entry, words) }))
    .filter(({ points }) => points > 0)
    .toSorted((one, other) => other.points - one.points)
    .slice(0, foundMax)
    .map(({ entry: [href, title, heading, text] }) => ({
      href,
      title,
      heading,
      excerpt: cutExcerpt(text, words),
    }))
}

function rate([, title, heading, text]: SearchEntry, words: readonly string[]): number {
  let points = 0
  for (const word of words) {
    const found =
      ratePlace(heading.toLowerCase(), word, 8) +
      ratePlace(title.toLowerCase(), word, 3) +
      ratePlace(text.toLowerCase(), word, 1)
    if (found === 0) return 0
    points += found
  }
  return points
}

/** The beginning of a word counts twice. */
function ratePlace(place: string, word: string, weight: number): number {
  const at = place.indexOf(word)
  if (at < 0) return 0
  return at === 0 || ` ${place}`.includes(` ${word}`) ? 2 * weight : weight
}

function cutExcerpt(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0)
  const around = Math.max(0, Math.min(...places, text.length) - 30)
  const from = places.length === 0 || around === 0 ? 0 : text.indexOf(' ', around) + 1
  const cut = text.slice(from, from + excerptLength)
  return `${from > 0 ? '… ' : ''}${cut}${from + excerptLength < text.length ? ' …' : ''}`
}
