import { Type, type Static } from 'typebox'
import { DANGER_STANDINGS, dangerItemsMax, dangerReasonLengthMax } from './danger-lists.js'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'

/** What the widget is told of danger that is open: ours and unpublished, like everything in `widget.ts`. */

const DangerReason = Type.String({ minLength: 1, maxLength: dangerReasonLengthMax })

/** One thing that a client said in a session, or answered in a questionnaire. */
export const DangerItem = Type.Object({
  id: Id,
  client: Type.Object({ id: Id, firstName: Nullable(Type.String()), lastName: Type.String() }),
  /** Where it was said; null for an answer. */
  sessionId: Nullable(Id),
  /** "Suicidal thoughts: affirmed", or the questionnaire's name. */
  label: Type.String(),
  /** That was answered; null for what was said. */
  question: Nullable(Type.String()),
  words: Type.String(),
  transcriptItems: Type.Array(Type.Integer({ minimum: 0 })),
  /** Time of the session, or of the answer. */
  at: Timestamp,
  /** When this clinician said that they have seen it. */
  seenAt: Nullable(Timestamp),
  /** The last signature that left it open, and why where somebody said it. */
  leftOpen: Nullable(Type.Object({ at: Timestamp, reason: Nullable(Type.String()) })),
  /** Null where no note is looked at, or it is being written. */
  standing: Nullable(oneOf(DANGER_STANDINGS)),
  /** The first signature of the note that is looked at said why it stays open: the second is not asked again. */
  isAnswered: Type.Boolean(),
})
export type DangerItem = Static<typeof DangerItem>

export const OpenDanger = Type.Object({
  /** Newest first; of a note, what keeps it from being signed before all others. */
  items: Type.Array(DangerItem),
  /** Also of those that the list has no room for. */
  total: Type.Integer({ minimum: 0 }),
  /** Only for a note: the words that were said in its session and closed by a clinician. */
  closedWords: Type.Optional(Type.Array(Type.String())),
})
export type OpenDanger = Static<typeof OpenDanger>

export const ClosedDangerItem = Type.Object({
  ...DangerItem.properties,
  closedAt: Timestamp,
  /** Null: closed by a signed note. */
  closedBy: Nullable(Type.String()),
  reason: Nullable(Type.String()),
})
export type ClosedDangerItem = Static<typeof ClosedDangerItem>

export const ClosedDanger = Type.Object({ items: Type.Array(ClosedDangerItem) })
export type ClosedDanger = Static<typeof ClosedDanger>

const itemId = Type.String({ format: 'uuid' })
const itemIds = Type.Array(itemId, { minItems: 1, maxItems: dangerItemsMax })

export const DangerSeen = Type.Object({ itemIds })
export type DangerSeen = Static<typeof DangerSeen>

export const DangerClosing = Type.Object({ itemIds, reason: DangerReason })
export type DangerClosing = Static<typeof DangerClosing>

/**
 * Signing in the widget. The reason is asked for where danger is open and not in the note, and answers for the items that the
 * signer was shown. `expectsCoSignature`: what the signer was told, that somebody co-signs or that the signature is final.
 */
export const NoteSigning = Type.Object({
  openDangerReason: Type.Optional(Nullable(DangerReason)),
  openDangerItemIds: Type.Optional(Type.Array(itemId, { maxItems: dangerItemsMax })),
  expectsCoSignature: Type.Optional(Type.Boolean()),
})
export type NoteSigning = Static<typeof NoteSigning>
