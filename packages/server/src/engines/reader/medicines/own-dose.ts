import type { Medication } from '../../lexicon/medications.js'
import type { DoseUnit } from './dose-units.js'
import type { SaidDose } from './find-doses.js'
import { fitsStrengths, isInRange, isUsualStrength, toSoldUnit } from './strengths.js'
import { movesDose } from './moves-dose.js'
import type { Mention, Named, SentenceTalk } from './mention.js'

/** Kept for an emergency, not taken: no dose that is spoken of is theirs, unless it is just their strength. */
const rescue = new Set(['naloxone', 'epinephrine'])
/** So many items later a dose is rather of the one just named than of another that is sold in it. */
const nearMax = 3

/** Between a dose and the next name: they are not of one clause. "The ten, the Lexapro" are. */
export const opensClause = /[,;](?! (?:the|my|your|that) $)| (?:and|but) /

/** What may be meant by a dose without a name, the last one first. */
export const listRecent = ({ recent }: SentenceTalk): Mention[] =>
  recent.filter(({ medication }) => !rescue.has(medication.generic)).toReversed()

/** Of insulin any number of units may be given. */
export const takesUnits = ({ generic }: Medication): boolean => generic.startsWith('insulin')

/** Doses of one medicine are seldom further apart. */
const nearFactor = 4

/** Whether it is like a dose that was said of it: of what is sold in nobody knows what. */
export const isNearSaid = (
  { recent }: SentenceTalk,
  { generic, usualStrengths }: Medication,
  amount: string,
): boolean =>
  usualStrengths.length === 0 &&
  recent.some(({ medication, dose }) => {
    if (medication.generic !== generic || dose === null || dose.isCount) return false
    const ratio = Number(amount) / Number(dose.amount)
    return ratio <= nearFactor && ratio >= 1 / nearFactor
  })

/** Puffs and puffs, pumps and pumps. */
export const isSamePiece = (dose: SaidDose | null, unit: DoseUnit): boolean =>
  dose?.unit != null && dose.isCount && dose.unit.slice(0, 3) === unit.slice(0, 3)

/** Of which medicine a dose is: of one named in the sentence, else of one spoken of before. */
export const findOwner = (
  talk: SentenceTalk,
  dose: SaidDose,
): { owner: Named | undefined; medication: Medication | undefined } => {
  const nearest = findNearest(talk.sentence.text, dose, talk.named)
  const earlier = findAntecedent(talk, dose)
  const isOwn =
    nearest !== undefined && (earlier === undefined || !isOfAnother(talk, dose, nearest, earlier.medication))
  return isOwn
    ? { owner: nearest, medication: nearest.medication }
    : { owner: undefined, medication: earlier?.medication }
}

/** The name right behind it, else the last one before it, else the only one. */
const findNearest = (text: string, dose: SaidDose, named: readonly Named[]): Named | undefined => {
  const next = named.find(({ start }) => start >= dose.end)
  if (
    next !== undefined &&
    /^(?:-? ?(?:tablets?|pills?|capsules?))?(?: of| on)?(?: (?:the|your|my|her|his|a|some|generic))* ?$/i.test(
      text.slice(dose.end, next.start),
    )
  )
    return next
  return named.findLast(({ end }) => end <= dose.start) ?? (named.length === 1 ? next : undefined)
}

const isOfAnother = (
  { sentence: { text } }: SentenceTalk,
  dose: SaidDose,
  nearest: Named,
  earlier: Medication,
): boolean => {
  if (dose.unit !== null || dose.isCount) return false
  // "With the bupropion out, would you go from ten to fifteen?"
  if (nearest.medication.usualStrengths.length > 0 && !isInRange(nearest.medication, dose.amount)) return true
  // "We'll stay at two, and I'll give you a bit of benztropine."
  return (
    nearest.start >= dose.end &&
    opensClause.test(text.slice(dose.end, nearest.start)) &&
    isUsualStrength(earlier, dose.amount)
  )
}

/** The last medicine that was spoken of and is given in such a dose; any with a unit, if none is. */
const findAntecedent = (talk: SentenceTalk, dose: SaidDose): Mention | undefined => {
  const recent = listRecent(talk)
  const [latest] = recent
  // Pieces say nothing of what they are of; half a tablet is of what is being spoken of.
  const isHalved =
    latest !== undefined &&
    talk.turn.item - latest.item <= 1 &&
    isUsualStrength(latest.medication, String(Number(dose.amount) * 2)) &&
    dose.amount.includes('.')
  const { unit } = dose
  const isMove = movesDose.test(talk.sentence.plain)
  const counted = recent.find((one) =>
    unit === null ? isMove && one.dose?.isCount === true : isSamePiece(one.dose, unit),
  )
  if (latest !== undefined && (dose.isCount || unit === '%' || isHalved))
    return (
      (dose.isCount && (latest.dose !== null || talk.turn.item - latest.item > 1) ? counted : undefined) ??
      latest
    )
  const near = recent.filter(({ item }) => talk.turn.item - item <= nearMax)
  const amountOf = (medication: Medication) => toSoldUnit(medication, dose.amount, dose.unit)
  const isUsual = ({ medication }: Mention) => isUsualStrength(medication, amountOf(medication))
  const kept = talk.recent.findLast(
    (one) => rescue.has(one.medication.generic) && talk.turn.item - one.item <= nearMax && isUsual(one),
  )
  if (dose.unit !== null) {
    if (kept !== undefined) return kept
    const [last] = near
    if (last?.medication.usualStrengths.length === 0) return last
    // "I could give you hyoscine for that. Three hundred micrograms."
    if (last?.dose === null && last.item === talk.turn.item) return last
    const fitting =
      near.find(isUsual) ?? near.find(({ medication }) => isInRange(medication, amountOf(medication)))
    if (fitting !== undefined) return fitting
  }
  return (
    near.find(isUsual) ??
    recent.find(isUsual) ??
    recent.find(
      ({ medication }) => medication.usualStrengths.length > 0 && fitsStrengths(medication, dose.amount),
    ) ??
    recent.find(({ medication }) => isInRange(medication, dose.amount)) ??
    recent.find(({ medication }) => isNearSaid(talk, medication, dose.amount) || takesUnits(medication)) ??
    (dose.unit === null &&
    !(talk.isDoseAnswer && (latest?.medication.usualStrengths.length === 0 || dose.amount.includes('.')))
      ? undefined
      : latest)
  )
}
