import { findSaidMedicines } from '../../lexicon/said-medicines.js'
import { highestDanger } from '../../reader/danger/danger-topics.js'
import {
  unpackFigures,
  type Finding,
  type MedicineFinding,
  type MedicineStatus,
  type Reading,
} from '../../reader/reading.js'
import { readAnswer } from '../../text/read-answer.js'
import { templateOf } from '../templates/built-in-templates.js'
import { findHolder, placeOf } from '../templates/note-template.js'
import type { WritingRequest } from '../writer-engine.js'
import { asksForNo } from './asked-danger.js'
import { chooseStretches } from './choose-stretches.js'
import { findGround, findNamed } from './find-ground.js'
import { labelLine } from './label-line.js'
import { genericsOf, isDenied, isOfReach, isSaidOfThem, nameFirst, withReply } from './medicine-lines.js'
import { has, partExchanges, union, type Line } from './line.js'
import { isDangerTalk } from './quote-finding.js'
import { isOfTooMuch } from './raise-danger.js'
import { countSaidWords, shareOfPlace, type Said, type Talk } from './read-turns.js'
import { listSlots, type Slot } from './slots.js'
import { isAsked, leavesUnnamed, needOf, passOver } from './stands.js'
import { findKnown, weighSentence } from './weigh-sentence.js'
import { mayBeAnothers } from './whose-medicine.js'

/** Of the talk's words: with what is added to complete an exchange, and with danger, some half of them. Below so many words there is no limit. */
const shareOfTalk = 0.44
const unlimitedBelowWords = 400
/** Danger must not leave the rest of the talk without room. */
const leastShare = 0.29
/** What a word costs in each kind of slot: nothing about danger, and less of what a note must not miss or seldom has. */
const prices: Readonly<Partial<Record<Slot['kind'], number>>> = {
  danger: 0,
  medicines: 0.3,
  allergies: 0.3,
  observed: 0.7,
  judgement: 0.7,
  plan: 0.6,
}

/** The lines of a note besides those about danger that the reader found. */
export function chooseLines(
  request: WritingRequest,
  { talk, danger }: { talk: Talk; danger: readonly Line[] },
): Line[] {
  const { reading } = request
  const template = templateOf(request)
  const slots = listSlots(template)
  const quoted = new Set(danger.flatMap((line) => line.quoted))
  const known = findKnown(reading.findings, talk)
  const mayBeDanger = quoted.size > 0 ? findHints(reading) : new Set<number>()
  const units = talk.sentences.map((said) =>
    weighSentence(said, {
      slots,
      talk,
      isQuoted: quoted.has(said),
      isNearDanger: isNear(said, quoted, talk) || isNearAsked(said, talk),
      mayBeDanger: said.items.some((item) => mayBeDanger.has(item)),
      known: known.get(said.index) ?? null,
    }),
  )
  const spent = countSaidWords([...quoted])
  const room = Math.max(shareOfTalk * talk.words - spent, leastShare * talk.words)
  const factors = slots.map(({ kind }) => prices[kind] ?? 1)
  const chosen = chooseStretches(units, factors, talk.words < unlimitedBelowWords ? Infinity : room)
  const lines: { slot: Slot; quoted: Said[] }[] = []
  for (const [at, one] of chosen.entries()) {
    const said = talk.sentences[at]
    if (one === null || said === undefined || one.step === 'passed over') continue
    const last = lines.at(-1)
    const slot = slots[one.slot]!
    if (last === undefined || one.step === 'starts' || last.slot !== slot || canPart(last.quoted, said))
      lines.push({ slot, quoted: [said] })
    else last.quoted.push(said)
  }
  const places = { plan: placeOf(template, 'plan'), changes: findHolder(template, 'med_change') }
  return joinLines(
    lines.flatMap((line) => setLine(line, quoted, { ...request, talk })),
    talk,
  ).map((line) => ({ ...line, label: labelLine(line, reading.findings, places) }))
}

/** Stretches that follow each other and came to stand together are one line, if the second needs the first. */
function joinLines(lines: readonly Line[], talk: Talk): Line[] {
  const joined: Line[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    const [first] = line.quoted
    if (last === undefined || first === undefined || !isRest(line, first, { last, talk })) joined.push(line)
    else joined.splice(-1, 1, { ...last, quoted: union(last.quoted, line.quoted) })
  }
  return joined
}

