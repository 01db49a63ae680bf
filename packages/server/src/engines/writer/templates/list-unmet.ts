import type { NoteSection, NoteTemplate, ReviewItem } from '@casenote/contract'
import { findKept } from '../../checker/find-kept.js'
import { addToReview } from '../../ledger/list-review.js'
import { openPhrases } from './phrases.js'

export interface UnmetRequest {
  template: NoteTemplate
  sections: readonly NoteSection[]
}

export const hasMust = ({ sections }: NoteTemplate): boolean =>
  sections.some(({ must = [] }) => must.length > 0)

/** What must stand in a section and does not, for the clinician's list. */
export const listUnmet = ({ template, sections }: UnmetRequest): ReviewItem[] =>
  template.sections.flatMap(({ key, title, must = [] }) => {
    if (must.length === 0) return []
    const findPhrase = openPhrases(readSaid(sections.find((one) => one.key === key)))
    return must.flatMap(({ what, words }, at): ReviewItem[] =>
      findPhrase(words) === null
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

/** A refused sentence says nothing. */
const readSaid = (section: NoteSection | undefined): string => {
  if (section === undefined) return ''
  const refused = section.evidence.filter(({ supported }) => !supported)
  if (refused.length === 0) return section.content
  return findKept(section.content, section.evidence)
    .map((stretch) =>
      'text' in stretch ? stretch.text : stretch.kept.supported ? stretch.kept.sentence : ' ',
    )
    .join('')
}

/** A list of what else is open, with what this text of the note lacks. */
export const withUnmet = (review: readonly ReviewItem[], unmet: readonly ReviewItem[]): ReviewItem[] => {
  const others = review.filter(({ reason }) => reason !== 'must_stand')
  return addToReview(others, unmet)
}
