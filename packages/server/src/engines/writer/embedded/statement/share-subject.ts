import { hasNegation } from '../../text/find-negation.js'
import { countWords } from '../../text/tokenize-words.js'
import { isVerbForm } from '../../text/verb-forms.js'

/** Predicates of one subject may be as long as this together. */
const sharedWordsMax = 26

/** Behind these a second predicate would belong to another subject, or to what was only wished or thought. */
const binds =
  /\b(?:when|whenever|if|because|since|that|who|which|what|how|where|like|so|but|until|while|than|as|before|after|unless|though|although|he|she|it|him|her|think|thought|want|wanted|need|try|tried|used to|would|could|can|will|should|might|let|make|made)\b/i

/** What is said of the client, one thing after the other: "they wake at three, have lost six pounds, and cannot read". */
export const shareSubject = (text: string): string => {
  const clauses = text.split('; ')
  const shared: string[] = []
  for (const clause of clauses) {
    const last = shared.at(-1)
    const together = last === undefined ? null : share(last, clause)
    if (together === null) shared.push(clause)
    else shared[shared.length - 1] = together
  }
  return shared.join('; ')
}

const share = (first: string, second: string): string | null => {
  const [one, two] = [predicateOf(first), predicateOf(second)]
  if (one === null || two === null || countWords(first) + countWords(second) > sharedWordsMax) return null
  // "they did not sleep and ate" would deny both; "they eat, but" begins anew. "they want … and want …" is plain.
  const isSameVerb = one.split(' ')[0] === two.split(' ')[0]
  if (
    hasNegation(one) ||
    binds.test(isSameVerb ? one.replace(/^\w+ /, '') : one) ||
    /[("]/.test(one) ||
    / and |,/.test(two)
  )
    return null
  if (two.replace(/^(?:always|just|still|also) /, '') === one) return first
  const list = one.split(/, and |, | and /)
  if (list.some((part, index) => index > 0 && !isVerbForm(part.split(' ')[0] ?? ''))) return null
  return list.length === 1 ? `they ${one} and ${two}` : `they ${list.join(', ')}, and ${two}`
}

const predicateOf = (clause: string): string | null => {
  const predicate = /^they (?<predicate>[a-z].+)$/.exec(clause)?.groups?.['predicate']
  return predicate === undefined || !isVerbForm(predicate.split(' ')[0] ?? '') ? null : predicate
}

/** More than this, and nobody can tell what belongs together. */
const clausesMax = 3
const theysMax = 2

export const isHeap = (text: string): boolean =>
  text.split('; ').length > clausesMax || (text.match(theyClause) ?? []).length > theysMax

const theyClause = /(?:^|[;,(:] |\b(?:and|but|so|because|that|when|if|which) )they (?=[a-z])/g
