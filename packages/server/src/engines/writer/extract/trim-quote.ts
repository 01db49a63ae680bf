import { isContentWord } from '../../text/tokenize-words.js'

/** Said while thinking; "ER" is a place, so capitals are told apart. Whoever tells that they said "um" said a word. */
const noise =
  /(?:,\s?|\s?[—–]\s?|\s-\s)?(?<![\p{L}'’"“-])(?:[Uu]m+|[Uu]h+|[Ee]rm+|er(?=,|…|\.{2})|Er(?=,)|[Hh]mm+|[Mm]m+)(?![\p{L}'’]|-\p{L})(?:[,…]|\.{2,})*/gu

const edges: readonly RegExp[] = [
  /^(?:(?:and|oh|well|okay|ok|alright|all right|anyway|you know|i mean|like|right)\s*(?:,|…|\.{2,})\s+)+(?=\S)/i,
  // "So I don't forget." tells what for.
  /^(?:and|well|so(?! (?:i|it|he|she|we|they|you)(?:['’](?:ll|d)| (?:can|could|will|would|don|doesn|didn|won|wouldn|couldn))\b))\s+(?=(?:i|it|he|she|we|they|you|my|the|that|there|this|then|what|how|when|if|in|on|at|for|a|an|let|with|do|did|are|is|have|has|any|can|could|would|who|where|i'm|it's|he's|she's|we're|they're|that's|there's|i've|i'd|i'll|you've|you're)\b)/i,
  /^so,\s+/i,
  /,\s*(?:you know|i mean)(?=[.!?]?$)/i,
]

const asides: readonly [RegExp, string][] = [
  [/,\s*(?:you know|i mean|like)\s*,(?=\s)/gi, ','],
  [/(?<=^|[.?!] )(?:you know|i mean),\s+/gi, ''],
]

/** Said twice for weight or as an answer, and numbers: two of them may be two doses. */
const weighty =
  /^(?:no|not|never|very|really|so|many|much|long|far|way|again|more|too|on|over|yes|yeah|hard|bad|blah|round|now|bye|ha|\d.*)$/i

/** Said one by one they are a telephone number, a score, a pressure. */
const isNumber =
  /^(?:(?:oh|o|zero|nought|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|double|treble|triple|point|and)(?:\s|-|$))+$/i

const repeated =
  /(?<![\p{L}\p{N}'’-])((?:[\p{L}'’]+\s){0,3}[\p{L}'’]+)(,|\s*[—–-]|\s*…|\.{3})?\s+\1(?![\p{L}\p{N}'’-])/giu

/** No clause ends with one of them: "the, the car". Of "I quit it, it tore my stomach up" nothing may go. */
const endsNothing =
  /^(?:i|we|he|she|they|the|an?|my|your|our|their|and|but|or|so|because|if|when|like|just|with|from|of|for|at|by|as|who|which|i['’](?:m|ve|d|ll)|(?:it|that|there|he|she|what)['’]s|(?:we|they|you)['’](?:re|ve))$/i

/** "that that's", "I I'm": cut off before the ending; "taste it, it's like" are two clauses. */
const cutOff =
  /(?<![\p{L}'’])(?:(I|he|she|we|they)(?:,|\s*[—–-]|\s*…)?|(it|that|there|you|what|who)(?:\s*[—–-]|\s*…)?)\s+(?=(?:\1\2)['’]\p{L})/giu

const roundsMax = 4

/** The words of a sentence without noise. Only taken away from, in nothing that says anything; no word is changed. */
export function trimQuote(sentence: string): string {
  let text = sentence.replace(/\s+/g, ' ').trim()
  const bare = text.replace(noise, ' ').trim()
  // "Mm-hmm." and "Uh." may be all of an answer.
  if (/[\p{L}\p{N}]/u.test(bare)) text = bare
  for (const [pattern, replacement] of asides) text = text.replace(pattern, replacement)
  for (let round = 0; round < roundsMax; round += 1) {
    const before = text
    text = text
      .replace(repeated, (whole, words: string, stop: string | undefined, at: number) =>
        weighty.test(words) ||
        isMeantTwice(words, stop) ||
        isNumber.test(words) ||
        isTwoClauses(words, stop) ||
        (stop !== undefined && opensClause.test(before.slice(Math.max(0, at - 10), at)))
          ? whole
          : words,
      )
      .replace(cutOff, '')
    for (const edge of edges) {
      const cut = text.replace(edge, '')
      if (/[\p{L}\p{N}]/u.test(cut)) text = cut
    }
    text = tidy(text)
    if (text === before) break
  }
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** "At my aunt's when I, I don't use around her.": without the break it would be another sentence. */
const opensClause = /\b(?:when|if|because|since|while|after|before|unless|until|though)\s$/i

/** "Not thinking thinking", "home home": said twice without a break for what it properly means. */
const isMeantTwice = (words: string, stop: string | undefined): boolean =>
  stop === undefined && !words.includes(' ') && isContentWord(words.toLowerCase())

/** "I didn't do Saturday, Saturday was his birthday." */
const isTwoClauses = (words: string, stop: string | undefined): boolean =>
  words.includes(' ')
    ? (stop === undefined || stop === ',') && isWhole.test(words) && !breaksOff.test(words)
    : stop === ',' && !endsNothing.test(words)

/** "If it hits me it hits me": somebody does something in it, so it is no false start. */
const isWhole = /^(?:i|it|he|she|we|they|you|that|this|there|what|who)\s/i
const breaksOff =
  /\s(?:i|we|he|she|they|the|an?|my|your|our|their|and|but|or|so|because|if|when|like|just|with|from|of|for|at|by|as|to|in|on|was|were|is|are|am|be|been|have|has|had|do|does|did|can|could|would|will|should|might|must|not|\w+n['’]t|think|thought|mean|guess|feel|felt|know|want|wanted|got|get|go|going|gonna|kind|sort|really|never|always)$/i

const tidy = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;?!])/g, '$1')
    .replace(/,(?:\s*,)+/g, ',')
    .replace(/,\s*([.?!])/g, '$1')
    .replace(/^[\s,.;…—–-]+/, '')
    .replace(/(?<![\s,;—–-])[\s,;—–-]{1,40}$/, '…')
    .trim()
