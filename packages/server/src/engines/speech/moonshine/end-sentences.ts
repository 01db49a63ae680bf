/** Begin sentences, and no name or title: "The", "A", "In" and "Will" stay out, which do both. */
const beginnings: ReadonlySet<string> = new Set(
  `let's lets keep and but so then now she she's he he's it it's they they're we we're you you're that that's this there there's
  if when because get go take try call make my your our what what's how why where who do don't does did didn't is isn't are
  was were have has had can can't could would should not no yes yeah okay well also or after before every maybe just even
  please thank thanks`.split(/\s+/),
)

/** A condition goes on into what follows from it. */
const isCondition = (sentence: string): boolean =>
  /^(?:(?:and|but|so|then) )?(?:if|when) [^,]*$/i.test(sentence)

/**
 * Sets the full stops that the model leaves out of long speech, although it begins the next sentence: "by noon Keep the
 * same hours". A capital within a sentence is a name's, or "I".
 */
export function endSentences(text: string): string {
  const border = / (?<=(?:^|\s)[\p{Ll}\d][\p{Ll}\d'’-]* )(?=(\p{Lu}[\p{Ll}'’]*)(?=[\s,.?!]|$))/gu
  const written: string[] = []
  let from = 0
  // Where the sentence begins that is being read.
  let sentence = ''
  for (const { index, 1: word = '' } of text.matchAll(border)) {
    if (!beginnings.has(word.toLowerCase().replace('’', "'"))) continue
    const before = text.slice(from, index)
    const lastStop = Math.max(...['.', '?', '!'].map((mark) => before.lastIndexOf(mark)))
    sentence = lastStop < 0 ? sentence + before : before.slice(lastStop + 1)
    const next = text.charAt(index + 1)
    if (isCondition(sentence.trim())) {
      written.push(before, ', ', next.toLowerCase())
      sentence += `, ${next.toLowerCase()}`
    } else {
      written.push(before, '. ', next)
      sentence = ` ${next}`
    }
    from = index + 2
  }
  return written.join('') + text.slice(from)
}
