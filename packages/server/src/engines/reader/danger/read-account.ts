import { isSameElement } from './claim-words.js'
import { namesOther, readDangerClaims, type DangerClaim } from './read-danger-claims.js'
import { hasNegation } from '../../text/find-negation.js'
import { mentionsSuicide } from '../../lexicon/jotted-danger.js'
import { makeFindingId } from '../finding-id.js'
import type { DangerElement, DangerFinding, DangerMatter, Standing, TopicScores } from '../reading.js'
import type { Sentence, Turn } from '../talk/read-talk.js'
import { highestDanger } from './danger-topics.js'
import { leaveOutNotAsked, mayBeUntold } from './not-asked.js'

/**
 * What a clinician typed tells of the client as a note does: "denies SI", "husband slapped her". The rules for talk would take
 * "he" for somebody else and a denial for nothing, so it is read as the sentences of a note are. What only those rules found
 * stays, as suspected.
 */
export const readAccount = (
  turns: readonly Turn[],
  topics: readonly TopicScores[],
  found: readonly DangerFinding[],
): DangerFinding[] => {
  if (!turns.some(({ isTyped }) => isTyped)) return [...found]
  const told = turns
    .filter(({ isTyped }) => isTyped)
    .flatMap(({ sentences, item }) =>
      sentences.flatMap((sentence) => readSentence(sentence, highestDanger(topics[item] ?? {}))),
    )
  const left = found.filter(
    ({ items, matter, words, foundBy }) =>
      leaveOutNotAsked(words) !== '' &&
      !(foundBy === 'encoder' && items.every((item) => isOnlyStep(turns[item]))) &&
      !told.some((one) => isKin(one.matter, matter) && one.items.some((item) => items.includes(item))),
  )
  return [...told, ...left.map((one) => settleLeft(one, turns))].toSorted(
    (a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0),
  )
}

/** "Plan: call her sister": the heading of what is to be done. "Plan: gun", "plan: denied" tell of the client's. */
const heading =
  /^\s*(?:(?:safety |treatment |follow[- ]?up )?plans?|dispo(?:sition)?|recommendations?) ?(?::|[-–] ) ?(?=(?:(?:to|will|client|patient|pt|they|she|he)\s){0,2}(?:call|text|dial|ring|contact|go to|return|present|come|follow|continue|refer|review|schedule|see|start|increase|decrease|monitor)\b)/i
/** "Call 988 if it gets worse": what to do in a case that nobody says is there. */
const step =
  /^(?:(?:to|will|should|may|can|client|patient|pt|they|she|he|advised|instructed|agreed|agrees|told) ){0,3}(?:(?:call|text|dial|ring|contact) [^.;]{0,60}|(?:go|return|present|come)(?: back)? (?:to )?(?:the )?(?:(?:nearest|local|our) )?(?:er|ed|a&e|emergency \w{2,12}|hospital|clinic|office|crisis \w{2,12}|in)[^.;]{0,20})\b(?:if|should|when|in case)\b [^.;]{0,40}\b(?:worse|worsens?|worsening|changes?|needed|necessary|crisis|emergency|urgent|unsafe)\W*$/i

const isOnlyStep = (turn: Turn | undefined): boolean =>
  turn?.isTyped === true && turn.sentences.every(({ text }) => step.test(text.replace(heading, '').trim()))

const isKin = (one: DangerMatter, other: DangerMatter): boolean =>
  one === other || [one, other].every((matter) => matter === 'suicide' || matter === 'self_harm')

const settleLeft = (finding: DangerFinding, turns: readonly Turn[]): DangerFinding => {
  if (!finding.items.every((item) => turns[item]?.isTyped === true)) return finding
  return {
    ...finding,
    whose: namesOther(finding.words) ? finding.whose : 'client',
    standing: finding.standing === 'affirmed' && mayBeDenied(finding.words) ? 'unclear' : finding.standing,
    certainty: 'suspected',
  }
}

/** "Plan: denied": the rules for talk know no such answer. */
const mayBeDenied = (words: string): boolean =>
  hasNegation(words) || /\b(?:den(?:y|ie[sd]|ying)|absent|none)\b/i.test(words)

/** Of these nobody types one and means another thing; "fights with wife" needs the encoder's word that it is danger. */
const surest =
  /\bsuicid|\bself[- ]?(?:harm|injur)|\b(?:SI|HI|NSSI|AVH)\b|\bhomicid|\bkill|\boverdos|\bhallucinat|\bvoices\b|\b(?:guns?|rifle|pistol|firearms?)\b|\babus|\bstrangl|\bchok|\brap(?:e|ed)\b/i
const isDangerFrom = 0.1

