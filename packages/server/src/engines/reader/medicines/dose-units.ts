import { findNumbers } from '../../text/find-numbers.js'
import { tokenizeWords } from '../../text/tokenize-words.js'

/** `tablet`, `puffs` and the like are counted; of one or less they stand in the singular. */
export type DoseUnit =
  'mg' | 'mcg' | 'g' | 'units' | 'mEq' | 'mL' | '%' | CountUnit | `${CountUnit}s` | 'patches'
type CountUnit =
  | 'puff'
  | 'drop'
  | 'spray'
  | 'pump'
  | 'tablet'
  | 'capsule'
  | 'patch'
  | 'sachet'
  | 'lozenge'
  | 'teaspoon'
  | 'tablespoon'
  | 'spoon'
  | 'scoop'
  | 'capful'
  | 'square'
  | 'inhalation'

export interface SaidUnit {
  unit: DoseUnit
  length: number
  /** False: it is said of the next number, and of this one with it. */
  isOwn: boolean
  /** Counted in pieces: the dose only where no strength is said. */
  isCount: boolean
}

const measures: readonly (readonly [RegExp, DoseUnit])[] = [
  [/^\s*(?:-\s*)?(?:of a )?(?:mgs?|milligrams?|milli grams?|milligramme?s?)\b/i, 'mg'],
  [/^\s*(?:-\s*)?(?:of a )?(?:mcgs?|ug|µg|micrograms?|mikes|mics|microgrammes?)\b/i, 'mcg'],
  [/^\s*(?:-\s*)?(?:of a )?(?:grams?|grammes?|g)\b/i, 'g'],
  [/^\s*(?:-\s*)?(?:international )?(?:units?|iu)\b/i, 'units'],
  [/^\s*(?:-\s*)?(?:m[eE]qs?|meqs?|milli ?equivalents?)\b/i, 'mEq'],
  [/^\s*(?:-\s*)?(?:of a )?(?:mls?|mills?|mils?|milliliters?|millilitres?|cc|ccs)\b/i, 'mL'],
  [/^\s*(?:-\s*)?(?:of a |of one )?(?:%|per ?cent\b)/i, '%'],
]

const countWords =
  'puffs?|drops?|sprays?|pumps?|squirts?|tablets?|tabs?|pills?|caplets?|capfuls?|capsules?|caps|squares?|inhalations?|patch(?:es)?|sachets?|lozenges?|teaspoons?|teaspoonfuls?|tablespoons?|tablespoonfuls?|spoonfuls?|spoons?|scoops?'
const counted = new RegExp(
  `^\\s*(?:-\\s*)?(?:(?:of (?:a|the|one)|little|small|white|whole|more|a) )?(?<said>${countWords})\\b`,
  'i',
)
const unitWord = `(?:mc?gs?|milligrams?|micrograms?|grams?|mls?|mills?|mils?|millilit(?:er|re)s?|units?|per ?cent|%|${countWords})`

/** "Half a one", "half of one": of a tablet. */
export const halfOfOne = /^ (?:of )?(?:an? )?one\b/i

/** What may follow "the one" or "half a" so that they are numbers. */
export const beforeUnit = new RegExp(`^[ -](?:(?:of )?an? |of one |of the )?(?=${unitWord}(?![a-z]))`, 'i')

const nameCount = (said: string, amount: string): DoseUnit => {
  const lower = said.toLowerCase()
  const one: CountUnit = /^(?:tab|pill|caplet)/.test(lower)
    ? 'tablet'
    : /^cap(?!f)/.test(lower)
      ? 'capsule'
      : lower.startsWith('squirt')
        ? 'spray'
        : /spoon/.test(lower)
          ? (lower.replace(/(?:fuls?|s)$/, '') as CountUnit)
          : lower.startsWith('patch')
            ? 'patch'
            : (lower.replace(/s$/, '') as CountUnit)
  return Number(amount) <= 1 ? one : one === 'patch' ? 'patches' : `${one}s`
}

/** "The twenty-one patch", "the fifty tablet": of that strength; of so many pieces nobody speaks in the singular. */
export const isOfStrength = (said: string, amount: string): boolean =>
  Number(amount) > singularMax && /^(?:patch|tablet|tab|pill|capsule|film|lozenge)$/i.test(said)
const singularMax = 4

export const readUnit = (behind: string, amount: string): SaidUnit | null => {
  for (const [pattern, unit] of measures) {
    const match = pattern.exec(behind)
    if (match !== null) return { unit, length: match[0].length, isOwn: true, isCount: false }
  }
  if (amount === '0.5' && halfOfOne.test(behind))
    return { unit: 'tablet', length: halfOfOne.exec(behind)?.[0].length ?? 0, isOwn: true, isCount: true }
  const match = counted.exec(behind)
  return match === null || isOfStrength(match.groups?.['said'] ?? '', amount)
    ? null
    : {
        unit: nameCount(match.groups?.['said'] ?? '', amount),
        length: match[0].length,
        isOwn: true,
        isCount: true,
      }
}

/** Nobody takes one of more than so many to more of them. */
const sharedPiecesMax = 12
/** "Three hundred and fifty, seven mil": so far apart they are no two amounts of one unit. */
const sharedFactor = 12

/** "25 to 50 milligrams", "one or two puffs": the unit of the second is the first's, too. */
export const readSharedUnit = (behind: string, amount: string): SaidUnit | null => {
  const next =
    /^(?: ?- ?| to | or | and |, then | then |, )(?:a |the |up to )?(?<number>(?:[\d.]+|[a-z]+(?:[ -](?:hundred|fifty|five|point|and|twenty|thirty|seventy|a|half)){0,4}))(?<rest> ?-?(?:mgs?|milligrams?|mcgs?|micrograms?|units?|puffs|inhalations|drops|sprays|pumps|tablets|tabs|pills|capsules|sachets|mls?|mills?|mils?)\b)/i.exec(
      behind,
    )?.groups
  if (
    next === undefined ||
    (!/\d/.test(next['number'] ?? '') && findNumbers(tokenizeWords(next['number'] ?? '')).length === 0)
  )
    return null
  const unit = readUnit(next['rest'] ?? '', amount)
  // "The five hundreds, two tablets" are not five hundred tablets.
  if (unit === null || (unit.isCount && (behind.startsWith(',') || Number(amount) > sharedPiecesMax)))
    return null
  const [other] = findNumbers(tokenizeWords(next['number'] ?? ''))
  if (behind.startsWith(',') && Number(amount) > sharedFactor * Number(other?.readings[0])) return null
  return { ...unit, isOwn: false }
}
