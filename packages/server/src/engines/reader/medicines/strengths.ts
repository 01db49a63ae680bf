import type { Medication } from '../../lexicon/medications.js'

/** Every small number is so many times a smaller tablet. */
const stepMin = 5
/** Above the largest tablet, amounts are round. One that is not, such as "one forty", is one tablet of forty, or a time of day. */
const roundStep = 50
const largeMin = 100

/** A combination's strength as it is said: "30/500", "thirty five hundred", "eight two"; null where it is none of it. */
export const readCombination = ({ usualStrengths }: Medication, amount: string): string | null => {
  for (const strength of usualStrengths) {
    const [first, second] = strength.split('-')
    if (first === undefined || second === undefined) continue
    const isSaid =
      amount === `${first}/${second}` ||
      amount === `${first}${second}` ||
      // "Thirty five hundred" is heard as thirty-five hundreds.
      (Number(first) % 10 === 0 && amount === String(Number(first) * 100 + Number(second)))
    if (isSaid) return `${first}/${second}`
  }
  return null
}

/** Half a tablet to four of one strength, or two of them added up. */
const tabletCounts = [0.5, 1, 1.5, 2, 3, 4]

/** Usual strengths; those of a combination are its first part's: "8-2" is called eight. */
export const strengthsOf = ({ usualStrengths }: Medication): number[] =>
  usualStrengths.map((strength) => Number(strength.split('-')[0]))

/** Between half of the smallest and five of the largest tablet, so that a day's dose is in it. */
export const isInRange = (medication: Medication, amount: string): boolean => {
  const strengths = strengthsOf(medication)
  const value = Number(amount)
  return strengths.length > 0 && value >= Math.min(...strengths) / 2 && value <= Math.max(...strengths) * 5
}

/** Whether people take so much of it; true where nothing is known of its strengths. */
export const fitsStrengths = (medication: Medication, amount: string): boolean => {
  const strengths = strengthsOf(medication)
  const value = Number(amount)
  if (Number.isNaN(value) || value <= 0) return false
  if (strengths.length === 0) return value >= 2
  const step = Math.min(...strengths.filter((strength) => strength >= stepMin))
  return (
    strengths.some((strength) => tabletCounts.some((count) => strength * count === value)) ||
    strengths.some((one) => strengths.some((other) => one + other === value)) ||
    // "From a thousand to twelve-fifty": of up to eight of one strength.
    (value >= largeMin &&
      value % roundStep === 0 &&
      strengths.some(
        (strength) => strength >= largeMin && value % strength === 0 && value / strength <= 8,
      )) ||
    // "Clozapine, three fifty": of several tablets.
    (value > step &&
      value % step === 0 &&
      (value <= Math.max(...strengths) || value % roundStep === 0) &&
      isInRange(medication, amount))
  )
}

/** How well an amount fits what is sold, the best first: one tablet, half of one to two, what else people take, in range, not at all. */
export const rankFit = (medication: Medication, amount: string): number => {
  const strengths = strengthsOf(medication)
  const value = Number(amount)
  if (isUsualStrength(medication, amount)) return 0
  if (strengths.length === 0) return fitRank.none
  if (
    strengths.some((one) => plainCounts.some((count) => one * count === value)) ||
    strengths.some((one) => strengths.some((other) => one + other === value))
  )
    return fitRank.plain
  if (fitsStrengths(medication, amount)) return fitRank.several
  return isInRange(medication, amount) ? fitRank.inRange : fitRank.none
}
export const fitRank = { usual: 0, plain: 1, several: 2, inRange: 3, none: 4 } as const
const plainCounts = [0.5, 1.5, 2]

export const isUsualStrength = (medication: Medication, amount: string): boolean =>
  strengthsOf(medication).includes(Number(amount)) || readCombination(medication, amount) !== null

/** The same amount in the unit of the medicine's strengths, where it was said in another: 300 micrograms are 0.3 of what is sold in mg. */
export const toSoldUnit = (medication: Medication, amount: string, unit: string | null): string => {
  const power = (unit === 'g' ? 6 : unit === 'mg' ? 3 : 0) - (medication.unit === 'mg' ? 3 : 0)
  if (power === 0 || (unit !== 'mcg' && unit !== 'mg' && unit !== 'g')) return amount
  const sold = String(Number((Number(amount) * 10 ** power).toPrecision(12)))
  // Some lines have their strengths in the unit in which they are said.
  return strengthsOf(medication).includes(Number(amount)) ? amount : sold
}
