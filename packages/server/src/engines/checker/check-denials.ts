import { isSameElement } from '../ledger/danger-words.js'
import { readDangerClaims, type DangerClaim } from '../ledger/read-danger-claims.js'
import type { DangerFinding, Reading } from '../reader/reading.js'
import { besideItems, type ExactCheck } from './exact-check.js'
import { findDenials, isDeniedNear } from './find-denials.js'
import type { Claim } from './read-claim.js'
import type { Talk } from './read-talk.js'

/** Words that leave no doubt what is denied; "denies pushing" or "no food" may be about anything. */
const plainMatter =
  /\bsuicid\w*|\b(?:SI|HI|AVH|NSSI)\b|\bkill(?:ing)? (?:them|her|him)sel(?:f|ves)|\bend(?:ing)? (?:their|his|her) life|\bwish(?:es)? to (?:be dead|die)|\bself.?harm\w*|\bhomicid\w*|\b(?:harm|hurt|kill)(?:ing)? (?:others|someone|anyone|other people)|\bhallucinat\w*|\bhearing voices|\bparanoi\w*|\bdelusion\w*|\bpsycho(?:sis|tic)\b|\bdomestic violence|\bfirearms?\b|\bguns?\b|\bweapons?\b/i

/** A denial only where it was asked and answered no, denied unasked, or told so by the clinician. */
export const checkDenials: ExactCheck = (claim, talk, reading) => {
  if (!plainMatter.test(claim.text)) return null
  const denied = readDangerClaims(claim.text).filter(
    ({ standing, whose, matter }) => standing === 'denied' && whose === 'client' && matter !== 'abuse',
  )
  return denied.some((one) => !isDenied(one, claim, talk, reading)) ? 'denial' : null
}

const isDenied = (denied: DangerClaim, claim: Claim, talk: Talk, reading: Reading): boolean => {
  const fits = ({ matter, element }: Pick<DangerClaim, 'matter' | 'element'>): boolean =>
    isKin(matter, denied.matter) && (isSameElement(element, denied.element) || isKinElement(denied))
  const findings = reading.findings.filter(
    (finding): finding is DangerFinding =>
      finding.kind === 'danger' && finding.whose === 'client' && fits(finding),
  )
  if (findings.some(({ standing }) => standing === 'denied')) return true
  if (findings.some((finding) => isPlainlyAffirmed(finding, claim))) return false
  return findDenials(talk).some(fits) || isDeniedNear(denied.element, claim.items, talk, besideItems)
}

const isPlainlyAffirmed = ({ standing, time, certainty, items }: DangerFinding, claim: Claim): boolean =>
  standing === 'affirmed' &&
  time === 'present' &&
  certainty === 'plain' &&
  items.some((item) => claim.items.some((cited) => Math.abs(cited - item) <= besideItems))

/** "Hurting yourself" asks about suicide and about self-harm; people answer both. */
const isKin = (one: string, other: string): boolean =>
  one === other || [one, other].every((matter) => matter === 'suicide' || matter === 'self_harm')

/** A plan or intent is denied with the thoughts it would be for; a weapon with the question about weapons only. */
const isKinElement = ({ element }: DangerClaim): boolean =>
  element === 'plan' || element === 'intent' || element === 'preparation'
