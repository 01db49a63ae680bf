import type { NoteSection, NoteType, TranscriptItem } from '@casenote/contract'
import type { Background } from '../background.js'
import type { Ledger } from '../ledger/ledger.js'
import type { Reading } from '../reader/reading.js'
import type { DraftSection } from '../writer/writer-engine.js'

export interface ExactCheckRequest {
  sections: readonly DraftSection[]
  transcript: readonly TranscriptItem[]
  reading: Reading
  /** What no sentence may rest on. */
  background?: Background
}

export interface RecheckRequest {
  noteType: NoteType
  /** The text as it is now; `evidence` as it was before somebody changed the text. */
  sections: readonly NoteSection[]
  transcript: readonly TranscriptItem[]
  /** Null for a session that was never read (written by an earlier version). */
  reading: Reading | null
  /** Kept out of the note. */
  names?: readonly string[]
}

/**
 * A talk as JSON: on its way to a thread a text of hours of talk costs no time, a tree does. Only ever of what was kept.
 */
export interface PackedTalk {
  /** The JSON of the transcript's items. */
  transcript: string
  /** JSON of an object with the `reading`; null for a session that was never read. */
  reading: string | null
  /** Kept out of the note. */
  names?: readonly string[]
}

export interface PackedRecheckRequest extends Pick<RecheckRequest, 'noteType' | 'sections'> {
  talk: PackedTalk
}

export interface PackedGoneRequest {
  before: readonly NoteSection[]
  after: readonly NoteSection[]
  /** Null for a session without a transcript. */
  talk: PackedTalk | null
}

/** Where a changed note could not be compared: what stayed, and what was found. */
export interface KeepRequest {
  sections: readonly NoteSection[]
  /** As it is, or as it is packed in a talk. */
  reading: Reading | PackedTalk['reading']
  names?: readonly string[]
}

/** Lines as they are heard, by nobody who is told apart. */
export interface HeardRequest {
  transcript: readonly TranscriptItem[]
}

/** What a clinician typed about a session. */
export interface AccountRequest {
  text: string
  /** Somebody says in which language it is. */
  isKnown: boolean
}

export interface CorrectedTalk {
  /** With the words of now, and what was found in them. */
  transcript: readonly TranscriptItem[]
  reading: Reading
  /** Whose words were put right. */
  correctedItems: readonly number[]
  /** Kept out of the note. */
  names?: readonly string[]
}

/** Asks what an edit dropped, of one note before and after it. */
export interface DroppedRequest {
  before: Ledger
  after: Ledger
  instructions: string
}

export interface JudgeAgainRequest extends CorrectedTalk {
  sections: readonly NoteSection[]
}