const readSentence = ({ item, text }: Sentence, danger: number): DangerFinding[] => {
  const told = leaveOutNotAsked(text).replace(heading, '')
  return [...chooseMatters(readDangerClaims(told), told), ...readShorthand(told)].map((claim) => {
    const { matter, element, time } = claim
    const standing = settleStanding(told, claim)
    const whose = matter === 'abuse' && suffers.test(text) ? 'client' : claim.whose
    return {
      kind: 'danger',
      id: makeFindingId('danger', matter, element, time, whose, standing, item, text),
      items: [item],
      words: text,
      matter,
      element,
      standing,
      time,
      whose,
      certainty: danger >= isDangerFrom || surest.test(text) ? 'plain' : 'suspected',
      foundBy: 'words',
      questionItem: null,
    }
  })
}

/** "Call 988 if SI worsens": that there is any is not said. */
const supposes = /\b(?:if|in case|should)\b/i

/** "Cut her forearm on Friday": of the shorthand that the words of a note do not have, what it is and no more. */
const readShorthand = (text: string): DangerClaim[] => {
  if (!mentionsSuicide([text])) return []
  if (readDangerClaims(text).some(({ matter }) => isKin(matter, 'suicide'))) return []
  const standing = hasNegation(text) || supposes.test(text) ? 'unclear' : 'affirmed'
  const whose = namesOther(text) ? 'other' : 'client'
  return [{ matter: 'self_harm', element: 'unspecified', standing, time: 'present', whose, words: text }]
}

/**
 * "Hurt" of "hurt the baby" is no second matter, and a rifle is one means, whatever it may be for. The same blow is abuse where
 * the client suffers it, and harm to others where they strike it.
 */
const chooseMatters = (claims: readonly DangerClaim[], text: string): DangerClaim[] => {
  const isStruck = suffers.test(text)
  const weightOf = ({ matter, words }: DangerClaim): number =>
    words.length * 10 + (matter === 'suicide' ? 3 : (matter === 'abuse') === isStruck ? 2 : 1)
  return claims.filter(
    (claim) =>
      !claims.some(
        (other) =>
          other !== claim &&
          other.words.includes(claim.words) &&
          (isSameElement(other.element, claim.element) || claim.matter === 'abuse') &&
          weightOf(other) > weightOf(claim),
      ),
  )
}

/** "Passive SI", "suicidal thoughts", "wish to be dead": what belongs to the words behind which it stands. */
const noun =
  '(?:SI|HI|NSSI|SIB|AVH|ideations?|thoughts?|urges?|impulses?|wish(?:es)?|behaviou?rs?|of death|of dying)'
/** "SI/HI denied", "SI, plan and intent absent", "passive SI denied": nothing but a list between the words and what denies them. */
const deniedBehind = new RegExp(
  `^(?: ${noun}){0,2}((?: ?(?:[,/&+]|,? and|,? or) ?[\\w-]{1,20}(?: ${noun}){0,2}){0,5}) ?(?:was |were |is |are |:|-|–)? ?(?:currently |again )?(?:denied|absent|none|negative|not (?:present|endorsed|reported))\\b`,
  'i',
)
/** "Endorses passive SI, plan and intent denied": the words themselves are affirmed, by what stands right before them. */
const affirmedBefore =
  /\b(?:endors|report|admit|acknowledg|describ|disclos|confirm|affirm|ha[sd]|have|with|positive|passive|active|chronic|fleeting|vague|frequent|daily|ongoing|intermittent|persistent|some|worsening)/i
const affirmingVerb = /\b(?:endors|report|admit|acknowledg|describ|disclos|confirm|affirm|ha[sd]|have|with)/i
const stepBehind = /\b(?:plan|plans|intent|intention|means|method|access|attempts?|preparation)\b/i

/** In doubt the answer is unclear, and the clinician is asked about it; nobody would be asked about a denial that was none. */
const settleStanding = (text: string, { standing, element, words }: DangerClaim): Standing => {
  const at = text.indexOf(words)
  if (at < 0) return standing
  const before = text.slice(0, at)
  if (standing === 'denied') return mayBeUntold(before) ? 'unclear' : 'denied'
  if (standing !== 'affirmed') return standing
  const behind = text.slice(at + words.length, at + words.length + 160)
  const list = deniedBehind.exec(behind)?.[1]
  if (list === undefined) return standing
  const clause = before.split(/[,;.]/).at(-1) ?? ''
  if (list.includes(',') && affirmedBefore.test(clause)) return 'affirmed'
  // "Reports passive SI absent plan", "passive SI and plan denied": what is absent may be the plan alone.
  if (affirmingVerb.test(clause) || (affirmedBefore.test(clause) && stepBehind.test(list))) return 'unclear'
  return isThought(element) && list.includes(',') && stepBehind.test(list) ? 'unclear' : 'denied'
}

const isThought = (element: DangerElement): boolean => element === 'thoughts' || element === 'wish_to_be_dead'

/** Of abuse it is who suffers it: "husband slapped her". */
const suffers =
  /\b(?:slap|hit|punch|kick|chok|strangl|beat|shov|push|grab|threaten|hurt|touch|rap|abus|control|neglect|burn)\w{0,5} (?:at )?(?:her|him|them|the client|client|the patient|patient|pt)\b(?! (?:\w+ )?(?:son|daughter|child|children|kids?|baby|mother|father|sister|brother|partner|wife|husband)\b)/i
