import { findSaidMedicines } from '../../lexicon/said-medicines.js'
import type { AllergyFinding, Finding, MedicineFinding, MedicineStatus } from '../../reader/reading.js'
import { findDoses } from '../../reader/medicines/find-doses.js'
import { readAnswer } from '../../text/read-answer.js'
import { has, partExchanges, type Line } from './line.js'
import { namesMedicine } from './medicine-lines.js'
import { shareOfPlace, type Said } from './read-turns.js'
import { isLent } from './whose-medicine.js'

/** What the reader knows exactly of a line's words; it says no more than they do, and nothing where that is in doubt. */
export function labelLine(
  { heading, section, quoted }: Line,
  findings: readonly Finding[],
  places: { plan: string; changes: string | null },
): string {
  const own = findings.filter((finding) => isQuoted(finding, quoted))
  if (heading === 'Medicines' || section === places.changes) return nameMedicines(own, quoted)
  if (heading === 'Allergies') return nameAllergies(own, quoted)
  if (section !== places.plan) return ''
  const isAppointment = own.some((one) => one.kind === 'decision' && one.about === 'appointment')
  return isAppointment && tellsMeeting(quoted) ? 'Appointment:' : ''
}

/** The label is for the whole line: it opens with the meeting, and what to do in a crisis is looked for under no such name. */
const tellsMeeting = (quoted: readonly Said[]): boolean =>
  quoted
    .slice(0, openingSentences)
    .some(({ place, raw }) => place === 'plan' && meets.test(raw) && !isAside.test(raw)) &&
  !quoted.some(({ raw }) => isOfCrisis.test(raw))
const openingSentences = 2
const isOfCrisis =
  /\b(?:988|911|999|nine eight eight|nine one one|crisis|emergency|hospital|ambulance)\b|\bif (?:you|it|she|he|they|things|the|that|those|this|anything)\b/i

const isQuoted = ({ items, words }: Finding, quoted: readonly Said[]): boolean =>
  quoted.some(
    (said) =>
      said.items.some((item) => items.includes(item)) && (has(words, said.raw) || has(said.raw, words)),
  )

/** All that a line names as not borne, or nothing: one of several would stand for the others, and one under two names would be two. */
function nameAllergies(findings: readonly Finding[], quoted: readonly Said[]): string {
  const names = findings.flatMap((one) => (one.kind === 'allergy' ? nameAllergy(one, quoted) : []))
  const own = names.filter(
    (name) => !names.some((other) => other !== name && has(other, name) && other.length > name.length),
  )
  const said = quoted.flatMap(({ raw }) =>
    findSaidMedicines(raw).map(({ start, end }) => raw.slice(start, end)),
  )
  return said.every((name) => own.some((one) => has(one, name) || has(name, one))) ? join(own) : ''
}

/** What is not borne, where no word beside it leaves it open whose it is, whether it is, or what it is called. */
function nameAllergy({ substance, standing }: AllergyFinding, quoted: readonly Said[]): string[] {
  const naming = quoted.filter(({ raw }) => has(raw, substance))
  return standing === 'affirmed' &&
    naming.length > 0 &&
    !isNoName.test(substance) &&
    // "You're still allergic to sulfa, correct?" "Correct."
    readAnswer(substance) === 'open' &&
    !naming.some(({ raw }) => isLike.test(raw) && !findSaidMedicines(substance).length) &&
    !quoted.some(({ raw }) => isAnothers.test(raw) || isNamed.test(raw) || isNoTrueOne.test(raw)) &&
    !naming.some(({ raw }) => has(raw, `no ${substance}`)) &&
    !quoted.some(({ speaker, raw }) => speaker !== 'clinician' && isInDoubt.test(raw)) &&
    !naming.some(({ raw }) => isBorne.test(raw)) &&
    !naming.some(({ raw }) => isTreated.test(raw) && findSaidMedicines(raw).length > 1)
    ? [capital(substance)]
    : []
}

