import type { DangerItemId, NoteId } from '../../kernel/ids.js'
import { sealJson, unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'

/** What is sealed of an item: all that it says. A dump shows that there is one, of whom, and how it stands. */
export interface ItemContent {
  label: string
  question: string | null
  words: string
  transcriptItems: readonly number[]
  /** The findings by which the ledger knows what was said. None: the newest reading did not find it, or it is an answer. */
  findingIds: readonly string[]
  /** The question of a form that this item answers; null: it was said in a session. */
  questionKey: string | null
  value: number | null
  /** Whether the answer is about thoughts alone. Absent in an item from before this was kept, which counts as one that is. */
  isAboutThoughts?: boolean
}

const itemPlace = (itemId: DangerItemId): JsonPlace<ItemContent> => ({
  table: 'danger_items',
  row: itemId,
  column: 'sealed_item',
})
const reasonPlace = (itemId: DangerItemId): JsonPlace<string> => ({
  table: 'danger_items',
  row: itemId,
  column: 'sealed_reason',
})
const leftPlace = (noteId: NoteId, itemId: DangerItemId): JsonPlace<string> => ({
  table: 'danger_left_open',
  row: `${noteId}/${itemId}`,
  column: 'sealed_reason',
})

export const sealItem = (ring: TenantKeyRing, itemId: DangerItemId, content: ItemContent): Buffer =>
  sealJson(ring, itemPlace(itemId), content)

export const unsealItem = (
  ring: TenantKeyRing,
  { itemId, sealedItem }: { itemId: DangerItemId; sealedItem: Buffer },
): ItemContent => unsealJson(ring, itemPlace(itemId), sealedItem)

export const sealReason = (ring: TenantKeyRing, itemId: DangerItemId, reason: string): Buffer =>
  sealJson(ring, reasonPlace(itemId), reason)

export const unsealReason = (ring: TenantKeyRing, itemId: DangerItemId, sealed: Buffer): string =>
  unsealJson(ring, reasonPlace(itemId), sealed)

export const sealLeftReason = (
  ring: TenantKeyRing,
  { noteId, itemId }: { noteId: NoteId; itemId: DangerItemId },
  reason: string,
): Buffer => sealJson(ring, leftPlace(noteId, itemId), reason)

export const unsealLeftReason = (
  ring: TenantKeyRing,
  { noteId, itemId }: { noteId: NoteId; itemId: DangerItemId },
  sealed: Buffer,
): string => unsealJson(ring, leftPlace(noteId, itemId), sealed)

/** A turn without a stop may go on for minutes; what stands before this says what it is about. */
const wordsLengthMax = 1_000

export const boundWords = (words: string): string =>
  words.length <= wordsLengthMax ? words : `${words.slice(0, wordsLengthMax)}…`
