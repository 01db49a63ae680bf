import { nameMatters } from './name-matters.js'
import { readDangers, type StatedDanger } from './read-dangers.js'
import { readRegimens, type StatedMedicine } from './read-regimens.js'

/** What one sentence of a note states of what may not leave the note unnamed. */
export interface Statements {
  dangers: readonly StatedDanger[]
  medicines: readonly StatedMedicine[]
  /** Whether it says of an allergy, or of allergies at all, that there is none. Null: it speaks of none. */
  allergy: 'affirmed' | 'denied' | null
  /** Where the client goes or does not go: "admitted", "not admitted". */
  dispositions: readonly string[]
  /** As a refusal and the list call them. */
  matters: readonly string[]
}

/** A sentence says what it says in its section: what stands under the family's history is of the family. */
const ofFamily = /(?:^|_)family(?:_|$)/
const ofPast = /^(?:past_\w{1,40}|medical_history|psychiatric_history|trauma_history|substance_use_history)$/
const ofAllergies = /(?:^|_)allerg(?:y|ies)(?:_|$)/

/** Sections in which the same words say the same. */
export const frameOf = (section: string): string =>
  ofFamily.test(section)
    ? 'family'
    : ofPast.test(section)
      ? 'past'
      : ofAllergies.test(section)
        ? 'allergies'
        : 'present'

const speaksOfAllergy = /\ballerg\w*|\bNKD?A\b|\banaphyla\w*/i
const deniesAllergy =
  /\bno (?:known |reported |history of |other |drug |medication |food ){0,3}allerg\w*|\bdenie[sd] (?:any |known |having |an? |drug |medication |food ){0,3}(?:[\w-]{1,30} )?allerg\w*|\bNKD?A\b|\ballergies: (?:none|no\b|denied)|\bnot allergic\b|\bn['’]t allergic\b/i

const goes: readonly (readonly [string, RegExp])[] = [
  ['admitted', /\badmi(?:tted|ssion)\b/i],
  ['discharged', /\bdischarge[ds]?\b/i],
  ['emergency', /\bemergency (?:room|department)\b|\b(?:911|999)\b/i],
]
const declined = /\b(?:declin\w*|refus\w*|denie[sd]|not|never|no)\b[^.;]{0,40}$|n['’]t\b[^.;]{0,40}$/i
/** How far before the words it is said that it is not done. */
const declinedWithin = 80

const readDispositions = (text: string): string[] =>
  goes.flatMap(([name, words]) => {
    const at = words.exec(text)?.index
    if (at === undefined) return []
    return [declined.test(text.slice(Math.max(0, at - declinedWithin), at)) ? `not ${name}` : name]
  })

export const readStatements = (text: string, section: string): Statements => {
  const frame = frameOf(section)
  const named = nameMatters(text)
  const isOfAllergies = speaksOfAllergy.test(text) || (frame === 'allergies' && /\p{L}/u.test(text))
  return {
    dangers: readDangers(text).map((danger) => ({
      ...danger,
      whose: frame === 'family' ? 'other' : danger.whose,
      time: frame === 'past' ? 'past' : danger.time,
    })),
    medicines: readRegimens(text).map(({ generic, stated }) => ({
      generic,
      stated:
        frame === 'family' && !stated.includes('of somebody else') ? [...stated, 'of somebody else'] : stated,
    })),
    allergy: !isOfAllergies ? null : deniesAllergy.test(text) ? 'denied' : 'affirmed',
    dispositions: named.includes('disposition') ? readDispositions(text) : [],
    matters: isOfAllergies && !named.includes('allergies') ? [...named, 'allergies'] : named,
  }
}
