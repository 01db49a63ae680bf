/** "two of the three hundreds", "the four-fifties": a tablet's strength, said in the plural. Every letter keeps its place. */
export const singularNumbers = (text: string): string =>
  text
    .replace(/\b(hundred|thousand)s\b/gi, '$1 ')
    .replace(/\b(twent|thirt|fort|fift|sixt|sevent|eight|ninet)ies\b/gi, '$1y  ')
