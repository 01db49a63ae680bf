import { Type, type Static } from 'typebox'
import { markersMax, padLengthMax } from './pad-bounds.js'

/** A day: no recording is longer. */
const secondsMax = 86_400

/** What the clinician jotted down and marked while a session was recorded (decision 0026). */
export const SessionPad = Type.Object({
  text: Type.String({ maxLength: padLengthMax }),
  markers: Type.Array(
    Type.Object({
      id: Type.String({ format: 'uuid' }),
      /** From the recording's begin, pauses left out: the transcript counts the same. */
      atSeconds: Type.Integer({ minimum: 0, maximum: secondsMax }),
    }),
    { maxItems: markersMax },
  ),
})
export type SessionPad = Static<typeof SessionPad>
