import type { Medication } from '../../lexicon/medications.js'
import type { DoseUnit } from './dose-units.js'
import { comesAs } from './find-by-form.js'
import type { SaidDose } from './find-doses.js'
import { fitRank, isInRange, isUsualStrength, rankFit, readCombination, toSoldUnit } from './strengths.js'
import { movesDose } from './moves-dose.js'
import type { Mention, Named, SentenceTalk } from './mention.js'

/** Kept for an emergency, not taken: no dose that is spoken of is theirs, unless it is just their strength. */
const rescue = new Set(['naloxone', 'epinephrine'])
/** So many items later a dose is rather of the one just named than of another that is sold in it. */
const nearMax = 3
/** And so many items after its name an asked dose is given. */
const answeredMax = 2

/** Between a dose and the next name: they are not of one clause. "The ten, the Lexapro" are. */
export const opensClause = /[,;](?! (?:the|my|your|that) $)| (?:and|but) /

const bringsIn =
  /(?:[,;.] ?| )(?:and|but|then|while|before|plus|as)(?: (?:then|also|we|i|we'll|i'll|i'd|we'd|you|you'll|let's|maybe|just|can|could|would|want to|going to)){0,4} (?:add|start|bring|introduc|put|give|try|begin|swap|switch|stop|keep|leave|phase|build)(?:e?s|ed|ing|e)?\b/i
const replaces = /\b(?:replac(?:es|ed|ing|e)|instead of|in place of|rather than)(?: (?:the|your|my|that))? $/i
const goesWith =
  /\b(?:with|alongside|on top of|before|after|together with)(?: (?:every|each) dose of)?(?: (?:the|your|my|that))? $/i
/** What is gone or not wanted is not what is raised, kept or begun. */
const isGone = ({ status }: Mention): boolean => /^(?:declined|past|stopped)$/.test(status ?? '')
const decides =
  /\b(?:let's|we'll|we can|we could|i'd|i'll|i would|can you|you can|you could) (?:\w+ ){0,2}?(?:go|stay|keep|start|do|try|move|stick|hold|leave|make|bump|drop|push)\b|\b(?:stay|keep|stick|hold|leave) (?:\w+ )?(?:on|at|with)\b|^(?:(?:so|okay|right|then)[, ]+)+(?:[\w-]+ ){1,3}then\b/

/** What may be meant by a dose without a name, the last one first. */
export const listRecent = ({ recent }: SentenceTalk): Mention[] =>
  recent.filter(({ medication }) => !rescue.has(medication.generic)).toReversed()

/** Of insulin any number of units may be given. */
export const takesUnits = ({ generic }: Medication): boolean => generic.startsWith('insulin')

/** Doses of one medicine are seldom further apart. */
const nearFactor = 4

/** Whether it is like a dose that was said of it: of what is sold in nobody knows what. */
export const isNearSaid = (talk: SentenceTalk, medication: Medication, amount: string): boolean =>
  medication.usualStrengths.length === 0 && isLikeSaid(talk, medication, amount)

/** Whether it is like a dose that was said of it, whatever is sold. */
export const isLikeSaid = ({ recent }: SentenceTalk, { generic }: Medication, amount: string): boolean =>
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
  const formed = findByForm(talk, dose, nearest)
  if (formed !== undefined) return { owner: undefined, medication: formed.medication }
  const earlier = findAntecedent(talk, dose)
  const isOwn =
    nearest !== undefined && (earlier === undefined || !isOfAnother(talk, dose, nearest, earlier.medication))
  return isOwn
    ? { owner: nearest, medication: nearest.medication }
    : { owner: undefined, medication: earlier?.medication }
}

const namesForm =
  /\b(?:the|your|her|his|my) (?<form>patch|inhaler|puffer|spray|gel|drops|cream|ointment|injection|shot|syrup|liquid|film|depot)(?:es|s)?\b/gi

const formBehind =
  /^(?:,| (?:on|of|in|with|for)) (?:the|your|her|his|my) (?:(?:nose|nasal|mouth|skin) )?(?<form>patch|inhaler|puffer|spray|gel|drops|cream|injection|shot|jab|syrup|liquid|film|depot)\b/i

