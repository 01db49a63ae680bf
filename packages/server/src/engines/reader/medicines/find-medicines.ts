import { findAllMedications, type Medication } from '../../lexicon/medications.js'
import { makeFindingId, sortItems } from '../finding-id.js'
import type { MedicineFinding, MedicineStatus, TopicScores, Whose } from '../reading.js'
import type { Sentence, Turn } from '../talk/read-talk.js'
import {
  findDoses,
  fitsStrengths,
  isInRange,
  isUsualStrength,
  standsBesideName,
  standsWhereDosesStand,
  type SaidDose,
} from './find-doses.js'
import { findMisheard } from './find-misheard.js'
import { readMedicineWhose } from './read-medicine-whose.js'
import { outweighs, readStatus } from './read-status.js'
import { readUse } from './read-use.js'

interface Named {
  medication: Medication
  said: string
  start: number
  end: number
}

/** One place where a medicine, or a dose of it, was said. */
interface Mention {
  medication: Medication
  said: string
  dose: SaidDose | null
  item: number
  /** Where it was named, if its dose was said elsewhere. */
  namedIn: number
  words: string
  use: string | null
  status: MedicineStatus
  whose: Whose
}

/** So many items later "it" and "the fifty" still mean the medicine that was spoken of. */
const antecedentReach = 6
/** Where the encoder is sure that medicines are spoken of, further: nothing else can be meant. */
const antecedentReachAbout = 14
const surelyAboutAt = 0.4
/** From here an item is about medicines to the encoder. */
const aboutMedicineAt = 0.2
/** Where it is surer, a name may also be one that a recognizer wrote otherwise. */
const aboutMisheardAt = 0.4
/** Comparing sounds is the dearest rule; longer turns are no talk. */
const misheardWordsMax = 600
/** Of so many mentions before, one may be meant by "it". */
const recentMax = 40
const aboutTopics = ['medication', 'med_change', 'med_response', 'side_effects'] as const
const medicineTalk =
  /\b(?:dose|doses|dosage|milligrams?|mg|mgs|medications?|medicines?|meds|prescri\w+|refills?|tablets?|pills?|capsules?|pharmacy)\b/
const asksDose =
  /\b(?:what dose|which dose|how much|how many milligrams|what strength|dose (?:are|is|was)|what are you (?:on|taking)|how are you taking|taking it|what mg|still (?:on|at)|the dose)\b/
/** A finding of a whole session does not need every place in which the name fell. */
const itemsMax = 12

export const findMedicines = (
  turns: readonly Turn[],
  topics: readonly TopicScores[],
  questionOf: Readonly<Record<number, number>>,
): MedicineFinding[] => {
  const mentions: Mention[] = []
  for (const turn of turns)
    mentions.push(...readTurn(turn, turns, topics[turn.item] ?? {}, questionOf, mentions))
  return mergeMentions(mentions, questionOf)
}

const readTurn = (
  turn: Turn,
  turns: readonly Turn[],
  scores: TopicScores,
  questionOf: Readonly<Record<number, number>>,
  earlier: readonly Mention[],
): Mention[] => {
  const about = Math.max(...aboutTopics.map((topic) => scores[topic] ?? 0))
  const asked = questionOf[turn.item]
  const isAbout =
    about >= aboutMedicineAt ||
    medicineTalk.test(turn.plain) ||
    earlier.slice(-recentMax).some(({ item }) => turn.item - item <= 1 || item === asked)
  const isDoseAnswer = asked !== undefined && asksDose.test(turns[asked]?.plain ?? '')
  const found: Mention[] = []
  for (const sentence of turn.sentences) {
    const named = findNamed(sentence, about >= aboutMisheardAt && turn.wordCount <= misheardWordsMax)
    const reach = about >= surelyAboutAt ? antecedentReachAbout : antecedentReach
    const recent = [
      ...earlier
        .slice(-recentMax)
        .filter(({ namedIn, item }) => turn.item - Math.max(namedIn, item) <= reach),
      ...found.slice(-recentMax),
    ]
    found.push(
      ...readSentence({
        sentence,
        turn,
        named,
        recent,
        isAbout,
        isDoseAnswer,
        change: scores.med_change ?? 0,
      }),
    )
  }
  return found
}

