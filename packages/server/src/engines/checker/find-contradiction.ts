import type { TranscriptItem } from '@casenote/contract'
import { readDoses, valuesOf } from '../ledger/read-doses.js'
import { namesScore } from '../ledger/compare-score.js'
import { listSaidDoses, type SaidDoses } from '../ledger/list-said-doses.js'
import { isSameElement } from '../ledger/danger-words.js'
import { readDangerClaims, type DangerClaim } from '../ledger/read-danger-claims.js'
import type { DangerFinding, Finding, ScoreFinding } from '../reader/reading.js'
import { takeQuotes } from '../text/plain-words.js'
import { readAmounts } from '../text/read-amounts.js'
import { tokenizeWords } from '../text/tokenize-words.js'
import type { RefusalReason } from '../writer/writer-engine.js'

/** How far a sentence is read: what is typed as one sentence and is longer is a pasted text. */
const sentenceLengthMax = 2_000

/** What a person typed is theirs, unless the session holds the contrary about danger, a medicine's dose or a score. */
export type ContradictionFinder = (sentence: string) => RefusalReason

export const makeContradictionFinder = (
  findings: readonly Finding[],
  transcript: readonly TranscriptItem[],
): ContradictionFinder => {
  const danger = findings.filter((finding): finding is DangerFinding => finding.kind === 'danger')
  const doses = listSaidDoses(transcript, findings)
  const scores = groupScores(findings)
  return (sentence) => {
    const text = sentence.slice(0, sentenceLengthMax)
    if (danger.length > 0 && contradictsDanger(takeQuotes(text).plain, danger)) return 'contradicted'
    if (contradictsDose(text, doses)) return 'dose'
    return contradictsScore(text, scores) ? 'number' : null
  }
}

const contradictsDanger = (text: string, findings: readonly DangerFinding[]): boolean =>
  readDangerClaims(text)
    .filter(({ whose }) => whose === 'client')
    .some((claim) => {
      const about = findings.filter((finding) => finding.whose === 'client' && isAbout(finding, claim))
      if (claim.standing === 'denied')
        return (
          about.some((finding) => isPlainlyAffirmed(finding, text)) &&
          !about.some(({ standing }) => standing === 'denied')
        )
      return (
        claim.standing === 'affirmed' &&
        claim.time === 'present' &&
        isOfRisk(claim) &&
        about.some(({ standing, time }) => standing === 'denied' && time === 'present') &&
        about.every(({ standing }) => standing === 'denied')
      )
    })

/** A gun is a gun, whatever it was spoken of for. */
const isAbout = (finding: DangerFinding, claim: DangerClaim): boolean =>
  (finding.element === 'means' && claim.element === 'means') ||
  (finding.matter === claim.matter && isSameElement(finding.element, claim.element))

/** Words for violence and control are everyday words; only what is plainly about the risk itself counts as affirmed. */
const isOfRisk = ({ matter, element }: DangerClaim): boolean =>
  matter === 'suicide' && (element === 'thoughts' || element === 'attempt')

const limitsTime = /\b(?:since|current\w*|recent\w*|this|today|now|new|present|lately|at this time)\b/i

/** An attempt of long ago is denied by "no attempts", not by "no attempts since". */
const isPlainlyAffirmed = ({ standing, certainty, time }: DangerFinding, text: string): boolean =>
  standing === 'affirmed' && certainty === 'plain' && (time === 'present' || !limitsTime.test(text))

/** A clinician who writes down a new dose decides one. */
const changesDose =
  /\b(?:increas|rais|reduc|lower|decreas|titrat|taper|chang|switch|adjust)\w*|\bup to\b|\bif tolerated\b/i

const contradictsDose = (text: string, doses: SaidDoses): boolean => {
  if (doses.byName.size === 0 || !/\d/.test(text) || changesDose.test(text)) return false
  return readDoses(text).some(({ generic, values }) => {
    const said = doses.byName.get(generic)
    return said !== undefined && !values.some((value) => said.has(value))
  })
}

const groupScores = (findings: readonly Finding[]): ReadonlyMap<string, readonly string[]> => {
  const said = new Map<string, string[]>()
  for (const { name, value } of findings.filter((one): one is ScoreFinding => one.kind === 'score'))
    said.set(name, [...(said.get(name) ?? []), ...valuesOf(value)])
  return new Map(
    [...said].filter(([name, values]) => values.length > 0 && /[A-Z]{2,}|\bpressure\b|\bweight\b/.test(name)),
  )
}

/** "PHQ-9 score is 18", "PHQ-9: 18", "PHQ-9 of 18" where other values were said. */
const contradictsScore = (text: string, scores: ReadonlyMap<string, readonly string[]>): boolean => {
  if (scores.size === 0 || !/\d/.test(text)) return false
  const tokens = tokenizeWords(text)
  return [...scores].some(([name, said]) => {
    if (!namesScore(name, text)) return false
    const ownNumbers = new Set(name.match(/\d+/g) ?? [])
    const written = readAmounts(text, tokens).filter(
      ({ form, unit, values }) =>
        form === 'digits' && unit === null && !values.some((value) => ownNumbers.has(value)),
    )
    return written.length === 1 && !written.some(({ values }) => values.some((value) => said.includes(value)))
  })
}
