import type { TranscriptItem } from '@casenote/contract'
import { readDoses, valuesOf } from '../ledger/read-doses.js'
import { namesScore } from '../ledger/compare-score.js'
import { listSaidDoses, type SaidDoses } from '../ledger/list-said-doses.js'
import { isSameElement } from '../reader/danger/claim-words.js'
import { readDangerClaims, type DangerClaim } from '../reader/danger/read-danger-claims.js'
import { findAllMedications } from '../lexicon/medications.js'
import type { DangerFinding, Finding, MedicineFinding, ScoreFinding } from '../reader/reading.js'
import { takeQuotes } from '../text/plain-words.js'
import type { Unit } from '../text/measure-units.js'
import { readAmounts } from '../text/read-amounts.js'
import { readTimesADay } from '../text/read-frequency.js'
import { tokenizeWords } from '../text/tokenize-words.js'
import type { RefusalReason } from '../writer/writer-engine.js'

/** How far a sentence is read: what is typed as one sentence and is longer is a pasted text. */
const sentenceLengthMax = 2_000

/** What a person typed is theirs, unless the session holds the contrary about danger, how a medicine is taken, or a score (decision 0016). */
export type ContradictionFinder = (sentence: string) => RefusalReason

export const makeContradictionFinder = (
  findings: readonly Finding[],
  transcript: readonly TranscriptItem[],
): ContradictionFinder => {
  const danger = findings.filter((finding): finding is DangerFinding => finding.kind === 'danger')
  const doses = listSaidDoses(transcript, findings)
  const scores = groupScores(findings)
  const uses = groupUses(findings, transcript)
  return (sentence) => {
    const text = sentence.slice(0, sentenceLengthMax)
    if (danger.length > 0 && contradictsDanger(takeQuotes(text).plain, danger)) return 'contradicted'
    if (contradictsDose(text, doses)) return 'dose'
    if (contradictsUse(text, uses)) return 'number'
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

/** How often a day each medicine was said to be taken, and how often anything was: that may have been of it, too. */
interface SaidUses {
  byName: ReadonlyMap<string, readonly number[]>
  anywhere: ReadonlySet<number>
}

const groupUses = (findings: readonly Finding[], transcript: readonly TranscriptItem[]): SaidUses => {
  const byName = new Map<string, number[]>()
  for (const { name, use, words } of findings.filter(
    (one): one is MedicineFinding => one.kind === 'medicine' && one.whose === 'client',
  )) {
    const times = readTimesADay(`${use ?? ''}; ${words}`)
    if (times.length > 0)
      byName.set(name.toLowerCase(), [...(byName.get(name.toLowerCase()) ?? []), ...times])
  }
  // Hours of talk are read only where they can be asked for.
  const said = byName.size === 0 ? [] : transcript.flatMap((item) => readTimesADay(item.transcript))
  return { byName, anywhere: new Set(said) }
}

/** "Takes lithium three times a day" of one that is taken twice a day, where nobody said three times of anything. */
const contradictsUse = (text: string, { byName, anywhere }: SaidUses): boolean => {
  if (byName.size === 0 || changesDose.test(text)) return false
  const [written, ...others] = readTimesADay(text)
  if (written === undefined || others.length > 0 || anywhere.has(written)) return false
  const named = new Set(findAllMedications(text).map(({ medication }) => medication.generic))
  const [name = ''] = named
  return named.size === 1 && byName.get(name)?.includes(written) === false
}

interface SaidScore {
  values: readonly string[]
  /** Units of a weight, where one was said with it. */
  units: ReadonlySet<Unit | null>
}

const groupScores = (findings: readonly Finding[]): ReadonlyMap<string, SaidScore> => {
  const said = new Map<string, { values: string[]; units: Set<Unit | null> }>()
  for (const { name, value, words } of findings.filter((one): one is ScoreFinding => one.kind === 'score')) {
    if (!/[A-Z]{2,}|\bpressure\b|\bweight\b/.test(name)) continue
    const known = said.get(name) ?? { values: [], units: new Set() }
    const values = valuesOf(value)
    known.values.push(...values)
    for (const amount of readAmounts(words, tokenizeWords(words)))
      if (amount.values.some((one) => values.includes(one))) known.units.add(amount.unit)
    said.set(name, known)
  }
  return new Map([...said].filter(([, { values }]) => values.length > 0))
}

/** The chart may have it: "at the last visit", "goal weight". */
const isOfOtherTime = /\b(?:last|previous\w*|prior|baseline|goal|target|ago)\b/i
/** No value, but a change or a bound of it: "weight is down 5 lb". */
const isNoValue =
  /\b(?:since|until|usual|lost|los[es]|losing|loss|gain\w*|down|up|more|less|over|under|above|below|between|from)\b/i

const isWeightUnit = (unit: Unit | null): boolean => unit === 'pound' || unit === 'kilo'

/** "PHQ-9 score is 18", "PHQ-9: 18", "BP 150/95", "Weight 190 lb" where other values were said. */
const contradictsScore = (text: string, scores: ReadonlyMap<string, SaidScore>): boolean => {
  if (scores.size === 0 || !/\d/.test(text)) return false
  const tokens = tokenizeWords(text)
  return [...scores].some(([name, { values: said, units }]) => {
    if (!namesScore(name, text)) return false
    const ownNumbers = new Set(name.match(/\d+/g) ?? [])
    const digits = readAmounts(text, tokens).filter(
      ({ form, values }) => form === 'digits' && !values.some((value) => ownNumbers.has(value)),
    )
    const isSaid = ({ values }: (typeof digits)[number]): boolean =>
      values.some((value) => said.includes(value))
    const weighed = digits.filter(({ unit }) => isWeightUnit(unit))
    if (/\bweight\b/.test(name) && weighed.length > 0)
      return (
        weighed.length === 1 &&
        digits.length === 1 &&
        weighed.every(({ unit }) => units.size === 1 && units.has(unit)) &&
        !isOfOtherTime.test(text) &&
        !isNoValue.test(text) &&
        !weighed.some(isSaid)
      )
    const written = digits.filter(({ unit }) => unit === null)
    return written.length === 1 && !isOfOtherTime.test(text) && !written.some(isSaid)
  })
}
