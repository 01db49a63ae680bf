/** Verbs that begin a new instruction behind "and", "then" or a comma. Also those of instructions that will be refused. */
const starters = [
  'make|shorten|condense|trim|tighten|cut|reduce|summari[sz]e|abbreviate|lengthen|extend|expand|elaborate|flesh out',
  String.raw`add(?!-)|include|mention|use(?! of)|say|call|write|put|place|give|format|bullet|list|present|refer to`,
  'move|shift|transfer|relocate|bring|remove|delete|drop|omit|exclude|erase|strike|leave out|take out|get rid of|skip',
  'replace|substitute|swap|rename|correct|turn|convert|rewrite|redo|reformat|switch|transform|keep|retain|preserve',
  String.raw`change(?! in| of)|do not|don't|avoid|set`,
  String.raw`bullets? (?:points? )?(?:in|for)|paragraphs (?:in|for)|past tense (?:in|for)`,
  'fix|proofread|translate|check|sign|send|print|undo|improve|polish|rephrase|reword|simplify|clarify|emphasi[sz]e',
  'highlight|soften|fill|insert|paste|create|generate|update|reorder|sort|rearrange|diagnose|bill|code|email|fax',
].join('|')

const boundary = new RegExp(
  String.raw`,?\s+(?:and then|and also|and|then|but|also|plus)\s+(?:please\s+|also\s+)?(?=(?:${starters})\b)|,\s*(?=(?:please\s+)?(?:${starters})\b)`,
  'gi',
)

/** Quoted text is one word to the grammar: what stands in it is never an instruction. */
const quoted = /"[^"]*"|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu

/** The instructions of a text, sentence by sentence, in its order, without courtesies; quotes straightened. */
export function splitInstructions(text: string): string[][] {
  const kept: string[] = []
  const masked = straighten(text).replaceAll(quoted, (quote) => `\uE000${kept.push(quote) - 1}\uE001`)
  const restore = (clause: string) =>
    clause.replaceAll(/\uE000(\d+)\uE001/g, (_, at: string) => kept[Number(at)] ?? '')
  return masked
    .replaceAll(/^[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+/gm, '')
    .split(/\n+|;\s*|(?<![\d]|\b(?:dr|mr|mrs|ms|e\.g|i\.e|vs))[.!?]+(?=\s|$)|(?<=\d)[.!?]+(?=\s+\D|$)/i)
    .map((sentence) =>
      sentence
        .split(boundary)
        .map((clause) => restore(dropCourtesies(clause)))
        .filter((clause) => clause !== ''),
    )
}

const straighten = (text: string) =>
  text
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll('\r', '\n')
    .replaceAll('\u00A0', ' ')

const courtesies = [
  /^(?:hi|hello|hey|ok|okay|yes|so|well|now|first|firstly|second|secondly|finally|lastly|also|and|then|but|next|just|kindly|thanks|thank you)\b[,:]?\s+/i,
  /^(?:please|pls)\b,?\s*/i,
  /^(?:can|could|would|will) (?:you|we)(?: please)?(?: just| also)?(?: be so kind (?:as )?to)?\s+/i,
  /^(?:i|we)(?:'d| would)? (?:like|want|need|prefer|wish)(?: for)?(?: you)? to (?:please )?(?!be\b)/i,
  /^(?:i|we)(?:'d| would)? (?:like|want|need|prefer|wish)\s+(?=(?:it|the|this|bullet|a)\b)/i,
  /^(?:you (?:should|must|can)|let's|let us|go ahead and|try to|be sure to|make sure (?:to|you|that you))\s+/i,
  /[,\s]+(?:please|pls|thanks|thank you|thx|if (?:you can|possible)|for me|as well|too(?! (?:long|short|wordy|detailed|brief)))$/i,
]

function dropCourtesies(clause: string): string {
  let rest = clause
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s,:]+/, '')
    .replace(/[\s,:]+$/, '')
  for (let before = ''; before !== rest;) {
    before = rest
    for (const courtesy of courtesies) rest = rest.replace(courtesy, '').trim()
  }
  return /^(?:please|pls|thanks|thank you|thx|ok|okay|hi|hello|first|firstly|second|secondly|then|also|next|finally|lastly)$/i.test(
    rest,
  )
    ? ''
    : rest
}
