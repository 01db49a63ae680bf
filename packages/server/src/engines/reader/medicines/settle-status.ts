import { readAnswer } from '../questions/read-answer.js'
import type { MedicineStatus } from '../reading.js'
import type { Turn } from '../talk/read-talk.js'
import type { Mention, SettledMention } from './mention.js'
import { decidesAt } from './read-status.js'

/** So many items later a bare name or dose is still said in the same sense. */
const inheritReach = 3
/** A proposal is answered in one of the next items, sometimes behind a question or two. */
const answerReach = 6
const asksPast =
  /\b(?:ever (?:been|taken|tried|had|have|used|take|try|use)|before|in the past|have you (?:tried|had)|were you (?:on|taking)|did you (?:take|try|use|have)|previous\w*|prior|last time|what (?:have|did) (?:you|they) (?:tr|take|give)|you(?:'ve| have) tried|you tried|did (?:they|she|he) (?:give|put|go home)|used to)\b/
/** A plain no answers what was asked last; the others refuse the medicine wherever they stand. */
const saysNo = /^(?:(?:um|uh|oh|well|honestly|ha|god|yeah)[,. ]+)*(?:no|nope|nah|naw|never|still no)\b/
const refusesIt =
  /^(?:(?:um|uh|oh|well|honestly|ha|god|yeah|no|nope|nah)[,. ]+)*(?:not (?:that|for me|interested|yet|today|right now)|absolutely not|i'd rather not|rather not|i don't want|i'm not (?:taking|doing|going|having)|i'll pass|no thanks|no thank you|can we not|i'd rather (?:do|try|stay|wait|keep|not)|i wouldn't\b(?! mind))\b|\b(?:i (?:don't|do not|didn't) want (?:to (?:take|be on|go on|try|start)|it|that|any|another|more|the)|i'd rather not|i wouldn't\b(?! mind| know| say| have)|i'm good without|i'm not (?:doing|having|taking) (?:it|that|those)|not that one|no (?:more )?(?:pills|meds|needles|shots)|i don't do (?:needles|pills|shots|injections)|do it without)\b/
const accepts =
  /^(?:(?:um|uh|oh|well|honestly)[,. ]+)*(?:okay|ok|sure|alright|all right|fine|yes|yeah|yep|let's|i'll (?:try|take|do|give)|i'd (?:take|try|like)|sounds (?:good|fine|right)|i can (?:do|try)|that (?:works|sounds)|go on|please|if you think)\b|\b(?:i'll (?:try|take) (?:it|that)|let's (?:do|try)|let me try|i'd be (?:glad|happy)|i'd like that|i can do|i'm game|\w{2,20} it is)\b/
/** Spoken of for another day. */
const isLater =
  /\b(?:down the (?:road|line)|eventually|not yet|not today|at some point|later|some ?day|next (?:time|step|visit)|if (?:that|it|this) doesn't|might|normally)\b/
const asksStill = /\b(?:still|taking|are you on)\b/i
/** "Any Gaviscon?", "And the Namenda?": whether it is taken at all. */
const asksHaving =
  /^(?:(?:and|so|okay|right|or|what about)[, ]+)*(?:(?:any|no|are you (?:on|taking|using)|do you (?:take|use|have)|you (?:take|use))\b|(?:the |your |that )?[\w-]+(?: [\w-]+)?\?$)/i
const isReport = /\b(?:no,? (?:problem|that's fine|i (?:do|did|am|take)))\b/

const isOffer = (status: MedicineStatus | null): boolean =>
  status === 'considered' || status === 'started' || status === 'raised'

/** What the words around say of each mention: what was said of it just before, what was asked, what was answered. */
export const settleStatuses = (
  mentions: readonly Mention[],
  turns: readonly Turn[],
  questionOf: Readonly<Record<number, number>>,
): SettledMention[] => {
  const lastOf = new Map<string, SettledMention>()
  const currentOf = new Map<string, number>()
  const settled: SettledMention[] = []
  for (const [index, mention] of mentions.entries()) {
    const { generic } = mention.medication
    const last = lastOf.get(generic)
    const isAsked = mention.role === 'clinician' && mention.asks && mention.status === 'taken'
    const inherited =
      mention.status === null ? inherit(mention, last, turns[questionOf[mention.item] ?? -1]) : null
    const told = inherited?.status ?? mention.status ?? 'taken'
    const whose = isOthers(mention, last) ? 'other' : mention.whose
    const status =
      whose === 'other'
        ? told === 'past' || (told === 'taken' && mention.status !== null)
          ? told
          : 'mentioned'
        : settleOffer(
            mention,
            told,
            currentOf.get(generic),
            listAnswers(mention, mentions.slice(index + 1), turns),
            turns,
          )
    const own = {
      ...mention,
      status,
      whose,
      isGuess: (isAsked || inherited?.isGuess === true) && status === told,
    }
    if ((status === 'taken' || status === 'kept') && mention.dose !== null && whose === 'client')
      currentOf.set(generic, Number(mention.dose.amount))
    lastOf.set(generic, own)
    settled.push(own)
  }
  return settled
}

/** "She takes Synthroid. Eighty-eight.": whose it is, too, is said once. */
const isOthers = ({ words, item, whose, status }: Mention, last: SettledMention | undefined): boolean =>
  whose === 'other' ||
  (status === null &&
    last?.whose === 'other' &&
    item - last.item <= 1 &&
    !/\b(?:i|i'm|i've|i'll|i'd|me|my|you|your|you're)\b/i.test(words.replace(hedges, ' ')))

/** "Seventy-five, I think.": nobody takes it by that. */
const hedges = /\b(?:i (?:think|guess|believe|suppose|reckon|want to say)|you know|if i(?:'m| am) right)\b/gi

/** "Okay." takes up an offer, where "Mm-hmm." only listens. */
const isAnswer = ({ role, isBackchannel, plain }: Turn): boolean =>
  role !== 'clinician' && (!isBackchannel || /\b(?:okay|ok|sure|alright|all right|fine)\b/.test(plain))

/** "Amoxicillin for five days. Is he allergic to anything?" – "No.": of what was asked last. */
const answersOther = ({ item, words }: Mention, turns: readonly Turn[], at: number): boolean => {
  const last = turns[item]?.sentences.at(-1)
  if (at === item + 1 && last !== undefined && last.asks && last.text !== words) return true
  return turns
    .slice(item + 1, at)
    .some(({ role, sentences }) => role === 'clinician' && sentences.at(-1)?.asks === true)
}

/** Up to where another medicine is spoken of: what is said there is of that one. */
const listAnswers = (
  { item, medication }: Mention,
  later: readonly Mention[],
  turns: readonly Turn[],
): Turn[] => {
  const other = later.find((one) => one.item > item && one.medication.generic !== medication.generic)
  const end = Math.min(item + answerReach, other?.item ?? Number.POSITIVE_INFINITY)
  return turns.slice(item + 1, end + 1).filter(isAnswer)
}

/** An offer that is refused is declined; one that is taken up changes what is taken. */
const settleOffer = (
  mention: Mention,
  told: MedicineStatus,
  current: number | undefined,
  answers: readonly Turn[],
  turns: readonly Turn[],
): MedicineStatus => {
  if (mention.role !== 'clinician') return told
  const [answer] = answers
  if (told === 'past' && mention.asks && answer !== undefined && readAnswer(answer.plain) === 'no')
    return 'mentioned'
  if (told === 'taken' && mention.asks && asksStill.test(mention.words) && answer !== undefined)
    return readAnswer(answer.plain) === 'no' ? 'stopped' : told
  if (told === 'taken' && mention.asks && asksHaving.test(mention.words) && answer !== undefined)
    return readAnswer(answer.plain) === 'no' ? 'mentioned' : told
  if (!isOffer(told)) return told
  const isRefused = ({ plain, item }: Turn): boolean =>
    !isReport.test(plain) &&
    (refusesIt.test(plain) || (saysNo.test(plain) && !answersOther(mention, turns, item)))
  const deciding = answers.find((one) => isRefused(one) || accepts.test(one.plain))
  if (deciding !== undefined && isRefused(deciding)) return 'declined'
  const isTakenUp =
    told === 'considered' && deciding !== undefined && !isLater.test(mention.words.toLowerCase())
  return compareDose(mention, isTakenUp ? 'started' : told, current)
}

const inherit = (
  mention: Mention,
  last: SettledMention | undefined,
  question: Turn | undefined,
): Pick<SettledMention, 'status' | 'isGuess'> => {
  const { item, role, dose, change, asks } = mention
  if (last !== undefined && item - last.item <= inheritReach && isOfBoth(mention, last))
    return { status: last.status, isGuess: last.isGuess }
  if (role === 'clinician') {
    const isDecided = !asks && change >= decidesAt
    return {
      status: asks ? 'taken' : isDecided ? 'started' : dose === null ? 'mentioned' : 'taken',
      isGuess: true,
    }
  }
  return question !== undefined && asksPast.test(question.plain)
    ? { status: 'past', isGuess: false }
    : { status: 'taken', isGuess: true }
}

/** What is past of one dose, or was raised to it, is not so of another. */
const isOfBoth = ({ dose, role, change }: Mention, last: SettledMention): boolean =>
  last.status !== 'mentioned' &&
  (dose === null ||
    last.dose === null ||
    dose.amount === last.dose.amount ||
    /^(?:considered|started|declined)$/.test(last.status) ||
    (last.status === 'taken' && (role !== 'clinician' || change < decidesAt)))

/** "Losartan to a hundred" of somebody who takes fifty raises it. */
const compareDose = (
  { dose }: Mention,
  status: MedicineStatus,
  current: number | undefined,
): MedicineStatus => {
  if (status !== 'started' || dose === null || current === undefined) return status
  const amount = Number(dose.amount)
  return amount > current ? 'raised' : amount < current ? 'lowered' : 'kept'
}