function isRest(line: Line, first: Said, { last, talk }: { last: Line; talk: Talk }): boolean {
  const between = talk.sentences.slice((last.quoted.at(-1)?.index ?? 0) + 1, first.index)
  return (
    line.section === last.section &&
    line.heading === last.heading &&
    (needOf(first) >= partsBelow || last.quoted.includes(first)) &&
    between.every((said) => passOver(said, talk) < Infinity)
  )
}

/** How far from what the reader found about danger more of it is said. */
const dangerSentencesMax = 8

const isNear = ({ index }: Said, quoted: ReadonlySet<Said>, { sentences }: Talk): boolean =>
  sentences
    .slice(Math.max(0, index - dangerSentencesMax), index + dangerSentencesMax + 1)
    .some((said) => quoted.has(said))

/** "Any thoughts at all of hurting anybody?", and the turn that answers it, whatever the reader made of them. */
function isNearAsked({ index, turn }: Said, { sentences }: Talk): boolean {
  const before = sentences.slice(Math.max(0, index - dangerSentencesMax), index + 1)
  const asking = before.findLast((said) => said.turn !== turn && !said.isBackchannel)?.turn
  return before.some(
    (said) =>
      (said.turn === turn || said.turn === asking) && isAsked(said) && isDangerTalk(said, { byWords: false }),
  )
}

/** From here an item may speak once more of danger that was plainly told: far below what makes a finding of it. */
const hintFrom = 0.07

/** What is said of it a second time, in a plan or a judgement or among other things, has seldom a word for it. */
const findHints = ({ figures }: Reading): ReadonlySet<number> =>
  new Set(
    unpackFigures(figures).topics.flatMap((scores, item) =>
      highestDanger(scores) >= hintFrom ? [item] : [],
    ),
  )

/** A line of more words is parted where a sentence stands by itself. */
const lineWordsMax = 45
const partsBelow = 0.3

/** From so many words on a line is parted where it loses something, too. */
const longWordsMax = 110

function canPart(quoted: readonly Said[], next: Said): boolean {
  const words = countSaidWords(quoted)
  const last = quoted.at(-1)
  return (
    words >= lineWordsMax &&
    needOf(next) < partsBelow * (words >= longWordsMax ? 2 : 1) &&
    last?.asks !== true &&
    last?.turn !== next.turn
  )
}

const strictKinds: ReadonlySet<Slot['kind']> = new Set<Slot['kind']>(['danger', 'medicines', 'allergies'])

function setLine(
  { slot, quoted }: { slot: Slot; quoted: readonly Said[] },
  found: ReadonlySet<Said>,
  request: WritingRequest & { talk: Talk },
): Line[] {
  // A question that nobody answered says nothing.
  const last = quoted.findLastIndex((said) => !isAsked(said))
  const [first] = quoted
  if (last < 0 || first === undefined) return []
  const { findings } = request.reading
  // "You're on the fifty?": with what names it.
  const isNamed =
    slot.kind === 'plan' && nameFirst([first], request.talk, { openingMax: 1, findings }).length > 1
  const ground = leavesUnnamed(first) && !isNamed ? findGround(first, request.talk) : []
  // Under a heading that must hold nothing else, no more than was chosen for it.
  const named =
    ground.length > 0 || isNamed || strictKinds.has(slot.kind) ? [] : findNamed(first, request.talk)
  const chosen = union([...ground, ...named], quoted.slice(0, last + 1))
  const answered = completeMedicine(slot, chosen, { talk: request.talk, findings })
  const worth = Math.max(...answered.map(({ figures }) => figures.worth))
  // What goes on with a stretch that was found belongs to it; what was said before its question is of something else.
  const own = answered.filter((said) => !found.has(said))
  const firstFound = answered.find((said) => found.has(said))
  const isFound =
    slot.kind === 'danger' &&
    firstFound !== undefined &&
    (!isAsked(firstFound) || own.every(({ index }) => index > firstFound.index))
  const told = slot.kind !== 'danger' || isFound || own.length === 0 ? answered : own
  if (isFound) return [{ section: slot.section, heading: slot.heading, label: '', quoted: told, worth }]
  return partOwners(slot, told, request).map((part) => ({
    ...settle(slot, part, request),
    label: '',
    quoted: part,
    worth,
  }))
}

