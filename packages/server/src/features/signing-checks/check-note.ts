import {
  checkFindingsMax,
  SIGNING_CHECKS,
  type CheckFinding,
  type CheckModes,
  type DangerItem,
  type ReviewItem,
  type SigningCheck,
  type SigningCheckCode,
} from '@casenote/contract'
import type { SigningReading } from '../../engines/signing/read-for-signing.js'
import { refuse } from '../../kernel/refuse.js'
import { checkMinutes, type BilledService } from './check-minutes.js'
import { isBlocking, type SigningSurface } from './check-modes.js'
import { wordCheck } from './word-check.js'

/** All that the checks look at. */
export interface CheckedNote {
  /** Where what was said about danger stands. */
  dangerSection: string
  /** What the ledger says that the note leaves out. */
  review: readonly ReviewItem[]
  /** What is open about danger beside the note. */
  danger: readonly DangerItem[]
  /** What was said about danger in its session and closed by a clinician, with a word why. */
  closedWords: readonly string[]
  /** How words stand in a note that were said in one of these lines; null: in none of them. */
  quoteWords: (words: string, transcriptItems: readonly number[]) => string | null
  /** Null: there was no answer in time. */
  text: SigningReading | null
  service: BilledService
  /** Where progress toward goals is written; null: the template has no such section. */
  goalSection: string | null
  /** Null: they could not be compared. */
  goals: readonly CheckedGoal[] | null
}

/** A goal as it was worded when the note was written. */
interface CheckedGoal {
  text: string
  isLinked: boolean
}

/**
 * The share of a note's text that has to be the last note's for it to be told; one sentence never is: plans go on from week to week, and
 * say so in the same words.
 */
const clonedShareMin = 0.25
const clonedSentencesMin = 2

interface Outcome {
  findings: CheckFinding[]
  total: number
}

/** Null: it could not be checked. */
type Check = (note: CheckedNote) => Outcome | null

const checks: Readonly<Record<SigningCheckCode, Check>> = {
  danger_not_written: (note) => {
    const findings = listUnwritten(note)
    return { findings: findings.slice(0, checkFindingsMax), total: findings.length }
  },
  unsupported_sentence: ({ text }) =>
    text === null
      ? null
      : toOutcome(text.unsupported, (entry) => ({ ...nowhere, ...entry, mend: 'change_sentence' })),
  empty_section: ({ text }) =>
    text === null
      ? null
      : toOutcome(text.emptySections, (entry) => ({ ...nowhere, ...entry, mend: 'fill_section' })),
  cloned_text: ({ text }) => {
    if (text === null) return null
    const { share, total } = text.cloned
    if (share < clonedShareMin || total < clonedSentencesMin) return { findings: [], total: 0 }
    return toOutcome(text.cloned, (entry) => ({ ...nowhere, ...entry, mend: 'rewrite_sentence' }))
  },
  goal_not_linked: ({ goals, goalSection }) => {
    if (goals === null || goals.length === 0) return null
    // A session is about one goal or two, and not about all of them.
    if (goals.some(({ isLinked }) => isLinked)) return { findings: [], total: 0 }
    const findings = goals.map(({ text }): CheckFinding => ({
      ...nowhere,
      sectionKey: goalSection,
      words: text,
      mend: 'write_about_goal',
    }))
    return { findings: findings.slice(0, checkFindingsMax), total: findings.length }
  },
  service_minutes: ({ service }) => {
    const label = checkMinutes(service)
    if (label === null) return null
    const findings: CheckFinding[] = label === '' ? [] : [{ ...nowhere, label, mend: 'correct_service' }]
    return { findings, total: findings.length }
  },
}

/** Every check that is not off, in the order in which they are shown. */
export const checkNote = (note: CheckedNote, modes: CheckModes): SigningCheck[] =>
  SIGNING_CHECKS.filter((code) => modes[code] !== 'off').map((code) => {
    const mode = modes[code]
    const outcome = checks[code](note)
    if (outcome === null) return { code, mode, state: 'not_checked', message: null, findings: [], total: 0 }
    const { findings, total } = outcome
    if (total === 0) return { code, mode, state: 'passed', message: null, findings, total }
    return { code, mode, state: 'failed', message: wordCheck(code, total), findings, total }
  })

export const listBlocking = (made: readonly SigningCheck[], surface: SigningSurface): SigningCheck[] =>
  made.filter(({ state, mode }) => state === 'failed' && isBlocking(mode, surface))

/** 409 with what each of them says, and nothing of the note; the widget shows the list itself. */
export function requirePassed(made: readonly SigningCheck[], surface: SigningSurface): void {
  const blocking = listBlocking(made, surface)
  if (blocking.length === 0) return
  if (surface === 'widget')
    throw refuse.conflict('checks_failed', 'The note does not pass a check that keeps it from being signed.')
  const said = blocking.map(({ message }) => message).join(' ')
  throw refuse.conflict('checks_failed', `Progress note does not pass the checks before signing. ${said}`)
}

const nowhere = {
  sectionKey: null,
  sentence: null,
  label: null,
  words: null,
  quote: null,
  transcriptItems: [],
}

const toOutcome = <Entry>(
  { entries, total }: { entries: readonly Entry[]; total: number },
  toFinding: (entry: Entry) => CheckFinding,
): Outcome => ({ findings: entries.map(toFinding), total })

/**
 * What is only suspected is mostly nothing, and what is quoted stands in the note (decisions 0017 and 0023). A sentence that was left
 * out rests on nothing that was said: nobody could write it, and nothing would clear it.
 */
const unlisted: ReadonlySet<ReviewItem['reason']> = new Set(['suspected', 'quoted_instead', 'left_out'])

const isListed = ({ kind, reason }: ReviewItem): boolean => kind === 'danger' && !unlisted.has(reason)

/** What is open and not in the note, and what else the ledger misses; not what a clinician has answered for. */
const listUnwritten = ({
  dangerSection,
  review,
  danger,
  closedWords,
  quoteWords,
}: CheckedNote): CheckFinding[] => {
  const open = danger.filter(({ standing, isAnswered }) => standing === 'not_in_note' && !isAnswered)
  const known = new Set([...closedWords, ...open.map(({ words }) => words)])
  const missed = review.filter(
    (item) => isListed(item) && (item.reason === 'contradicted' || !known.has(item.words)),
  )
  return [...open, ...missed].map(({ label, words, transcriptItems }) => ({
    sectionKey: dangerSection,
    sentence: null,
    label,
    words,
    quote: words === '' ? null : quoteWords(words, transcriptItems),
    transcriptItems,
    mend: 'write_words',
  }))
}