/** Not a medicine: "lithium battery", "nicotine" without a patch, a testosterone level, the pages of a sonata. */
const isNoMedicine = (text: string, { medication, start, end }: Named): boolean => {
  const behind = text.slice(end, end + 30).toLowerCase()
  const before = text.slice(Math.max(0, start - 30), start).toLowerCase()
  if (medication.generic === 'lithium') return /^[ -](?:ion|batter|mine)/.test(behind)
  if (medication.generic === 'nicotine')
    return !/^ (?:patch|gum|lozenge|replacement|spray|inhaler)/.test(behind)
  if (medication.generic === 'testosterone') return /^ (?:level|test|was|is (?:low|high))/.test(behind)
  if (medication.generic === 'insulin') return /^ (?:resist|level)/.test(behind)
  if (
    medication.generic === 'vitamin D' ||
    medication.generic === 'magnesium' ||
    medication.generic === 'zinc'
  )
    return /^(?: level| was| is (?:low|high|fine))/.test(behind)
  if (/^(?:epinephrine|dextromethorphan|heparin|morphine)$/.test(medication.generic)) return false
  if (text.slice(start, end) === 'Sonata' || /\b(?:piano|violin|moonlight) $/.test(before))
    return /\b(?:play|piano|music|violin|moonlight)/i.test(text)
  return false
}

const findNamed = (sentence: Sentence, isAbout: boolean): Named[] => {
  const all = findAllMedications(sentence.text).map(({ medication, name, start, end }) => ({
    medication,
    said: name,
    start,
    end,
  }))
  const named = all.filter((one) => !isNoMedicine(sentence.text, one))
  return isAbout
    ? [...named, ...findMisheard(sentence.text, all)].toSorted((a, b) => a.start - b.start)
    : named
}

interface SentenceTalk {
  sentence: Sentence
  turn: Turn
  named: readonly Named[]
  recent: readonly Mention[]
  isAbout: boolean
  isDoseAnswer: boolean
  change: number
}

const readSentence = (talk: SentenceTalk): Mention[] => {
  const { sentence, turn, named } = talk
  const { text } = sentence
  const doses = findDoses(text, (start, amount) => mayBeBareDose(talk, start, amount)).filter(
    ({ isWithdrawn }) => !isWithdrawn,
  )
  const mentions: Mention[] = []
  const owned = new Set<Named>()
  for (const [index, dose] of doses.entries()) {
    const nearest = findOwner(text, dose, named)
    const earlier = findAntecedent(talk, dose)
    // "With the bupropion out, would you go from ten to fifteen?": of the other one.
    const isOthers =
      nearest !== undefined &&
      earlier !== undefined &&
      dose.unit === null &&
      !isInRange(nearest.medication, dose.amount) &&
      nearest.medication.usualStrengths.length > 0
    const owner = isOthers ? undefined : nearest
    if (owner !== undefined) owned.add(owner)
    const medication = owner?.medication ?? earlier?.medication
    if (medication === undefined) continue
    const namedBefore = talk.recent.findLast((mention) => mention.medication.generic === medication.generic)
    const next = doses[index + 1]
    const isOld =
      /\b(?:from|instead of|rather than|was(?: on)?|were (?:on|at)) (?:the |a |about )*$/i.test(
        text.slice(0, dose.start),
      ) ||
      (next !== undefined &&
        /^ ?(?:mg|milligrams)? ?(?:up |down )?to (?:the |a )?$/i.test(text.slice(dose.end, next.start)))
    mentions.push(
      toMention(
        talk,
        medication,
        owner?.said ?? namedBefore?.said ?? medication.generic,
        dose,
        owner === undefined ? (namedBefore?.namedIn ?? turn.item) : turn.item,
        isOld,
      ),
    )
  }
  for (const one of named) {
    if (owned.has(one)) continue
    mentions.push(toMention(talk, one.medication, one.said, null, turn.item, false))
  }
  return mentions
}

