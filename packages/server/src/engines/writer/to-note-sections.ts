import type { NoteSection, NoteTemplate } from '@casenote/contract'
import { findSection } from './templates/note-template.js'
import type { JudgedSection } from './writer-engine.js'

/** Sections as they are kept and shown: the text as it is set, and each sentence of it with who answers for it. */
export const toNoteSections = (template: NoteTemplate, sections: readonly JudgedSection[]): NoteSection[] =>
  sections.map((section) => toNoteSection(template, section))

export function toNoteSection(
  template: NoteTemplate,
  { key, layout, sentences, content }: JudgedSection,
): NoteSection {
  const between = layout === 'bullets' ? '\n- ' : ' '
  const parts = sentences.map(
    ({ text, startsParagraph }) => `${startsParagraph === true ? '\n\n' : between}${text}`,
  )
  return {
    key,
    title: findSection(template, key)?.title ?? key,
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
