import { readDoses } from '../ledger/read-doses.js'
import { isDoseUnit } from '../text/measure-units.js'
import { besideItems, type ExactCheck } from './exact-check.js'
import type { SpokenItem } from './read-talk.js'

/** How far behind a name its dose is said: "the sertraline, um, that one is still at fifty". */
const wordsBetweenMax = 8

/**
 * A dose belongs to the medicine that it stands behind: not where it was said of another one only, and this one was said with
 * other doses. Whether it was said at all is a matter of the numbers.
 */
export const checkDoses: ExactCheck = (claim, talk) => {
  const written = readDoses(claim.text)
  if (written.length === 0) return null
  const said = new Map<string, Set<string>>()
  for (const item of talk.around(claim.items, besideItems)) gatherDoses(item, said)
  const swapped = written.find(({ generic, values }) => {
    const own = said.get(generic)
    if (own === undefined || own.size === 0 || values.some((value) => own.has(value))) return false
    return [...said].some(([other, doses]) => other !== generic && values.some((value) => doses.has(value)))
  })
  return swapped === undefined ? null : { reason: 'dose', part: swapped.text }
}

/** What was said behind each name, before the next. */
const gatherDoses = ({ tokens, amounts, medicines }: SpokenItem, said: Map<string, Set<string>>): void => {
  let next = 0
  for (const { unit, values, form, firstToken } of amounts) {
    if (form === 'implied' || form === 'ordinal' || (unit !== null && !isDoseUnit(unit))) continue
    const start = tokens[firstToken]?.start ?? 0
    while ((medicines[next]?.end ?? Infinity) <= start) next++
    const named = medicines[next - 1]
    if (named === undefined) continue
    const nameEnd = named.end
    let between = 0
    while (between <= wordsBetweenMax && (tokens[firstToken - 1 - between]?.start ?? -1) >= nameEnd) between++
    if (between > wordsBetweenMax) continue
    const generic = named.medication.generic
    said.set(generic, (said.get(generic) ?? new Set()).add(values[0] ?? ''))
    for (const value of values) said.get(generic)?.add(value)
  }
}
