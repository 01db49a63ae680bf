import type { ReviewItem } from '@casenote/contract'
import { makeFindingId } from '../reader/finding-id.js'
import { addToReview } from './list-review.js'
import { nameMatter } from './name-matters.js'

/** A sentence about danger, medicines or numbers that a note leaves out, and that rests on nothing that could be quoted. */
export type LeftOut = ReviewItem & { reason: 'left_out' }

/** By its matter: what it said was not borne out. */
export const nameLeftOut = ({
  text,
  transcriptItems,
}: {
  text: string
  transcriptItems: readonly number[]
}): LeftOut => {
  const { kind, name } = nameMatter(text)
  return {
    id: makeFindingId('left-out', text),
    kind,
    label: name,
    words: '',
    transcriptItems: [...transcriptItems],
    reason: 'left_out',
  }
}

/**
 * What was left out stands in no text, so no comparison can find it again: its entry is carried from version to version, until
 * the note is written anew.
 */
export const keepLeftOut = (review: readonly ReviewItem[], before: readonly ReviewItem[]): ReviewItem[] => {
  const known = new Set(review.map(({ id }) => id))
  // The same sentence, left out once more, is one entry.
  const kept = before.filter(
    ({ id, reason }) =>
      (reason === 'left_out' || reason === 'must_stand') && !known.has(id) && known.add(id) !== undefined,
  )
  return addToReview(review, kept)
}
