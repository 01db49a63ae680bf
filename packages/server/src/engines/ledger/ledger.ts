import type { NoteSection, ReviewItem, TranscriptItem } from '@casenote/contract'
import type { Finding } from '../reader/reading.js'

/** What became of a finding in a note. `contradicted`: a sentence says otherwise. */
export interface LedgerEntry {
  finding: Finding
  state: 'stated' | 'not_written' | 'contradicted'
  /** The sentence that states or contradicts it. */
  sentence: string | null
  /** Who said it, where several people besides the clinician spoke. */
  speaker?: string
  /** With a danger that an extract quotes: what else was said in the same stretch, and no line has. */
  unquoted?: Unquoted
}

export interface Unquoted {
  items: readonly number[]
  words: string
}

export interface LedgerRequest {
  sections: readonly NoteSection[]
  findings: readonly Finding[]
  transcript: readonly TranscriptItem[]
  /** What must not stand in the note: it is compared as if nobody had said it. */
  names?: readonly string[]
}

/** A note against what was found: what stands, and what the clinician has to be told of. */
export interface Ledger {
  entries: readonly LedgerEntry[]
  /** As it goes to the clinician: everything that is not stated, danger first. */
  review: readonly ReviewItem[]
}