/**
 * "Metformin?" "With supper." "This one, amitriptyline." "That's Dad's.": where another's stands among theirs, each in a line of its own. A question
 * that names none yet, or one that was spoken of, goes on with the one before it.
 */
function partOwners(
  { kind }: Slot,
  quoted: readonly Said[],
  { talk, reading: { findings } }: WritingRequest & { talk: Talk },
): (readonly Said[])[] {
  const isFoundAnothers = kind === 'medicines' && namesAnothers(quoted, findings)
  if (kind !== 'medicines' || !(isFoundAnothers || mayBeAnothers(quoted, talk))) return [quoted]
  const named = new Set<string>()
  const parts: { isOwn: boolean; said: Said[] }[] = []
  for (const exchange of partExchanges(quoted)) {
    const isAnothers = namesAnothers(exchange, findings)
    const isOwn = !isAnothers && !mayBeAnothers(exchange, talk)
    const opening = exchange.slice(0, 1).flatMap(genericsOf)
    const isAnew = isAnothers || (opening.length > 0 && opening.every((name) => !named.has(name)))
    const last = parts.at(-1)
    if (last === undefined || (last.isOwn !== isOwn && isAnew)) parts.push({ isOwn, said: exchange })
    else last.said.push(...exchange)
    for (const name of exchange.flatMap(genericsOf)) named.add(name)
  }
  return parts.map(({ said }) => said)
}

/** Where medicines are looked for, it is named which, and what a client says to it stands with it. */
const completeMedicine = (
  { kind }: Slot,
  quoted: readonly Said[],
  { talk, findings }: { talk: Talk; findings: readonly Finding[] },
): readonly Said[] => {
  if (kind === 'medicines' || (kind === 'other' && isAboutMedicines(quoted)))
    return withReply(nameFirst(quoted, talk, { openingMax: 2, findings }), talk)
  return kind === 'plan' ? nameFirst(quoted, talk, { openingMax: 1, findings }) : quoted
}

/** What a heading promises must be in the words under it. */
function settle(
  { kind, section, heading, part }: Slot,
  quoted: readonly Said[],
  request: WritingRequest & { talk: Talk },
): Pick<Line, 'section' | 'heading'> {
  const { reading, talk } = request
  const { findings } = reading
  const template = templateOf(request)
  const reported = { section: placeOf(template, 'reported'), heading: null }
  const text = quoted.map(({ raw }) => raw).join(' ')
  switch (kind) {
    case 'medicines': {
      // "Benadryl?" "Can't take it.": among medicines it would read as one that is taken. So would what was taken to die.
      if (
        tellsOfAllergy.test(text) ||
        isNoTreatment.test(text) ||
        isOfOverdose(quoted, findings, talk) ||
        mayBeAnothers(quoted, talk) ||
        namesAnothers(quoted, findings) ||
        isDenied(quoted, talk) ||
        isOfReach(quoted) ||
        !isSaidOfThem(quoted)
      )
        return { ...reported, heading: 'Other' }
      if (section === reported.section)
        return findSaidMedicines(text).length > 0 || nameMedicines(quoted, findings).length > 0
          ? { section, heading }
          : reported
      // Among those of now stands what names one of them.
      return namesTaken(quoted, findings) && !isOverAtEnd(quoted, findings, talk)
        ? { section, heading }
        : { ...reported, heading: 'Other' }
    }
    case 'allergies':
      return tellsAllergy(quoted, findings) ? { section, heading } : { ...reported, heading: 'Other' }
    case 'danger':
      // What has no word for it is for the clinician to place.
      return quoted.some((said) => isDangerTalk(said, { byWords: false }))
        ? { section, heading }
        : { ...reported, heading: 'Other' }
    case 'other': {
      // What is taken, how, and with what effect is often one stretch: it stands with the medicine that it is about.
      const medicines = listSlots(template).find((slot) => slot.kind === 'medicines')
      return medicines !== undefined &&
        isAboutMedicines(quoted) &&
        namesTaken(quoted, findings) &&
        !isOverAtEnd(quoted, findings, talk) &&
        !isNoTreatment.test(text) &&
        !isOfOverdose(quoted, findings, talk) &&
        !mayBeAnothers(quoted, talk) &&
        !namesAnothers(quoted, findings) &&
        !isDenied(quoted, talk) &&
        !isOfReach(quoted) &&
        isSaidOfThem(quoted)
        ? medicines
        : { section, heading }
    }
    case 'plan':
      if (quoted.some(({ raw }) => isOfVisit.test(raw)) && !quoted.some(({ raw }) => isToCome.test(raw)))
        return { ...reported, heading: 'Other' }
      // Among changes an offer would read as made.
      if (part !== undefined && (mayBeAnothers(quoted, talk) || quoted.some(({ raw }) => isOffer.test(raw))))
        return { ...reported, heading: 'Other' }
      return isRefused(quoted) ? reported : { section, heading }
    default:
      return { section, heading }
  }
}

