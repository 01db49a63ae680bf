import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf } from './fields.js'

/** The widget's own: what a magic edit, or writing again, made of a note, until the clinician says that it stays. */

/** What may not leave a note without being named. */
export const GONE_KINDS = ['danger', 'weapon', 'medicine', 'allergy', 'disposition'] as const
export type GoneKind = (typeof GONE_KINDS)[number]

/** What the note said before and does not say now. */
export const GoneItem = Type.Object({
  id: Type.String(),
  kind: oneOf(GONE_KINDS),
  /** Label of what was said in the session; null for a sentence that only the note had. */
  label: Nullable(Type.String()),
  /** As it was said, else as it stood in the note. */
  words: Type.String(),
  transcriptItems: Type.Array(Type.Integer({ minimum: 0 })),
  /** The note now says otherwise. */
  isContradicted: Type.Boolean(),
})
export type GoneItem = Static<typeof GoneItem>

export const NoteRewriting = Type.Object({
  generationId: Id,
  kind: oneOf(['magic_edit', 'regeneration'] as const),
  /** The version to go back to. */
  versionBefore: Type.Integer({ minimum: 1 }),
  /** Whether the note before was of another type: its sections are others, and there is only the way back as a whole. */
  isOtherType: Type.Boolean(),
  /** What differs from the text of now, in the template's order; null: there was no such section, or there is none now. */
  sections: Type.Array(
    Type.Object({
      key: Type.String(),
      title: Type.String(),
      before: Nullable(Type.String()),
      after: Nullable(Type.String()),
    }),
  ),
  /** Null: it could not be told. */
  gone: Nullable(Type.Array(GoneItem)),
})
export type NoteRewriting = Static<typeof NoteRewriting>

/** Null: nothing waits to be looked over. */
export const OpenRewriting = Type.Object({ rewriting: Nullable(NoteRewriting) })
export type OpenRewriting = Static<typeof OpenRewriting>

export const RewritingKept = Type.Object({
  generationId: Type.String({ format: 'uuid' }),
  /** What the clinician was shown as gone. */
  goneCount: Type.Integer({ minimum: 0, maximum: 10_000 }),
})
export type RewritingKept = Static<typeof RewritingKept>
