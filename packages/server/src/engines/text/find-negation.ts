import { tokenizeWords, type WordToken } from './tokenize-words.js'

const cues = new Set(
  `not no never none nothing nobody neither nor cannot without deny denies denied denying nowhere`.split(
    /\s+/,
  ),
)

/** "not only", "no doubt": a cue that denies nothing of what follows. */
const falseCues = /^(?:not only|not just|no doubt|no problem|no worries|not to mention|no wonder)\b/

const falseCueLengthMax = 20

/** Words that start a new statement, out of reach of the cue before them. */
const boundaries = new Set(
  'but however although though except because so then while until unless which yet'.split(' '),
)
const subjects = new Set(
  "i he she they we it you there client clinician i'm i've it's he's she's they're i'd".split(' '),
)

/** How far a cue reaches without any other sign: longer than nearly all clauses of talk. */
const scopeTokensMax = 16

export interface NegationScope {
  /** Token indexes: the cue, and the first and last token that it denies. */
  cue: number
  first: number
  last: number
}

const isCue = (token: WordToken): boolean =>
  cues.has(token.lower.replace(/'s$/, '')) || token.lower.endsWith("n't")

/** The negations of a sentence with their reach. */
export const findNegationScopes = (text: string, tokens = tokenizeWords(text)): NegationScope[] =>
  tokens.flatMap((token, index) => {
    if (
      !isCue(token) ||
      falseCues.test(text.slice(token.start, token.start + falseCueLengthMax).toLowerCase())
    )
      return []
    let last = index
    while (last + 1 < tokens.length && last - index < scopeTokensMax && !endsScope(text, tokens, last))
      last += 1
    return last === index ? [] : [{ cue: index, first: index + 1, last }]
  })

const endsScope = (text: string, tokens: readonly WordToken[], last: number): boolean => {
  const here = tokens[last]
  const next = tokens[last + 1]
  if (here === undefined || next === undefined) return true
  const between = text.slice(here.end, next.start)
  if (/[.;:!?—–"“”()]|\s-\s/.test(between)) return true
  if (between.includes(',')) return !isList(text, tokens, last + 1)
  // "not so sad": how much, and nothing new.
  if (next.lower === 'so' && here.lower === 'not') return false
  if (boundaries.has(next.lower)) return true
  return (next.lower === 'and' || next.lower === 'or') && subjects.has(tokens[last + 2]?.lower ?? '')
}

/** "no nausea, headaches, or dizziness": a comma that is followed by an "or" before anybody does anything else. */
const isList = (text: string, tokens: readonly WordToken[], from: number): boolean => {
  for (const [offset, token] of tokens.slice(from, from + 7).entries()) {
    if (token.lower === 'or' || token.lower === 'nor')
      return !subjects.has(tokens[from + offset + 1]?.lower ?? '')
    if (subjects.has(token.lower) || boundaries.has(token.lower)) return false
    if (/[.;!?]/.test(text.slice(token.end, token.end + 1))) return false
  }
  return false
}

/** For each token, by how many negations it is denied. Two do not make a plain yes: nobody should read them as one. */
export const countNegations = (text: string, tokens = tokenizeWords(text)): number[] => {
  const counts = tokens.map(() => 0)
  for (const { first, last } of findNegationScopes(text, tokens))
    for (let index = first; index <= last; index++) counts[index] = (counts[index] ?? 0) + 1
  return counts
}

export const hasNegation = (text: string): boolean => tokenizeWords(text).some(isCue)
