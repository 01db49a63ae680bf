import { findMedications, type MedicationMention } from '../../lexicon/medications.js'
import { findNumbers } from '../text/find-numbers.js'
import { tokenizeWords } from '../text/tokenize-words.js'
import { orderVerb } from './clinician-patterns.js'
import type { Placed } from './choose-statements.js'
import type { Session, Spoken } from './read-session.js'
import type { Statement } from './statement.js'

/** What was taken once, or is spoken of and not taken. */
const notCurrent =
  /\b(?:used to|took|tried|was on|were on|before (?:this|that)|years? ago|in (?:college|high school|grad school|the past)|quit|stopped|came off|made me|got \w+ on|allerg\w+|instead of|rather than|haven't taken|not taking|don't take|never)\b/i

/** "start", "add", "switch to": not taken yet. */
const newOrder =
  /\b(?:start(?:ing)?|add(?:ing)?|switch\w*|try(?:ing)?|begin\w*|prescrib\w+|worked before|the one we have)\b/i

/** "We stop the …": the medicine right behind it. */
const stops = /\b(?:stop|discontinue|come off|get rid of|take you off)(?: \w+){0,2} $/i

/** "What do you take every day?": all that is named is taken. */
const asksForMedicines =
  /\b(?:what|which|anything|any)\b.*\b(?:tak(?:e|ing)|medic\w+|meds|vitamins|over the counter)\b/i

/** A number that counts days or pounds is no dose. */
const countsOther =
  /^(?:weeks?|months?|days?|years?|hours?|times|pounds|minutes|percent|nights?|mornings?|of the|out|more|less|in a row)$/

/** How near to its medicine a dose is said, in words. */
const doseReach = 4

/** The medicines that the client takes, where no sentence of the section names them: each with the dose that was said. */
export const listMedicines = (session: Session, placed: readonly Placed[], section: string): Placed[] => {
  const named = new Set(
    placed
      .filter((entry) => entry.section === section)
      .flatMap(({ statement }) => genericsOf(`${statement.text} ${statement.bare ?? ''}`)),
  )
  const found = new Map<string, { statement: Statement; hasDose: boolean }>()
  const started = new Set<string>()
  for (const spoken of session.sentences) {
    if (spoken.medicines.length === 0) continue
    if (spoken.role === 'clinician' && newOrder.test(spoken.clean))
      for (const generic of genericsOf(spoken.clean)) started.add(generic)
    if (!speaksOfNow(spoken)) continue
    for (const mention of findMedications(spoken.clean)) {
      const { generic } = mention.medication
      // What the clinician is only about to start is not taken yet, however it is said again.
      if (named.has(generic) || (started.has(generic) && !found.has(generic))) continue
      if (stops.test(spoken.clean.slice(0, mention.start))) continue
      const dose = findDose(spoken.clean, mention)
      const known = found.get(generic)
      if (known !== undefined && (known.hasDose || dose === null)) continue
      found.set(generic, { statement: toStatement(spoken, mention, dose), hasDose: dose !== null })
    }
  }
  return [...found.values()].map(({ statement }) => ({ section, statement }))
}

const genericsOf = (text: string): string[] =>
  findMedications(text).map(({ medication }) => medication.generic)

/** "My brother takes Adderall." */
const ofFamily =
  /^(?:and |but |so )*(?:my|his|her|our) (?:\w+ )?(?:mom|mother|dad|father|parents|brother|sister|son|daughter|kid|wife|husband|uncle|aunt|cousin|grand\w+)\b(?!'s (?:house|place)| (?:gives?|gave|hands|makes) me)/i

const speaksOfNow = ({ clean, role, question, asks }: Spoken): boolean => {
  if (role !== 'clinician' && ofFamily.test(clean)) return false
  if (notCurrent.test(clean) || (question !== null && notCurrent.test(question.clean))) return false
  if (role === 'clinician') return !newOrder.test(clean) && !(asks && /\b(?:ever|any|before)\b/i.test(clean))
  // "Should I use melatonin?" is not taking it.
  if (asks) return false
  if (question !== null && asksForMedicines.test(question.clean)) return true
  return /\b(?:on|take|taking|takes|still|now|just|dose|every|daily|milligrams?|mg)\b|^[A-Z]?\w+\W*$/i.test(
    clean,
  )
}

const findDose = (text: string, { start, end }: MedicationMention): string | null => {
  const tokens = tokenizeWords(text)
  const at = tokens.findIndex((token) => token.start >= start)
  const last = tokens.findLastIndex((token) => token.end <= end)
  const dose = findNumbers(tokens).find(({ firstToken, lastToken }) => {
    const next = tokens[lastToken + 1]?.lower ?? ''
    if (countsOther.test(next)) return false
    if (firstToken > last) return firstToken - last <= doseReach
    // "fifteen of the one, and the other": a dose before its name has nothing but its unit between.
    return (
      at > lastToken &&
      /^(?: (?:milligrams?|mg|micrograms?|mcg))?(?: of)?(?: the| my| your)? $/i.test(
        text.slice(tokens[lastToken]?.end, start),
      )
    )
  })
  if (dose === undefined) return null
  const unit = /^(?:milligrams?|mg|micrograms?|mcg)$/i.exec(tokens[dose.lastToken + 1]?.text ?? '')?.[0]
  return unit === undefined ? dose.text : `${dose.text} ${unit}`
}

const toStatement = (spoken: Spoken, { name }: MedicationMention, dose: string | null): Statement => ({
  kind: 'report',
  order: spoken.order,
  items: [spoken.item],
  role: spoken.role,
  topics: ['medication'],
  asked: [],
  text: `${name}${dose === null ? '' : ` ${dose}`} (per ${spoken.role === 'unknown' ? 'a participant' : spoken.role})`,
  frame: null,
  bare: null,
  score: orderVerb.test(spoken.clean) ? 5 : 6,
  isMandatory: true,
})
