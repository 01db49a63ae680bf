// Errors as a careless or inventive writer makes them, planted into sentences that are right.

const numberWords = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'fifteen',
  'twenty',
  'thirty',
  'forty',
  'fifty',
  'eighty',
  'hundred',
]
const inventions = [
  ' and was hospitalized overnight',
  ' and stopped taking Prozac',
  ' due to chronic migraines',
  ' and denied homicidal ideation',
  ', which is consistent with borderline personality disorder',
  ' after being evicted in Chicago',
]

/** [{ kind, sentence }] for every sentence that can carry the error. */
export function plantErrors(sections, transcript) {
  const right = sections
    .flatMap(({ evidence }) => evidence)
    .filter(({ supported, transcriptItems }) => supported && transcriptItems.length > 0)
  return right.flatMap(({ sentence, transcriptItems }, index) =>
    [
      ['changed number', changeNumber(sentence, index)],
      ['flipped negation', flipNegation(sentence)],
      ['swapped speaker', swapSpeaker(sentence)],
      ['invented fact', sentence.replace(/\.$/, `${inventions[index % inventions.length]}.`)],
    ]
      .filter(([, text]) => text !== null && text !== sentence)
      .map(([kind, text]) => ({ kind, sentence: { text, transcriptItems } }))
      .concat(moveEvidence(sentence, transcriptItems, transcript)),
  )
}

/** Numbers of the sentence itself are not replaced by one that also stands in it. */
function changeNumber(sentence, seed) {
  const withoutQuotes = sentence.replace(/"[^"]*"/g, (quote) => '#'.repeat(quote.length))
  const digits = /\b\d+(?:\.\d+)?\b/.exec(withoutQuotes)
  if (digits !== null) {
    const other = String(Number(digits[0]) + 7 + (seed % 5))
    return sentence.slice(0, digits.index) + other + sentence.slice(digits.index + digits[0].length)
  }
  const word = new RegExp(`\\b(?:${numberWords.slice(1).join('|')})\\b`, 'i').exec(withoutQuotes)
  if (word === null) return null
  const other = ['seventy', 'nineteen', 'ninety', 'sixteen'].find(
    (candidate) => !sentence.includes(candidate),
  )
  return sentence.slice(0, word.index) + other + sentence.slice(word.index + word[0].length)
}

function flipNegation(sentence) {
  const withoutQuotes = sentence.replace(/"[^"]*"/g, '')
  if (/\bdenied\b/.test(withoutQuotes)) return sentence.replace(/\bdenied\b/, 'endorsed')
  if (/\b(?:not|never|no)\b/.test(withoutQuotes))
    return sentence.replace(/\b(?:do not|does not|did not|not|never|no) /, '')
  if (/\bendorsed\b/.test(withoutQuotes)) return sentence.replace(/\bendorsed\b/, 'denied')
  if (/^(?:Client|A participant) (?:reports|reported|describes|described) \w+ing\b/.test(sentence))
    return sentence.replace(/(reports|reported|describes|described) /, '$1 not ')
  if (/\bthey are\b/.test(withoutQuotes)) return sentence.replace(/\bthey are\b/, 'they are not')
  if (/\b(?:is|was|were|has|have|can|will) /.test(withoutQuotes))
    return sentence.replace(/\b(is|was|were|has|have|can|will) /, '$1 not ')
  return null
}

function swapSpeaker(sentence) {
  if (
    /^Client (?:reports|reported|describes|described|states|stated|shares|shared|denied|endorsed)\b/.test(
      sentence,
    )
  )
    return sentence.replace(/^Client/, 'Clinician')
  if (/^Clinician (?!and)/.test(sentence)) return sentence.replace(/^Clinician \w+/, 'Client reported')
  if (/^A participant\b/.test(sentence)) return sentence.replace(/^A participant/, 'Clinician')
  return null
}

/** The same sentence, resting on a turn of somebody else that says something else. */
function moveEvidence(sentence, transcriptItems, transcript) {
  const speaker = transcript[transcriptItems.at(-1)]?.speaker
  const other = transcript.findIndex(
    (item, index) =>
      item.speaker !== speaker && !transcriptItems.includes(index) && item.transcript.split(' ').length > 4,
  )
  return other < 0 || !/^(?:Client|Clinician|A participant)\b/.test(sentence)
    ? []
    : [{ kind: 'wrong evidence', sentence: { text: sentence, transcriptItems: [other] } }]
}
