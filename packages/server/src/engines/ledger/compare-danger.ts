import type { TranscriptItem } from '@casenote/contract'
import { FIREARM_WORDS } from '../lexicon/firearm-words.js'
import { plainWords } from '../text/plain-words.js'
import type { DangerFinding } from '../reader/reading.js'
import { findSaidMedicines } from '../lexicon/said-medicines.js'
import { compareAnswer } from './compare-answer.js'
import { isSameElement } from '../reader/danger/claim-words.js'
import type { NoteIndex, NoteSentence } from './index-note.js'
import type { LedgerEntry } from './ledger.js'
import {
  namesOther,
  readDangerClaims,
  readTense,
  soundsUnclear,
  type DangerClaim,
} from '../reader/danger/read-danger-claims.js'
import { saysNotAsked } from './says-not-asked.js'
import { countShared } from './share-words.js'
import { namesEveryone, type Room } from './speakers.js'
import { findUnquoted, quotesWords, isExtract, quotedPlaces } from './quoted-words.js'
import { deniesAsAsked, readWords, tellsInItsWords, wasSaidAsPast } from './tell-in-its-words.js'

type Outcome = Omit<LedgerEntry, 'finding'>

interface Session {
  all: readonly DangerFinding[]
  transcript: readonly TranscriptItem[]
  room: Room | null
}

/** "Ma thinks she comes in" is of somebody else in the room; an answer is of who gives it. */
const isOfOneself = ({ words, standing, questionItem }: DangerFinding): boolean =>
  standing === 'denied' || questionItem !== null || /\b(?:I|me|my|myself|we)\b/i.test(words)

/** What one of several people said of themselves, no sentence about another of them states or contradicts. */
const makeSpeakerFilter = (
  finding: DangerFinding,
  room: Room | null,
): ((sentence: NoteSentence) => boolean) => {
  const speaker = room?.speakerOf(finding) ?? null
  if (room === null || speaker === null || !isOfOneself(finding)) return () => true
  return ({ items, text }) => room.speaks(speaker, items) || namesEveryone(text)
}

/** Stated only by a sentence that fits in every respect; said otherwise, it is contradicted, even if another sentence fits. */
export const compareDanger = (
  finding: DangerFinding,
  note: NoteIndex,
  { all, transcript, room }: Session,
): Outcome => {
  if (finding.foundBy === 'answer') return compareAnswer(note)
  const isOfSpeaker = makeSpeakerFilter(finding, room)
  const citing = note.citing(finding.items).filter(isOfSpeaker)
  const near = [...new Set([...citing, ...note.sharing(finding.words).filter(isOfSpeaker)])]
  const claiming = note.claiming(finding.matter)
  // One sentence may deny what was asked in many places; and what was typed cites none.
  const candidates =
    finding.standing === 'denied' ? [...new Set([...near, ...claiming.filter(isOfSpeaker)])] : near
  const words = readWords(finding)
  const quoting = quotedPlaces(finding, note, transcript)
  const stating = candidates.find((sentence) => {
    if (sentence.isRefused || isOnlyAsked(sentence)) return false
    if (isExtract(sentence)) return quoting.includes(sentence) && quotesWords(finding, words, sentence)
    const isCited = citing.includes(sentence)
    if (!near.includes(sentence)) return deniesOutright(finding, sentence)
    if (states(finding, sentence, isCited) || (isCited && namesMeans(finding, sentence))) return true
    if (finding.standing === 'affirmed' && takesBack.test(sentence.plain)) return false
    return quotesIt(finding, sentence, isCited) || (isCited && tellsInItsWords(finding, words, sentence))
  })
  // What is only suspected may be nothing: no sentence contradicts it.
  const isSuspected = finding.certainty === 'suspected'
  const mayContradict = isSuspected ? [] : isWorded(finding) ? near : citing
  // Nobody can say whom in the room a typed sentence is about: it contradicts each of them.
  const typed = isSuspected ? [] : claiming.filter(({ items }) => items.length === 0)
  const contradicting =
    mayContradict.find(
      (sentence) =>
        sentence !== stating &&
        !isOnlyAsked(sentence) &&
        (stating === undefined || isPlainOpposite(finding, sentence)) &&
        contradicts(finding, sentence, all) &&
        !fitsAnother(finding, sentence, all, {
          isOfPlace: stating === undefined && citing.includes(sentence),
        }),
    ) ?? typed.find((sentence) => isPlainOpposite(finding, sentence) && !fitsAnother(finding, sentence, all))
  if (contradicting !== undefined) return { state: 'contradicted', sentence: contradicting.text }
  if (stating === undefined) return { state: 'not_written', sentence: null }
  const unquoted = isExtract(stating) ? findUnquoted(finding, note, transcript) : null
  return { state: 'stated', sentence: stating.text, ...(unquoted === null ? {} : { unquoted }) }
}

