import type { NoteType } from '@casenote/contract'
import { EditRefusal, SUPPORTED_EDITS, type Edit } from './edit.js'
import { sectionPattern } from './name-sections.js'
import { readFormatEdits } from './read-format-edits.js'
import { mentionRules } from './read-mention-edits.js'
import { splitInstructions } from './split-instructions.js'

/** More would be a text to paste, not an instruction; each costs a pass over the note. */
const editsMax = 20

/** All that an instruction asks for, in its order. Throws an EditRefusal for the first part that cannot be done. */
export function parseInstructions(text: string, noteType: NoteType): Edit[] {
  const edits: Edit[] = []
  let currentType = noteType
  let ahead = ''
  for (const clause of splitInstructions(text)) {
    if (isSectionAlone(clause, currentType)) {
      ahead = ` ${clause}`
      continue
    }
    const read = readClause(`${clause}${ahead}`, currentType)
    ahead = ''
    for (const edit of read) if (edit.kind === 'note_type') currentType = edit.to
    edits.push(...read)
  }
  if (edits.length === 0)
    throw new EditRefusal(`The instruction asks for nothing. It can ask to ${SUPPORTED_EDITS}.`)
  if (edits.length > editsMax) {
    throw new EditRefusal(`The instruction asks for more than ${editsMax} changes at once.`)
  }
  return edits
}

/** "In the plan, use bullets": the section stands before its instruction. */
const isSectionAlone = (clause: string, noteType: NoteType) =>
  new RegExp(`^(?:in|for|within) ${sectionPattern(noteType)}$`, 'i').test(clause)

function readClause(clause: string, noteType: NoteType): Edit[] {
  const format = readFormatEdits(clause, noteType)
  if (format !== null) return format
  for (const rule of mentionRules) {
    const edit = rule(clause, noteType)
    if (edit !== null) return [edit]
  }
  throw new EditRefusal(
    `The embedded writer does not understand “${clip(clause)}”. It can ${SUPPORTED_EDITS}.`,
  )
}

const clipAt = 120
const clip = (clause: string) => (clause.length > clipAt ? `${clause.slice(0, clipAt)}…` : clause)
