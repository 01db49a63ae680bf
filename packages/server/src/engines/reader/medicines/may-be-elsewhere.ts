import type { Medication } from '../../lexicon/medications.js'
import { isWeighed } from './bare-doses.js'
import type { DoseUnit } from './dose-units.js'
import type { SaidDose } from './find-doses.js'
import type { SentenceTalk } from './mention.js'
import { movesDose } from './moves-dose.js'
import { isLikeSaid, takesUnits } from './own-dose.js'
import { fitRank, isUsualStrength, rankFit, toSoldUnit } from './strengths.js'

/** "Three point seven five" of a syrup; no more is measured out at a time. */
const measuredOutMax = 20

/** A bare number of something that was named elsewhere is its dose only if it is taken so, or was asked for. */
export const mayBeElsewhere = (
  talk: SentenceTalk,
  medication: Medication,
  dose: SaidDose,
  amount: string,
): boolean => {
  const { unit, isCount } = dose
  return (
    (unit !== null && !isForeign(talk, medication, unit, amount)) ||
    isCount ||
    medication.usualStrengths.length === 0 ||
    takesUnits(medication) ||
    rankFit(medication, amount) <= fitRank.plain ||
    (talk.isDoseAnswer && amount.includes('.') && Number(amount) < measuredOutMax) ||
    (rankFit(medication, amount) === fitRank.several && isJustSpokenOf(talk, medication)) ||
    (isLikeSaid(talk, medication, amount) && (talk.isDoseAnswer || movesDose.test(talk.sentence.plain))) ||
    isOfPoured(talk, medication, dose)
  )
}

/** "At fifteen a day", "ten by Christmas": cigarettes, beside the patch. */
export const isSmoked = (
  medication: Medication,
  { unit, isCount, amount }: SaidDose,
  behind: string,
): boolean =>
  medication.generic.startsWith('nicotine') &&
  unit === null &&
  !isCount &&
  (!isUsualStrength(medication, amount) || /^ (?:a day|by )/.test(behind))

const isOfPoured = (talk: SentenceTalk, { generic }: Medication, dose: SaidDose): boolean =>
  dose.unit === null &&
  talk.recent.some((one) => one.medication.generic === generic && isWeighed(talk, one, dose))

/** "I'd go the fourteen milligram" of patches, turns behind the name of something that nobody takes so. */
const isForeign = (talk: SentenceTalk, medication: Medication, unit: DoseUnit, amount: string): boolean =>
  isOfFood(talk, medication, unit) ||
  ((unit === 'mg' || unit === 'mcg' || unit === 'g') &&
    medication.usualStrengths.length > 0 &&
    rankFit(medication, toSoldUnit(medication, amount, unit)) > fitRank.several &&
    !talk.recent.some(
      (one) => one.medication.generic === medication.generic && talk.turn.item - one.item <= 2,
    ))

/** So many items behind a name "sixty mils" and "fifteen grams" are of a bottle or a meal, unless it is taken so. */
const pouredReach = 4
const isOfFood = ({ recent, turn }: SentenceTalk, { generic }: Medication, unit: DoseUnit): boolean =>
  (unit === 'mL' || unit === 'g') &&
  !recent.some(
    ({ medication, item, dose }) =>
      medication.generic === generic && (turn.item - item <= pouredReach || dose?.unit === unit),
  )

const isJustSpokenOf = ({ recent, turn }: SentenceTalk, { generic }: Medication): boolean =>
  recent.some(({ medication, namedIn }) => medication.generic === generic && turn.item - namedIn <= 1)
