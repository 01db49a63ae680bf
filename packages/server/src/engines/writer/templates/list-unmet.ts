import type { NoteSection, NoteTemplate, ReviewItem } from '@casenote/contract'
import { addToReview } from '../../ledger/list-review.js'
import { makePhraseFinder } from './phrases.js'

/** What must stand in a section and does not, for the clinician's list. A refused sentence says nothing. */
function listUnmet(template: NoteTemplate, sections: readonly NoteSection[]): ReviewItem[] {
  return template.sections.flatMap(({ key, title, must = [] }) => {
    if (must.length === 0) return []
    const section = sections.find((one) => one.key === key)
    const refused =
      section?.evidence.filter(({ supported }) => !supported).map(({ sentence }) => sentence) ?? []
    const content = refused.reduce((text, sentence) => text.replaceAll(sentence, ' '), section?.content ?? '')
    return must.flatMap(({ what, words }, at): ReviewItem[] =>
      makePhraseFinder(words)(content) === null
        ? [
            {
              id: `template-${key}-${at}`,
              kind: 'template',
              label: `${title}: ${what}`,
              words: '',
              transcriptItems: [],
              reason: 'must_stand',
            },
          ]
        : [],
    )
  })
}

/** A list of what else is open, with what this text of the note lacks. */
export const withUnmet = (
  review: readonly ReviewItem[],
  template: NoteTemplate,
  sections: readonly NoteSection[],
): ReviewItem[] => {
  const others = review.filter(({ reason }) => reason !== 'must_stand')
  return addToReview(others, listUnmet(template, sections))
}