/**
 * A sentence that cites other items denies the danger only by a plain no ("reports ideation, no plan" does not deny ideation);
 * harm to others only where it is denied of anybody.
 */
const deniesOutright = (finding: DangerFinding, { claims, plain }: NoteSentence): boolean =>
  claims.some(
    (claim) =>
      claim.standing === 'denied' &&
      isAbout(finding, claim) &&
      fitsWhose(finding, claim, plain) &&
      (isWorded(finding) || ofAnybody.test(claim.words)),
  )

const ofAnybody = /\b(?:homicid\w*|HI|others?|other people|any(?:one|body)|some(?:one|body)|violen\w*)\b/i

/** Fewer words of a quote may be anybody's; where no yes is at stake two of them are enough, with the place cited. */
const quotedWordsMin = 3
const quotedWordsLeast = 2

/** The words stand in a quote, or the quote is of them; a bare "No." only where the sentence cites the very item. */
const quotesIt = (finding: DangerFinding, { quotes }: NoteSentence, isCited: boolean): boolean => {
  const words = plainWords(finding.words)
  if (words.trim() === '') return false
  const isWhole = quotes.some((quote) => quote.includes(words))
  const isLong = words.trim().split(' ').length >= quotedWordsMin
  const least = finding.standing === 'affirmed' ? quotedWordsMin : quotedWordsLeast
  const isPart = quotes.some((quote) => quote.trim().split(' ').length >= least && words.includes(quote))
  return (isWhole && (isLong || isCited)) || (isPart && isCited)
}

/**
 * "Client reports having a box cutter at home": the thing itself, where it was spoken of, as something that the client has or
 * that lies somewhere now; of pills, that they are kept. In doubt it is not told: else nobody would hear of it.
 */
const namesMeans = (finding: DangerFinding, { plain, parts }: NoteSentence): boolean => {
  if (finding.element !== 'means' || finding.standing !== 'affirmed' || !fitsTime(finding, plain))
    return false
  const wanted = thingsOf(finding.words)
  if (wanted.size === 0) return false
  return parts.some(
    ({ text, isNegated }) =>
      !isNegated &&
      !isOnlyMeant.test(text) &&
      isOfOwner(finding, text) &&
      countShared(wanted, thingsOf(text)) === wanted.size &&
      isThere(finding, text),
  )
}

const isOfOwner = ({ whose, words }: DangerFinding, text: string): boolean =>
  whose === 'other' ? namesOther(text) : ofAnother.test(words) || !namesOther(text)

/** If pills were put aside, the note must say so; of pills that only lie somewhere, the place is enough. */
const isThere = ({ words }: DangerFinding, text: string): boolean => {
  if (isTool.test(words)) return hasTool.test(text)
  return namesStock.test(text) || (!namesStock.test(words) && liesIn.test(text))
}

/** "her nerve pills", "Dad's knife" */
const ofAnother = /\b(?:her|his|their|\w{1,20}['’]s)\b(?<!\b(?:there|it|that|what|he|she|who|let)['’]s)/i
/**
 * Words around a thing that only ask for it, or tell that it is taken as prescribed, thought of, planned, gone or feared: they do
 * not say that it is there.
 */
const isOnlyMeant =
  /\b(?:if|whether|ask\w*|tak(?:e|es|ing|en)|took|prescri\w*|consider\w*|might|may|could|would|will|used to|plan\w*|th(?:ink|ought)\w*|worr\w*|fear\w*|afraid|imagin\w*|dream\w*|wish\w*|want\w*|remov\w*|dispos\w*|g(?:ave|iven?|iving)|sold|threw|former\w*|previous\w*|until|dose|mg|daily|nightly|refill\w*)\b/i
