import { Type, type Static } from 'typebox'
import { Nullable } from './fields.js'
import { sessionTextLengthMax } from './text-bounds.js'
import { WidgetSessionCreate } from './widget.js'

/** A session that nobody recorded: what the clinician typed about it. */
export const WidgetTypedSession = Type.Object({
  /** `recordingId` is chosen by the frame and kept with the draft: a repeated call gives the same session. */
  ...WidgetSessionCreate.properties,
  text: Type.String({ minLength: 1, maxLength: sessionTextLengthMax, 'x-trimmed': true }),
})
export type WidgetTypedSession = Static<typeof WidgetTypedSession>

export const WidgetSessionText = Type.Object({
  /** As it was typed; null: the session was recorded, or another one has its text. */
  text: Nullable(Type.String()),
})
export type WidgetSessionText = Static<typeof WidgetSessionText>
