import { NOTE_TEMPLATES, type NoteSection, type NoteType, type TranscriptItem } from '@casenote/contract'
import { toNoteSection } from '../../../src/engines/writer/check-evidence.js'
import { writeNote } from '../../../src/engines/writer/embedded/write-note.js'

/** "clinician: How are you?" one line a turn. */
export const talk = (lines: string): TranscriptItem[] =>
  lines
    .trim()
    .split('\n')
    .map((line, index) => {
      const [, speaker = '', transcript = ''] = /^\s*(\w+): (.+)$/.exec(line) ?? []
      return { startTime: index * 5, endTime: index * 5 + 4, speaker, transcript }
    })

export const write = async (
  noteType: NoteType,
  transcript: readonly TranscriptItem[],
  treatmentApproaches: readonly string[] = [],
): Promise<NoteSection[]> => {
  const titles = new Map(NOTE_TEMPLATES[noteType].sections.map(({ key, title }) => [key, title]))
  const sections: NoteSection[] = []
  const request = { noteType, transcript, treatmentApproaches }
  for await (const draft of writeNote(request, new AbortController().signal))
    sections.push(toNoteSection(draft, titles.get(draft.key) ?? '', transcript, treatmentApproaches))
  return sections
}

export const textOf = (sections: readonly NoteSection[]): string =>
  sections.map(({ content }) => content).join('\n')
