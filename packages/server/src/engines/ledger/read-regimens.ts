import { findSaidMedicines } from '../lexicon/said-medicines.js'
import { readAmounts, type Amount } from '../text/read-amounts.js'
import { readTimesADay } from '../text/read-frequency.js'
import { tokenizeWords, type WordToken } from '../text/tokenize-words.js'
import type { Unit } from '../text/measure-units.js'

/** What a sentence states of one medicine: each in one word, so that two sentences can be compared. */
export interface StatedMedicine {
  generic: string
  /** "50 mg", "2 a day", "stopped", "raised", "not taken", "of somebody else" */
  stated: readonly string[]
}

/** What became of a medicine, beside its doses and how often it is taken. */
export const COURSES: readonly string[] = ['not taken', 'stopped', 'raised', 'lowered', 'of somebody else']

/** Names and amounts are looked up for each other: what is longer than any sentence is not read to its end. */
const sentenceLengthMax = 1_000

/** Every medicine that a sentence names, with its doses, how often it is taken, and what became of it. */
export const readRegimens = (sentence: string): StatedMedicine[] => {
  const text = sentence.slice(0, sentenceLengthMax)
  const mentions = findSaidMedicines(text)
  if (mentions.length === 0) return []
  const byName = new Map<string, Set<string>>()
  const add = (generic: string, ...stated: readonly string[]): void => {
    byName.set(generic, new Set([...(byName.get(generic) ?? []), ...stated]))
  }
  const tokens = tokenizeWords(text)
  const doses = readAmounts(text, tokens).flatMap((amount) => readDose(text, tokens, amount))
  for (const [at, { start, medication }] of mentions.entries()) {
    // From this name to the next; the first has what stands before it, too: "50 mg of sertraline".
    const from = at === 0 ? 0 : start
    const to = mentions[at + 1]?.start ?? text.length
    const own = text.slice(from, to)
    add(
      medication.generic,
      ...doses.filter((dose) => dose.at >= from && dose.at < to).map(({ dose }) => dose),
      ...readUses(own),
      ...readCourse(text.slice(Math.max(0, start - beforeMax), start), text.slice(start, to)),
    )
  }
  return [...byName].map(([generic, stated]) => ({ generic, stated: [...stated].toSorted() }))
}

const perMilligram: Readonly<Partial<Record<Unit, number>>> = { mg: 1, gram: 1_000, mcg: 0.001 }
/** What is counted and not weighed. */
const counted = /^[- ]?(?:units?|iu|meq|puffs?|drops?|sprays?)\b/i

const readDose = (
  text: string,
  tokens: readonly WordToken[],
  { unit, values, form, firstToken, lastToken }: Amount,
): { dose: string; at: number }[] => {
  const value = Number(values[0])
  if (form === 'implied' || form === 'ordinal' || !Number.isFinite(value)) return []
  const at = tokens[firstToken]?.start ?? 0
  const factor = unit === null ? undefined : perMilligram[unit]
  if (factor !== undefined) return [{ dose: `${Math.round(value * factor * 1e6) / 1e6} mg`, at }]
  if (unit === 'ml' || unit === 'pill') return [{ dose: `${value} ${unit}`, at }]
  const other = counted.exec(text.slice(tokens[lastToken]?.end ?? 0))?.[0]
  return other === undefined ? [] : [{ dose: `${value} ${other.trim().toLowerCase().replace(/s$/, '')}`, at }]
}

const morning = /\b(?:mornings?|breakfast|qam)\b/i
const night = /\b(?:nightly|nights?|evenings?|bedtime|before bed|dinner|qhs|qpm)\b/i
const daily = /\b(?:daily|(?:every|each|a|per) day|qd)\b/i
const rarer =
  /\b(?:every other day|(?:once |one time )?(?:a|per|every|each) (?:week|month)|weekly|biweekly|monthly|twice (?:a|per) week|every \d{1,2} hours|q\d{1,2}h)\b/gi
const asNeeded = /\b(?:as needed|prn|if needed)\b/i

/** "2 a day" for "b.i.d."; "every morning", "nightly" and "daily" are once a day, "in the morning and at night" is twice. */
const readUses = (text: string): string[] => {
  const rare = [...text.matchAll(rarer)].map(([words]) => words.toLowerCase())
  const needed = asNeeded.test(text) ? ['as needed'] : []
  if (rare.length > 0) return [...rare, ...needed]
  const times = readTimesADay(text)
  if (times.length > 0) return [...times.map((count) => `${count} a day`), ...needed]
  const parts = [morning.test(text), night.test(text)].filter(Boolean).length
  if (parts > 0) return [`${parts} a day`, ...needed]
  return [...(daily.test(text) ? ['1 a day'] : []), ...needed]
}

/** How far before a name stands what became of it: "was taken off", "has stopped taking". */
const beforeMax = 60

const notTaken =
  /\b(?:not|never|n['’]t) (?:been |be |currently |yet )?(?:tak\w+|on|us(?:e|ed|ing)|start\w*|prescribed)\b|\bdenie[sd] (?:taking|using|use of|being on)\b|\bno longer (?:tak\w+|on|us\w+)\b|\bdeclin\w*|\brefus\w*/i
const stopped =
  /\bstop\w*|\bdiscontinu\w*|\bquit\b|\bc(?:a|o)me off\b|\b(?:taken|went|is|was|been) off\b|\bceas\w*|\bno longer (?:tak\w+|on)\b|\bran out\b/i
const raised = /\b(?:increas\w*|rais\w*|up-?titrat\w*|bump\w* up|(?:went|go|goes|going) up|upped)\b/i
const lowered = /\b(?:decreas\w*|lower\w*|reduc\w*|taper\w*|(?:went|go|goes|going|cut) (?:back|down))\b/i
const ofOther =
  /\b(?:brother|sister|mother|father|mom|dad|husband|wife|partner|spouse|son|daughter|child|friend|cousin|uncle|aunt|roommate|grand(?:mother|father))(?:['’]s)?\b[^.;,]{0,30}$/i

const readCourse = (before: string, from: string): string[] => {
  const around = `${before}${from}`
  return [
    ...(notTaken.test(around) ? ['not taken'] : []),
    ...(stopped.test(around) ? ['stopped'] : []),
    ...(raised.test(around) ? ['raised'] : []),
    ...(lowered.test(around) ? ['lowered'] : []),
    ...(ofOther.test(before) ? ['of somebody else'] : []),
  ]
}
