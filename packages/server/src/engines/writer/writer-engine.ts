import type { MdmFindings, NoteSection, NoteTemplate, NoteType } from '@casenote/contract'
import type { Background, Goal, GoalLinks } from '../background.js'
import type { LeftOut } from '../ledger/left-out.js'
import type { NamedItem } from '../named-item.js'
import type { Finding, Reading } from '../reader/reading.js'
import type { DefaultTemplates } from './templates/built-in-templates.js'

/** What a writer is told: nothing of it but what was said, what the reader found in it, and the wishes of the clinician. */
export interface WritingRequest {
  noteType: NoteType
  /** A template of that type; without it the type's own. What it says is never evidence (decision 0039). */
  template?: NoteTemplate | undefined
  transcript: readonly NamedItem[]
  reading: Reading
  /** Named by the clinician in the widget, else empty. */
  treatmentApproaches: readonly string[]
  /** Whose turn it is at what writers share: an opaque word. */
  owner?: string
  /** Typed by the clinician during the session, line by line: stand in the note as they are, as the clinician's (decision 0026). */
  jotted?: readonly string[]
  /** What is known beside the session: read by a writer of prose, and evidence of nothing (decision 0040). */
  background?: Background
}

/** A section as a writer drafts it: each sentence with the transcript items it rests on. */
export interface DraftSection {
  key: string
  sentences: readonly DraftSentence[]
  /** How the sentences are set: one after the other, or one on each line with a dash. */
  layout: 'paragraph' | 'bullets'
  /** As it stood before an edit that changed none of its sentences: then it is set so. */
  content?: string
}

export interface DraftSentence {
  text: string
  transcriptItems: readonly number[]
  /** In a section set in paragraphs: on a new line. */
  startsParagraph?: boolean
  /** A repair upholds it against its refusal, with the items that bear it out: of a denial these are looked at, too. */
  isUpheld?: boolean
  /** It stood so in the note that is edited: its judgement stays, and nobody mends it or leaves it out. */
  isKept?: boolean
}

/** Who answers for a sentence (decision 0016). */
export type Judgement = NoteSection['evidence'][number]['judgement']

/** Why a sentence was refused; null for one that was not. */
export type RefusalReason = NoteSection['evidence'][number]['reason']

export interface JudgedSentence extends DraftSentence {
  judgement: Judgement
  reason: RefusalReason
  /** What a repair is told of a refused one: the words at fault, and the items that the verification went by. It is not kept. */
  fault?: { part: string | null; items: readonly number[] }
}

export interface JudgedSection extends DraftSection {
  sentences: readonly JudgedSentence[]
}

/** A note as a writer leaves it. */
export interface WrittenNote {
  sections: readonly JudgedSection[]
  /** The reader's and, where a model was asked for danger, the model's: what the ledger compares the note with. */
  findings: readonly Finding[]
  /** What was left out because nothing said bears it out, for the clinician's list. */
  leftOut?: readonly LeftOut[]
}

/** What the one round of repair was for and what it left, counted before what is still refused is left out of the note. */
export interface RepairFigures {
  draftSentences: number
  refusedBefore: number
  refusedAfter: number
  /** Refused at first, upheld in its words by the repair, and not refused again. */
  upheld: number
}

/**
 * Sections in the template's order, each as soon as there is a first text of it; last the whole note, which replaces them, with
 * figures where the writer judges and repairs what it drafts.
 */
export type WritingEvent =
  { kind: 'section'; section: JudgedSection } | { kind: 'end'; note: WrittenNote; repair?: RepairFigures }

export interface EditRequest extends WritingRequest {
  note: readonly NoteSection[]
  instructions: string
  /** What a note of another type is written with; of a type without one, ours. */
  defaults?: DefaultTemplates
}

/** The note in `noteType`, which an edit may change; or why it could not be done, in a sentence for the clinician. */
export type EditOutcome =
  { isDone: true; noteType: NoteType; note: WrittenNote } | { isDone: false; reason: string }

/** Names and versions that are kept on what was made. */
export interface WriterVersions {
  engine: string
  model: string
  prompt: string
  templates: string
}

/** A door to an engine that writes. It knows no database, no session, and of a tenant only whose turn it is. Throws an EngineFault. */
export interface WriterEngine {
  readonly name: 'extract' | 'openai' | 'local'
  readonly versions: WriterVersions
  writeNote(request: WritingRequest, signal: AbortSignal): AsyncIterable<WritingEvent>
  editNote(request: EditRequest, signal: AbortSignal): Promise<EditOutcome>
  /** Only for prescriber note types. */
  deriveMdm(request: WritingRequest, signal: AbortSignal): Promise<MdmFindings>
  summarize(request: WritingRequest, signal: AbortSignal): Promise<string>
  /** Which sentences of a written note speak to which goal. Null: it cannot say; without it, nobody asks. */
  linkGoals?(
    request: { sections: readonly NoteSection[]; goals: readonly Goal[]; owner: string },
    signal: AbortSignal,
  ): Promise<GoalLinks[] | null>
  close(): Promise<void>
}
