import type { Finding, MedicineStatus } from '../../reader/reading.js'
import { readAnswer } from '../../text/read-answer.js'
import { namesAllergy } from './begin-with-heading.js'
import { partExchanges, type Line } from './line.js'
import { namesMedicine } from './medicine-lines.js'
import { heatOfSaid, shareOfPlace, type Said, type Talk } from './read-turns.js'
import { isAsked } from './stands.js'
import { saysSomething } from './trim-danger.js'

/*
 * The last word on what stands under Medicines and Allergies, whichever way a line came there. In twenty rounds of judging, what stood there wrongly was another's ("What
 * did your mother take?"), of long ago, a means to die, or what somebody went on to tell. In doubt it stands under Other, where it misleads nobody.
 */

export function settleMedicines(
  line: Line,
  { talk, findings, reportSection }: { talk: Talk; findings: readonly Finding[]; reportSection: string },
): Line[] {
  if (line.quoted.some(({ isTyped }) => isTyped)) return [line]
  const other = { section: reportSection, heading: 'Other' as const, label: '' }
  if (line.heading === 'Medicines') {
    const { before, own, behind } = cutToTaken(line.quoted, findings)
    const rest = [before, behind].filter(saysSomething)
    return isTheirsNow(own, talk)
      ? [{ ...line, quoted: own }, ...rest.map((quoted) => ({ ...line, ...other, quoted }))]
      : [{ ...line, ...other }]
  }
  if (line.heading !== 'Allergies') return [line]
  const parts = partExchanges(line.quoted)
  const last = parts.findLastIndex(isOfAllergy)
  const [own, rest] = [parts.slice(0, last + 1).flat(), parts.slice(last + 1).flat()]
  const isWrong = own.length === 0 || !hasWordForIt(own, talk) || isAllOfAnother(own, talk)
  if (isWrong) return [{ ...line, ...other }]
  return [{ ...line, quoted: own }, ...(saysSomething(rest) ? [{ ...line, ...other, quoted: rest }] : [])]
}

const person =
  '(?:amma|appa|ammi|abba|abbu|baba|dadi|nani|mama|mom|mommy|mum|mummy|mam|ma|mother|dad|daddy|father|papa|nan|nana|gran\\w{0,6}|sister|brother|siblings?|parents?|aunt\\w{0,2}|uncle|cousin|niece|nephew|wife|husband|partner|girlfriend|boyfriend|fianc\\w{1,3}|ex|son|daughter|kids?|child(?:ren)?|baby|friend|mate|buddy|room-?mate|flat-?mate|neighbou?r|boss|colleague|coworker)'
