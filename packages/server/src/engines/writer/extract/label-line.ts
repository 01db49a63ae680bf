import type { Finding, MedicineFinding, MedicineStatus } from '../../reader/reading.js'
import { findDoses } from '../../reader/medicines/find-doses.js'
import { readAnswer } from '../../text/read-answer.js'
import { has, type Line } from './line.js'
import type { Said } from './read-turns.js'

/** What the reader knows exactly of a line's words; it says no more than they do, and nothing where that is in doubt. */
export function labelLine({ heading, section, quoted }: Line, findings: readonly Finding[]): string {
  const own = findings.filter((finding) => isQuoted(finding, quoted))
  if (heading === 'Medicines' || section === 'medication_changes')
    return join(own.flatMap((one) => (one.kind === 'medicine' ? nameMedicine(one, quoted) : [])))
  if (heading === 'Allergies')
    return join(
      own.flatMap((one) =>
        one.kind === 'allergy' &&
        one.standing === 'affirmed' &&
        quoted.some(({ raw }) => has(raw, one.substance)) &&
        !quoted.some(({ raw }) => isAnothers.test(raw))
          ? capital(one.substance)
          : [],
      ),
    )
  if (section !== 'plan') return ''
  const isAppointment = own.some((one) => one.kind === 'decision' && one.about === 'appointment')
  return isAppointment && quoted.some((said) => said.place === 'plan' && meets.test(said.raw))
    ? 'Appointment:'
    : ''
}

const isQuoted = ({ items, words }: Finding, quoted: readonly Said[]): boolean =>
  quoted.some(
    (said) =>
      said.items.some((item) => items.includes(item)) && (has(words, said.raw) || has(said.raw, words)),
  )

/** Its name and dose as the very sentence has them; what became of it, the quote tells. */
function nameMedicine(
  { said: name, dose, whose, status }: MedicineFinding,
  quoted: readonly Said[],
): string[] {
  const naming = quoted.filter((said, at) => has(said.raw, name) && !isDenied(said, quoted[at + 1]))
  // What was taken once, or not in the end, would read as if it were taken.
  if (naming.length === 0 || whose === 'other' || isNotTaken.has(status)) return []
  if (naming.some((said) => mayBeOver(said, quoted))) return []
  const isSaid = naming.some(({ raw }) =>
    findDoses(raw, () => false).some(
      ({ amount, unit, isWithdrawn }) => !isWithdrawn && `${amount} ${unit}` === dose,
    ),
  )
  return [`${capital(name)}${isSaid && dose !== null ? ` ${dose}` : ''}`]
}

/** "Penicillin? No wait, that's my mother." */
const isAnothers =
  /\bnot (?:allergic|an allergy)\b|\b(?:my|his|her) (?:wife|husband|mother|mom|mum|mam|nan|gran\w*|aunt\w*|uncle|father|dad|son|daughter|sister|brother|partner)\b/i

/** "Any Advil?" "No." */
const isDenied = (said: Said, next: Said | undefined): boolean =>
  said.asks && next !== undefined && next.speaker !== said.speaker && readAnswer(next.text) === 'no'

/** "The ferrous fumarate? No. I was bunged up.", "And Benadryl?" "Can't take it." */
function mayBeOver(said: Said, quoted: readonly Said[]): boolean {
  const at = quoted.indexOf(said)
  // A sentence that tells goes on in the next one; of a question only the answer says.
  const telling = [...(said.asks ? [] : [said]), ...quoted.slice(at + 1, at + 2)]
  return telling.some(({ raw }) => tellsOfEnd.test(raw))
}

const tellsOfEnd =
  /^\W*(?:no|nope|nah|never)\b|\b(?:stopped|quit|packed in|came off|come off|off it|gave (?:it|them) up|used to|instead of|offered|rather try|can['’]t take|couldn['’]t take|don['’]t take|not taking|n['’]t taking|never took|ran out)\b/i

const isNotTaken: ReadonlySet<MedicineStatus> = new Set<MedicineStatus>([
  'past',
  'stopped',
  'declined',
  'considered',
])

const meets =
  /\b(?:see(?:ing)? you|see me|come back|meet|back (?:here )?in|next (?:visit|appointment|session)|follow[- ]?up|appointment|visit in)\b/i

const join = (names: readonly string[]): string =>
  names.length > 0 ? `${[...new Set(names)].join('; ')}.` : ''

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
