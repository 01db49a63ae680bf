import type { MdmFindings, NoteSection, NoteType, TranscriptItem } from '@casenote/contract'

/** What a writer is told: nothing of it but the transcript, the template and the wishes of the clinician. */
export interface WritingRequest {
  noteType: NoteType
  transcript: readonly TranscriptItem[]
  /** Named by the clinician in the widget, else empty. */
  treatmentApproaches: readonly string[]
}

/** A section as a writer gives it: each sentence with the transcript items it rests on. The checker decides `supported`. */
export interface DraftSection {
  key: string
  sentences: readonly DraftSentence[]
  /** How the sentences are set: one after the other, or one on each line with a dash. */
  layout: 'paragraph' | 'bullets'
}

export interface DraftSentence {
  text: string
  transcriptItems: readonly number[]
}

export interface EditRequest {
  noteType: NoteType
  transcript: readonly TranscriptItem[]
  note: readonly NoteSection[]
  instructions: string
}

/** `sections` of `noteType`, which an edit may change; or why it could not be done, in a sentence for the clinician. */
export type EditOutcome =
  { isDone: true; noteType: NoteType; sections: readonly DraftSection[] } | { isDone: false; reason: string }

/** Names and versions that are kept on what was made. */
export interface WriterVersions {
  engine: string
  model: string
  prompt: string
  templates: string
}

/** A door to an engine that writes. It knows no database, no tenant and no session. Throws an EngineFault. */
export interface WriterEngine {
  readonly name: 'embedded' | 'openai'
  readonly versions: WriterVersions
  /** Sections in the template's order, each as soon as it is there. */
  writeNote(request: WritingRequest, signal: AbortSignal): AsyncIterable<DraftSection>
  editNote(request: EditRequest, signal: AbortSignal): Promise<EditOutcome>
  /** Only for prescriber note types. */
  deriveMdm(request: WritingRequest, signal: AbortSignal): Promise<MdmFindings>
  summarize(request: WritingRequest, signal: AbortSignal): Promise<string>
}
