import type { ReviewItem } from '@casenote/contract'

/** Stands first among the open points of every note of a session in another language than English: nothing was found is no answer there. */
export const unreadTalk: ReviewItem = {
  id: 'danger-not-read',
  kind: 'danger',
  label:
    'Not in English: the reader did not look for danger in this session, and the exact checks did not compare the note with it. At most a language model did',
  words: '',
  transcriptItems: [],
  reason: 'not_read',
}
