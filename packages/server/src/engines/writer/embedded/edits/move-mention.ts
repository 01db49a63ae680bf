import { EditRefusal, type MoveEdit } from './edit.js'
import { appendSentences, isInScope, type EditableNote, type EditableSentence } from './editable-note.js'
import { findMention } from './find-mention.js'

/** Whole sentences, with their evidence, to the end of another section. None is lost and none is changed. */
export function moveMention(note: EditableNote, { scope, mention, to }: MoveEdit): EditableNote {
  const isMoved = (key: string, { text }: EditableSentence) =>
    key !== to && isInScope(scope, key) && (mention === null || findMention(text, mention) !== null)
  const moved = note.sections.flatMap(({ key, sentences }) =>
    sentences
      .filter((sentence) => isMoved(key, sentence))
      .map((sentence) => ({ ...sentence, startsParagraph: false })),
  )
  if (moved.length === 0) throw new EditRefusal(describeNothing(note, mention, to))
  const sections = note.sections.map((section) => ({
    ...section,
    sentences: section.sentences.filter((sentence) => !isMoved(section.key, sentence)),
  }))
  const target = sections.find(({ key }) => key === to)
  // A clinician may have deleted the section that it should go to.
  if (target === undefined) {
    return { ...note, sections: [...sections, { key: to, layout: 'paragraph', sentences: moved }] }
  }
  return {
    ...note,
    sections: sections.map((section) => (section === target ? appendSentences(section, moved) : section)),
  }
}

function describeNothing(note: EditableNote, mention: string | null, to: string): string {
  if (mention === null) return 'There is nothing to move in that section.'
  const isThere = note.sections.some(
    ({ key, sentences }) => key === to && sentences.some(({ text }) => findMention(text, mention) !== null),
  )
  return isThere
    ? `What is said about “${mention}” stands in that section already.`
    : `Nothing about “${mention}” stands in the note.`
}
