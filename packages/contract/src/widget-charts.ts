import { Type, type Static } from 'typebox'
import { externalIdLengthMax, Id, Nullable, oneOf, Timestamp } from './fields.js'
import { WidgetSession } from './widget.js'

/** Where a note can be copied to: into the page around the widget, or into the clipboard. */
const COPY_TARGETS = ['page', 'clipboard'] as const

/** The clinician copied the note, while the page showed this client's chart. */
export const NoteCopy = Type.Object({
  to: oneOf(COPY_TARGETS),
  /** Null: the page did not say. */
  chartClientId: Type.Optional(Nullable(Type.String({ format: 'uuid' }))),
})
export type NoteCopy = Static<typeof NoteCopy>

/** Whose the recording really is. */
export const ClientCorrection = Type.Object({
  clientId: Type.String({ format: 'uuid' }),
  /** Id of that client's appointment; the wrong client's is never taken over. */
  sessionExternalId: Type.Optional(Nullable(Type.String({ maxLength: externalIdLengthMax }))),
})
export type ClientCorrection = Static<typeof ClientCorrection>

/** All that has to be taken back of a session that was withdrawn. */
const Withdrawn = Type.Object({
  sessionId: Id,
  sessionExternalId: Nullable(Type.String()),
  clientId: Id,
  /** All ids that the note ever had, newest first. */
  progressNoteIds: Type.Array(Id),
  /** Newest first, a hundred of them at most. */
  copies: Type.Array(
    Type.Object({
      progressNoteId: Id,
      to: oneOf(COPY_TARGETS),
      chartClientId: Nullable(Id),
      copiedAt: Timestamp,
    }),
  ),
})

export const CorrectedClient = Type.Object({
  /** The new session. */
  session: WidgetSession,
  withdrawn: Withdrawn,
})
export type CorrectedClient = Static<typeof CorrectedClient>

/** The same, read later: the answer to the correction may never have come. */
export const WithdrawnSession = Type.Object({
  /** Null where the clinician may not open it, or it was erased since. */
  session: Nullable(WidgetSession),
  withdrawn: Withdrawn,
})
export type WithdrawnSession = Static<typeof WithdrawnSession>
