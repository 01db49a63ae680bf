import { countNegations, findNegationScopes, type NegationScope } from '../text/find-negation.js'
import { findNumbers, type NumberMention } from '../text/find-numbers.js'
import { isContentWord, stemWord, tokenizeWords, type WordToken } from '../text/tokenize-words.js'
import { isFrameStem } from './frame-words.js'
import type { Role } from './read-evidence.js'

/** A part of a sentence that claims one speaker. */
export interface Segment {
  /** Without its quotes. */
  text: string
  quotes: readonly string[]
  tokens: readonly WordToken[]
  stems: readonly string[]
  /** Indexes of the tokens that carry a fact; numbers apart. */
  facts: readonly number[]
  numbers: readonly NumberMention[]
  negations: readonly number[]
  scopes: readonly NegationScope[]
  /** Whose words it says that these are; null for nobody's in particular. */
  claims: Role | null
  /** It says that something was asked, not that it is so. */
  asks: boolean
  /** The clinician's work with what the client said: their words may be the client's. */
  worksWith: boolean
  /** What a person says of themselves: reports, denies, rates. */
  tellsOfSelf: boolean
  /** The client agrees to words of the clinician. */
  confirms: boolean
}

const person = '(?:the )?(?:client|patient|clinician|provider|therapist)'
const parting = new RegExp(
  `;\\s+|,\\s+(?:and\\s+|but\\s+|then\\s+)?(?=${person}\\s+(?:\\w+ly\\s+)?(?:\\w+(?:s|ed)|said|felt|then|was|will|to)\\b)`,
  'i',
)

/** "Asked who is at home: their son." says whose answer it is. */
const askedAndAnswered = /^(?<asked>asked [^:;]+): /i

export const readSegments = (sentence: string): Segment[] => {
  const { plain, quotes } = takeQuotes(sentence.replace(askedAndAnswered, '$<asked>, client reported '))
  const parts = plain.split(parting).filter((part) => part.trim() !== '')
  const segments: Segment[] = []
  for (const part of parts) {
    const claims = readClaim(part)
    const inherited = claims === undefined ? (segments.at(-1)?.claims ?? null) : claims
    segments.push(toSegment(part, segments.length === 0 ? quotes : [], inherited))
  }
  return segments.length > 0 ? segments : [toSegment('', quotes, null)]
}

const takeQuotes = (sentence: string): { plain: string; quotes: string[] } => {
  const quotes: string[] = []
  const plain = sentence.replace(/["“]([^"“”]+)["”]/g, (_whole, quote: string) => {
    quotes.push(quote)
    return '…'
  })
  return { plain, quotes }
}

const lead =
  '^\\W*(?:(?:initially|later|earlier|also|today|additionally|in addition|at first|this session),?\\s+)*'
const asked = new RegExp(`${lead}(?:(?:when |if )?asked|clinician asked)\\b`, 'i')
const both = new RegExp(`${lead}(?:clinician and client|client and clinician|they)\\b`, 'i')
const done = new RegExp(
  `${lead}(?:client|patient) (?:(?:was|were|has been|is) (?:asked|encouraged|invited|advised|taught|instructed|guided|noted|observed|described)|appeared|appears|presented|presents)\\b`,
  'i',
)
const toDo = new RegExp(`${lead}(?:client|patient|participants) (?:to|will|agreed to)\\b`, 'i')
/** Notes leave the client unnamed after the first sentence: "Reports nightmares. Denied drinking." */
const byClient = new RegExp(
  `${lead}(?:per (?:client|patient)|(?:the )?(?:client|patient)(?!['’]s)|(?:report|state|describe|endorse|share|confirm)(?:s|d|ed)|denie[sd])\\b`,
  'i',
)
const byClinician = new RegExp(`${lead}(?:the )?(?:clinician|provider|therapist)\\b`, 'i')
const byUnknown = new RegExp(
  `${lead}(?:it was (?:reported|stated|said|denied|noted)|(?:one|another|a|the other) (?:participant|speaker|voice))`,
  'i',
)

/** Undefined: it does not say, and the segment before it goes on. */
const readClaim = (part: string): Role | null | undefined => {
  if ((asked.test(part) && !byClinician.test(part)) || /^\W*clinician review required/i.test(part))
    return null
  if (both.test(part) || toDo.test(part)) return null
  if (done.test(part)) return 'clinician'
  if (byUnknown.test(part)) return 'unknown'
  if (byClient.test(part)) return 'client'
  return byClinician.test(part) ? 'clinician' : undefined
}

const workingVerbs =
  /\b(?:validat|explor|process|normaliz|discuss|reflect|review|summariz|examin|acknowledg|support|assist|help|work|guid|facilitat|utiliz|us)(?:e|es|ed|ing)?\b/i

const toSegment = (text: string, quotes: readonly string[], claims: Role | null): Segment => {
  const tokens = tokenizeWords(text)
  const stems = tokens.map((token) => stemWord(token.lower))
  const numbers = findNumbers(tokens)
  const isNumber = (index: number): boolean =>
    numbers.some((mention) => index >= mention.firstToken && index <= mention.lastToken)
  return {
    text,
    quotes,
    tokens,
    stems,
    facts: tokens.flatMap((token, index) =>
      isContentWord(token.lower) && !isFrameStem(stems[index] ?? '') && !isNumber(index) ? [index] : [],
    ),
    numbers,
    negations: countNegations(text, tokens),
    scopes: findNegationScopes(text, tokens),
    claims,
    asks: asked.test(text),
    worksWith: claims === 'clinician' && workingVerbs.test(text.split(' ').slice(0, 4).join(' ')),
    tellsOfSelf: /\b(?:report|den(?:y|i)|endors|describ|rat)(?:e|es|s|d|ed)\b/i.test(text),
    confirms: /\b(?:confirm|acknowledg|agree|affirm)(?:s|es|d|ed)\b/i.test(text),
  }
}
