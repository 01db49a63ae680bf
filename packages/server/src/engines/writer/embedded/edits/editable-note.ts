import { NOTE_TEMPLATES, type NoteSection, type NoteType } from '@casenote/contract'
import { isNotDiscussed } from '../../evidence/check-not-discussed.js'
import { splitSentences } from '../../text/split-sentences.js'
import type { DraftSection } from '../../writer-engine.js'
import type { Scope } from './edit.js'

export interface EditableSentence {
  text: string
  transcriptItems: readonly number[]
  /** Stands on a new line of a section that is set in paragraphs. */
  startsParagraph: boolean
}

export interface EditableSection {
  key: string
  layout: 'paragraph' | 'bullets'
  sentences: readonly EditableSentence[]
}

export interface EditableNote {
  noteType: NoteType
  sections: readonly EditableSection[]
}

export const readNote = (noteType: NoteType, sections: readonly NoteSection[]): EditableNote => ({
  noteType,
  sections: sections.map(readSection),
})

const bullet = /^\s*[-•*–]\s+/

function readSection({ key, content, evidence }: NoteSection): EditableSection {
  const lines = content.split(/\n+/).filter((line) => line.trim() !== '')
  const isList = lines.length > 0 && lines.every((line) => bullet.test(line))
  const itemsOf = (text: string) => [
    ...new Set(
      evidence.flatMap(({ sentence, transcriptItems }) => (text.includes(sentence) ? transcriptItems : [])),
    ),
  ]
  const sentences = lines.flatMap((line, lineAt) => {
    // A bullet stays one, however many sentences it has; so does a dashed line among paragraphs.
    const texts = isList
      ? [line.replace(bullet, '').trim()]
      : bullet.test(line)
        ? [line.trim()]
        : splitSentences(line)
    return texts.map((text, at) => ({
      text,
      transcriptItems: itemsOf(text).toSorted((a, b) => a - b),
      startsParagraph: !isList && lineAt > 0 && at === 0,
    }))
  })
  return { key, layout: isList ? 'bullets' : 'paragraph', sentences }
}

/** In the order of the template; sections that the note does not have are left out. */
export const toDraftSections = ({ noteType, sections }: EditableNote): DraftSection[] =>
  NOTE_TEMPLATES[noteType].sections.flatMap(({ key }) =>
    sections
      .filter((section) => section.key === key)
      .map(({ layout, sentences }) => ({
        key,
        layout,
        sentences: sentences.map(({ text, transcriptItems, startsParagraph }) =>
          startsParagraph ? { text, transcriptItems, startsParagraph } : { text, transcriptItems },
        ),
      })),
  )

export const isInScope = (scope: Scope, key: string): boolean => scope === null || scope.includes(key)

/** The sections in scope, changed one by one; null leaves one as it is. */
export const changeSections = (
  note: EditableNote,
  scope: Scope,
  change: (section: EditableSection) => EditableSection | null,
): EditableNote => ({
  ...note,
  sections: note.sections.map((section) =>
    isInScope(scope, section.key) ? (change(section) ?? section) : section,
  ),
})

/** Every sentence in scope with another text; its evidence stays, for the checker to decide again. */
export const changeTexts = (
  note: EditableNote,
  scope: Scope,
  change: (text: string) => string,
): EditableNote =>
  changeSections(note, scope, (section) => ({
    ...section,
    sentences: section.sentences.map((sentence) => ({ ...sentence, text: change(sentence.text) })),
  }))

/** At the end of a section; a sentence that said that nothing was discussed makes way. */
export function appendSentences(
  section: EditableSection,
  added: readonly EditableSentence[],
): EditableSection {
  const [only, ...others] = section.sentences
  const isEmpty =
    only !== undefined &&
    others.length === 0 &&
    isNotDiscussed(only.text) &&
    only.transcriptItems.length === 0
  return { ...section, sentences: [...(isEmpty ? [] : section.sentences), ...added] }
}

/** What a person is quoted with is theirs: no edit but an explicit one reaches into quotation marks. */
export const outsideQuotes = (text: string, change: (part: string) => string): string =>
  text
    .split(/("[^"]*"|“[^”]*”)/)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join('')

export const capitalize = (text: string): string =>
  text.replace(/^(\P{L}*)(\p{Ll})/u, (_, before: string, first: string) => before + first.toUpperCase())
