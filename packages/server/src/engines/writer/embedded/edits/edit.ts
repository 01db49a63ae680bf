import type { NoteType } from '@casenote/contract'

/** Section keys that an edit is limited to; null is the whole note. */
export type Scope = readonly string[] | null

export interface ShortenEdit {
  kind: 'shorten'
  scope: Scope
  /** Of each section, or of all in scope together; null: about two thirds of the words of each. */
  limit: { unit: 'sentences' | 'words'; count: number; isOfEach: boolean } | null
}

export interface RemoveEdit {
  kind: 'remove'
  scope: Scope
  /** Each is one mention to look for; all of them must be there. */
  mentions: readonly string[]
  /** The whole sentence was asked for, not only the part of it that speaks of the mention. */
  isWholeSentence: boolean
}

export interface MoveEdit {
  kind: 'move'
  scope: Scope
  /** Null: all that the section in `scope` says. */
  mention: string | null
  to: string
}

/** One thing that an instruction asks for. What a kind means for the note is in docs/magic-edit.md. */
export type Edit =
  | ShortenEdit
  | RemoveEdit
  | MoveEdit
  /** `mustBeNew`: "more about sleep" wants what is not there yet, "mention her sleep" is content with what is there. */
  | { kind: 'lengthen'; scope: Scope; topic: string | null; mustBeNew: boolean }
  | { kind: 'layout'; scope: Scope; layout: 'paragraph' | 'bullets' }
  | { kind: 'past_tense'; scope: Scope }
  | { kind: 'wording'; scope: Scope; to: 'client' | 'patient' }
  | { kind: 'initials'; scope: Scope; names: readonly string[] }
  | { kind: 'replace'; scope: Scope; from: string; to: string }
  | { kind: 'keep'; mentions: readonly string[] }
  | { kind: 'note_type'; to: NoteType }

/** An instruction that cannot be done, in a sentence for the clinician. Thrown inside, an outcome outside. */
export class EditRefusal extends Error {}

export const SUPPORTED_EDITS =
  'make it shorter or longer, use bullet points or paragraphs, write in the past tense, say client or patient, ' +
  'use initials instead of names, remove or replace a mention, mention something that was said in the session, ' +
  'move something to another section, turn it into another note type'
