const certain: readonly [RegExp, string][] = [
  [/\bwon't\b/gi, 'will not'],
  [/\bcan't\b/gi, 'cannot'],
  [/\bshan't\b/gi, 'shall not'],
  [/\bain't\b/gi, 'is not'],
  [/\b(are|is|was|were|do|does|did|have|has|had|would|could|should|might|must|need)n't\b/gi, '$1 not'],
  [/\bI'm\b/gi, 'I am'],
  [/\b(you|we|they)'re\b/gi, '$1 are'],
  [/\b(I|you|we|they|who|would|could|should|might|must)'ve\b/gi, '$1 have'],
  [/\b(I|you|he|she|it|we|they|that|there|this|who)'ll\b/gi, '$1 will'],
  [/\b(how|what|where|when|why)'d\b/gi, '$1 did'],
  [/\blet's\b/gi, 'let us'],
  [/\b(gonna)\b/gi, 'going to'],
  [/\b(wanna)\b/gi, 'want to'],
  [/\b(gotta)\b/gi, 'have to'],
  [/\b(kinda)\b/gi, 'kind of'],
  [/\b(sorta)\b/gi, 'sort of'],
  [/(?<![a-z])'?cause\b/gi, 'because'],
]

/** "'d" and "'s" mean two things each; what follows decides. */
const participle =
  /^(?:not |never |already |just |always |ever |only )*(?:been|had|gotten|got|gone|done|become|\w+ed|taken|given|seen|made|said|felt|kept|lost|left|put|told|found|known|come|started)\b/i

/** Most sentences have none, and reading one for all of them took a twelfth of the time of a long note. */
const mayHave = /['’]|\b(?:gonna|wanna|gotta|kinda|sorta|cause)\b/i

/** Clinical writing has no contractions. */
export const expandContractions = (text: string): string => {
  if (!mayHave.test(text)) return text
  let expanded = text.replaceAll('’', "'")
  for (const [pattern, replacement] of certain) expanded = expanded.replace(pattern, replacement)
  expanded = expanded.replace(
    /\b(I|you|he|she|it|we|they|who|there|that)'d\b(\s*)/gi,
    (whole, subject, space, at) => {
      const rest = expanded.slice(Number(at) + whole.length)
      const isHad = /^better\b/i.test(rest) || (participle.test(rest) && !/^(?:put|come|let)\b/i.test(rest))
      return `${String(subject)} ${isHad ? 'had' : 'would'}${String(space)}`
    },
  )
  expanded = expanded.replace(/\b(how|what)'s ((?:the |your )?\w+ been)\b/gi, '$1 has $2')
  expanded = expanded.replace(
    /\b(time|one|session|appointment|visit)'s (?=(?:on |next )?(?:\d|mon|tue|wed|thu|fri|sat|sun|in |at ))/gi,
    '$1 is ',
  )
  // After a noun "'s" is mostly a possessive; before these it is a verb.
  expanded = expanded.replace(
    /\b([a-z]{3,})'s (?=(?:(?!wedding|evening|morning|building|feeling|meeting|thing|drinking|spring)\w+ing|not|so|too|really|pretty|fine|okay|good|bad|better|worse|clearer|low|lower|up|down|been|always|never|just|gone)\b)/g,
    '$1 is ',
  )
  return expanded.replace(
    /\b(he|she|it|that|there|what|who|where|how|here)'s\b(\s*)/gi,
    (whole, subject, space, at) => {
      const rest = expanded.slice(Number(at) + whole.length)
      const isHas =
        /^(?:not |never |already |just |always |only )*(?:been|had|gotten|got|gone|become|fallen|taken|given|come|done|grown|missed|helped|worked)\b|^(?:never|always|already) (?:held|seen|made|said|kept|told|found|known|hit|hurt|worn|driven|eaten|slept|spoken|understood|met|paid)\b/i.test(
          rest,
        )
      return `${String(subject)} ${isHas ? 'has' : 'is'}${String(space)}`
    },
  )
}
