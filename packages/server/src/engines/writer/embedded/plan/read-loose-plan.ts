import { findMedications } from '../../../lexicon/medications.js'
import { countWords } from '../../text/tokenize-words.js'
import { isFullClause } from '../talk/clause-shape.js'
import { findMedicines } from '../medicines/find-medicines.js'
import { readHow, readSigBehind } from '../medicines/read-sig.js'
import { future, technique } from '../talk/clinician-patterns.js'
import { hasNumber, ofClient, type Reader } from '../statement/clinician-wording.js'

/** "The sertraline stays", "Then bupropion XL one fifty": a decision without a verb of one. */
export const readLooseOrder: Reader = (text, { isLate }) => {
  const sent = isLate && mayBeSent.test(text) ? readSent(text) : null
  if (sent !== null) return { kind: 'order', text: `plan: ${ofClient(sent)}` }
  if (!isLate || findMedications(text).length === 0 || /\b(?:you (?:are|were|have|take|took))\b/i.test(text))
    return null
  const isKept = /^(?:the |your )?[\w ]{3,30} (?:stays?|remains?)\b/i.test(text)
  const startsWithMedicine = findMedications(text)[0]?.start === 0
  return isKept || (startsWithMedicine && hasNumber(text) && !isFullClause(text))
    ? { kind: 'order', text: `plan: ${ofClient(text)}` }
    : null
}

/** Medicines are looked up only where a dose may stand. */
const mayBeSent = /\b(?:milligrams?|mg|grams?|micrograms?|day|daily|night|bedtime|morning|twice|needed)\b/i

/** What may stand before a medicine that is ordered without a verb. */
const orderLead =
  /^(?:and|then|also|so|plus|let us (?:do|try|add)|for (?:the |your )?\w+|[, ])*(?:the |some |a )?$/i

/** What a clinician says of an order itself. */
const orderTail =
  /^[,.]?(?: and)?(?: I (?:am|will) (?:sending|send|calling|call|putting|put|writing|write)\b.*)?$/i

/** "For the bowels polyethylene glycol seventeen grams every day I'm sending that", "Senna at night if it doesn't move." */
const readSent = (text: string): string | null => {
  const [medicine, other] = findMedicines(text)
  const lead = medicine === undefined ? null : orderLead.exec(text.slice(0, medicine.start))
  if (medicine === undefined || other !== undefined || lead === null) return null
  const behind = text.slice(medicine.end)
  const sig = readSigBehind(behind)
  const told = [sig?.dose ?? '', sig === null ? readHow(behind) : sig.how]
    .filter((words) => words !== '')
    .join(' ')
  const at = told === '' ? -1 : behind.lastIndexOf(told.split(' ').at(-1) ?? '')
  if (at < 0) return null
  const rest = behind.slice(at + (told.split(' ').at(-1) ?? '').length)
  const condition = /^,? (?:if|when|until) .+$/i.exec(rest)?.[0] ?? ''
  if (condition === '' && !orderTail.test(rest)) return null
  const reason = /\bfor (?:the |your )?\w+/i.exec(lead[0])?.[0].toLowerCase()
  return `${medicine.name} ${told}${reason === undefined ? '' : ` ${reason}`}${condition}`
}

/** "So worry time at six, fifteen minutes", "No coffee after two": a plan without a verb. */
export const readLoosePlan: Reader = (text, { isLate, followsPlan }) => {
  if (!isLate || /^(?:that|it|this(?! (?:week|weekend|month)\b)|there|let us|see you|have a)\b/i.test(text))
    return null
  // "And the drinking this week" asks.
  const isTimed =
    future.test(text) && !/\b(?:I|we|you)\b|^(?:the|your) \w+(?: \w+)? this (?:week|month)$/i.test(text)
  const isList = countWords(text) >= listWordsMin && !isFullClause(text) && namesStep(text)
  // "At three in the morning, out of bed, write the worry down."
  const isTold =
    /^(?:at|when|before|after|in|on|during) [^,]+, (?:[^,]+, )?(?:write|put|set|call|text|take|use|keep|stop|leave|turn|go|drink|eat|walk|get)\b/i.test(
      text,
    ) && !/\b(?:I|we|you)\b/i.test(text)
  const isAdded = followsPlan === true && addsStep(text)
  return isTimed ||
    isList ||
    isTold ||
    isAdded ||
    settles.test(text) ||
    setsDays.test(text) ||
    forbids.test(text) ||
    forNow.test(text)
    ? { kind: 'plan', text: `plan: ${ofClient(text.replace(/^so /i, ''))}` }
    : null
}

/** Fewer words without a verb are an echo of what was said. */
const listWordsMin = 5

/** "A walk every day. Guitar for ten minutes, twice.": after a step, a few words with an amount or a time are another. */
const addsStep = (text: string): boolean =>
  countWords(text) >= addedWordsMin &&
  hasNumber(text) &&
  !isFullClause(text) &&
  !/\b(?:I|we|you|your)\b/i.test(text) &&
  /\b(?:for|at|by|in|on|after|before|until|twice|once|times)\b/i.test(text)

/** Fewer say a number back. */
const addedWordsMin = 4

/** "Phone goes in the kitchen at eleven." */
const settles =
  /^(?:the |your |and )*(?:[a-z]+ )?[a-z]+ (?:goes|go) (?:in|on|into|off|away|out of|back (?:in|to|on)) (?:the |your |a )?\w+/i

/** "And the stove picture, Monday, Wednesday, Friday only." */
const setsDays =
  /^(?:the|your|a|two|three|\w+) (?:[\w']+ ){0,4}[\w']+,? (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?:,? (?:and )?\w+day)*(?: only)?$/i

/** "No pool, no sit ups." Comfort begins like it: "No need to be sorry." */
const forbids =
  /^(?:no|no more|not more than|nothing|only) (?!need\b|problem|worries|wonder|rush|pressure\b|doubt|judg\w+|shame|surprise|one\b|thoughts|way\b|matter\b)(?:\w+ )*\w+,? (?:no|or|and|until|after|before|this|for|with|than|at) \w+/i

/** "For this week, the cold water thing when you feel it climbing." */
const forNow = /^(?:for |over )?(?:this|the next|the) (?:week|weekend|month|two weeks)[:,] \w+ \w+ \w/i

const namesStep = (text: string): boolean =>
  /^(?:no|nothing|one|two|three|ten|fifteen|twenty|thirty|a|an|the|\w+s)\b/i.test(text) &&
  (technique.test(text) ||
    /\b(?:(?:minutes?|hours?|times|after|before|until|at) \w+|a (?:day|week|night))/i.test(text))
