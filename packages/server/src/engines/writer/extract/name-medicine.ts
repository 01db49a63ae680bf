import type { Finding, MedicineFinding } from '../../reader/reading.js'
import { union, type Line } from './line.js'
import { dosesIn, genericsOf, isPlainlyNamed, namesMedicine } from './medicine-lines.js'
import type { Said, Talk } from './read-turns.js'
import { asksDose } from './stands.js'

/*
 * Talk of a dose seldom names its medicine: "Still twenty-four at night?", "I'd like to go from three to two and a half a day." Of 28 quotes of one round
 * that meant nothing by themselves ten were such.
 */

/** So many sentences of a line are its opening: a dose that the reader found in them has to be named in them or before, another in the first alone. */
const openingMax = 3
/** A longer sentence tells something else, too. */
const namingWordsMax = 20
/** Without the reader's word for it, a medicine is meant that was named so many sentences before, and closer where others were named, too. */
const nearSentences = 12
const nearestSentences = 4
/** With it, so far back. */
const farSentences = 150

const number =
  '(?:\\d[\\d.,]{0,9}|half an?|half|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|fifteen|sixteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:one |two |three )?hundred)(?:-\\w{1,6})?'
const unit = '(?:tablets?|pills?|capsules?|strips?|boxes|patch(?:es)?|puffs?|units?|drops|sprays?)'

/** "Three strips.", "How many of those?", "from three to two and a half a day", "the lunch one", "ninety from tomorrow", "Sundays off". */
const speaksOfAmount = new RegExp(
  [
    `\\b${number} (?:full )?${unit}\\b`,
    '\\bhow many of (?:those|them|these)\\b',
    `\\bfrom ${number} (?:down |up |back )?to ${number}\\b`,
    '\\bthe (?:second|other|lunch|morning|noon|evening|night|bedtime|big|small|new|old) (?:one|dose)\\b',
    `\\b${number} (?:from|starting) (?:today|tonight|tomorrow|\\p{L}{3,6}day)\\b`,
    `\\b(?:back|up|down) (?:on|to) ${number}\\b`,
    `\\bstart at ${number}\\b`,
    '\\b(?:take|takes|taking|taken|took|missed|miss|skip|skipped|stopped|started|ran out of) (?:it|them|those|two|half|any|one)(?=[,.?!]|$| (?:a|at|in|on|every|each|before|after|with|when|until|till|again|extra|now|today|tonight|tomorrow|more)\\b)',
    `\\b${number} (?:in the (?:morning|evening)|at (?:night|bedtime|noon|lunch|two|one))\\b`,
  ].join('|'),
  'iu',
)

/** From here the encoder takes an item for talk of a medicine: "from three to two" may be of cigarettes. */
const medicineShare = 0.3

const isOfMedicine = ({ topics }: Said): boolean =>
  topics.some(({ medication = 0, med_change: change = 0 }) => Math.max(medication, change) >= medicineShare)

const speaksOfDose = (said: Said): boolean =>
  (speaksOfAmount.test(said.raw) || asksDose.test(said.raw)) && isOfMedicine(said)

/** A line that opens with talk of a dose, and names no medicine in it, begins with the sentence that names the one that is meant. */
export function nameMedicine(line: Line, findings: readonly Finding[], talk: Talk): Line {
  const [first] = line.quoted
  if (first === undefined || first.isTyped || line.heading === 'Danger' || line.heading === 'Allergies')
    return line
  const opening = line.quoted.slice(0, openingMax)
  if (opening.some(namesMedicine)) return line
  const found = opening.filter(isOfMedicine).flatMap((said) => dosesIn(said, findings))
  if (found.length === 0 && !speaksOfDose(first)) return line
  const naming = findNaming(first, found, talk)
  return naming === null ? line : { ...line, quoted: union([naming], line.quoted) }
}

/** The nearest sentence that names what is meant; null where another may be meant as well. */
function findNaming(first: Said, found: readonly MedicineFinding[], { sentences }: Talk): Said | null {
  const before = sentences.slice(Math.max(0, first.index - farSentences), first.index)
  const names = new Set(found.map(({ name }) => name))
  const isMeant = (said: Said): boolean =>
    found.length === 0 ? namesMedicine(said) : genericsOf(said).some((name) => names.has(name))
  // Without the reader's word it is the one that was named last, or none.
  const last = before.findLast(isMeant)
  const naming = found.length > 0 ? before.findLast((said) => isMeant(said) && canName(said, first)) : last
  if (naming === undefined || !canName(naming, first)) return null
  const distance = first.index - naming.index
  const others = sentences
    .slice(naming.index, first.index)
    .flatMap(genericsOf)
    .some((name) => !genericsOf(naming).includes(name))
  if (names.size > 1 || new Set(genericsOf(naming)).size > 1) return null
  if (found.length > 0) return naming
  return distance <= (others ? nearestSentences : nearSentences) ? naming : null
}

/** "My mom was on Zyprexa." is of another. Behind a clinician's words the client's would read as what was said to them. */
const canName = (said: Said, first: Said): boolean =>
  !said.isTyped &&
  said.words <= namingWordsMax &&
  isPlainlyNamed(said) &&
  (first.speaker === said.speaker || first.speaker === 'clinician' || first.turn === said.turn + 1)
