import type { ExactCheck } from './exact-check.js'
import type { Person } from '../named-item.js'
import type { Role, SpokenItem, Talk } from './read-talk.js'

const lead =
  '^(?:(?:initially|later|earlier|also|today|additionally|in addition|at first|this session|when asked),? )?'
const saysOf =
  'reports?|reported|states?|stated|says|said|describes?|described|endorses?|endorsed|denie[sd]|shares?|shared|tells|told|recalls?|recalled|explains?|explained|asks?|asked|confirms?|confirmed'
const ofClient = new RegExp(
  `${lead}(?:the )?(?:client|patient) (?:also |then |further )?(?:${saysOf})\\b`,
  'i',
)
const ofClinician = new RegExp(
  `${lead}(?:the )?(?:clinician|provider|therapist|prescriber) (?:also |then |further )?(?:${saysOf})\\b`,
  'i',
)

/** Whose words a sentence says that it gives; null for nobody's in particular. */
export const claimedSpeaker = (text: string): Role | null => {
  const head = text.trimStart().slice(0, headLengthMax)
  if (ofClient.test(head)) return 'client'
  return ofClinician.test(head) ? 'clinician' : null
}

const headLengthMax = 120

/**
 * One of the items, or one beside them that asks or answers, is by whom the sentence names; a voice that is not known may be. Where people were
 * named, what Ben reports rests on a line of Ben's among the items themselves, and so does what the client reports: in a talk of three the line
 * beside it is another's as often as not. Only what cites nothing but the clinician may mean the answer beside it.
 */
export const checkSpeaker: ExactCheck = (claim, talk) => {
  if (claim.items.length === 0) return null
  const people = peopleOf(talk)
  const person = claimedPerson(claim.text, people)
  if (person !== null)
    return restingOn(claim.items, talk).some((item) => item.person?.label === person.label)
      ? null
      : { reason: 'speaker', part: person.label }
  const wanted = claimedSpeaker(claim.text)
  if (wanted === null) return null
  const lines =
    wanted === 'client' && people.length > 0 ? restingOn(claim.items, talk) : talk.around(claim.items, 1)
  return lines.some((item) => item.role === wanted || (item.role === 'unknown' && mayBe(wanted, item)))
    ? null
    : { reason: 'speaker', part: wanted }
}

const restingOn = (items: readonly number[], talk: Talk): SpokenItem[] => {
  const cited = talk.around(items, 0)
  return cited.every(({ role }) => role === 'clinician') ? talk.around(items, 1) : cited
}

const mayBe = (wanted: Role, { person }: SpokenItem): boolean =>
  person?.role == null || person.role === wanted

const peopleOf = (talk: Talk): Person[] =>
  talk.remember('persons', () => {
    const people = new Map<string, Person>()
    for (let index = 0; index < talk.length; index += 1) {
      const person = talk.at(index)?.person ?? null
      if (person !== null) people.set(person.label, person)
    }
    return [...people.values()]
  })

const tells = new RegExp(`\\b(?:${saysOf})\\b`, 'i')
/** "The client's partner Ben": a longer beginning says more than who speaks. */
const subjectWordsMax = 6

/** The one whose name or role stands before the first word that says that somebody spoke. Null: nobody in particular. */
function claimedPerson(text: string, people: readonly Person[]): Person | null {
  if (people.length === 0) return null
  const head = text.trimStart().slice(0, headLengthMax)
  const words = head
    .slice(0, tells.exec(head)?.index ?? 0)
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
  if (words.length === 0 || words.length > subjectWordsMax || words.includes('and')) return null
  const subject = ` ${words.join(' ')} `
  const named = people.filter(({ name }) => name !== null && subject.includes(` ${plainName(name)} `))
  if (named.length > 0) return named.length === 1 ? (named[0] ?? null) : null
  const ofRole = people.filter(
    ({ role }) => role !== null && role !== 'client' && role !== 'clinician' && words.includes(role),
  )
  return ofRole.length === 1 ? (ofRole[0] ?? null) : null
}

const plainName = (name: string): string =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')
