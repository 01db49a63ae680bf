import type { NoteEditor } from '../open-session/note-editor.js'

/**
 * What a signature stands for, as it is on the screen: the text, with what is not saved yet, and whose signature is under
 * it. Not the tag, which changes with the clinician's own saving.
 */
export function readSeen({ note, sections }: Pick<NoteEditor, 'note' | 'sections'>): string {
  const { signedBy = null, isLoading = false } = note.value ?? {}
  const texts = sections.value.map(({ key, content }) => [key, content])
  return JSON.stringify([isLoading, signedBy?.id, signedBy?.at, texts])
}
