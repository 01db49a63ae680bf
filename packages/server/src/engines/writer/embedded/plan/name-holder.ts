import { ofThem } from '../statement/clinician-wording.js'
import { hasNegation } from '../../text/find-negation.js'
import type { Session, Spoken } from '../talk/read-session.js'

const asksOther =
  /^(?:(?:and|so|then|okay)[, ]+)*I(?:'d like| would like| want| need) (?<who>him|her) to (?<act>lock|hold|keep|take|put|give|hide|remove|store|get rid of)\b(?<rest>.*)$/i

const holder =
  /\bmy (?<role>wife|husband|partner|mother|mom|father|dad|sister|brother|daughter|son|girlfriend|boyfriend|roommate|aunt|uncle|friend)\b/gi
const women = /^(?:wife|mother|mom|sister|daughter|girlfriend|aunt)$/
const men = /^(?:husband|father|dad|brother|son|boyfriend|uncle)$/
const means = /\b(?:guns?|rifles?|pistols?|shotguns?|pills|knives|razors?|medications?|meds)\b/gi

/** How many items back whoever has the means was named. */
const reach = 3

/** "My wife has some Percocet." – "I'd like her to lock those up.": who is to lock up what, where both are certain. */
export const nameHolder = (
  { clean, item }: Spoken,
  { sentences }: Session,
): { text: string; items: number[] } | null => {
  const { who: pronoun = '', act, rest = '' } = asksOther.exec(clean)?.groups ?? {}
  if (act === undefined) return null
  const heard = sentences.filter(
    (spoken) => spoken.role === 'client' && spoken.item < item && spoken.item >= item - reach,
  )
  const holders = heard.flatMap((spoken) =>
    [...spoken.clean.matchAll(holder)].map((match) => ({
      role: (match.groups?.['role'] ?? '').toLowerCase(),
      item: spoken.item,
    })),
  )
  const [who] = holders
  const isOther = (/^her$/i.test(pronoun) ? men : women).test(who?.role ?? '')
  if (who === undefined || isOther || new Set(holders.map(({ role }) => role)).size > 1) return null
  // Only what is said of them: "My wife has some pills. No guns."
  const things = new Set(
    heard.flatMap((spoken) =>
      spoken.clean.search(holder) < 0 || hasNegation(spoken.clean)
        ? []
        : [
            ...spoken.medicines.map(({ name }) => name),
            ...[...spoken.clean.matchAll(means)].map(([thing]) => thing.toLowerCase()),
          ],
    ),
  )
  const [thing] = things
  const named =
    things.size === 1 && thing !== undefined
      ? rest.replace(/\b(?:those|them|it|that)\b/i, `the ${thing}`)
      : rest
  return {
    text: `client's ${who.role} to ${act.toLowerCase()}${ofThem(named).replace(/[.!?…]+$/, '')}`,
    items: [who.item, item],
  }
}
