import { countWords } from '../../text/tokenize-words.js'
import { past } from './risk-words.js'

/** A sentence of more words than this is several that were said in one breath. */
const runOnWordsMin = 20

/** A part of fewer words is no statement. */
const partWordsMin = 4

const boundary =
  /(?:,\s+(?:and then |and so |and |so |then )?|\s+(?:and then|and so|and)\s+)(?=(?:I(?:'m|'ve|'d|'ll)?|we(?:'re|'ve)?|my \w+|there's|there was)\s)/gi

const clause = /\b(?:I|we|he|she|it|they|there|my \w+|the \w+)(?:'\w+)?\s+\w+/i

/** What comes after these is a condition's consequence, what somebody thought or said, or belongs to another time. */
const binds =
  /^(?:(?:and|but|so|well|like) )*(?:when|whenever|if|because|since|after|before|until|while|unless|once|as|even)\b|\b(?:if|unless|would|could|might|wish|used to|ago|before|back|last (?:year|spring|summer|fall|winter)|(?:19|20)\d\d)\b|\b(?:said|says?|saying|told(?: \w+)?|think|thought|thinking|tell(?:ing)?(?: \w+)?|like|goes|went|asked|know|knew|feel|felt|figured|mean|guess|hope|realiz\w+|is|was|be)$/i

/** Danger is read as it was said, with all that stands around it. */
const danger =
  /\b(?:die|died|dead|dying|kill\w*|suicid\w*|hurt\w*|harm\w*|cut|pills|overdos\w*|wake up|guns?)\b/i

/** The clauses of a sentence without an end, each of which may stand or fall by itself; "but" never parts. */
export const splitRunOn = (sentence: string): string[] => {
  if (countWords(sentence) < runOnWordsMin || danger.test(sentence) || past.test(sentence)) return [sentence]
  const parts: string[] = []
  let start = 0
  for (const match of sentence.matchAll(boundary)) {
    const before = sentence.slice(start, match.index)
    const after = sentence.slice(match.index + match[0].length)
    if (countWords(before) < partWordsMin || countWords(after) < partWordsMin) continue
    if (!clause.test(before) || binds.test(before)) continue
    parts.push(`${before.trim()}.`)
    start = match.index + match[0].length
  }
  const rest = sentence.slice(start).trim()
  return [...parts, rest.charAt(0).toUpperCase() + rest.slice(1)]
}
