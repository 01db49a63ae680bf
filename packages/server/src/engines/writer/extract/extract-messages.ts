import type { MdmFindings } from '@casenote/contract'
import type { EditOutcome, EditRequest, WritingRequest, WrittenNote } from '../writer-engine.js'

/** What the thread is asked for, by the name of the door's method. */
export type ExtractCall =
  | { method: 'writeNote' | 'deriveMdm' | 'summarize'; request: WritingRequest }
  | { method: 'editNote'; request: EditRequest }

export interface Results {
  writeNote: WrittenNote
  editNote: EditOutcome
  deriveMdm: MdmFindings
  summarize: string
}

/** With hours of talk as JSON: a copy of the tree would take three times as long to write. */
export type ExtractOrder = { id: number; transcript: string } & ExtractCall

export type ExtractReply =
  { id: number; kind: 'done'; result: unknown } | { id: number; kind: 'failed'; name: string; stack: string }