const toMention = (
  { sentence, turn, change }: SentenceTalk,
  medication: Medication,
  said: string,
  dose: SaidDose | null,
  namedIn: number,
  isOld: boolean,
): Mention => ({
  medication,
  said,
  dose,
  item: turn.item,
  namedIn,
  words: sentence.text,
  use: readUse(sentence.text),
  status: readStatus({ plain: sentence.plain, role: turn.role, asks: sentence.asks, change, isOld }),
  whose: readMedicineWhose(sentence.plain, turn.role),
})

/** Smaller numbers count tablets, hours and days more often than they are doses. */
const smallMax = 12
/** "Ten.", "Same dose, ten.": nothing else is said in the sentence. */
const aloneWordsMax = 3
/** A bare number from here on, right behind a name, is a dose whatever is sold. */
const largeMin = 5
const whenTaken =
  /^(?: (?:each|total|daily))?,? (?:at (?:night|bed\w*)|in the (?:morning|evening|afternoon)|a day|twice|once|every|daily|nightly|for (?:a|one|two|three|four|\d) (?:week|month|night|day)|and then|then)/i

const mayBeBareDose = (talk: SentenceTalk, start: number, amount: string): boolean => {
  const { text } = talk.sentence
  const value = Number(amount)
  const isSmall = value <= smallMax
  const before = talk.named.findLast(({ end }) => end <= start)
  const behind = talk.named.find((one) => one.start >= start)
  const isPlaced = standsWhereDosesStand(text.slice(0, start))
  const isTaken = whenTaken.test(
    text.slice(start).replace(/^[\w.]+(?:[ -](?:hundred|and|a|half|point|five|fifty|\w+ty)\b)*/i, ''),
  )
  if (before !== undefined) {
    const { medication } = before
    const isBeside = standsBesideName(text.slice(before.end, start))
    if (
      isBeside &&
      (isUsualStrength(medication, amount) ||
        (value >= largeMin && (!isSmall || isTaken || fitsStrengths(medication, amount))))
    )
      return true
    if (isUsualStrength(medication, amount) && (!isSmall || isPlaced || isTaken)) return true
    if ((isPlaced || isTaken) && isInRange(medication, amount) && (!isSmall || isTaken)) return true
  }
  if (
    behind !== undefined &&
    /^[\w-]+(?: and a half)?(?: of)?(?: (?:the|my|your|a))* $/i.test(text.slice(start, behind.start))
  )
    return isUsualStrength(behind.medication, amount)
  // "We went from thirty to forty on the Vyvanse."
  if (behind !== undefined && before === undefined && isPlaced && isUsualStrength(behind.medication, amount))
    return true
  if (!talk.isAbout && !talk.isDoseAnswer) return false
  const isAlone =
    talk.sentence.plain.split(' ').length <= aloneWordsMax &&
    talk.recent.some(({ item }) => talk.turn.item - item <= 1)
  if (!isPlaced && !isTaken && !isAlone) return false
  const recent = listRecent(talk)
  if (
    isSmall &&
    !isAlone &&
    !talk.isDoseAnswer &&
    !isTaken &&
    !/\b(?:the|at|to|on|from) $/i.test(text.slice(0, start))
  )
    return false
  return recent.some(
    ({ medication }) =>
      isUsualStrength(medication, amount) ||
      (!isSmall &&
        medication.usualStrengths.length > 0 &&
        (fitsStrengths(medication, amount) || (isPlaced && isTaken && isInRange(medication, amount)))),
  )
}

