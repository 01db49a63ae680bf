import { isIrregularPast, toThirdSingular } from './verb-forms.js'

/** Words between a subject and its verb. */
const adverb =
  '(?:first|even|just|really|still|always|never|also|already|only|even|usually|sometimes|often|mostly|barely|hardly|almost|actually|definitely|probably|mainly|currently|recently|finally|kind of|not|\\w+ly)'

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
  const told = /\b(?:I|me|we|us)\b/i.test(named) ? nameOthers(named) : nameActors(named)
  if (told === null) return null
  return (
    told
      .replace(
        new RegExp(`\\bI ((?:${adverb} )*)(am|was)\\b`, 'gi'),
        (_whole, between: string, verb: string) =>
          `they ${between}${verb.toLowerCase() === 'am' ? 'are' : 'were'}`,
      )
      .replace(/\bme and my\b/gi, 'they and their')
      // "She and they" reads as a third person's friends: nobody says it of a client.
      .replace(/(^|[,;] |\b(?:that|when|and|but|so) )my (\w+) and I\b/gi, '$1they and their $2')
      .replace(/\b(am|was) (?=I\b)/gi, (_whole, verb: string) =>
        verb.toLowerCase() === 'am' ? 'are ' : 'were ',
      )
      .replace(/\bI\b/g, 'they')
      .replace(/\bwe\b/gi, 'they')
      .replace(
        /\b(?:me|my|mine|myself|us|our|ours|ourselves)\b/gi,
        (word) => pronouns[word.toLowerCase()] ?? word,
      )
  )
}

/** "They gave me pills", "they were calling me names": people who are not named do something to the speaker. */
export const othersAct =
  /\bthey(?:'re|'d|'ve|'ll)?(?: (?:are|were|would|had|have|will|all|just|always|never))* (?:\w+ing|gave|told|said|made|called|call|put|took|kept|sent|asked|let|fired|laughed|think|thought|want|wanted|looked|treat|treated|moved|offered|wrote|walked|tell|say)\b.*\b(?:me|us|I|I'm)\b/i

/** With "others" for them; null where it may be somebody who was named. */
const nameOthers = (text: string): string | null => {
  const at = text.search(/\b(?:they|them|their|theirs)\b/i)
  if (at < 0) return text
  const before = text.slice(0, at)
  if (!othersAct.test(text) || /\b(?:I|we)\b/.test(before) || mayBeThey.test(before)) return null
  return text.replace(/\b(?:they|them)\b/gi, 'others').replace(/\btheirs?\b/gi, "others'")
}

/** "They shut off the gas": whoever it was, in a note "they" would be the client. */
const nameActors = (text: string): string =>
  text.replace(
    /^((?:and |but |so |then )*)they (?=(?:said|say|told|shut|found|gave|took|kept|put|cut|made|sent|fired|called|let|lock|locked|wanted|asked|stopped|turned|wrote|diagnosed|admitted|discharged|arrested|evicted|charged)\b)/i,
    (_whole, lead: string) => `${lead}others `,
  )

const mayBeThey =
  /\b(?:\w{2,}[^s']s|people|children|men|women|team|staff|family|police|school|company|doctor|boss|manager|teacher|friend|mother|mom|father|dad|brother|sister|son|daughter|husband|wife|partner|baby|kid|someone|somebody|everyone|everybody)\b/i

const startsClause =
  '(?:^|[,;:—] ?|\\b(?:that|if|whether|when|while|because|and|or|but|so|what|how|where|why|like|as|than|since|though|although|before|after|until|once|then|which|where|each time|every time|things|times|ways|people|places|thoughts|(?:a|the|one|any) (?:time|place|way|day|person|song|word|thing|moment)) )'

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
    .replace(
      new RegExp(`\\bI ((?:${adverb} )*)([a-z']+)`, 'g'),
      (_whole, between: string, verb: string) => `clinician ${between}${agree(verb)}`,
    )
    .replace(/\bI\b/g, 'clinician')
    .replace(/\bmyself\b/gi, 'clinician')
    .replace(/\bme\b/gi, 'clinician')
    .replace(/\b(?:my)\b/gi, "clinician's")
    .replace(/\bwe\b/gi, 'clinician and client')
    .replace(/\b(call|tell|text|email|message) us\b/gi, '$1 clinician')
    .replace(/\bus\b/gi, 'clinician and client')
    .replace(/\bour\b/gi, 'their')
