import type { ProgressNote, Session, Summary } from '@casenote/contract'

/** What of a session goes into the bundle, and where its files lie. */
export interface ExportedSession {
  session: Session
  /** The path of the session's JSON, from the folder of the export. */
  path: string
  hasTranscript: boolean
  summary: Summary | null
  note: ExportedNote | null
  /** Whether a version of the note is the clinician's own writing. */
  isEditedByHand: boolean
  recording: ExportedRecording | null
}

export interface ExportedNote {
  note: ProgressNote
  pdf: WrittenPdf | null
}

export interface WrittenPdf {
  path: string
  sizeBytes: number
  /** Base64, as FHIR writes it. */
  sha1: string
}

export interface ExportedRecording {
  path: string
  mediaType: string
  sizeBytes: number
}
