import type { Session } from '../talk/read-session.js'

/** The clinician takes a part, or asks for words that are meant for somebody else. */
const prompts =
  /\b[Rr]ole[- ]?play(?:ing)?\b|\bI(?:'ll| will|'m going to) (?:be|play) (?:him|her|them|your \w+|[A-Z][a-z]+)\b|\b[Pp]retend (?:(?:that )?I(?:'m| am)|to be|you(?:'re| are) (?:talking|saying))\b|\b(?:[Tt]ry|[Pp]ractice) it (?:on|with) me\b|\b[Tt]ell me (?:as|like) I(?:'m| am| was| were)\b|\b[Ss]ay (?:it|that)(?: one more time)? (?:to me|again|out loud|like you mean it|now)\b|\b(?:do|try|put|say) (?:it|that) as (?:a |an )?(?:DEAR MAN|I statement|I message)\b|\b[Hh]ow would you (?:say|word) (?:it|that) to\b/

/** The client speaks of it, and not in it. */
const stepsOut =
  /^(?:but |and |okay,? |um,? )*(?:I (?:feel|felt|can't (?:do|say)|couldn't|don't want to (?:do|say))|(?:that|it|this)(?:'s| (?:was|is|felt|feels|sounds|sounded))|weird|awkward|hard|easier|better|no\b)/i

/** Sentences that are said to somebody who is not in the room, by their order: they tell nothing of the client. */
export const findRolePlay = ({ sentences }: Session): ReadonlySet<number> => {
  const prompted = new Set(
    sentences.filter(({ role, said }) => role === 'clinician' && prompts.test(said)).map(({ item }) => item),
  )
  const steppedOut = new Set<number>()
  const found = new Set<number>()
  for (const { role, item, order, clean } of sentences) {
    if (role === 'clinician' || !prompted.has(item - 1)) continue
    if (stepsOut.test(clean)) steppedOut.add(item)
    if (!steppedOut.has(item)) found.add(order)
  }
  return found
}
