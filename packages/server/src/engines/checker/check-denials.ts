import { isSameElement } from '../reader/danger/claim-words.js'
import { readDangerClaims, type DangerClaim } from '../reader/danger/read-danger-claims.js'
import { listDangerTopics } from '../ledger/read-dangers.js'
import { namesEveryone } from '../ledger/speakers.js'
import type { DangerFinding, Reading } from '../reader/reading.js'
import { besideItems, type ExactCheck } from './exact-check.js'
import {
  deniesItself,
  doItemsDeny,
  findAskedDenials,
  leavesStanding,
  type AskedDenial,
} from './find-asked-denial.js'
import { findDenials, isDeniedNear, isKinMatter } from './find-denials.js'
import type { Claim } from './read-claim.js'
import type { Talk } from './read-talk.js'

/** Only where its words leave no doubt what is denied; "denies pushing" or "no food" may be about anything. */
const namesPlainly = (text: string): boolean =>
  listDangerTopics(text).some((topic) => topic !== 'any' && topic !== 'abuse')

/**
 * A denial only where it was asked and answered no, denied unasked, or told so by the clinician. Of several in one sentence
 * each is looked for by itself, and those that are not borne out are the part at fault.
 */
export const checkDenials: ExactCheck = (claim, talk, reading) => {
  if (!namesPlainly(claim.text)) return null
  const claims = readDangerClaims(claim.text)
  const unborne = claims.filter(
    (one) =>
      one.standing === 'denied' &&
      one.whose === 'client' &&
      one.matter !== 'abuse' &&
      !isDenied(one, claims, claim, talk, reading) &&
      !(claim.isUpheld && doItemsDeny(one, claim.items, talk, reading)),
  )
  if (unborne.length === 0) return null
  return { reason: 'denial', part: [...new Set(unborne.map(({ words }) => words))].join(', ') }
}

const isDenied = (
  denied: DangerClaim,
  claims: readonly DangerClaim[],
  claim: Claim,
  talk: Talk,
  reading: Reading,
): boolean => {
  const fits = ({ matter, element }: Pick<DangerClaim, 'matter' | 'element'>): boolean =>
    isKinMatter(matter, denied.matter) && (isSameElement(element, denied.element) || isKinElement(denied))
  const findings = reading.findings.filter(
    (finding): finding is DangerFinding =>
      finding.kind === 'danger' && finding.whose === 'client' && fits(finding),
  )
  // What a model found may refuse a sentence, never let one pass: the same model may have written it.
  const isOfCited = makeCitedFilter(claim, talk)
  if (
    findings.some(
      (finding) => finding.standing === 'denied' && finding.foundBy !== 'model' && isOfCited(finding.items),
    )
  )
    return true
  const affirmed = findings.filter((finding) => isPlainlyAffirmed(finding, claim))
  const sameKind = affirmed.filter((finding) => isOfSameKind(finding, denied))
  const isAsked = findAskedDenials(denied, claim.items, talk, reading).some((asked) =>
    affirmed.every(
      (finding) =>
        (finding.foundBy === 'encoder' && deniesItself(asked, denied) && hasAnswer(finding, asked)) ||
        (!asked.answer.text.includes(finding.words) &&
          (!sameKind.includes(finding) || leavesStanding(finding, asked, claim.text, talk))),
    ),
  )
  if (isAsked) return true
  // "no gun at home; an uncle has a shotgun": what was affirmed stands in the sentence.
  const isTold = claims.some(
    ({ standing, matter, element }) =>
      standing === 'affirmed' && matter === denied.matter && element === denied.element,
  )
  if (!isTold && sameKind.length > 0) return false
  const isSaidNear = findDenials(talk).some(
    (spoken) =>
      spoken.matter === denied.matter &&
      fits(spoken) &&
      isOfCited([spoken.deniedAt]) &&
      isBeside([spoken.item], claim.items, besideItems),
  )
  if (isSaidNear) return true
  if (!isTold && affirmed.length > 0) return false
  return (
    findDenials(talk).some((spoken) => fits(spoken) && isOfCited([spoken.deniedAt])) ||
    isDeniedNear(denied, claim.items, talk, { reach: besideItems, counts: (item) => isOfCited([item]) })
  )
}

/** Where several people besides the clinician spoke, the no of one is none of another: it is of somebody whom the sentence cites. */
const makeCitedFilter = (claim: Claim, talk: Talk): ((items: readonly number[]) => boolean) => {
  const people = talk.remember('people', () => {
    const all = Array.from({ length: talk.length }, (_, index) => talk.at(index))
    return new Set(all.flatMap((item) => (item === null || item.role === 'clinician' ? [] : [item.speaker])))
  })
  if (people.size < 2 || talk.isAccount || namesEveryone(claim.text)) return () => true
  const speakersOf = (items: readonly number[]): string[] =>
    items.flatMap((item) => talk.at(item)?.speaker ?? []).filter((speaker) => people.has(speaker))
  const cited = new Set(speakersOf(claim.items))
  return (items) => speakersOf(items).some((speaker) => cited.has(speaker))
}

const hasAnswer = ({ items }: DangerFinding, { answer }: AskedDenial): boolean => items.includes(answer.index)

/** The very thing. A burn is no suicidal thought, and what the encoder could not name may be another thing. */
const isOfSameKind = ({ matter, element }: DangerFinding, denied: DangerClaim): boolean =>
  matter === denied.matter && element !== 'unspecified' && isSameElement(element, denied.element)

const isBeside = (items: readonly number[], cited: readonly number[], reach: number): boolean =>
  items.some((item) => cited.some((one) => Math.abs(one - item) <= reach))

const isPlainlyAffirmed = ({ standing, time, certainty, items }: DangerFinding, claim: Claim): boolean =>
  standing === 'affirmed' &&
  time === 'present' &&
  certainty === 'plain' &&
  isBeside(items, claim.items, besideItems)

/** A plan or intent is denied with the thoughts it would be for; a weapon with the question about weapons only. */
const isKinElement = ({ element }: DangerClaim): boolean =>
  element === 'plan' || element === 'intent' || element === 'preparation'
