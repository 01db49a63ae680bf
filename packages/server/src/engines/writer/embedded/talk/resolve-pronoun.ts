import type { Session, Spoken } from './read-session.js'

const women = 'mother|mom|wife|sister|daughter|girlfriend|grandmother|grandma|aunt|niece|ex'
const men = 'father|dad|husband|brother|son|boyfriend|grandfather|grandpa|uncle|nephew|ex'
const anyone =
  'boss|friend|partner|manager|supervisor|roommate|baby|coworker|child|kid|doctor|teacher|cousin|sponsor|landlord|counselor'

/** "Mom's house" speaks of a house. */
const owns =
  "['’]s (?:house|place|car|room|name|funeral|birthday|wedding|job|phone|dog|apartment|stuff|things|death|side|friend)\\b"

/** How many sentences back a person may have been named. */
const reach = 4
/** How far back another may have been named whom it could mean as well. */
const rivalReach = 10

/**
 * Whom "he" or "she" means at the start of a sentence: the only person named shortly before who can be meant. Two who can
 * are none.
 */
export const resolvePronoun = (spoken: Spoken, session: Session): { text: string; item: number } | null => {
  const plural = resolvePlural(spoken)
  if (plural !== null) return plural
  const pronoun = /^(?:and |but |so |because |then )*(he|she)\b(?:'s\b)?/i.exec(spoken.clean)
  if (pronoun === null) return null
  const last = findPerson(spoken, session, pronoun[1] ?? '')
  if (last === null || (last.role === 'baby' && actsGrown.test(spoken.clean))) return null
  const text = spoken.clean.replace(
    pronoun[0],
    (whole) => `My ${last.role}${whole.endsWith("'s") ? ' is' : ''}`,
  )
  return {
    text: text.replace(
      /^(My \w+) is (?!(?:tired|scared|worried|bored|depressed|married|stressed|retired|divorced|exhausted|annoyed|embarrassed|supposed|used|interested|disappointed)\b)(?=(?:been|missed|had|gotten|gone|\w+ed)\b)/,
      '$1 has ',
    ),
    item: last.item,
  }
}

/** What no baby does. */
const actsGrown =
  /^(?:and |but |so |because |then )*(?:he|she)(?:'d|'ll)? (?:\w+ )?(?:told|tells|said|says|asked|asks|thinks|thought|wants|drove|called|texted|works|worked|drinks|apologized|misses)\b/i

/** The only person named shortly before who can be "he" or "she". */
const findPerson = (
  spoken: Spoken,
  session: Session,
  pronoun: string,
): { role: string; item: number } | null => {
  const fitting = new RegExp(
    `\\b(?:${/^(?:she|her|hers)$/i.test(pronoun) ? women : men}|${anyone})\\b(?!${owns})`,
    'gi',
  )
  const before = session.sentences
    .slice(Math.max(spoken.order - rivalReach, 0), spoken.order)
    // Another voice's wife is not this one's.
    .filter(({ item }) => spoken.role === 'client' || item === spoken.item)
    .flatMap(({ clean, item, order }) =>
      [...clean.matchAll(fitting)].map((match) => ({
        // "Her doctor": whose it is was not said, and may be meant as well.
        role: `${/\b(?:his|her) $/i.exec(clean.slice(0, match.index))?.[0] ?? ''}${match[0].toLowerCase()}`,
        item,
        order,
      })),
    )
  const named = before.filter(({ order }) => order >= spoken.order - reach)
  const last = named.at(-1)
  // Whoever was named in the sentence before is meant; of others it must be the only one.
  const rivals = last?.order === spoken.order - 1 ? named : before
  const roles = new Set(rivals.map(({ role }) => role))
  return last === undefined || roles.size > 1 || /^(?:his|her) /i.test(last.role) ? null : last
}

const anyPerson = new RegExp(
  `\\b(?:${women}|${men}|${anyone}|someone|somebody|guy|man|woman|girl|boy)\\b`,
  'i',
)

/** "They love her": a sentence that speaks of somebody and has not said of whom. */
export const leavesPersonOpen = (text: string): boolean => {
  const pronoun = /\b(?:he|she|him|her|his|hers)\b/i.exec(text)
  return pronoun !== null && !anyPerson.test(text.slice(0, pronoun.index))
}

/** "A patient, he choked me": the sentence names whom it speaks of, and is not about anybody else. */
const announced = new RegExp(
  `^(?<who>(?:and |but |so )?(?:an?|the|this|one|some|my|our) (?:[a-z]+ )?(?:${women}|${men}|${anyone}|patient|client|customer|student|stranger|neighbor|officer|cop|nurse|guy|man|woman|lady|girl|boy)), (?:he|she) (?=[a-z])`,
  'i',
)

/** "I call her every night": whom a pronoun inside a sentence means, if the sentence has named nobody before it. */
export const resolveInside = (spoken: Spoken, session: Session): { text: string; item: number } | null => {
  const named = spoken.clean.replace(announced, '$<who> ')
  if (named !== spoken.clean) return { text: named, item: spoken.item }
  const inside =
    /(?<=[a-z,] )(?:(?<subject>he|she)(?=(?:'s)? [a-z])|(?<object>him|her)(?=[.,!?]|$| (?:to|at|in|on|about|when|every|and|but|so|because|if|that|up|out|off|over|for|with|after|before)\b)|(?<owner>his|her) (?=[a-z]))/.exec(
      spoken.clean,
    )
  if (spoken.role !== 'client' || inside === null || anyPerson.test(spoken.clean.slice(0, inside.index)))
    return null
  const person = findPerson(spoken, session, inside[0].trim())
  if (person === null) return null
  const { subject, object } = inside.groups ?? {}
  const name = subject !== undefined || object !== undefined ? `my ${person.role}` : `my ${person.role}'s `
  const text =
    spoken.clean.slice(0, inside.index) + name + spoken.clean.slice(inside.index + inside[0].length)
  return {
    text: text.replace(new RegExp(`(?<=my ${person.role})'s (?=(?:not|so|been|\\w+ing)\\b)`), ' is '),
    item: person.item,
  }
}

/** "The voices got bad. They were telling me to …": the subject of the sentence before, if it is several. */
const resolvePlural = (spoken: Spoken): { text: string; item: number } | null => {
  const they = /^(?:and |but |so |because |then )*they(?='re\b|'d\b|'ve\b| )/i.exec(spoken.clean)
  const subject = /^(?:and |but |so )*((?:the|my|these|those|our) (?:\w+s|people|parents|children))\b/i.exec(
    spoken.previous?.clean ?? '',
  )?.[1]
  if (they === null || subject === undefined || subject.endsWith('ss')) return null
  return {
    text: spoken.clean
      .replace(they[0], subject.charAt(0).toUpperCase() + subject.slice(1))
      .replace(/^([\w ]+)'re\b/, '$1 are'),
    item: spoken.item,
  }
}
