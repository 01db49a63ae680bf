import { isPrescriberNoteType, type NoteType } from '@casenote/contract'
import type { SessionId } from '../kernel/ids.js'
import type { JobKind, JobSubjects } from './jobs.sql.js'

// What follows what lies below the pipeline that runs it: features enqueue steps, too (a recording was sent, words were put right), and know
// no pipeline. So this table names steps by their kinds alone.

/** A step of the pipeline; the other jobs send mails and write exports. */
export type StepKind = Exclude<JobKind, 'send_mail' | 'send_code' | 'export_client'>

/**
 * Which step is due after what has happened to a session: how a step ended, or what somebody asked for. Steps and features report what
 * happened (`enqueueStep`); no other place says what follows. Null: nothing does.
 */
export const NEXT_STEP = {
  file_named: 'fetch_audio',
  text_typed: 'take_text',
  /** Of a session that was tried again when its sound was gone: what was heard is taken. */
  transcript_kept: 'take_text',
  recording_sent: 'join_audio',
  /** A piece of a recording arrived while it is on its way here. */
  piece_sent: 'hear_live',
  piece_fetched: 'hear_download',
  recording_kept: 'transcribe',
  /** Who was heard while they spoke does not wait behind whole recordings. */
  heard_recording_kept: 'finish_live',
  /** A note is due, with the transcript, and whenever it is to be written anew. */
  note_wanted: 'write_note',
  prescribers_note_ended: 'derive_mdm',
  other_note_ended: 'summarize',
  /** The talk is what it was, and so is what else was made of it. */
  rewriting_ended: null,
  mdm_ended: 'summarize',
  mdm_outdated: 'derive_mdm',
  summary_ended: null,
  summary_outdated: 'summarize',
  transcript_changed: 'read_transcript',
  /** A text is the note's again, and words may have been put right since it was compared with them. */
  note_back: 'read_transcript',
  recording_struck: 'cut_audio',
} as const satisfies Record<string, StepKind | null>

export type Outcome = keyof typeof NEXT_STEP

/** What the step is about that follows; where none does, the session to which it happened. */
export type SubjectAfter<Happened extends Outcome> = (typeof NEXT_STEP)[Happened] extends infer Kind
  ? Kind extends JobKind
    ? JobSubjects[Kind]
    : SessionId
  : never

type AfterNote = 'prescribers_note_ended' | 'other_note_ended'

/** What happens when a note has ended, or where a session has none: only prescribers' types have MDM elements beside one. */
export const afterNote = (noteType: NoteType): AfterNote =>
  isPrescriberNoteType(noteType) ? 'prescribers_note_ended' : 'other_note_ended'

/**
 * What else is made of a session comes after its first note, even where that could not be written, and again when the note was
 * written anew or became one of another type.
 */
export function afterWriting(
  kind: 'generation' | 'regeneration' | 'magic_edit',
  { isWritten, noteType, typeBefore }: { isWritten: boolean; noteType: NoteType; typeBefore: NoteType },
): AfterNote | 'rewriting_ended' {
  const isMadeAnew = isWritten && (kind === 'regeneration' || noteType !== typeBefore)
  return kind === 'generation' || isMadeAnew ? afterNote(noteType) : 'rewriting_ended'
}