const namesStock =
  /\b(?:sav(?:e|ed|es|ing)(?! (?:money|time))|stash\w*|hoard\w*|stockpil\w*|put (?:by|aside|away)|set aside|left ?over|extra|collect\w*|counted)\b/i
const tools = 'ropes?|kni(?:fe|ves)|razors?|blades?|(?:box )?cutters?|lighters?'
const isTool = new RegExp(`\\b(?:${tools})\\b`, 'i')
const hasTool = new RegExp(
  `\\b(?:has|have|having|keeps|keeping|owns|there (?:is|are)|access to) (?:(?:a|an|the|their|his|her|some|two|three|several|pocket|kitchen|utility) ){0,3}(?:${tools})\\b`,
  'i',
)
const liesIn =
  /\b(?:in|inside|under|behind|on|at) (?:(?:the|a|an|their|his|her) )?(?:house|home|drawer|cabinet|closet|icebox|fridge|refrigerator|freezer|garage|car|truck|shed|basement|attic|kitchen|bed|bedroom|bathroom|nightstand|pillow|mattress|purse|bag|backpack|pocket|box|desk|door|work)\b/i

/** Where a medicine is named, the pills are those. */
const thingsOf = (text: string): ReadonlySet<string> => {
  const medicines = findSaidMedicines(text).map(({ medication }) => medication.generic)
  const things = (text.match(thingWords) ?? []).map((word) => word.toLowerCase().replace(/s$/, ''))
  return new Set([...medicines, ...things.filter((thing) => medicines.length === 0 || !isForm.test(thing))])
}

const isForm = /^(?:bottle|pill|tablet|drug)$/
/** 'denies that "I want to die"', read outside the quotes, each of which left a "…". */
const takesBack =
  /\bden(?:y|ie[sd]|ying)\b(?:(?! and | but |;|, (?:report|stat|endors|sa(?:id|y)))[^…]){0,80}…|(?:\b(?:retract\w*|no longer|never|not(?! (?:stop|help)\b))|n['’]t)(?: (?!and\b|but\b)[\w'’-]+){0,4} {1,3}…/i

/** "Clinician asked about thoughts, method and past attempts.": what was answered stands elsewhere, or nowhere. */
const onlyAsks =
  /^\W*(?:the )?(?:clinician|provider|therapist|prescriber) (?:also |then |directly )?(?:ask|assess|explor|review|screen|inquir)\w*/i
const answers =
  /\b(?:client|patient|they|he|she)\b[^.;]{0,40}\b(?:den(?:y|ie[sd])|report|stat|answer|sa(?:ys|id)|endors|affirm|confirm|describ|disclos|acknowledg)/i

const isOnlyAsked = ({ text, quotes }: NoteSentence): boolean =>
  quotes.length === 0 &&
  ((onlyAsks.test(text) && !answers.test(text)) || (saysNotAsked(text) && !tellsBeside.test(text)))

/** "Endorses ideation; plan not assessed." tells something beside. "Suicide and self-harm: not asked." tells of none. */
const tellsBeside =
  /\b(?:den(?:y|ie[sd])|report|endors|admit|affirm|confirm|describ|disclos|acknowledg|says?\b|said\b|states?\b|stated\b|has\b|had\b|feels?\b|thinks?\b|thought\b)/i

/** Of another's suicide a note says no more than that. */
const isAbout = (finding: DangerFinding, claim: DangerClaim): boolean =>
  isSameMatter(finding, claim) && (finding.whose === 'other' || isSameElement(finding.element, claim.element))

/** Hurting oneself is written as self-harm and as suicide; a choking is violence and abuse. */
const isSameMatter = ({ matter }: DangerFinding, claim: DangerClaim): boolean => {
  if (matter === claim.matter) return true
  const pair = new Set([matter, claim.matter])
  return (pair.has('suicide') && pair.has('self_harm')) || (pair.has('abuse') && pair.has('harm_to_others'))
}

