/** Words that no clause ends in: what stops there was given up. */
const hanging =
  /(?:^|\s)(?:a|an|the|my|your|his|their|our|these|of|to|at|from|with|and|but|or|because|if|which|is|was|are|were|am|i|we|he|she|they|you|it|i'm|it's|he's|she's|that's|there's|they're|we're|you're|i'd|he'd|she'd|they'd|i'll|i've|don't|didn't|wasn't|just|very)$/i

const startsAnew =
  /^(?:i|i'm|i'd|i'll|i've|it|it's|he|he's|he'd|she|she's|she'd|they|they're|they'd|we|we're|you|you're|that's|that|there|there's|my|the|your|this|on|at|in|to|with|for|after|before|from|by|about|since|until|not|nobody|what|when|how)\b/i

const be: Readonly<Record<string, string>> = { is: "is|'s", was: 'was', are: "are|'re", were: 'were' }

const coreOf = (segment: string): string =>
  segment
    .toLowerCase()
    .replace(/\b(?:just|really|like|so|and|but|actually|well|okay|then)\b/g, ' ')
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim()

const denies = (text: string): boolean => /\b(?:no|not|never|none|nothing)\b|n't\b/i.test(text)
const counts = (text: string): boolean =>
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|hundred|once|twice)\b/i.test(
    text,
  )

/** How much may be given up at once: longer stretches are clauses of their own. */
const restartWordsMax = 6

const countParts = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length

/** "the number for the, there's a group": what comes after the preposition is said anew, as a clause. */
const namedAnew =
  /(?<=\b(?:for|to|of|at|in|on|with|about|from) )(?:the|an?|this),?\s+(?:u[hm],?\s+)?there(?:['’]s| is| are) (?=(?:an?|the|this|some|these) )/gi

/**
 * Without the beginnings that a speaker gave up: "My heart was, it was going" is "My heart was going", "he's a, he drives a
 * truck" is "he drives a truck". A number or a denial that is not said again is never dropped.
 */
export const dropRestarts = (said: string): string => {
  const text = said.replace(namedAnew, '')
  if (!text.includes(',')) return text
  const segments = text.split(/,\s+/)
  const kept: string[] = []
  for (const [index, segment] of segments.entries()) {
    const next = segments[index + 1]
    const last = kept.at(-1)
    if (last !== undefined && joinsOn(last, segment)) {
      kept[kept.length - 1] = `${last} ${withoutRestatement(last, segment)}`
      continue
    }
    if (next !== undefined && isGivenUp(segment, next, segments[index + 2])) continue
    const shortened = next === undefined ? segment : withoutTail(segment, next)
    kept.push(shortened)
  }
  const joined = kept.filter((segment) => segment.trim() !== '').join(', ')
  return joined.replaceAll(`${goesOn}, `, ' ').replaceAll(goesOn, '')
}

const isGivenUp = (segment: string, next: string, afterNext: string | undefined): boolean => {
  const core = coreOf(segment)
  if (core === '' || countParts(core) > restartWordsMax || counts(core)) return false
  if (/^(?:no|yes|yeah|not|never|very|okay)$/.test(core)) return false
  const following = /^(?:no|well|sorry|wait|i mean)$/i.test(coreOf(next)) ? (afterNext ?? '') : next
  // "I had, the first week I had headaches"
  if (/^(?:i|he|she|we|they|it) [a-z]+$/.test(core) && coreOf(following).includes(` ${core} `)) return true
  if (coreOf(following).startsWith(`${core} `) || coreOf(following) === core) return true
  if (denies(segment) && !denies(next)) return false
  return hanging.test(segment.trim()) && startsAnew.test(next) && !joinsOn(segment, next)
}

/** "My heart was, it was going": the same verb again, with a pronoun for what was named. */
const joinsOn = (segment: string, next: string): boolean => {
  const verb = /\b(is|was|are|were|looks|seems|feels|sounds)(?: just| like| kind of)*$/i
    .exec(segment)?.[1]
    ?.toLowerCase()
  if (verb === undefined || countParts(segment) < 2)
    return /\b(?:am|'m|is|are|was|were) not$/i.test(segment) && /^\w+ing\b/i.test(next)
  return new RegExp(`^(?:it|that|he|she|they|this)(?: |(?='))(?:${be[verb] ?? "is|'s"})\\b`, 'i').test(next)
}

const withoutRestatement = (last: string, segment: string): string =>
  /\bnot$/i.test(last)
    ? segment
    : segment.replace(/^(?:it|that|he|she|they|this)(?:'(?:s|re)| (?:is|was|are|were))\s+/i, '')

/** "… in the car and then I just, I made excuses": only the last words are said anew. */
const withoutTail = (segment: string, next: string): string => {
  if (!/^(?:i|it|he|she|they|we|you)\b/i.test(next)) return segment
  const subject = /^\w+/.exec(next)?.[0] ?? ''
  const tail = new RegExp(`\\s${subject}(?:'\\w+)?(?: just| really| was| am| is)*$`, 'i')
  const cut = segment.replace(tail, '')
  return cut !== segment && /\b(?:and|but|so|then|because|that|when)$/i.test(cut)
    ? `${cut}${goesOn}`
    : segment
}

/** Marks a segment whose next one goes on without a comma. */
const goesOn = '\u0000'
