import type { NoteType } from '@casenote/contract'
import { findAccount } from '../is-account.js'
import { defaultOf, templateOf } from '../templates/built-in-templates.js'
import { rewordNotAsked, wordNotAsked } from '../say-not-asked.js'
import type { EditOutcome, EditRequest, WritingRequest, WrittenNote } from '../writer-engine.js'
import {
  changeLayout,
  lengthOf,
  moveMention,
  removeMention,
  removeSections,
  replaceMention,
} from './change-note.js'
import { EditRefusal, type Edit } from './edit.js'
import {
  inOneParagraph,
  isHeading,
  readNote,
  toSections,
  type EditableNote,
  type EditableSection,
} from './editable-note.js'
import { makeMattersGuard } from './guard-matters.js'
import { findNearestSection } from './note-type-sections.js'
import { parseInstructions } from './parse-instructions.js'
import { useInitials } from './use-initials.js'

/**
 * Does all that the instructions ask for, or nothing. An edit may change the note type: whether the clinician may use it
 * (isPrescriberNoteType) is for the caller to check.
 */
export function editNote(
  request: EditRequest,
  writeNote: (request: WritingRequest) => WrittenNote,
  signal?: AbortSignal,
): EditOutcome {
  const { note, instructions, reading } = request
  const template = templateOf(request)
  const before = readNote(template, note)
  try {
    let current = before
    let lengthMax = growthMax * lengthOf(before.sections)
    const guard = makeMattersGuard(reading.findings)
    for (const edit of parseInstructions(instructions, template, request.defaults)) {
      signal?.throwIfAborted()
      const after = applyEdit(current, edit, request, { writeNote, lengthMax })
      refuseLongSections(current, after)
      if (edit.kind === 'note_type') lengthMax = growthMax * lengthOf(after.sections)
      else guard.check(current, after, edit)
      current = after
    }
    if (JSON.stringify(toSections(before)) === JSON.stringify(toSections(current)))
      throw new EditRefusal('There is nothing to change: the note is already as the instruction asks.')
    return {
      isDone: true,
      noteType: current.template.noteType,
      note: { sections: toSections(current), findings: reading.findings },
    }
  } catch (error) {
    if (error instanceof EditRefusal) return { isDone: false, reason: error.message }
    throw error
  }
}

/** For all edits together, or twelve of them grow by powers: twice the note is more than any wording needs. */
const growthMax = 2

/** What the contract takes back: a longer section could not be changed by hand any more. */
const sectionLengthMax = 50_000

function refuseLongSections(before: EditableNote, after: EditableNote): void {
  const had = new Map(before.sections.map((section) => [section.key, lengthOf([section])]))
  const isTooLong = (section: EditableSection): boolean => {
    const length = lengthOf([section])
    return length > sectionLengthMax && length > (had.get(section.key) ?? 0)
  }
  if (after.sections.some(isTooLong))
    throw new EditRefusal('With this a section would be longer than a section can be.')
}

function applyEdit(
  note: EditableNote,
  edit: Edit,
  request: EditRequest,
  { writeNote, lengthMax }: { writeNote: (request: WritingRequest) => WrittenNote; lengthMax: number },
): EditableNote {
  switch (edit.kind) {
    case 'layout':
      return changeLayout(note, edit.scope, edit.layout)
    case 'initials':
      return useInitials(note, edit.scope, edit.names)
    case 'remove':
      return edit.mentions.reduce((current, mention) => removeMention(current, edit.scope, mention), note)
    case 'remove_section':
      return removeSections(note, edit.keys)
    case 'move':
      return moveMention(note, edit)
    case 'replace':
      return replaceMention(note, edit, lengthMax)
    default:
      return changeNoteType(note, edit.to, request, writeNote)
  }
}

/** Extracted anew for the other template. What the clinician wrote stays, at the end of the nearest section. */
function changeNoteType(
  note: EditableNote,
  to: NoteType,
  request: EditRequest,
  writeNote: (request: WritingRequest) => WrittenNote,
): EditableNote {
  if (to === note.template.noteType) throw new EditRefusal('The note is of that type already.')
  const template = defaultOf(to, request.defaults)
  const { transcript, reading, treatmentApproaches } = request
  const written = writeNote({ noteType: to, template, transcript, reading, treatmentApproaches }).sections
  // What the clinician wrote about danger comes along below, so it is not said to be unmentioned.
  const ownTexts = note.sections.flatMap(({ sentences }) =>
    sentences.flatMap(({ judgement, text }) => (judgement === 'clinicians_words' ? [text] : [])),
  )
  const sections: EditableSection[] = rewordNotAsked(
    written,
    wordNotAsked(reading.findings, ownTexts, findAccount(transcript)),
  )
  for (const { key, sentences } of note.sections) {
    const own = sentences.filter((one) => one.judgement === 'clinicians_words' && !isHeading(one))
    const at = sections.findIndex(
      (section) => section.key === findNearestSection(key, template, note.template),
    )
    const there = sections[at]
    if (own.length > 0 && there !== undefined)
      sections[at] = {
        ...there,
        sentences: [...there.sentences, ...own.map(inOneParagraph)],
      }
  }
  return { template, sections }
}