/** "For waterworks, it were." */
const isNoName = /^(?:for|from|in|on|at|with|when|like|the|that|this|them|it|all|some|any|my|his|her)\b/i
/** "I itched like I had fire ants.", "She saw cats." */
const isLike = /\blike (?:i|it|a|an|they|the|something)\b|\bas if\b|\b(?:saw|seeing|heard|hearing)\b/i
/** "None of them.", "Nah, I'm joking.", "He said it was the virus.": what is meant, the quote tells. */
const isInDoubt =
  /\bnone of (?:them|those|that)\b|\bfine (?:with|wi)\b|\b(?:i['’]m|i am|only|just) (?:jok|kidd)ing\b|\b(?:was|just|only) (?:the|a) virus\b|\btolerated\b|\bnothing happened\b|\bthat['’]s (?:just|only) (?:sick|an? upset)|\b(?:hers|not mine)\b|\b(?:no|not|nah)\b.{0,30}\b(?:mam|mum|mom|mother|dad|sister|brother)\b/i
/** "That's no right, that's her.", "Penicillin's all right for you." */
const isBorne =
  /\bthat['’]s (?:no(?:t)? right|her|him|me)\b|\b(?:is|are|was|['’]s) (?:fine|okay|ok|all right|alright|grand)\b|\bno (?:problems?|dramas?|bother|trouble) with\b|\bit never\b|\bcan take\b/i
/** "Penicillin's the true allergy, and codeine's more of a bad reaction." */
const isNoTrueOne =
  /\b(?:true|real|actual|proper) allerg(?:y|ies)\b|\bmore (?:of )?(?:an? )?(?:bad |nasty )?(?:reaction|side effect|intolerance)\b/i
/** "Gord's the penicillin one.", "Carmel has the peanut allergy, not you?" */
const isNamed =
  /\b(?!(?:That|It|Here|There|What)['’])\p{Lu}\p{L}{1,20}(?:['’]s the| (?:has|had|gets) (?:the|an?))\b|\bnot (?:you|me)\b/u
/** "They gave me doxycycline, what with the penicillin." */
const isTreated = /\b(?:gave|given|put|prescribed|on|instead|treated|took)\b/i

/** From here by the encoder's figure an exchange that names none speaks of a medicine all the same. */
const ofMedicines = 0.4

/** One of several that a line names would stand for the others, and one that is named late for what was said before it. */
function nameMedicines(findings: readonly Finding[], quoted: readonly Said[]): string {
  const [opening = []] = partExchanges(quoted)
  if (!opening.some(namesMedicine) && shareOfPlace(opening, 'medicines') >= ofMedicines) return ''
  const names = new Set(findings.flatMap((one) => (one.kind === 'medicine' ? nameMedicine(one, quoted) : [])))
  const said = new Set(
    quoted.flatMap(({ raw }) => findSaidMedicines(raw).map(({ medication }) => medication.generic)),
  )
  return 2 * names.size > said.size ? join([...names]) : ''
}

/** Its name and dose as the very sentence has them; what became of it, the quote tells. */
function nameMedicine(
  { said: name, dose, whose, status }: MedicineFinding,
  quoted: readonly Said[],
): string[] {
  const naming = quoted.filter(
    (said, at) => has(said.raw, name) && isTold(said, quoted[at + 1]) && !isRuledOut(said, name),
  )
  // What was taken once, or not in the end, would read as if it were taken.
  if (naming.length === 0 || whose === 'other' || isNotTaken.has(status) || isForm.test(name)) return []
  if (naming.some((said) => mayBeOver(said, quoted) || isOfAnother(said, quoted))) return []
  const isSaid = naming.some(({ raw }) =>
    findDoses(raw, () => false).some(
      ({ amount, unit, isWithdrawn }) => !isWithdrawn && `${amount} ${unit}` === dose,
    ),
  )
  const isWhole = !quoted.some(({ raw }) => isPart.test(raw))
  return [`${capital(name)}${isSaid && isWhole && dose !== null ? ` ${dose}` : ''}`]
}

/** "This one, amitriptyline." "That's Dad's.": said behind it, before another is named. */
function isOfAnother(said: Said, quoted: readonly Said[]): boolean {
  const behind = quoted.slice(quoted.indexOf(said) + 1)
  const next = behind.findIndex(namesMedicine)
  return (next < 0 ? behind : behind.slice(0, next)).some(({ raw }) => isLent.test(raw))
}

