import type { Session, Spoken } from './read-session.js'

const women = 'mother|mom|wife|sister|daughter|girlfriend|grandmother|grandma|aunt|niece'
const men = 'father|dad|husband|brother|son|boyfriend|grandfather|grandpa|uncle|nephew'
const anyone =
  'boss|friend|partner|manager|supervisor|roommate|baby|coworker|child|kid|doctor|teacher|cousin|sponsor|landlord|counselor'

/** How many sentences back a person may have been named. */
const reach = 4

/**
 * Whom "he" or "she" means at the start of a sentence: the only person named shortly before who can be meant. Two who can
 * are none.
 */
export const resolvePronoun = (spoken: Spoken, session: Session): { text: string; item: number } | null => {
  const pronoun = /^(?:and |but |so |because |then )*(he|she)\b(?:'s\b)?/i.exec(spoken.clean)
  if (pronoun === null) return null
  const fitting = new RegExp(`\\b(?:${pronoun[1]?.toLowerCase() === 'she' ? women : men}|${anyone})\\b`, 'gi')
  const named = session.sentences
    .slice(Math.max(spoken.order - reach, 0), spoken.order)
    .flatMap(({ clean, item }) =>
      [...clean.matchAll(fitting)].map((match) => ({ role: match[0].toLowerCase(), item })),
    )
  const roles = new Set(named.map(({ role }) => role))
  const last = named.at(-1)
  if (roles.size !== 1 || last === undefined) return null
  const text = spoken.clean.replace(
    pronoun[0],
    (whole) => `My ${last.role}${whole.endsWith("'s") ? ' is' : ''}`,
  )
  return {
    text: text.replace(/^(My \w+) is (?=(?:been|missed|had|gotten|gone|\w+ed)\b)/, '$1 has '),
    item: last.item,
  }
}
