import type { GoneItem, NoteSection, ReviewItem, TranscriptItem } from '@casenote/contract'
import type { GoalLinks } from '../background.js'
import type { Ledger, LedgerRequest } from '../ledger/ledger.js'
import type { DangerFinding, Finding } from '../reader/reading.js'
import type { SigningReading, SigningRequest } from '../signing/read-for-signing.js'
import type { LinkGoalsRequest } from '../writer/link-goals.js'
import type { Verdict } from '../writer/prose/ask-for-json.js'
import type { FinishRequest } from '../writer/prose/finish-note.js'
import type { PlaceDangerRequest } from '../writer/prose/place-danger.js'
import type { Settled } from '../writer/prose/settle-refused.js'
import type { TakeEditRequest, TakenEdit } from '../writer/prose/take-edit.js'
import type { UnmetRequest } from '../writer/templates/list-unmet.js'
import type {
  AccountRequest,
  DroppedRequest,
  ExactCheckRequest,
  HeardRequest,
  JudgeAgainRequest,
  KeepRequest,
  PackedGoneRequest,
  PackedRecheckRequest,
  RecheckRequest,
} from './checker-requests.js'
import type { Fault } from './exact-check.js'

/** Null: nothing that an exact check could find. */
export type ExactVerdict = Fault | null

export interface Account {
  items: TranscriptItem[]
  /** Whether it is in a language that nobody here knows. */
  isUnknown: boolean
}

export interface Rechecked {
  sections: NoteSection[]
  ledger: Ledger
}

/** What a thread can be asked, and what it answers where it does not fail. */
interface Tasks {
  check: { asked: ExactCheckRequest; told: ExactVerdict[][] }
  recheck: { asked: RecheckRequest | PackedRecheckRequest; told: Rechecked }
  compare: { asked: LedgerRequest; told: Ledger }
  again: { asked: JudgeAgainRequest; told: Rechecked }
  gone: { asked: PackedGoneRequest; told: GoneItem[] }
  keep: { asked: KeepRequest; told: Rechecked }
  account: { asked: AccountRequest; told: Account }
  quote: { asked: { note: readonly NoteSection[] }; told: string }
  edit: { asked: TakeEditRequest; told: Verdict<TakenEdit> }
  dropped: { asked: DroppedRequest; told: Finding[] }
  finish: { asked: FinishRequest; told: Settled }
  place: { asked: PlaceDangerRequest; told: DangerFinding[] }
  signing: { asked: SigningRequest; told: SigningReading }
  goals: { asked: LinkGoalsRequest; told: GoalLinks[] }
  unmet: { asked: UnmetRequest; told: ReviewItem[] }
  danger: { asked: HeardRequest; told: DangerFinding[] }
}

export type TaskKind = keyof Tasks
export type Asked<Kind extends TaskKind> = Tasks[Kind]['asked']
export type Told<Kind extends TaskKind> = Tasks[Kind]['told']

/** What a thread is asked; it answers with the result, or with null where it failed. */
export type CheckerTask = { [Kind in TaskKind]: { kind: Kind; request: Asked<Kind> } }[TaskKind]

/** A task on its way, with hours of talk as JSON: a copy of the tree would take three times as long to write. */
export interface PackedTask {
  task: CheckerTask
  /** Null: the task has its talk as a text already. */
  transcript: string | null
}

export const packTask = (task: CheckerTask): PackedTask => {
  if (!('transcript' in task.request)) return { task, transcript: null }
  const { transcript, ...request } = task.request
  return {
    task: { ...task, request: { ...request, transcript: [] } } as CheckerTask,
    transcript: JSON.stringify(transcript),
  }
}

export const unpackTask = ({ task, transcript }: PackedTask): CheckerTask =>
  transcript === null
    ? task
    : ({
        ...task,
        request: { ...task.request, transcript: JSON.parse(transcript) as unknown },
      } as CheckerTask)