const isOpposite = ({ standing, time }: DangerFinding, claim: DangerClaim): boolean =>
  (standing === 'affirmed' && claim.standing === 'denied' && (time === 'present' || claim.time === 'past')) ||
  (standing === 'denied' && claim.standing === 'affirmed' && claim.time === 'present')

/** A sentence that cites the place and denies "a plan" speaks of the plan that was asked about. */
const states = (finding: DangerFinding, sentence: NoteSentence, isCited: boolean): boolean =>
  (isCited ? readDangerClaims(sentence.plain, finding.matter) : sentence.claims).some(
    (claim) =>
      isAbout(finding, claim) && fits(finding, claim, sentence) && !isEverydayThing(finding, claim, sentence),
  ) ||
  (isCited && finding.standing === 'denied' && deniesAsAsked(finding, sentence))

/** "takes pills with breakfast", "this means a lot": only of what lies somewhere is it a word of danger. */
const isEverydayThing = (finding: DangerFinding, claim: DangerClaim, sentence: NoteSentence): boolean =>
  finding.standing === 'affirmed' &&
  claim.element === 'means' &&
  /^(?:means|pills|ropes?)$/i.test(claim.words) &&
  !namesMeans(finding, sentence)

const fits = (finding: DangerFinding, claim: DangerClaim, { plain, quotes }: NoteSentence): boolean => {
  if (finding.standing === 'unclear') {
    if (claim.standing !== 'unclear' && quotes.length === 0 && !soundsUnclear(plain)) return false
  } else if (
    claim.standing !== finding.standing &&
    !(finding.standing === 'denied' && deniesRest.test(plain))
  )
    return false
  return fitsTime(finding, plain) && fitsWhose(finding, claim, plain)
}

/** An attempt has been; of a thought it must be said that it has been. */
const fitsTime = (finding: DangerFinding, plain: string): boolean => {
  const { time, element, standing } = finding
  if (standing === 'denied' || element === 'attempt' || element === 'act' || wasSaidAsPast(finding))
    return true
  const tense = readTense(plain)
  return time === 'past' ? tense !== 'present' : tense !== 'past'
}

const fitsWhose = ({ whose, matter }: DangerFinding, claim: DangerClaim, plain: string): boolean => {
  if (matter === 'abuse' || matter === 'harm_to_others') return true
  return whose === 'other' ? namesOther(plain) : claim.whose === 'client'
}

/** Words for violence and control are common ones: a sentence with them is about this danger only if it cites the same items. */
const isWorded = ({ matter }: DangerFinding): boolean => matter !== 'abuse' && matter !== 'harm_to_others'

/** "had thoughts on Wednesday, none since" affirms and denies. */
const deniesRest =
  /\bonly (?:time|one|attempt)\b|\bnothing (?:like (?:that|it) )?since\b|\bnone\b|\bno longer\b|\bnot (?:now|since|today|current\w*)\b|\bdenie[sd]\b|\bwithout\b|\bno (?:current|thoughts|plan|intent)\b|\bhas not\b/i

const contradicts = (
  finding: DangerFinding,
  sentence: NoteSentence,
  all: readonly DangerFinding[],
): boolean => {
  if (finding.standing === 'denied' && deniesRest.test(sentence.plain)) return false
  const about = sentence.claims.filter((claim) => isSameMatter(finding, claim))
  const same = about.filter((claim) => isVerySame(finding, claim, sentence))
  if (same.some((claim) => isFalseWhose(finding, claim, sentence.plain))) return true
  if (finding.whose === 'other') return false
  const isOpposed = same.length > 0 && same.every((claim) => isOpposite(finding, claim))
  const isOfAnotherTime = isAct(finding) || finding.time === 'past' ? limitsTime : limitsToBefore
  if (isOpposed && !isOfAnotherTime.test(sentence.plain)) return true
  if (same.some((claim) => isFalseTime(finding, claim, sentence.plain))) return true
  return (
    same.length === 0 &&
    about.some((claim) => overstates(finding, claim)) &&
    !fitsAnother(finding, sentence, all)
  )
}

