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

/** Talk that leaves room for a note: half of it is nothing that a note keeps. */
const before = `
  clinician: How have you been since the last time? I have been looking at the papers that you left with the front desk on your way out.
  client: I sleep five hours a night and I argue with my wife about money. It has been that way for a good while now, I would say.
  clinician: I can imagine. It is a long time to go without the rest that you need, and it wears on everybody in the house sooner or later.
  client: It does. It really does. You would think that one gets used to it after a while, and then one does not, it turns out.
  clinician: No, one does not. And people around us have their own ideas about what we should be doing about it, don't they, all of them.
  client: All of them. Everybody has got something that worked for them. Warm milk. Can you imagine.
`
const after = `
  clinician: That makes a lot of sense to me, and I am glad that you brought it up, because it is easy to leave such a thing out.
  client: Thanks. I was not sure whether it was worth the time, there is so much else going on over there at the moment.
`

/** A section of a note about a few lines that were said in the middle of a talk. */
export const sectionOf = async (noteType: NoteType, lines: string, key: string): Promise<string> =>
  (await write(noteType, talk(`${before.trim()}\n${lines}\n${after.trim()}`))).find(
    (section) => section.key === key,
  )?.content ?? ''
