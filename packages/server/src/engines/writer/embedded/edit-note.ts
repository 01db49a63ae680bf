import type { TranscriptItem } from '@casenote/contract'
import type { EditOutcome, EditRequest, WriterEngine } from '../writer-engine.js'
import { changeLayout } from './edits/change-layout.js'
import { changeNoteType } from './edits/change-note-type.js'
import { changeWording } from './edits/change-wording.js'
import { EditRefusal, type Edit } from './edits/edit.js'
import { readNote, toDraftSections, type EditableNote } from './edits/editable-note.js'
import { requireKept } from './edits/keep-mention.js'
import { lengthenSections } from './edits/lengthen-sections.js'
import { moveMention } from './edits/move-mention.js'
import { parseInstructions } from './edits/parse-instructions.js'
import { removeMention } from './edits/remove-mention.js'
import { replaceMention } from './edits/replace-mention.js'
import { shortenSections } from './edits/shorten-sections.js'
import { useInitials } from './edits/use-initials.js'
import { writePastTense } from './edits/write-past-tense.js'

/**
 * Does all that the instructions ask for, or nothing. What can be asked for is in docs/magic-edit.md. An edit may change
 * the note type: whether the clinician may use it (isPrescriberNoteType) is for the caller to check.
 */
export async function editNote(
  { noteType, transcript, note, instructions }: EditRequest,
  writeNote: WriterEngine['writeNote'],
  signal: AbortSignal,
): Promise<EditOutcome> {
  const before = readNote(noteType, note)
  try {
    const edits = parseInstructions(instructions, noteType)
    const kept = edits.flatMap((edit) => (edit.kind === 'keep' ? edit.mentions : []))
    requireKept(before, kept)
    let current = before
    for (const edit of edits) {
      signal.throwIfAborted()
      current = await applyEdit(current, edit, { transcript, kept, writeNote, signal })
    }
    requireChange(before, current)
    // A new draft in another template may have left it out.
    requireKept(current, kept)
    return { isDone: true, noteType: current.noteType, sections: toDraftSections(current) }
  } catch (error) {
    if (error instanceof EditRefusal) return { isDone: false, reason: error.message }
    throw error
  }
}

interface EditContext {
  transcript: readonly TranscriptItem[]
  kept: readonly string[]
  writeNote: WriterEngine['writeNote']
  signal: AbortSignal
}

async function applyEdit(note: EditableNote, edit: Edit, context: EditContext): Promise<EditableNote> {
  switch (edit.kind) {
    case 'shorten':
      return shortenSections(note, edit, context.kept)
    case 'lengthen':
      return lengthenSections(note, edit, context.transcript)
    case 'layout':
      return changeLayout(note, edit.scope, edit.layout)
    case 'past_tense':
      return writePastTense(note, edit.scope)
    case 'wording':
      return changeWording(note, edit.scope, edit.to)
    case 'initials':
      return useInitials(note, edit.scope, edit.names)
    case 'remove':
      return removeMention(note, edit)
    case 'replace':
      return replaceMention(note, edit.scope, edit)
    case 'move':
      return moveMention(note, edit)
    case 'note_type':
      return changeNoteType(
        note,
        { to: edit.to, transcript: context.transcript },
        context.writeNote,
        context.signal,
      )
    default:
      // "Keep" is heeded while shortening.
      return note
  }
}

/** A new version and an event for the same text would only make work for those who read it. */
function requireChange(before: EditableNote, after: EditableNote): void {
  const isSame = JSON.stringify(toDraftSections(before)) === JSON.stringify(toDraftSections(after))
  if (isSame)
    throw new EditRefusal('There is nothing to change: the note is already as the instruction asks.')
}