/** The gravest, which another sentence does not make good: the same element, the same person, the other answer. */
const isAct = ({ element }: DangerFinding): boolean => element === 'attempt' || element === 'act'
const limitsTime =
  /\b(?:since|current\w*|now|recent\w*|today|this week|lately|before (?:that|then|this)|until then)\b/i
const limitsToBefore = /\b(?:before (?:that|then|this)|until then)\b/i

const isPlainOpposite = (finding: DangerFinding, { claims, plain }: NoteSentence): boolean => {
  const same = claims.filter((claim) => isAbout(finding, claim))
  return (
    finding.whose === 'client' &&
    finding.time === 'present' &&
    finding.standing === 'affirmed' &&
    finding.certainty === 'plain' &&
    readTense(plain) !== 'past' &&
    same.length > 0 &&
    same.every((claim) => isOpposite(finding, claim) && claim.whose === 'client')
  )
}

/** What contradicts speaks of the very thing: a burn is no suicidal thought, and a rifle given away no bottle of morphine. */
const isVerySame = (finding: DangerFinding, claim: DangerClaim, sentence: NoteSentence): boolean => {
  const { matter, element } = finding
  if (matter === 'abuse' || matter === 'harm_to_others' ? claim.matter !== matter : false) return false
  if (element === 'unspecified') return claim.matter === matter && isOfMind(claim.element)
  if (!isSameElement(element, claim.element)) return false
  return element !== 'means' || isGun.test(finding.words) || !isGun.test(sentence.plain) || !hasThing(finding)
}

const isOfMind = (element: DangerFinding['element']): boolean =>
  element === 'thoughts' || element === 'wish_to_be_dead' || element === 'voices' || element === 'beliefs'
const isGun = new RegExp(`\\b(?:${FIREARM_WORDS}|thirty.thirty)\\b`, 'i')
/** Words that name no thing ("It's in the drawer.") may be of the gun that was asked about. */
const hasThing = ({ words }: DangerFinding): boolean =>
  words.search(thingWords) !== -1 || findSaidMedicines(words).length > 0

const thingWords =
  /\b(?:bottles?|pills?|tablets?|drugs?|ropes?|kni(?:fe|ves)|razors?|blades?|cutters?|lighters?)\b/gi

const isFalseWhose = (finding: DangerFinding, claim: DangerClaim, plain: string): boolean =>
  finding.matter !== 'abuse' &&
  finding.matter !== 'harm_to_others' &&
  claim.standing === 'affirmed' &&
  finding.whose === 'other' &&
  !namesOther(plain)

/** A past written as a present, and a present as history. */
const isFalseTime = (finding: DangerFinding, claim: DangerClaim, plain: string): boolean => {
  if (claim.standing !== 'affirmed' || finding.standing !== 'affirmed' || claim.whose === 'other')
    return false
  if (finding.element === 'attempt' || finding.element === 'act' || wasSaidAsPast(finding)) return false
  const tense = readTense(plain)
  return finding.time === 'past' ? tense === 'present' : tense === 'past'
}

/** A thought written as an act, a wish as a plan. */
const overstates = ({ element, standing, time }: DangerFinding, claim: DangerClaim): boolean => {
  if (standing === 'denied' || claim.standing !== 'affirmed' || claim.whose === 'other' || time === 'past')
    return false
  const isIdea = element === 'thoughts' || element === 'wish_to_be_dead'
  const isMore = ['plan', 'intent', 'attempt', 'act', 'preparation'].includes(claim.element)
  return isIdea && isMore
}

/** The sentence is about another finding of the same matter, which it gives as it was. */
const fitsAnother = (
  finding: DangerFinding,
  sentence: NoteSentence,
  all: readonly DangerFinding[],
  { isOfPlace = false } = {},
): boolean =>
  all.some(
    (other) =>
      other !== finding &&
      other.matter === finding.matter &&
      (!isOfPlace || citesNoMore(finding, other, sentence)) &&
      sentence.claims.some((claim) => isAbout(other, claim) && fits(other, claim, sentence)),
  )

/** Where something was answered twice, a sentence may tell the first answer, as long as it cites nothing of the second. */
const citesNoMore = (finding: DangerFinding, other: DangerFinding, { items }: NoteSentence): boolean =>
  items.every((item) => other.items.includes(item) || !finding.items.includes(item))
