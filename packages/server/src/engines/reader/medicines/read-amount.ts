import type { Medication } from '../../lexicon/medications.js'
import type { SaidDose } from './find-doses.js'
import { fitRank, rankFit, readCombination } from './strengths.js'

/** "Thirty-seven five", "twelve five": not "three seventy-five", nor "six two five". */
const saysTenth =
  /(?:\b(?:ten|eleven|twelve|\w{2,5}teen)|\b\w{3,5}ty[ -](?:one|two|three|four|five|six|seven|eight|nine)) fives?$/i
/** "One six-fifty": not "sixteen fifty", nor "one thousand". */
const saysPieces =
  /^(?:one|two|three) (?:one|two|three|four|five|six|seven|eight|nine)[ -](?:hundreds?|(?:twen|thir|for|fif|six|seven|eigh|nine)t(?:y|ies))\b/i

/** "Thirty-seven five" is 37.5, and "one six-fifty" one of 650, where it is sold so; any other number is as it was said. */
export const readAmount = (
  medication: Medication,
  { amount, unit, isCount }: SaidDose,
  said: string,
): string => {
  const combination = readCombination(medication, amount)
  if (combination !== null) return combination
  if ((unit !== null && unit !== 'mg') || isCount || !/^\d{3,4}$/.test(amount)) return amount
  if (medication.usualStrengths.length === 0 || rankFit(medication, amount) === fitRank.usual) return amount
  const readings = [
    ...(saysTenth.test(said) ? [String(Number(amount) / 10)] : []),
    ...(/^[1-3]\d{3}$/.test(amount) && saysPieces.test(said) ? [String(Number(amount.slice(1)))] : []),
    // "A thousand, one at night".
    ...(/00[1-3]$/.test(amount) && rankFit(medication, amount) > fitRank.several
      ? [String(Number(amount) - (Number(amount) % 10))]
      : []),
  ]
  return readings.find((one) => rankFit(medication, one) <= fitRank.plain) ?? amount
}