/** "Taking the bisoprolol down, then go up on the patch to nine point five": of the one that is a patch. */
const findByForm = (
  { sentence: { text }, recent }: SentenceTalk,
  dose: SaidDose,
  nearest: Named | undefined,
): Mention | undefined => {
  const from = nearest !== undefined && nearest.end <= dose.start ? nearest.end : 0
  const before = [...text.slice(from, dose.start).matchAll(namesForm)].at(-1)
  const behind = formBehind.exec(text.slice(dose.end))
  const form = (behind ?? before)?.groups?.['form']?.toLowerCase()
  if (form === undefined) return undefined
  const formed = recent.filter(
    ({ words, medication }) => words.toLowerCase().includes(form) || comesAs(medication, form),
  )
  return formed.findLast(
    ({ medication }) => medication.usualStrengths.length === 0 || isInRange(medication, dose.amount),
  )
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
  const isBefore = nearest.start >= dose.end
  // "One inhalation a day, it replaces the Spiriva".
  if (isBefore && replaces.test(text.slice(dose.end, nearest.start))) return true
  // "Two hundred, with every dose of the Sinemet".
  if (isBefore && goesWith.test(text.slice(dose.end, nearest.start))) return true
  // "The gel, two pumps, and the Utrogestan at night".
  if (isBefore && dose.isCount && opensClause.test(text.slice(dose.end, nearest.start))) return true
  if (dose.isCount || readCombination(nearest.medication, dose.amount) !== null) return false
  // "So forty milligrams, and add in dapagliflozin", "stay at three mils while we bring in Trileptal".
  if (isBefore && bringsIn.test(text.slice(dose.end, nearest.start))) return true
  if (dose.unit !== null) return false
  // "With the bupropion out, would you go from ten to fifteen?"
  if (nearest.medication.usualStrengths.length > 0 && !isInRange(nearest.medication, dose.amount)) return true
  // "We'll stay at two, and I'll give you a bit of benztropine."
  return (
    isBefore && opensClause.test(text.slice(dose.end, nearest.start)) && isUsualStrength(earlier, dose.amount)
  )
}

/** So short a sentence says nothing else. */
const restatedWordsMax = 4
const isOneTurnOn = ({ sentence: { plain } }: SentenceTalk): boolean =>
  plain.split(' ').length <= restatedWordsMax

/** The last that was said of it is that it is gone. */
const isGoneNow = (recent: readonly Mention[], { medication }: Mention): boolean => {
  const told = recent.find(
    (one) =>
      one.medication.generic === medication.generic &&
      one.status !== null &&
      !one.asks &&
      // "I'm at seven and a half. It was ten till last week.": the ten is over, and nothing else.
      !(one.status === 'past' && one.dose !== null),
  )
  return told !== undefined && isGone(told)
}

const hasDose = (recent: readonly Mention[], { medication }: Mention): boolean =>
  recent.some((one) => one.medication.generic === medication.generic && one.dose !== null)

