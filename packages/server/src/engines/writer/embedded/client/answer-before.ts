import { findRating } from './report-rating.js'

const alone =
  '(?:how (?:many|much|often|long|late|early|far|far along|old)|since when|when|what time|which one)'

/** Questions that ask for more of what was just said, and say nothing of their own: "How late?", "When was that?" */
const asksForMore = new RegExp(
  `^(?:(?:and|so|okay|for|about)[, ]+)*(?:${alone}(?: (?:was|is) (?:that|it|this))?|(?:how (?:long|often|many|much|bad)|when did|since when|what time)\\b.*\\b(?:that|it|this)\\b.{0,20}\\b(?:going on|been|happen\\w*|start\\w*|begin|last|come up|like that)\\b.*)[?.\\s]*$`,
  'i',
)

const asksFromWhere =
  /^(?:(?:and|so|okay)[, ]+)*(?:(?:down|up) )?from what\b(?: (?:at|in|on|before|last) [a-z ]+)?[?.\s]*$/i

const asksWhetherAll =
  /^(?:(?:and|so|okay)[, ]+)*all (?<all>two|three|four|five|six|seven|eight|nine|ten|\d+)[?.\s]*$/i

/**
 * What an answer adds to the sentence before its question, in brackets: "it was a three" – "From what at the start?" –
 * "Seven." is "(from seven)". Null where the question asks for something else.
 */
export const wordAddition = (question: string, rest: string): string | null => {
  const rating = findRating(rest)?.rating
  if (asksFromWhere.test(question) && rating !== undefined) return `from ${rating}`
  const all = asksWhetherAll.exec(question)?.groups?.['all']
  if (all !== undefined && rating !== undefined) return `${rating} of ${all.toLowerCase()}`
  return asksForMore.test(question) ? rest : null
}
