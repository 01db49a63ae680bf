import { dropRestarts } from './drop-restarts.js'

const atStart =
  /^(?:(?:i'd say(?= (?:i|it|now|about|maybe|my|the|since|for)\b)|oh boy|boy|oh man|um+|uh+|er+|hm+|mm+|mhm|oh|ah|well|so|okay|ok|yeah|yes|yep|right|alright|all right|like|and|but|anyway|honestly|actually|basically|look|wait|sorry|huh|eh|ugh|whoa|wow|ha|you know what|you know|i mean|i guess|i suppose|to be honest|i don't know|my gosh|oh my gosh)\b[,.…—–-]*\s+(?=\S))+/i

const inside: readonly [RegExp, string][] = [
  [/[,—–-]?\s*\b(?:um+|uh+|erm?|hmm+|mhm)\b[,.…]*/gi, ''],
  [/,?\s*\bto be honest with you\b,?/gi, ''],
  [/,\s*i mean,?(?= \w)/gi, ','],
  [/,\s*i'd say(?= (?:since|for|around|about|maybe|at) )/gi, ','],
  [
    /,?\s+(?:and )?i (?:don't|do not|couldn't|can't) (?:know|remember|tell you) (?:what|the name|how)\b[^.,;?]*(?=[.!?]?$)/gi,
    '',
  ],
  [/\blike, (?=[A-Z\d])/g, ''],
  [/,\s*what,(?= )/gi, ''],
  [/,?\s*\bby the way\b,?/gi, ''],
  [
    /(?<!(?:'d|\bwould) )\blike,? (?=(?:in|on|at|since|around|about|for|after|before|until) )(?!like for like)/gi,
    '',
  ],
  // "I, um, so my kid got diagnosed": the sentence begins anew.
  [/^(?:I|it|we|he|she),? (?:um,? |uh,? )*so (?=(?:my|I|the|we|he|she|it|they|our)\b)/i, ''],
  // "My mother had it, I think, though nobody called it that": no sentence begins anew.
  [
    /,\s*(?:i think|i believe|i suppose)\s*,(?=\s*(?:but|though|although|because|so|and|or|which|when)\b)/gi,
    ',',
  ],
  [/,\s*(?:you know|i mean|i don't know|like|i guess|honestly|basically|literally|to be honest)\s*,/gi, ','],
  [
    /,\s*(?:you know|i think|i guess|i suppose|or whatever|or something|and stuff|and all that|and everything|honestly|to be honest|so yeah|yeah)(?:\s+like that)?(?=\s*[.?!]?$)/gi,
    '',
  ],
  [/,? i (?:think|guess|suppose)(?=\s*[.?!]?$)/gi, ''],
  [/\b(?:kind|sort) of (?=\w)/gi, ''],
  [/^(?:by|hi|hey|hello|bye|yeah)?,? ?(?:doctor|dr\.?) [a-z]+, /i, ''],
  // Hedges around what is said all the same.
  [
    /(^|,\s*)(?:i want to say|i'd say|what was it|what is it|what do you call it|i don't know|i think(?= (?:it was |it's )?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fif|twent|thirt|fort|a hundred)))(?:,\s*| (?=(?:it|that|the|my|about|like|maybe|\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifty|twenty|a hundred)))/gi,
    '$1',
  ],
  [
    /(?<!(?:'d|\bwould) )\blike (?=(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|a hundred|once|twice|a couple|half|maybe|every|really|so)\b)/gi,
    '',
  ],
  [
    /\s+(?:or whatever|or something|and stuff|and all that|(?:and|so|but) yeah)(?:\s+like that)?(?=\s*[.?!]?$)/gi,
    '',
  ],
  // A false start that says the same words again: "I was, I was late", "the the". Never a number: "two, two" may be dates.
  [
    /\b(?!(?:one|two|three|four|five|six|seven|eight|nine|ten|\d)|no\b|not\b|never\b)((?:[a-z']+ ){0,3}[a-z']+)(?:,|\s*[—–-]+|\.\.\.|…)?\s+\1\b/gi,
    '$1',
  ],
  // One that was given up with a dash and started anew: "I went to the— I stayed home".
  [/^[^.?!,]{1,40}(?:—|–|--|\s-)\s*(?=(?:I|it|he|she|they|we|my)\b)/i, ''],
]

/** The sentence without filler, false starts and empty hedges. Numbers, negations and names are never touched. */
export const removeDisfluencies = (sentence: string): string => {
  let text = sentence.replace(/\s+/g, ' ').trim()
  for (const [pattern, replacement] of inside) text = text.replace(pattern, replacement)
  text = dropRestarts(text.replace(/^[\s,.;—–-]+/, ''))
    .replace(atStart, '')
    .replace(/^(?:and )?then, /i, '')
    .replace(/^[\s,.;—–-]+/, '')
  text = text
    .replace(/\s+([,.;?!])/g, '$1')
    .replace(/,\s*,/g, ',')
    .replace(/,\s*([.?!])/g, '$1')
  // "Every day so.", "It rained, and then.": nothing came after it.
  text = text
    .replace(/,?\s+(?:and|but|so) (?:I'm|I am|it's|he's|she's|they're)(?=[.?!]*$)/i, '')
    .replace(/(?:,?\s+(?:and then|and|but|so|or|because|the|a|an|my|after my|with my))+(?=[.?!]*$)/i, '')
    .trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
