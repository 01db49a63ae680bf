import { checkFindingsMax, type NoteSection } from '@casenote/contract'
import { findCloned } from './find-cloned.js'

export interface SigningRequest {
  sections: readonly NoteSection[]
  /** The sections of the client's last signed note; null: there is none. */
  earlier: readonly Pick<NoteSection, 'key' | 'title' | 'content'>[] | null
}

interface Found<Entry> {
  entries: Entry[]
  total: number
}

type Evidence = NoteSection['evidence'][number]

/** What the text of a note says about itself before it is signed. */
export interface SigningReading {
  emptySections: Found<{ sectionKey: string }>
  unsupported: Found<{ sectionKey: string } & Pick<Evidence, 'sentence' | 'transcriptItems'>>
  cloned: Found<{ sectionKey: string; sentence: string }> & { share: number }
}

/** A dash, or nothing: no letter and no figure. */
const isEmpty = ({ content }: NoteSection): boolean => !/[\p{L}\p{N}]/u.test(content)

const bound = <Entry>(entries: readonly Entry[]): Found<Entry> => ({
  entries: entries.slice(0, checkFindingsMax),
  total: entries.length,
})

export const readForSigning = ({ sections, earlier }: SigningRequest): SigningReading => {
  const { share, sentences } = findCloned(sections, earlier ?? [])
  return {
    emptySections: bound(sections.filter(isEmpty).map(({ key }) => ({ sectionKey: key }))),
    unsupported: bound(
      sections.flatMap(({ key, evidence }) =>
        evidence
          .filter(({ supported }) => !supported)
          .map(({ sentence, transcriptItems }) => ({ sectionKey: key, sentence, transcriptItems })),
      ),
    ),
    cloned: { ...bound(sentences), share },
  }
}
