import { makeFindingId, sortItems } from '../finding-id.js'
import type { AllergyFinding, Standing } from '../reading.js'

export const toFinding = (
  substance: string,
  reaction: string | null,
  standing: Standing,
  items: readonly number[],
  words: string,
): AllergyFinding => ({
  kind: 'allergy',
  id: makeFindingId('allergy', substance, standing, items[0] ?? 0),
  items: sortItems(items),
  words,
  substance,
  reaction,
  standing,
})
