import { NOTE_TEMPLATES, type NoteSection, type NoteType } from '@casenote/contract'
import type { JudgedSection } from './writer-engine.js'

/** Sections as they are kept and shown: the text as it is set, and each sentence of it with who answers for it. */
export const toNoteSections = (noteType: NoteType, sections: readonly JudgedSection[]): NoteSection[] =>
  sections.map((section) => toNoteSection(noteType, section))

export function toNoteSection(
  noteType: NoteType,
  { key, layout, sentences, content }: JudgedSection,
): NoteSection {
  const between = layout === 'bullets' ? '\n- ' : ' '
  const parts = sentences.map(
    ({ text, startsParagraph }) => `${startsParagraph === true ? '\n\n' : between}${text}`,
  )
  return {
    key,
    title: NOTE_TEMPLATES[noteType].sections.find((section) => section.key === key)?.title ?? key,
    content: content ?? parts.join('').trim(),
    evidence: sentences.map(({ text, transcriptItems, judgement, reason }) => ({
      sentence: text,
      transcriptItems: [...transcriptItems],
      supported: judgement !== 'refused',
      judgement,
      reason,
    })),
  }
}