/** The name right behind it, else the last one before it, else the only one. */
const findOwner = (text: string, dose: SaidDose, named: readonly Named[]): Named | undefined => {
  const next = named.find(({ start }) => start >= dose.end)
  if (
    next !== undefined &&
    /^(?:-? ?(?:tablets?|pills?|capsules?))?(?: of)?(?: (?:the|your|my|a|some|generic))* ?$/i.test(
      text.slice(dose.end, next.start),
    )
  )
    return next
  return named.findLast(({ end }) => end <= dose.start) ?? (named.length === 1 ? next : undefined)
}

/** Kept for an emergency, not taken: no dose that is spoken of is theirs. */
const rescue = new Set(['naloxone', 'epinephrine'])

const listRecent = ({ recent }: SentenceTalk): Mention[] =>
  recent.filter(({ medication }) => !rescue.has(medication.generic)).toReversed()

/** The last medicine that was spoken of and is given in such a dose; any with a unit, if none is. */
const findAntecedent = (talk: SentenceTalk, dose: SaidDose): Mention | undefined => {
  const recent = listRecent(talk)
  const fitting =
    recent.find(({ medication }) => isUsualStrength(medication, dose.amount)) ??
    recent.find(
      ({ medication }) => medication.usualStrengths.length > 0 && fitsStrengths(medication, dose.amount),
    ) ??
    recent.find(({ medication }) => isInRange(medication, dose.amount))
  return fitting ?? (dose.unit === null ? undefined : recent[0])
}

const nameOf = ({ medication }: Mention): string => medication.generic.toLowerCase()

const mergeMentions = (
  mentions: readonly Mention[],
  questionOf: Readonly<Record<number, number>>,
): MedicineFinding[] => {
  const byName = new Map<string, Mention[]>()
  for (const mention of mentions) {
    const own = byName.get(nameOf(mention))
    if (own === undefined) byName.set(nameOf(mention), [mention])
    else own.push(mention)
  }
  return [...byName.values()]
    .flatMap((own) => {
      const amounts = [...new Set(own.flatMap(({ dose }) => (dose === null ? [] : [dose.amount])))]
      const bare = own.filter(({ dose }) => dose === null)
      if (amounts.length === 0) return [toFinding(own, bare, null, questionOf)]
      return amounts.map((amount) => {
        const said = own.filter(({ dose }) => dose?.amount === amount)
        // What is said of it without a dose belongs to the only one it has.
        return toFinding(own, amounts.length === 1 ? [...said, ...bare] : said, amount, questionOf)
      })
    })
    .toSorted((a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0))
}

const toFinding = (
  all: readonly Mention[],
  own: readonly Mention[],
  amount: string | null,
  questionOf: Readonly<Record<number, number>>,
): MedicineFinding => {
  const inOrder = own.toSorted((a, b) => a.item - b.item)
  const deciding = inOrder.reduce((best, mention) =>
    outweighs(mention.status, best.status) && (amount === null || mention.dose !== null || best.dose === null)
      ? mention
      : best,
  )
  const status = inOrder.reduce(
    (best, mention) => (outweighs(mention.status, best) ? mention.status : best),
    inOrder[0]!.status,
  )
  const unit = own.find(({ dose }) => dose?.unit != null)?.dose?.unit ?? null
  const dose = amount === null ? null : unit === null ? amount : `${amount} ${unit}`
  const items = sortItems(
    own
      .slice(0, itemsMax)
      .flatMap(({ item, namedIn }) => [
        item,
        namedIn,
        ...(item === namedIn ? [] : [questionOf[item] ?? item]),
      ]),
  )
  const name = nameOf(deciding)
  return {
    kind: 'medicine',
    id: makeFindingId('medicine', name, dose, items[0] ?? 0),
    items,
    words: deciding.words,
    name,
    said: deciding.said,
    dose,
    use: deciding.use ?? own.find(({ use }) => use !== null)?.use ?? null,
    status,
    whose: all.some(({ whose }) => whose === 'client') ? 'client' : 'other',
  }
}
