import type { Medication, MedicationMention } from '../../../lexicon/medications.js'
import { findNumbers } from '../../text/find-numbers.js'
import { tokenizeWords } from '../../text/tokenize-words.js'

export interface Span {
  start: number
  end: number
}

interface SaidDose extends Span {
  /** The one before, "from 50", a difference, "by 25", or one that is not meant, "instead of 50". */
  isReplaced: boolean
  /** A share or a count of it: "half of the 100", "two 50 milligram tablets". What it amounts to was not said. */
  isShared: boolean
}

const unit = /^\s*-?\s*(?:a )?(?:mg|milligrams?|mcg|micrograms?|mgs|milliequivalents?|units?|ml)\b/i
const countsOther =
  /^\s*(?:weeks?|days?|months?|years?|hours?|minutes?|nights?|o'clock|a\.?m\b|p\.?m\b|percent|times|tablets?|pills?|capsules?|refills?|pounds?|points?)\b/i
const replaced =
  /\b(?:from|by|instead of|rather than|in place of|not|no longer|(?:no more|less|more) than)(?: (?:the|your|at|on|about))* (?:a )?$/i
/** "Because 50 milligrams wasn't enough": told of the dose that there was. */
const toldOf = /^ (?:is|was|has|did|(?:is|was|has|did)n't|made|makes|seems|helped|gave)\b/i
const shared =
  /\b(?:half|quarter|third|two|three|four|couple)(?: of)?(?: (?:the|your|a|an|those|these|that))? $/i
const withdrawn =
  /\b(?:sorry|i mean|no|wait|rather(?! than)|actually|correction|make (?:that|it)|scratch that|let's say)\b/i

const timeOfDay =
  /^ (?:at|in the|every|each|with|before) (?:night|bedtime|bed|morning|afternoon|evening|noon|lunch|dinner|breakfast)\b/i

/** Up to here a bare number may be a time of the day: "take it at nine". */
const hourMax = 12

/** Numbers with their unit; right behind a name and behind "to", "at" and "on" also without. */
function listDoses(text: string, mentions: readonly MedicationMention[], it: Medication | null): SaidDose[] {
  const tokens = tokenizeWords(text)
  const doses: SaidDose[] = []
  for (const number of findNumbers(tokens)) {
    const [first, last] = [tokens[number.firstToken], tokens[number.lastToken]]
    if (first === undefined || last === undefined) continue
    const behind = text.slice(last.end)
    const measured = unit.exec(behind)
    const article = /(?:\b\w+ and a|\ba) $/i.exec(text.slice(0, first.start))?.[0]
    const isOpen = /^(?:half|hundred|thousand)\b/i.test(number.text)
    const start = first.start - (isOpen ? (article?.length ?? 0) : 0)
    const before = text.slice(0, start)
    const named = mentions.findLast(({ end }) => end <= start)
    const isBehindName = named !== undefined && /^,? ?$/.test(text.slice(named.end, start))
    const isCorrected = doses.length > 0 && withdrawn.test(text.slice(doses.at(-1)?.end, start))
    const mayBeBare =
      (isBehindName || isCorrected || /\b(?:to|at|on|from) $/i.test(before)) &&
      !countsOther.test(behind) &&
      isLikely(named?.medication ?? it, number.readings)
    if (measured === null && !mayBeBare) continue
    doses.push({
      start,
      end: last.end + (measured?.[0].length ?? 0),
      // "50 to 100 milligrams" as well: what it was comes first.
      isReplaced:
        replaced.test(before) ||
        toldOf.test(behind.slice(measured?.[0].length)) ||
        /^(?: \w+)? (?:up |down )?to (?:a )?\d/i.test(behind),
      isShared:
        shared.test(before) ||
        /^\W*(?:in half|tablets?|pills?|capsules?)\b/i.test(behind.slice(measured?.[0].length)),
    })
  }
  return doses
}

const isLikely = (medication: Medication | null, readings: readonly string[]): boolean =>
  readings.some(
    (reading) => Number(reading) > hourMax || medication?.usualStrengths.includes(reading) === true,
  )

/** What stands between a dose and a name behind it: "50 milligrams of the". */
const untilName = /^(?: of)?(?: (?:the|your|a|some|generic))* ?$/i
/** "A and B", "A, B": what stands behind may be said of both. */
const listed = /^,?(?: (?:and|plus))?(?: (?:the|your))* ?$/i

/**
 * The dose that a part of a sentence gives to a medicine, as it was said; to `it` where no medicine is named there. Null:
 * none, or more than one way to understand it.
 */
export function readDose(
  text: string,
  within: Span,
  mentions: readonly MedicationMention[],
  of: MedicationMention | { it: Medication | null },
): string | null {
  const it = 'it' in of ? of.it : null
  const mention = 'it' in of ? null : of
  const there = mentions.filter(({ start }) => start >= within.start && start < within.end)
  const doses = listDoses(text, mentions, it).filter(
    ({ start, end }) => start >= within.start && end <= within.end,
  )
  const own = doses.filter((dose) => findOwner(text, dose, there) === mention)
  const meant = own.filter(({ isReplaced }) => !isReplaced)
  const [first] = meant
  const last = meant.at(-1)
  if (first === undefined || last === undefined || meant.some(({ isShared }) => isShared)) return null
  if (mention !== null && isSaidOfSeveral(text, mention, there, first, meant.length)) return null
  if (first === last) return text.slice(first.start, last.end)
  const lastButOne = meant.at(-2) ?? first
  // "To 50, sorry, 75": only the last was meant.
  if (withdrawn.test(text.slice(lastButOne.end, last.start))) return text.slice(last.start, last.end)
  // "25 for a week and then 50", "50 in the morning and 100 at night": all of it, in its own words.
  const when = timeOfDay.exec(text.slice(last.end, within.end))?.[0] ?? ''
  return `${text.slice(first.start, last.end)}${when}`
}

/** The name right behind it, else the last one before it; the only one there, if it stands before that. */
function findOwner(
  text: string,
  dose: SaidDose,
  mentions: readonly MedicationMention[],
): MedicationMention | null | undefined {
  if (mentions.length === 0) return null
  const next = mentions.find(({ start }) => start >= dose.end)
  if (next !== undefined && untilName.test(text.slice(dose.end, next.start))) return next
  return mentions.findLast(({ end }) => end <= dose.start) ?? (mentions.length === 1 ? next : undefined)
}

function isSaidOfSeveral(
  text: string,
  mention: MedicationMention,
  mentions: readonly MedicationMention[],
  dose: SaidDose,
  count: number,
): boolean {
  const before = mentions.findLast(({ end }) => end <= mention.start)
  if (before === undefined || !listed.test(text.slice(before.end, mention.start))) return false
  const isNextTo = dose.start < mention.start || /^,? ?$/.test(text.slice(mention.end, dose.start))
  return count > 1 || !isNextTo
}

/** Whether a part of a sentence speaks of an amount at all, in whatever way. */
export const speaksOfDose = (text: string): boolean =>
  /\b(?:half|quarter|milligrams?|mgs?|micrograms?|mcg|tablets?|pills?)\b/i.test(text) ||
  listDoses(text, [], null).length > 0

/** A name that is taken back: "Zoloft, sorry, Lexapro". */
export const isWithdrawn = (between: string): boolean => withdrawn.test(between)
