import { hasNegation } from '../../text/find-negation.js'
import { countWords } from '../../text/tokenize-words.js'

const amount =
  '(?:\\d[\\d.]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|a hundred|once|twice|half|a couple|a few)'
const counted = `(?:an? )?${amount}\\b`

/** What talk has and writing has not, and what writing has for it: the same, said shorter. */
const rules: readonly (readonly [RegExp, string])[] = [
  // "a five, maybe a four", "maybe two nights a week", "five hours maybe"
  [new RegExp(`(?<=\\b${amount}(?: \\w+)?),? (?:or )?(?:maybe|probably) (?=${counted})`, 'gi'), ' or '],
  [
    new RegExp(`\\b(?:maybe|probably|more like) (?=${counted}(?! (?:day they|of|person|thing)\\b))`, 'gi'),
    'about ',
  ],
  [new RegExp(`\\b(?<much>${amount} \\w+),? (?:maybe|probably)(?=[.,;)]|$)`, 'gi'), 'about $<much>'],
  [/\babout about\b/gi, 'about'],
  [
    /\b(?<verb>is|was|are|were) (?:about|like) (?=an? (?:zero|one|two|three|four|five|six|seven|eight|nine|ten)\b)/gi,
    '$<verb> ',
  ],
  [/(?<=\b(?:hours?|minutes|days|times|weeks)) (?:easily|easy)\b/gi, ''],
  [/(?<!\bnot),? (?:actually|really|honestly|though|if anything|even)(?=[.;)]|$)/gi, ''],
  [/,? and yeah(?=[.;)]|$)/gi, ''],
  [/,? ?\b(?:yeah|yep|whoa|wow|oh)(?:,|(?=[.;)]|$)) ?/gi, ''],
  [/\bpretty (?=(?:good|bad|low|solid|down|tired|rough|steady|anxious|sad|okay|well)\b)/gi, ''],
  [/, (?:his|her|their) name(?:'s| is| was) (?:someone|somebody)\b/gi, ''],
  [/,? they mean(?=[.;)]|$)/gi, ''],
  // "Open bar, man."
  [/(?<!\b(?:a|an|the|old|young|this|that|new|best|another|every|no|one)),? man(?=[.;)]|$)/g, ''],
  [/ right now\b(?<=\bclinician proposed [^;]* right now)/g, ''],
  [/\bthe whole entire\b/gi, 'the whole'],
  [/(?<=\bdenied \w+), (?<last>\w+) or anything(?=[.;(]| \(|$)/gi, ' or $<last>'],
  [/,? and it is like [^;]+$/gi, ''],
  [/,? or (?:something|whatever)(?: like that)?(?=[.,;)]|$)/gi, ''],
  [/\bthat thing, (?=the \w+ thing\b)/gi, ''],
  [/(?<=\b(?:did|do|doing|use|used|using) the (?:\w+ )?\w+) thing\b/gi, ''],
  // Said so, and not to be said by anybody else.
  [/\b(?<slang>garbage|crap|crappy)\b/gi, '"$<slang>"'],
  // "I sweat at night, like I have to change my shirt": one thing and the next.
  [/, like (?=they (?:have|had|are|were|cannot|could)\b)/gi, '; '],
  // Given up, and gone on with.
  [
    /(?<=\b(?:until|for|have|had|to|at|of|with|lost|the|is|was)), (?=(?:an? )?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|days|weeks|six|years)\b)/gi,
    ' ',
  ],
  [/,? (?:they (?:think|guess|believe|would say)|it is),(?= )/gi, ''],
  [/(?<=\breported |^)no, (?=they\b)/gi, ''],
  [/\b(?<word>\w{3,}), it is \k<word>\b/gi, '$<word>'],
  // "the shower ritual, that is forty minutes": said on the side.
  [
    /^(?<thing>(?:client's|the)(?: (?!is\b|was\b|today\b)[\w-]+){1,3}), (?:it|that) (?=(?:is|was)\b)/i,
    '$<thing> ',
  ],
]

/** Clauses that were strung together with a comma; after "when …," it is right. What comes before is looked at last: it is dear. */
const splice =
  /, (?=(?:they|there|he|she) (?:are|is|was|were|has|have|had|got|did|do|will|would|could|cannot)\b)(?<=(?:^|[;:] )(?!(?:[^,;]* )?(?:when|whenever|if|since|because|after|before|once|while|until|although|as|though|for|this|every|on|in|at|during|and|but)\b)[^,;("]{8,}, )/g

/** What is said on the side in a few words of its own, and where it stops. */
const aside =
  /, (?:it|that) (?:is|was) (?<words>(?!not\b|how\b|what\b|why\b|when\b|it\b|all\b|going\b)[^,;()"]{3,60})(?=[;.]|$|, (?:and|but) )/gi
const asideWordsMax = 9

const bracketAsides = (text: string): string =>
  text.includes('(')
    ? text
    : text.replace(aside, (whole, words: string, at: number) =>
        // "It is not broken, it is a bruise": one instead of the other.
        hasNegation(lastClause(text.slice(0, at)))
          ? whole.replace(', ', '; ')
          : countWords(words) > asideWordsMax || hasNegation(words)
            ? whole
            : ` (${words})`,
      )

const lastClause = (text: string): string => text.split(/[,;]/).at(-1) ?? ''

/** A likeness and an imitation say how it was told; what was told stands beside them. */
export const isImitation = (clause: string): boolean =>
  /^(?:they were like\b|it is like (?:\w+ )*\w+ (?:is|are|was|knows?|\w+ing)\b|which for them\b)/i.test(
    clause,
  )

/** Without imitations, where something is left. */
const dropImitations = (text: string): string => {
  const told = text.replace(/(?:,? and|,) (?:they )?(?:were|are) like, .*$/i, '')
  const clauses = told.split('; ')
  const kept = clauses.filter((clause, index) => index === 0 || !isImitation(clause))
  return kept.join('; ')
}

/** What was said, without what only speech has. Words in quotes stay as they were said. */
export const dropSpeech = (text: string): string => {
  if (text.includes('"')) return text
  const plain = rules.reduce(
    (words, [pattern, replacement]) => words.replace(pattern, replacement),
    dropImitations(text),
  )
  const written = bracketAsides(plain.replace(splice, '; '))
    .replace(/ \(\)/g, '')
    .replace(/ {2,}/g, ' ')
    .replace(/ (?=[,;.)])/g, '')
    .trim()
  return isWhole(written) ? written : text
}

/** Whether there is still something said. */
const isWhole = (text: string): boolean =>
  text !== '' && !/\b(?:as|reported|stated|denied|endorsed|to|and)$/.test(text)
