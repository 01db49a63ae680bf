import { expandContractions } from './expand-contractions.js'
import { shiftFirstPerson } from './shift-person.js'
import { isContentWord } from './tokenize-words.js'
import { auxiliaries, baseOfIrregular, isIrregularPast, plainVerbs, toGerund } from './verb-forms.js'

/** What follows "reports": "sleeping five hours" or "they wake at three". `isPast` asks for "reported". */
export interface ReportedClause {
  text: string
  form: 'gerund' | 'clause'
  isPast: boolean
  /** The same as a clause. */
  clause: string
}

const adverbs =
  '((?:just|really|still|always|also|already|only|even|usually|sometimes|often|mostly|actually|never) )?'

/** A second verb after "and" has to agree with the first; a gerund cannot say which words are verbs, so a clause is used. */
export const hasSecondVerb = (rest: string): boolean =>
  /\b(?:and|but|then|or|so|because|that|when|while|until|which)\s+(?:\w+ )?I\b/i.test(rest) ||
  [
    ...rest.matchAll(/\b(?:and|but|then|or|so|because)\s+(?:then |just |also |I |not |never )*([a-z']+)/gi),
  ].some((match) => {
    const word = (match[1] ?? '').toLowerCase()
    return auxiliaries.has(word) || isIrregularPast(word) || /[^e]ed$/.test(word) || plainVerbs.has(word)
  })

/** A first-person statement, without its filler, as reported speech; null if it cannot be turned safely (the caller quotes it or leaves it). */
export const reportSpeech = (statement: string): ReportedClause | null => {
  const plain = expandContractions(statement)
    .replace(/[.!?…]+$/, '')
    .trim()
  const gerund = toGerundReport(plain)
  if (
    /\b(?:you|your|yours|yourself)\b/i.test(plain) &&
    !/\byou (?:told|showed|taught|gave|asked|said|suggested|recommended|mentioned)\b/i.test(plain)
  )
    return null
  const clause = shiftFirstPerson(lowerFirst(plain))
  const shifted = gerund === null ? clause : shiftFirstPerson(gerund.text)
  if (shifted === null || clause === null) return null
  return {
    text: shifted,
    clause,
    form: gerund === null ? 'clause' : 'gerund',
    isPast: gerund?.isPast ?? isPastClause(plain),
  }
}

export const lowerFirst = (text: string): string => {
  const first = /^[\p{L}']+/u.exec(text)?.[0] ?? ''
  const isNamed =
    /^(?:I|I'\w+|[A-Z]{2,}.*)$/.test(first) ||
    startsWithName(text) ||
    (/^[A-Z][a-z]+ (?!I\b)[A-Z]/.test(text) && isContentWord(first.toLowerCase()))
  return isNamed ? text : text.charAt(0).toLowerCase() + text.slice(1)
}

/** A capital in front of one of these is only the start of a sentence; of other words we cannot know. */
export const startsWithName = (text: string): boolean => {
  const first = /^[A-Z][a-z]+/.exec(text)?.[0]
  return (
    first !== undefined &&
    /^(?:Zoloft|Prozac|Lexapro|Xanax|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|June|July|August|September|October|November|December)$/.test(
      first,
    )
  )
}

const isPastClause = (plain: string): boolean => {
  const verb = /^(?:I|we|it|he|she|they|my \w+|the \w+)\s+(?:\w+ly |just |really |never |also )?([a-z']+)/i
    .exec(plain)?.[1]
    ?.toLowerCase()
  return verb !== undefined && (isIrregularPast(verb) || verb === 'did' || /[^e]ed$/.test(verb))
}

const toGerundReport = (plain: string): { text: string; isPast: boolean } | null => {
  const progressive = new RegExp(
    `^I (am|was|have been|had been) (not )?${adverbs}(?!going to\\b)([a-z]+ing)\\b(.*)$`,
    'i',
  ).exec(plain)
  if (progressive !== null) {
    const [, be = '', not = '', between = '', verb = '', tail = ''] = progressive
    const rest = not === '' ? tail.replace(/ and I (?:am|was|have been) (?=[a-z]+ing\b)/gi, ' and ') : tail
    if (hasSecondVerb(rest) || verb.endsWith('thing')) return null
    return { text: `${not}${between}${verb}${rest}`, isPast: /^(?:was|had been)$/i.test(be) }
  }
  const denial = new RegExp(`^I (do|did) not ${adverbs}([a-z]+)\\b(.*)$`, 'i').exec(plain)
  if (denial !== null) {
    const [, aux = '', between = '', verb = '', rest = ''] = denial
    if (hasSecondVerb(rest) || /^(?:know|think|believe|remember|mean|guess)$/i.test(verb)) return null
    return {
      text: `not ${between}${toGerund(verb.toLowerCase())}${rest}`,
      isPast: aux.toLowerCase() === 'did',
    }
  }
  const simple = new RegExp(`^I ${adverbs}([a-z]+)\\b(.*)$`, 'i').exec(plain)
  if (simple === null) return null
  return fromSimpleVerb(simple[1] ?? '', (simple[2] ?? '').toLowerCase(), simple[3] ?? '')
}

const fromSimpleVerb = (
  between: string,
  verb: string,
  rest: string,
): { text: string; isPast: boolean } | null => {
  if (auxiliaries.has(verb) || hasSecondVerb(rest) || verb.endsWith('ly')) return null
  // These introduce a statement of their own: "they think it helps" says it better.
  if (
    /^(?:think|thought|know|knew|believe|believed|guess|mean|meant|wish|wished|want|wanted|need|needed|hope|hoped|like|liked|love|loved|hate|hated|keep|kept)$/.test(
      verb,
    )
  )
    return null
  // "I got a dog", "I got court Monday": having it, as often as getting it.
  if (verb === 'got') return null
  const base = baseOfIrregular(verb)
  if (base !== null) return { text: `${between}${toGerund(base)}${rest}`, isPast: true }
  if (/[^e]ed$/.test(verb))
    return { text: `${between}${verb.replace(/ied$/, 'ying').replace(/ed$/, 'ing')}${rest}`, isPast: true }
  return plainVerbs.has(verb) ||
    /^(?:struggle|smoke|live|use|spend|isolate|hide|pray|exercise|journal|meditate|practice)$/.test(verb)
    ? { text: `${between}${toGerund(verb)}${rest}`, isPast: false }
    : null
}