const kin = new RegExp(`\\b${person}\\b`, 'i')
const third = new RegExp(`\\b(?:he|she|him|her|his|hers|${person}(?:['’]s)?)\\b`, 'i')
const firstOrSecond =
  /\b(?:i|i['’]\p{L}{1,2}|me|my|mine|you|you['’]\p{L}{1,3}|your|yours|yourself|we|we['’]\p{L}{1,3})\b/iu
/** "My mother takes it": "my" is not the client there. */
const ofKin = new RegExp(`\\b(?:my|our|your) (?:\\p{L}{1,12} )?${person}\\b`, 'giu')

const isOfAnother = ({ raw }: Said): boolean => {
  const text = raw.replace(ofKin, 'she')
  return third.test(text) && !firstOrSecond.test(text)
}

/** Where a third person is in the room "she" may be the client. */
const isOfTwo = ({ turns }: Talk): boolean =>
  turns.every(({ speaker }) => speaker === 'clinician' || speaker === 'client')

const asksUse =
  /\b(?:tak(?:e|es|en|ing)|took|on|us(?:e|es|ed|ing)|medic\w+|meds|pills?|tablets?|prescri\w+)\b/i

/** "Did you ever try anything for it?", "as a kid", "back then", "You had the labetalol." */
const isOfBefore =
  /\b(?:as an? (?:kid|child|teen\w*|baby|boy|girl|student)|when (?:i|you|he|she) (?:was|were)|years? (?:ago|back)|back (?:then|in|when)|in (?:(?:the|my|your) )?(?:\w+ )?(?:twenties|thirties|forties|eighties|nineties|high school|college|university|army|navy)|in (?:19|20)\d\d|used to|long (?:time )?ago|at the time|(?:did|have) (?:you|they|he|she) ever (?:tr(?:y|ied)|tak(?:e|en)|been on|had|seen?|used?)|ever (?:been on|tried|taken|been given)|what (?:else )?(?:have|did) (?:you|they) (?:tr(?:y|ied)|taken?|give)|(?:tried|took|had) (?:it |that |one )?before|in the past|before (?:that|this) one|previous(?:ly)?|you had (?:the|been on)|did (?:anything|it|they|that) (?:help|work)|(?:any )?other time in your life|i (?:hated|loved) (?:it|that)|(?:with|in) (?:my|your|the) (?:first|last|other) (?:one|baby|pregnancy))\b/i
const isOfNow =
  /\b(?:now|still|currently|today|at the moment|these days|this morning|last night|tonight|every (?:day|night|morning|evening|week)|(?:once|twice|\w+ times) (?:a|per) (?:day|week)|daily|nightly|i['’]m on|i['’]ve been (?:on|taking)|you['’]re on|i take|you take|are you (?:on|taking))\b/i

/** "No. Ten." "Ten, once a day?": what names none is of the one that was named last. */
const joinUnnamed = (parts: readonly Said[][]): Said[][] =>
  parts.reduce<Said[][]>(
    (joined, part) =>
      part.some(namesMedicine) || joined.length === 0
        ? [...joined, part]
        : [...joined.slice(0, -1), [...(joined.at(-1) ?? []), ...part]],
    [],
  )

/** "It burned my stomach, so I jacked it in." */
const tellsOfEnd =
  /\b(?:stopped|quit|jacked|packed (?:it|them) in|binned|threw|came off|went off|gave (?:it|them|that) up|got off|did you take|didn['’]t (?:take|work|help)|was on)\b/i

/** From here what names medicines may be of a means: "How many were in the box?" */
const meansFrom = { sentence: 0.3, item: 0.8 }

const mayBeMeans = (said: Said): boolean =>
  (said.figures.places.danger ?? 0) >= meansFrom.sentence || heatOfSaid(said) >= meansFrom.item

/** What is asked right before a line begins: of whom it is. */
function askedBefore([first]: readonly Said[], { sentences }: Talk): Said[] {
  const before = sentences[(first?.index ?? 0) - 1]
  return before !== undefined && isAsked(before) && before.turn !== first?.turn ? [before] : []
}

/** "You had the labetalol." "Labetalol two hundred, I hated that."; "Any other time in your life?", and four turns later "The imipramine, it was." */
const toldTurnsMax = 4

function toldBefore([first]: readonly Said[], { turns }: Talk): Said[] {
  const turn = first?.turn ?? 0
  return turns.slice(Math.max(0, turn - toldTurnsMax), turn).flatMap(({ sentences }) => sentences)
}

/** What the reader says of a medicine that is not taken now; of one that is only mentioned, the words around it say. */
const isOfNone: ReadonlySet<MedicineStatus> = new Set<MedicineStatus>(['past', 'declined'])

/**
 * "Any pot, pills?" "I had Percocet after my shoulder." "What has the VA got you on?" "Prazosin.": from the first exchange with a medicine that the
 * reader takes for one of now, to the last, and what stands between; what it takes for another's or of another time is set apart.
 */
function cutToTaken(
  quoted: readonly Said[],
  findings: readonly Finding[],
): Record<'before' | 'own' | 'behind', Said[]> {
  const found = findings.filter((one) => one.kind === 'medicine')
  const parts = joinUnnamed(partExchanges(quoted))
  const isOwn = (part: readonly Said[]): boolean => {
    const items = new Set(part.flatMap((said) => said.items))
    const told = found.filter((one) => one.items.some((item) => items.has(item)))
    if (!part.some(namesMedicine) || told.length === 0) return true
    const own = told.filter(({ status, whose }) => whose !== 'other' && !isOfNone.has(status))
    if (own.some(({ status }) => status !== 'mentioned')) return true
    return (
      (own.length > 0 || part.some(({ raw }) => isOfNow.test(raw))) &&
      !part.some(({ raw }) => tellsOfEnd.test(raw))
    )
  }
  const isNow = (part: readonly Said[]): boolean => part.some(namesMedicine) && isOwn(part)
  const [from, to] = [parts.findIndex(isNow), parts.findLastIndex(isNow)]
  if (from < 0) return { before: [], own: [], behind: [] }
  const first = parts.slice(0, from).every(isOwn) ? 0 : from
  const next = parts.slice(to + 1).findIndex((part) => !isOwn(part))
  const end = next < 0 ? parts.length : to + 1 + next
  return {
    before: parts.slice(0, first).flat(),
    own: parts.slice(first, end).flat(),
    behind: parts.slice(end).flat(),
  }
}

/** "The tamsulosin is in there, too." "You have been taking it?" */
const saidBehind = (quoted: readonly Said[], { sentences }: Talk): Said[] => {
  const from = (quoted.at(-1)?.index ?? 0) + 1
  return sentences.slice(from, from + behindSentences)
}
const behindSentences = 2

function isTheirsNow(quoted: readonly Said[], talk: Talk): boolean {
  if (!quoted.some(namesMedicine) || quoted.some(mayBeMeans)) return false
  const around = [...askedBefore(quoted, talk), ...quoted]
  const naming = around.filter((said) => namesMedicine(said) || (isAsked(said) && asksUse.test(said.raw)))
  const mayBeTheirs = ({ speaker, raw }: Said): boolean =>
    !isOfTwo(talk) && !(speaker === 'clinician' && kin.test(raw))
  if (naming.some((said) => isOfAnother(said) && !mayBeTheirs(said))) return false
  if (isNothingTaken(quoted) || around.some(({ raw }) => liesAbout.test(raw))) return false
  if (![...around, ...saidBehind(quoted, talk)].some(({ raw }) => saysUse.test(raw))) return false
  const told = [...toldBefore(quoted, talk), ...around]
  return !told.some(({ raw }) => isOfBefore.test(raw)) || quoted.some(({ raw }) => isOfNow.test(raw))
}

/** "Imipramine.", "Which other ones?" say of nobody that they take it: some word of use, of a dose or of a change stands with what is named. */
const saysUse =
  /\b(?:tak(?:e|es|ing|en)|took|us(?:e|es|ing)|on (?:the|it|that|an?|any(?:thing)?|what|your|my|nothing|lithium|\p{L}{2,24}in)|still|i['’]m on|you['’]re on|are you on|(?:went|gone|put|go|goes) (?:it |that |me |you |him |her )?(?:on|off|up|down)|from (?:one|two|five|ten|\d)|gave (?:me|him|her)|start(?:ed|ing)?|stop(?:ped|s)?|quit|refill|doses?|miss(?:ed|ing)?|every (?:other )?(?:day|morning|night|evening|(?:\p{L}{3,6} )?weeks?|month)|once|twice|(?:a|per) (?:day|week|night)|daily|at (?:night|bed|bedtime)|(?:in the|before) (?:morning|evening|breakfast|supper|bed)|(?:this|your|the|any|other|what|new) (?:other )?(?:tablets?|meds?|medicines?|medications?|pills?|drops|inhalers?)|ran out)\b/iu

/** "What's left of the bin bag?": tablets that lie about in a house. */
const liesAbout =
  /\b(?:what['’]?s left (?:of|in)|left ?overs?\b|(?:bin|carrier|plastic|paper) bag|shoe ?box|old (?:pills|tablets|medicines)|cleared out|in the (?:drawer|cabinet|cupboard|attic|garage|shed))/i

/** "Any propranolol with it?" "No.": what is named is not taken. */
const isNothingTaken = (quoted: readonly Said[]): boolean =>
  quoted.every((said, at) => {
    const answer = quoted[at + 1]
    return (
      !namesMedicine(said) ||
      (isAsked(said) && answer?.speaker !== said.speaker && readAnswer(answer?.text ?? '') === 'no')
    )
  })

/** So little of an exchange is of allergies if it has no word for them and names nothing. */
const allergyShare = 0.15

const isOfAllergy = (part: readonly Said[]): boolean =>
  part.some((said) => namesAllergy.test(said.raw) || namesMedicine(said)) ||
  shareOfPlace(part, 'allergies') >= allergyShare

/** "Anything you can't take?", "It makes me sick." */
const tellsOfAllergy =
  /\b(?:can['’]t|couldn['’]t|cannot|can not) (?:take|have|tolerate)\b|\b(?:made|makes|make|gave|gives) (?:me|you|him|her)\b|\bitch\w*|\bspots\b|\bbreak(?:s|ing)? (?:me |you )?out\b|\bbr(?:eak|oke) out\b/i

const hasWordForIt = (quoted: readonly Said[], talk: Talk): boolean =>
  [...askedBefore(quoted, talk), ...quoted].some(
    ({ raw }) => namesAllergy.test(raw) || tellsOfAllergy.test(raw),
  )

/** "That was Mom, that one.", "I've had it, no trouble." */
const deniesIt = new RegExp(
  `\\b(?:that|it)(?:['’]s| was| is) (?:my )?${person}\\b|\\bnot me\\b|\\b(?:had|took|taken) (?:it|that|them),? (?:no (?:trouble|problem)|and (?:it was|i was) (?:fine|grand|okay))`,
  'i',
)

/** "Family, anybody with allergies?" */
const asksOfFamily =
  /\b(?:family|relatives?|siblings?|parents|brothers?|sisters?|any ?(?:one|body) (?:else|with))\b[^.?!]{0,40}\b(?:allerg|asthma|eczema|hay ?fever)|\b(?:allerg\w*|asthma|eczema|hay ?fever)\b[^.?!]{0,30}\b(?:in the family|run in)\b/i

const isAllOfAnother = (quoted: readonly Said[], talk: Talk): boolean => {
  const told = quoted.filter((said) => said.speaker !== 'clinician' && isOfAllergy([said]))
  return (
    quoted.some(({ speaker, raw }) => speaker === 'clinician' && asksOfFamily.test(raw)) ||
    (isOfTwo(talk) && told.length > 0 && told.every(isOfAnother)) ||
    quoted.some(({ raw }) => deniesIt.test(raw))
  )
}