const tellsOfAllergy =
  /\b(?:can['’]t|couldn['’]t|cannot|can not) (?:take|have|tolerate)\b|\ballerg|\bintoleran|\breact(?:s|ed|ion)? (?:badly )?to\b/i
/** "Any of your buddies' pills, anything off the street?", "I took the whole box." */
const isNoTreatment =
  /\b(?:took|swallowed|downed)\b[^.?!]{0,40}\bthe whole (?:box|bottle|pack(?:et)?|strip|lot)\b|\boff the street\b|\bstreet drugs?\b|\bkratom\b|\b(?:bud(?:dy|dies)|mates?|friends?|(?:some(?:one|body)|any(?:one|body)) else)['’]s? (?:pills|tablets|meds|medicines?|medications?)\b/i

/** "How many?" "The Stilnox, I had eleven left.", close behind "I took the tablets." */
const isOfOverdose = (quoted: readonly Said[], findings: readonly Finding[], talk: Talk): boolean =>
  isOfTooMuch(quoted, talk) ||
  findings.some(
    (one) =>
      one.kind === 'danger' &&
      one.matter === 'suicide' &&
      (one.element === 'attempt' || one.element === 'act') &&
      one.standing === 'affirmed' &&
      quoted.some(({ items }) =>
        items.some((item) => one.items.some((told) => item - told >= 0 && item - told <= overdoseItemsMax)),
      ),
  )
const overdoseItemsMax = 3

/** "How much olanzapine?" "Ten." … "Is it continuing?" "No, he stopped it.": of one medicine, to its end. */
function isOverAtEnd(quoted: readonly Said[], findings: readonly Finding[], { sentences }: Talk): boolean {
  const named = new Set(nameMedicines(quoted, findings).map(({ name }) => name))
  const end = (quoted.at(-1)?.index ?? 0) + 1
  const behind = sentences.slice(end, end + behindSentencesMax)
  const other = behind.findIndex(({ raw }) => findSaidMedicines(raw).length > 0)
  return (
    named.size === 1 &&
    [...quoted, ...(other < 0 ? behind : behind.slice(0, other))].some(
      (said) => !isAsked(said) && tellsItOver.test(said.raw),
    )
  )
}
/** What was left out behind a quote may still be about its medicine. */
const behindSentencesMax = 3
const tellsItOver =
  /\b(?:stopped|quit|packed|gave|knocked) (?:it|them|that|that one)\b|\b(?:came|come|took me|been|i['’]m) off (?:it|them|that)\b|\bthat one['’]s stopped\b|\bi don['’]t want (?:it|that)\b/i

const namesAllergy =
  /\ballerg|\bintoleran|\banaphyla|\breact(?:s|ed|ion|ions)?\b|\bhives\b|\brash\b|\bswell|\bswollen\b/i

/** A joke, or a test: "I'm allergic to your ficus", "You need no allergy testing." */
const noAllergy =
  /\ballergic to (?:your|this|that|these|those|his|her|mondays?|work|mornings?)\b|\ballergy (?:test|season|clinic)/i
/** What a clinician says of an allergy without asking; a reaction may be what they found. */
const statesAllergy = /\ballergic to\b|\ballerg(?:y|ies)\b|\bintoleran/i

/** Where somebody says more than the question: an answer to it that is a no, or that names an allergy. */
function tellsAllergy(quoted: readonly Said[], findings: readonly Finding[]): boolean {
  const told = quoted.filter((said) => !isAsked(said))
  const text = told
    .filter(
      ({ speaker, raw }) => !noAllergy.test(raw) && (speaker !== 'clinician' || statesAllergy.test(raw)),
    )
    .map(({ raw }) => raw)
    .join(' ')
  const isKnown = findings.some((one) => one.kind === 'allergy' && has(text, one.substance))
  if (isKnown || namesAllergy.test(text)) return true
  const asked = quoted.some((said) => isAsked(said) && namesAllergy.test(said.raw))
  return asked && told.some(({ raw }) => readAnswer(raw) === 'no' || findSaidMedicines(raw).length > 0)
}

/** Those that a quote names; what is known of them may be said in another of its sentences. */
const nameMedicines = (quoted: readonly Said[], findings: readonly Finding[]): MedicineFinding[] =>
  findings
    .filter((one) => one.kind === 'medicine')
    .filter(
      ({ said: name, items }) =>
        quoted.some(({ raw }) => has(raw, name)) &&
        quoted.some((said) => said.items.some((item) => items.includes(item))),
    )

const namesAnothers = (quoted: readonly Said[], findings: readonly Finding[]): boolean =>
  nameMedicines(quoted, findings).some(({ whose }) => whose === 'other')

const namesTaken = (quoted: readonly Said[], findings: readonly Finding[]): boolean =>
  nameMedicines(quoted, findings).some(({ whose, status }) => whose === 'client' && !isOver.has(status))

/** By the figures of its sentences: so much of its words. */
const aboutMedicinesFrom = 0.4

const isAboutMedicines = (quoted: readonly Said[]): boolean =>
  shareOfPlace(quoted, 'medicines') >= aboutMedicinesFrom

/** What belongs to the visit itself, or was known before: "Let's take a look at you", "Let me get your dad", "I have that you take fish oil." */
const isOfVisit =
  /\b(?:let me|i['’]ll|i(?:['’]m| am) (?:just )?(?:going to|gonna)) (?:just )?(?:go (?:and )?)?(?:get|bring|grab|fetch|find) your (?:mom|mum|mam|mother|dad|father|parents|wife|husband|partner|son|daughter|coat)\b|\bi['’]ll be (?:right )?back\b|\bget your coat\b|\bgive \w{2,20} my (?:best|love)\b|\b(?:let['’]s|let me|i(?:['’]m| am) (?:going to|gonna|gon na)|i want to|i['’]ll) (?:just )?(?:take a (?:quick )?(?:look|listen)|have a (?:quick )?(?:look|listen)|examine you|do (?:a|your) (?:quick |brief )?(?:physical )?exam)\b|\bjust to confirm\b|\bi hope you(?:['’]re| are)\b|\bi have (?:here )?that you(?:['’]re| are)? (?:take|taking|on)\b/i
/** Something else that comes next. */
const isToCome =
  /\b(?:next (?:week|month|visit|time)|follow[- ]?up|appointment|prescri\w+|refer\w*|start\w*|increase\w*|order\w*|schedul\w+|recommend\w*|call (?:me|us|you|the)|tomorrow)\b/i

/** "I could add a little propranolol, but …", "Or two, we stay on it, and add …" */
const isOffer =
  /\b(?:i|we) (?:could|might)\b|\b(?:option|choices?|alternative)\b|^\W*(?:or|and)?,? ?(?:number )?(?:one|two|three),/i

const isOver: ReadonlySet<MedicineStatus> = new Set<MedicineStatus>(['past', 'stopped', 'declined'])

/** "Would you come to the group?" "No.": what they want, and nothing that comes next; a no to a no agrees. */
function isRefused(quoted: readonly Said[]): boolean {
  const at = quoted.findLastIndex(({ speaker }) => speaker === 'clinician')
  const answer = quoted[at + 1]
  return answer !== undefined && readAnswer(answer.text) === 'no' && !asksForNo.test(quoted[at]?.raw ?? '')
}
