import type { EventType, NoteStatus } from '@casenote/contract'
import type { GenerationId, SignerId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'

interface NoteTransition {
  from: readonly NoteStatus[]
  to: NoteStatus
  event: EventType | null
}

/**
 * Contract part 3 and ruling 5. A regeneration under way is not a status: it is the note's active generation, which
 * fences edits, finalizing and its own completion. Where it fails, the note stays as it was. What is struck leaves no text
 * to go back to (decision 0049): then it is as before the first one, but what comes is a regeneration.
 */
export const NOTE_TRANSITIONS = {
  completeGeneration: {
    from: ['generating', 'failed'],
    to: 'generated',
    event: 'progress_note_generated',
  },
  failGeneration: { from: ['generating'], to: 'failed', event: null },
  completeRegeneration: {
    from: ['generating', 'generated', 'regenerated', 'failed'],
    to: 'regenerated',
    event: 'progress_note_regenerated',
  },
  finalize: { from: ['generated', 'regenerated'], to: 'finalized', event: 'progress_note_finalized' },
  /** With its session, which was of another client; told as the session's end. */
  withdraw: { from: ['generating', 'generated', 'regenerated', 'failed'], to: 'failed', event: null },
  /** A stretch on which its texts may rest. */
  strike: { from: ['generated', 'regenerated', 'failed'], to: 'generating', event: null },
  /** By hand, where what was struck could not be written again. */
  writeByHand: { from: ['failed'], to: 'regenerated', event: null },
} as const satisfies Record<string, NoteTransition>

export type NoteAction = keyof typeof NOTE_TRANSITIONS

export interface NoteState {
  status: NoteStatus
  activeGenerationId: GenerationId | null
  signerId: SignerId | null
}

/**
 * Signed, and the supervisor has yet to sign. Neither is this a status: for the contract the note is not finalized, and
 * whoever returns it finds it as it was (decision 0029).
 */
export const isAwaiting = ({ status, signerId }: Pick<NoteState, 'status' | 'signerId'>): boolean =>
  status !== 'finalized' && signerId !== null

/** Whether the note is on its way. It is so before writing starts, too, when there is no generation yet. */
export const isLoading = ({
  status,
  activeGenerationId,
}: Pick<NoteState, 'status' | 'activeGenerationId'>): boolean =>
  status === 'generating' || activeGenerationId !== null

/** Step 6 of ruling 1, for everything that changes what the note says. */
export function requireUnlocked(note: NoteState): void {
  if (note.status === 'finalized' || isAwaiting(note))
    throw refuse.forbidden('note_finalized', 'Progress note is locked')
  requireIdle(note)
}

/** A finalized note passes: finalizing it again is no change. */
export function requireIdle(note: NoteState): void {
  if (isLoading(note)) throw refuse.conflictForNow('note_generating', 'Progress note is being generated')
}

/** There is a text to edit or to lock. The first writing may have failed, or the one after something was struck. */
export function requireWritten({ status }: NoteState): void {
  if (status === 'failed') throw refuse.conflict('note_not_generated', 'Progress note has not been generated')
}

/** Every version is kept. A change every fifteen seconds of eight hours has fewer; more than these are a program's. */
export const noteVersionsMax = 2_000

/** Nothing that was written is thrown away for what comes next; the note can still be signed, and take addenda. */
export function requireRoomForVersion({
  version,
  versionsGone,
}: {
  version: number
  versionsGone: number
}): void {
  if (version - versionsGone >= noteVersionsMax)
    throw refuse.conflict(
      'note_versions_full',
      `A progress note has at most ${noteVersionsMax} versions. Sign it, and add what is missing as an addendum.`,
    )
}
