/**
 * "Did not ask about weapons" is no finding, and no denial. But "has not discussed her suicidal thoughts with her husband" says
 * that there are such: only what can be nothing else is left out, and it is the clinician who asks and assesses.
 */

const verbs = 'ask|assess|discuss|screen|explore|inquire'
const done = 'asked|assessed|discussed|screened|explored|inquired'

/** Says in some way that something was not talked of, by whomever. */
const loosely = new RegExp(
  `\\b(?:did not|didn't|didn’t|not able to|unable to|could not|couldn't|couldn’t) (?:${verbs})\\b|\\bnot (?:yet )?(?:${done})\\b`,
  'i',
)

/** The clinician, named or not, and what was not asked behind it. */
const byClinician = new RegExp(
  `^(?:(?:today|i|we|(?:the |this )?(?:clinician|therapist|writer|provider|counselor|counsellor)) ){0,2}(?:did not|didn't|didn’t|(?:was |were )?(?:not able|unable) to|could not|couldn't|couldn’t) (?:${verbs})\\b(?: (?:her|him|them|client|patient|pt|the client|the patient)\\b(?= (?:about|re|regarding|if|whether)\\b))?`,
  'i',
)

/** "SI was not assessed": what was not asked, and then that it was not. */
const ofMatter = new RegExp(`^(.{0,120}?)\\b(?:(?:was|were|is|are) )?not (?:yet )?(?:${done})\\b`, 'i')

/** What there is, or somebody to tell it to. */
const tellsOfSome =
  /\b(?:with|without|any(?:one|body)|no one|nobody|help|further|again|detail|depth|attempted|overdose[ds]?|overdosing|the|her|his|their|its|these|those|recent|last|ago|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|because|since|after|when)\b|^ (?:for|to)\b/i

/** A matter by its bare name, which says of nobody that there is any. */
const bareMatters =
  /\b(?:SI|HI|AH|VH|AVH|NSSI|DV|IPV|suicid(?:e|ality)|suicidal (?:ideation|thoughts)|homicid(?:e|ality)|homicidal (?:ideation|thoughts)|self[- ]?(?:harm|injury)|harm to (?:self|others)|(?:suicide |violence )?risk|safety|access to (?:weapons|firearms|guns|means)|weapons?|firearms?|guns|means|plan|intent|abuse|violence|psychosis|hallucinations|and|or|nor)\b/gi

const isBare = (text: string): boolean => !/\p{L}/u.test(text.replaceAll(bareMatters, ''))

const isOnlyNotAsked = (part: string): boolean => {
  const text = part.trim()
  const active = byClinician.exec(text)
  if (active !== null) return !tellsOfSome.test(text.slice(active[0].length))
  const passive = ofMatter.exec(text)
  return passive !== null && isBare(passive[1] ?? '') && !tellsOfSome.test(text.slice(passive[0].length))
}

/** Whether something may be told there as not talked of, so that nothing behind it is a denial. */
export const mayBeUntold = (text: string): boolean => loosely.test(text)

const whenOrWhy = /\b(?:today|at this time|this (?:session|visit|week)|due to)\b/i
const edge = /(; |, | and | or | but )/

/** A sentence without the parts that say of danger only that it was not asked about; empty where it says nothing else. */
export const leaveOutNotAsked = (text: string): string => {
  if (!loosely.test(text)) return text
  const pieces = text.split(edge)
  const parts = pieces.filter((_, index) => index % 2 === 0)
  const edges = pieces.filter((_, index) => index % 2 === 1)
  const isLeftOut = parts.map(isOnlyNotAsked)
  // "SI, HI or weapons not assessed", "did not ask about SI, HI or weapons due to time": one list.
  const isOneList = (at: number): boolean => edges[at] !== '; ' && edges[at] !== ' but '
  for (let at = parts.length - 2; at >= 0; at--)
    isLeftOut[at] ||= isLeftOut[at + 1] === true && isOneList(at) && isBare(parts[at] ?? '')
  for (let at = 1; at < parts.length; at++)
    isLeftOut[at] ||=
      isLeftOut[at - 1] === true && isOneList(at - 1) && isBare(parts[at]?.split(whenOrWhy)[0] ?? '')
  const left = parts.flatMap((part, at) =>
    isLeftOut[at] === true ? [] : [{ part, before: edges[at - 1] ?? '' }],
  )
  return left.map(({ part, before }, index) => (index === 0 ? part : before + part)).join('')
}