/** The last medicine that was spoken of and is given in such a dose; any with a unit, if none is. */
const findAntecedent = (talk: SentenceTalk, dose: SaidDose): Mention | undefined => {
  const all = listRecent(talk)
  const isMove = movesDose.test(talk.sentence.plain)
  // What is decided is of what goes on, if anything else can be meant.
  const standing =
    isMove || decides.test(talk.sentence.plain) ? all.filter((one) => !isGoneNow(all, one)) : all
  const recent = standing.length > 0 ? standing : all
  const [latest] = recent
  // "Lantus up to twenty-four." – "Twenty-four, then twenty-six.": what was just said is said again.
  const echoed = all.find(
    (one) =>
      talk.turn.item - one.item === 1 &&
      one.role !== talk.turn.role &&
      one.dose?.amount === dose.amount &&
      one.dose.isCount === dose.isCount,
  )
  // "So fifty once." – "Sumatriptan, a hundred. I break it, so fifty": another has been named since. "The lithium to six hundred. Any Advil?" –
  // "Six hundred milligrams": and so has what is asked for at the end.
  const isNamedSince = all.some(
    (one) =>
      one.medication.generic !== echoed?.medication.generic &&
      (one.namedIn === talk.turn.item ||
        (one === latest && one.asks && one.dose === null && isInRange(one.medication, dose.amount))),
  )
  if (echoed !== undefined && talk.named.length === 0 && !isNamedSince) return echoed
  // "The clinic gave me Cilift in August. Twenty.": of what was just named, whatever another is sold in.
  if (
    latest?.dose === null &&
    latest.namedIn === talk.turn.item &&
    latest.medication.usualStrengths.length === 0 &&
    talk.named.length === 0 &&
    !dose.isCount
  )
    return latest
  // "So forty then": what was weighed before of another, not of what has been named since.
  const isDecided = standing !== all
  const weighed = recent.find((one) => one.dose?.amount === dose.amount && one.dose.isCount === dose.isCount)
  if (
    isDecided &&
    latest !== undefined &&
    latest.item < talk.turn.item &&
    weighed !== undefined &&
    // "Pantoprazole?" – "The forty." – "Let's go to twenty then": of that, whatever else is taken in twenties.
    !(talk.turn.item - latest.item <= 1 && isUsualStrength(latest.medication, dose.amount))
  )
    return weighed
  // Pieces say nothing of what they are of; half a tablet is of what is being spoken of.
  const isHalved =
    latest !== undefined &&
    talk.turn.item - latest.item <= 1 &&
    isUsualStrength(latest.medication, String(Number(dose.amount) * 2)) &&
    dose.amount.includes('.')
  const { unit } = dose
  const counted = recent.find((one) =>
    unit === null ? isMove && one.dose?.isCount === true : isSamePiece(one.dose, unit),
  )
  if (latest !== undefined && (dose.isCount || unit === '%' || isHalved))
    return (
      (dose.isCount && (hasDose(recent, latest) || talk.turn.item - latest.item > nearMax)
        ? counted
        : undefined) ?? latest
    )
  const near = recent.filter(({ item }) => talk.turn.item - item <= nearMax)
  const amountOf = (medication: Medication) => toSoldUnit(medication, dose.amount, dose.unit)
  const isUsual = ({ medication }: Mention) => isUsualStrength(medication, amountOf(medication))
  const kept = talk.recent.findLast(
    (one) => rescue.has(one.medication.generic) && talk.turn.item - one.item <= nearMax && isUsual(one),
  )
  if (kept !== undefined && dose.unit === null && dose.amount.startsWith('0.')) return kept
  if (dose.unit !== null) {
    if (kept !== undefined) return kept
    const [last] = near
    // "Gravol. Half a tab. Fifteen milligrams.": what was counted is weighed.
    if (last?.dose?.isCount === true && last.item === talk.turn.item && isOneTurnOn(talk)) return last
    // How many mils says nothing of what they are of.
    if (unit === 'mL' && last !== undefined)
      return near.find((one) => one.dose?.unit === 'mL' && one.dose.amount === dose.amount) ?? last
    if (last?.medication.usualStrengths.length === 0) return last
    // "I could give you hyoscine for that. Three hundred micrograms."
    if (last?.dose === null && last.item === talk.turn.item) return last
    const fitting =
      near.find(isUsual) ?? near.find(({ medication }) => isInRange(medication, amountOf(medication)))
    if (fitting !== undefined) return fitting
  }
  // What is just being spoken of comes first, where people take so much of it; asked for, in any case.
  if (latest !== undefined && dose.unit === null) {
    const back = talk.turn.item - latest.item
    const rank = rankFit(latest.medication, dose.amount)
    if (
      (back <= 1 && rank <= fitRank.plain) ||
      // "Depakote, ugh. Fifteen hundred a day."
      (latest.dose === null &&
        latest.namedIn === talk.turn.item &&
        rank <= fitRank.several &&
        recent.every((one) => one.item < talk.turn.item || rankFit(one.medication, dose.amount) >= rank)) ||
      (back <= answeredMax && talk.isDoseAnswer && rank <= fitRank.inRange)
    )
      return latest
  }
  const findRanked = (rank: number) =>
    recent.find(({ medication }) => rankFit(medication, dose.amount) === rank)
  return (
    near.find(isUsual) ??
    recent.find(isUsual) ??
    findRanked(fitRank.plain) ??
    findRanked(fitRank.several) ??
    findRanked(fitRank.inRange) ??
    recent.find(({ medication }) => isNearSaid(talk, medication, dose.amount) || takesUnits(medication)) ??
    (dose.amount.includes('.')
      ? recent.find(({ medication }) => isLikeSaid(talk, medication, dose.amount))
      : undefined) ??
    (dose.unit === null &&
    !(talk.isDoseAnswer && (latest?.medication.usualStrengths.length === 0 || dose.amount.includes('.'))) &&
    !dose.amount.startsWith('0.0')
      ? undefined
      : latest)
  )
}
