import { isIrregularPast, toThirdSingular } from './verb-forms.js'

/** Words between a subject and its verb. */
const adverb =
  '(?:just|really|still|always|never|also|already|only|even|usually|sometimes|often|mostly|barely|hardly|almost|actually|definitely|probably|mainly|currently|recently|finally|kind of|not|\\w+ly)'

const unchangedVerbs = new Set(
  'will would can could may might must shall should cannot had did was used ought put cut hit set let quit read hurt shut split'.split(
    ' ',
  ),
)

/** The verb as it stands after "client": "am" → "is", "sleep" → "sleeps"; a past form stays. */
const agree = (verb: string): string => {
  const lower = verb.toLowerCase()
  if (lower === 'am' || lower === 'are') return 'is'
  if (lower === 'were') return 'was'
  if (unchangedVerbs.has(lower) || isIrregularPast(lower) || /[^e]ed$/.test(lower)) return verb
  return toThirdSingular(lower)
}

const pronouns: Readonly<Record<string, string>> = {
  me: 'them',
  my: 'their',
  mine: 'theirs',
  myself: 'themselves',
  us: 'them',
  our: 'their',
  ours: 'theirs',
  ourselves: 'themselves',
}

/**
 * What somebody said of themselves, said of them with "they": no verb but "be" changes its form.
 * Null where "they" could be read as somebody else, or where "you" is left over.
 */
export const shiftFirstPerson = (text: string): string | null => {
  // "the pause you showed me": the one "you" of a client that is surely the clinician.
  const named = text.replace(
    /\byou (?=(?:told|showed|taught|gave|asked|said|suggested|recommended|mentioned)\b)/gi,
    'clinician ',
  )
  if (/\b(?:you|your|yours|yourself)\b/i.test(named)) return null
  if (/\b(?:they|them|their|theirs)\b/i.test(named) && /\b(?:I|me|we|us)\b/i.test(named)) return null
  return (
    named
      .replace(
        new RegExp(`\\bI ((?:${adverb} )*)(am|was)\\b`, 'gi'),
        (_whole, between: string, verb: string) =>
          `they ${between}${verb.toLowerCase() === 'am' ? 'are' : 'were'}`,
      )
      .replace(/\bme and my\b/gi, 'they and their')
      .replace(/\b(am|was) (?=I\b)/gi, (_whole, verb: string) =>
        verb.toLowerCase() === 'am' ? 'are ' : 'were ',
      )
      .replace(/\bI\b/g, 'they')
      .replace(/\bwe\b/gi, 'they')
      .replace(
        /\b(?:me|my|mine|myself|us|our|ours|ourselves)\b/gi,
        (word) => pronouns[word.toLowerCase()] ?? word,
      )
      // "She and they" reads as a third person's friends: nobody says it of a client.
      .replace(/\b(their \w+) and they\b/gi, 'they and $1')
  )
}

const startsClause =
  '(?:^|[,;:—] ?|\\b(?:that|if|whether|when|while|because|and|but|so|what|how|where|why|like|as|than|since|though|although|before|after|until|once|then|which|where|each time|every time|things|times|ways|people|places|thoughts) )'

/** What was said to the client, said of the client: "client" once, unless already named, and "they" from then on. */
export const shiftSecondPerson = (text: string, options: { isNamed?: boolean } = {}): string => {
  let isNamed = options.isNamed ?? false
  const name = (later: string): string => {
    if (isNamed) return later
    isNamed = true
    return later === 'their' ? "client's" : 'client'
  }
  const pattern = new RegExp(
    `(?<opening>${startsClause}|\\b(?=you (?:are|were|have|had|do|did|will|would|can|could|should|might)\\b))(?<subject>you) (?<between>(?:${adverb} )*)(?<verb>[a-z']+)|\\b(?<possessive>your)\\b|\\b(?<reflexive>yourself)\\b|\\b(?<theirs>yours)\\b|\\b(?<object>you)\\b`,
    'gi',
  )
  return text.replace(pattern, (...parts: unknown[]) => {
    const groups = parts.at(-1) as Record<string, string | undefined>
    if (groups['subject'] !== undefined) {
      const subject = name('they')
      const verb = groups['verb'] ?? ''
      return `${groups['opening'] ?? ''}${subject} ${groups['between'] ?? ''}${subject === 'client' ? agree(verb) : verb}`
    }
    if (groups['possessive'] !== undefined) return name('their')
    if (groups['reflexive'] !== undefined) return 'themselves'
    if (groups['theirs'] !== undefined) return 'theirs'
    return name('them')
  })
}

/** In the clinician's own speech: "I" is the clinician, "we" the two of them. */
export const nameClinician = (text: string): string =>
  text
    .replace(/\bI am\b/g, 'clinician is')
    .replace(/\bI have\b/g, 'clinician has')
    .replace(/\bI\b/g, 'clinician')
    .replace(/\bmyself\b/gi, 'clinician')
    .replace(/\bme\b/gi, 'clinician')
    .replace(/\b(?:my)\b/gi, "clinician's")
    .replace(/\bwe\b/gi, 'clinician and client')
    .replace(/\b(call|tell|text|email|message) us\b/gi, '$1 clinician')
    .replace(/\bus\b/gi, 'clinician and client')
    .replace(/\bour\b/gi, 'their')
