import type { NoteType } from '@casenote/contract'

/** Section keys that an edit is limited to; null is the whole note. */
export type Scope = readonly string[] | null

/** One thing that an instruction asks for: each leaves every word that it does not name as it is. */
export type Edit =
  | { kind: 'layout'; scope: Scope; layout: 'paragraph' | 'bullets' }
  /** Each is one mention to look for; all of them must be there. */
  | { kind: 'remove'; scope: Scope; mentions: readonly string[] }
  | { kind: 'remove_section'; keys: readonly string[] }
  /** `mention` null: all that the sections in `scope` say. */
  | { kind: 'move'; scope: Scope; mention: string | null; to: string }
  | { kind: 'replace'; scope: Scope; from: string; to: string }
  | { kind: 'initials'; scope: Scope; names: readonly string[] }
  | { kind: 'note_type'; to: NoteType }

/** An instruction that cannot be done, in a sentence for the clinician. Thrown inside, an outcome outside. */
export class EditRefusal extends Error {}

export const NEEDS_MODEL =
  'This change needs a language model. Without one a note can be set in bullet points or paragraphs, a mention or a section removed, a mention moved to another section, one wording replaced by another, names turned into initials, and the note extracted anew as another note type. An administrator sets up a model with `casenote model find` or `casenote model install`.'
