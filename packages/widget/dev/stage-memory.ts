import type {
  CheckMode,
  DangerItem,
  GoneItem,
  MagicEdit,
  NoteCopy,
  NoteVersion,
  ProgressNote,
  RewritingKept,
  SessionPad,
  SigningCheckCode,
  StretchToStrike,
  Transcript,
  WidgetAssessments,
  WidgetClient,
  WidgetService,
  WidgetSession,
} from '@casenote/contract'
import type { Signal } from '@preact/signals'
import type { WidgetRequests } from '../src/frame/engine/engine.js'
import type { plans } from './stage-plans.js'

/** One session's worth of the widget API, in memory, with the tags and refusals that the screens must live with. */
export interface StageService {
  requests: WidgetRequests
  session: Signal<WidgetSession>
  client: Signal<WidgetClient>
  note: Signal<ProgressNote>
  transcript: Signal<Transcript>
  pad: Signal<SessionPad>
  assessments: Signal<WidgetAssessments>
  danger: Signal<DangerItem[]>
  /** Why it was closed, and why notes were signed beside it. */
  closings: string[]
  signings: (string | null)[]
  /** What each signer was told. */
  expected: boolean[]
  magicEdits: MagicEdit[]
  /** What a partner wants of the checks before signing, and what they find cloned. */
  checkModes: Signal<Partial<Record<SigningCheckCode, CheckMode>>>
  cloned: Signal<string[]>
  /** Code and times of what is billed. */
  billed: Signal<WidgetService>
  plans: typeof plans
  /** What the next rewriting is said to have dropped, and what was kept of them. */
  gone: Signal<GoneItem[] | null>
  keeps: RewritingKept[]
  copies: NoteCopy[]
  /** Paths of those that were said to be printed. */
  prints: string[]
  struck: StretchToStrike[]
  /** What was typed in place of a recording. */
  typed: string[]
  /** The next calls to this path (its end) fail so. */
  failures: { path: string; status: number; message: string; code?: string }[]
  /** Reads of these paths (their ends) are repeated without an answer, as on a line that is down. */
  away: Signal<readonly string[]>
  whenBack(path: string): Promise<void>
  /** As another tab or a regeneration would: a new version under a new tag. */
  write(note: Partial<ProgressNote>, origin?: NoteVersion['origin']): void
}

export type Answer = (body: unknown, headers: Record<string, string>, place: string) => unknown
