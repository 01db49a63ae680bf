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
  for (const clauses of splitInstructions(text)) {
    const read = readSentence(clauses, currentType)
    for (const edit of read) if (edit.kind === 'note_type') currentType = edit.to
    edits.push(...read)
  }
  if (edits.length === 0) {
    throw new EditRefusal(`The instruction asks for nothing. It can ask to ${SUPPORTED_EDITS}.`)
  }
  if (edits.length > editsMax) {
    throw new EditRefusal(`The instruction asks for more than ${editsMax} changes at once.`)
  }
  return edits
}

function readSentence(clauses: readonly string[], noteType: NoteType): Edit[] {
  const edits: Edit[] = []
  let currentType = noteType
  let ahead = ''
  for (const clause of clauses) {
    if (isSectionAlone(clause, currentType)) {
      ahead = ` ${clause}`
      continue
    }
    const read = readClause(`${clause}${ahead}`, currentType).map((edit) => inheritScope(edit, clause, edits))
    ahead = ''
    for (const edit of read) if (edit.kind === 'note_type') currentType = edit.to
    edits.push(...read)
  }
  return edits
}

/** "Shorten the plan and use bullets" means bullets in the plan; "… in the whole note" says otherwise. */
function inheritScope(edit: Edit, clause: string, before: readonly Edit[]): Edit {
  if (
    !isFormat(edit) ||
    edit.scope !== null ||
    /\b(?:note|everything|everywhere|throughout|all)\b/i.test(clause)
  ) {
    return edit
  }
  const last = before.at(-1)
  return last !== undefined && isFormat(last) && last.scope !== null ? { ...edit, scope: last.scope } : edit
}

const isFormat = (edit: Edit): edit is Extract<Edit, { kind: 'shorten' | 'lengthen' | 'layout' }> =>
  edit.kind === 'shorten' || edit.kind === 'layout' || (edit.kind === 'lengthen' && edit.topic === null)

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
