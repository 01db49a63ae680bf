import type { NoteSection } from '@casenote/contract'
import type { LedgerRequest } from '../ledger/ledger.js'
import type { SigningRequest } from '../signing/read-for-signing.js'
import type { LinkGoalsRequest } from '../writer/link-goals.js'
import type { FinishRequest } from '../writer/prose/finish-note.js'
import type { PlaceDangerRequest } from '../writer/prose/place-danger.js'
import type { TakeEditRequest } from '../writer/prose/take-edit.js'
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

/** What a thread is asked; it answers with the result, or with null where it failed. */
export type CheckerTask =
  | { kind: 'check'; request: ExactCheckRequest }
  | { kind: 'recheck'; request: RecheckRequest | PackedRecheckRequest }
  | { kind: 'compare'; request: LedgerRequest }
  | { kind: 'again'; request: JudgeAgainRequest }
  | { kind: 'gone'; request: PackedGoneRequest }
  | { kind: 'keep'; request: KeepRequest }
  | { kind: 'account'; request: AccountRequest }
  | { kind: 'quote'; request: { note: readonly NoteSection[] } }
  | { kind: 'edit'; request: TakeEditRequest }
  | { kind: 'dropped'; request: DroppedRequest }
  | { kind: 'finish'; request: FinishRequest }
  | { kind: 'place'; request: PlaceDangerRequest }
  | { kind: 'signing'; request: SigningRequest }
  | { kind: 'goals'; request: LinkGoalsRequest }
  | { kind: 'unmet'; request: UnmetRequest }
  | { kind: 'danger'; request: HeardRequest }

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