/** "I take a half.", "I cut it in two.": then the dose on the box is not the one that is taken. */
const isPart =
  /\b(?:half|halve|halves|halved|halving|quarters?)\b(?! (?:a |an )?(?:milligram|mg|mil|gram|past|hour|day|seven|eight|nine|ten|eleven|twelve|six|five|four))|\b(?:cut|cutting|split|splitting|break|breaking|broke) (?:it|them|one|those|the (?:pills?|tablets?))\b|\bevery other\b|\b(?:two|three|four) of (?:them|those)\b/i

/** "Penicillin? No wait, that's my mother.", "Codeine makes me itch, but that's not allergy." */
const isAnothers =
  /(?:\b(?:not?|never|doubt)|n['’]t)\b[^.?!;]{0,25}\ballerg(?:y|ic|ies)\b|\b(?:my|me|our|your|his|her) (?:wife|husband|mother|mom|mum|mam|ma|nan\w*|gran\w*|aunt\w*|uncle|father|dad|son|daughter|sister|brother|partner|cousin|friend)\b/i

/**
 * "Any Advil?" "No."; "Metoprolol, yes?" "Bisoprolol."; "Zinopril.": what a clinician names counts with a yes or a dose right behind
 * their question, or with more than the name where they tell it, unless it is put right.
 */
function isTold(said: Said, next: Said | undefined): boolean {
  if (said.speaker !== 'clinician') return true
  const answer = next?.speaker === 'clinician' ? undefined : next
  if (answer !== undefined && (readAnswer(answer.text) === 'no' || findSaidMedicines(answer.raw).length > 0))
    return false
  if (!said.asks) return isSentence.test(said.raw)
  return (
    answer !== undefined &&
    findSaidMedicines(said.raw).length <= 1 &&
    (readAnswer(answer.text) === 'yes' || opensTaken.test(answer.text))
  )
}

const number =
  '(?:\\d|(?:a )?(?:half|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)\\b)'
const isSentence = new RegExp(`\\b(?:you|your|you['’]\\p{L}{1,3})\\b|${number}`, 'iu')
const opensTaken = new RegExp(
  `^(?:the |just |still |i['’]m on |i take |i took )?(?:${number}|every|morning|night|at night|this morning|in the morning)`,
  'i',
)

/** "I know, no Advil." */
const isRuledOut = ({ raw }: Said, name: string): boolean =>
  /(?:\b(?:no|not|never|without)|n['’]t)\b[^.,;]{0,15}$/i.test(
    raw.slice(0, raw.toLowerCase().indexOf(name.toLowerCase())),
  )

/** Forms in which it is taken, and numbers: no names. */
const isForm =
  /^(?:gumm(?:y|ies)|thinners?|patch(?:es)?|tablets?|pills?|drops|inhalers?|creams?|sprays?|films?|shots?|\w{3,6}(?:teen|ty)|hundred|thousand)$/i

/** "The ferrous fumarate? No. I was bunged up.", "And Benadryl?" "Can't take it." */
function mayBeOver(said: Said, quoted: readonly Said[]): boolean {
  const at = quoted.indexOf(said)
  // A sentence that tells goes on in the next one; of a question only the answer says.
  const telling = [...(said.asks ? [] : [said]), ...quoted.slice(at + 1, at + 2)]
  return telling.some(({ raw }) => tellsOfEnd.test(raw))
}

const tellsOfEnd =
  /^\W*(?:no|nope|nah|never)\b|\b(?:stopped|quit|packed in|came off|come off|off it|gave (?:it|them) up|used to|instead of|offered|don['’]t want|rather try|can['’]t take|couldn['’]t take|don['’]t take|not taking|n['’]t taking|never (?:took|take|tried|did|mess)|ran out)\b/i

const isNotTaken: ReadonlySet<MedicineStatus> = new Set<MedicineStatus>([
  'past',
  'stopped',
  'declined',
  'considered',
])

const meets =
  /\b(?:see(?:ing)? you|see me|come back|meet|back (?:here )?in|next (?:visit|appointment|session)|follow[- ]?up|appointment|visit in)\b/i

/** "Would you tell him before we meet?" */
const isAside =
  /\b(?:before|until|till) (?:we|you|i)\b|\bwould you\b|\bif (?:you|it|they|things|the|those|that)\b|\bask(?:ing)? (?:the|them|for|our|your)\b|\b(?:988|911|nine eight eight)\b/i

const join = (names: readonly string[]): string =>
  names.length > 0 ? `${[...new Set(names)].join('; ')}.` : ''

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
