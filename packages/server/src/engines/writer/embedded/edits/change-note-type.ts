import type { NoteType, TranscriptItem } from '@casenote/contract'
import { isNotDiscussed } from '../../evidence/check-not-discussed.js'
import type { DraftSection, WriterEngine } from '../../writer-engine.js'
import { EditRefusal } from './edit.js'
import type { EditableNote, EditableSection, EditableSentence } from './editable-note.js'
import { findNearestSection } from './note-type-sections.js'

/**
 * A new draft from the transcript in the other template. What the clinician wrote, sentences that rest on nothing in the
 * transcript, stays: at the end of the nearest section, none twice.
 */
export async function changeNoteType(
  note: EditableNote,
  { to, transcript }: { to: NoteType; transcript: readonly TranscriptItem[] },
  writeNote: WriterEngine['writeNote'],
  signal: AbortSignal,
): Promise<EditableNote> {
  if (to === note.noteType) throw new EditRefusal('The note is of that type already.')
  const sections: EditableSection[] = []
  for await (const section of writeNote({ noteType: to, transcript, treatmentApproaches: [] }, signal)) {
    sections.push(toEditable(section))
  }
  const written = new Set(sections.flatMap(({ sentences }) => sentences.map(({ text }) => text)))
  for (const { key, sentences } of note.sections) {
    const own = sentences.filter(
      ({ text, transcriptItems }) =>
        transcriptItems.length === 0 && !written.has(text) && !isNotDiscussed(text),
    )
    const target = findNearestSection(key, to)
    const at = sections.findIndex((section) => section.key === target)
    const there = sections[at] ?? { key: target, layout: 'paragraph', sentences: [] }
    if (own.length === 0) continue
    const joined = { ...there, sentences: [...there.sentences, ...own.map(inOneParagraph)] }
    if (at < 0) sections.push(joined)
    else sections[at] = joined
  }
  return { noteType: to, sections }
}

const inOneParagraph = (sentence: EditableSentence): EditableSentence => ({
  ...sentence,
  startsParagraph: false,
})

const toEditable = ({ key, layout, sentences }: DraftSection): EditableSection => ({
  key,
  layout,
  sentences: sentences.map(({ text, transcriptItems }) => ({
    text,
    transcriptItems,
    startsParagraph: false,
  })),
})
