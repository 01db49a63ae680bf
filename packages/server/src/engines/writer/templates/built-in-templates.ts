import { readFileSync } from 'node:fs'
import { NOTE_TYPES, type NoteTemplate, type NoteType } from '@casenote/contract'
import type { TemplateId } from '../../../kernel/ids.js'
import { ownFile } from '../../../kernel/own-files.js'
import { readTemplateFile } from './read-template-file.js'

/** The newest of each type. A file of an earlier version stays beside it, for the notes that were written with it. */
const files: readonly string[] = NOTE_TYPES

let read: readonly NoteTemplate[] | null = null

/** Read once. A file of ours that does not fit is a fault of ours, and `npm run check` finds it first. */
function builtInTemplates(): readonly NoteTemplate[] {
  read ??= files.map((name) => readTemplateFile(readFileSync(ownFile(`templates/${name}.json`), 'utf8')))
  return read
}

export const isBuiltIn = (templateId: TemplateId): boolean =>
  builtInTemplates().some(({ id }) => id === templateId)

/** Of every type of note there is one, under its name. */
export function builtInTemplate(noteType: NoteType, version?: number): NoteTemplate {
  const own = builtInTemplates().filter(({ id }) => id === noteType)
  const found = own.find((one) => one.version === version) ?? own[0]
  if (found === undefined) throw new Error(`there is no template of ${noteType}`)
  return found
}

/** By what a session, a generation or a version of a note keeps; nothing is of the time before templates. */
export const templateFor = (row: {
  noteType: NoteType
  templateVersion: number | null
  template: NoteTemplate | null
}): NoteTemplate => row.template ?? builtInTemplate(row.noteType, row.templateVersion ?? 1)

/** The templates of types of note that have another default than ours. Data, which goes to threads. */
export type DefaultTemplates = Readonly<Partial<Record<NoteType, NoteTemplate>>>

/** What an edit to another type of note goes to. */
export const defaultOf = (noteType: NoteType, defaults: DefaultTemplates = {}): NoteTemplate =>
  defaults[noteType] ?? builtInTemplate(noteType)

/** The template of a request; of one that names none, that of its type. */
export const templateOf = (request: {
  noteType: NoteType
  template?: NoteTemplate | undefined
}): NoteTemplate => request.template ?? builtInTemplate(request.noteType)
