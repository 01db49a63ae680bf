import type { NoteTemplate } from '@casenote/contract'
import { templateFor } from '../../engines/writer/templates/built-in-templates.js'
import { enqueueStep } from '../../jobs/enqueue-step.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type NoteId, type SessionId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { findUsableTemplate } from '../templates/index.js'
import { getLockedNote, getNote } from './get-note.js'
import { instructionsPlace } from './note-content.js'
import { activateGeneration, insertGeneration, type GenerationKind } from './note-generations.sql.js'
import { requireRoomForVersion, requireUnlocked, requireWritten } from './note-lifecycle.js'
import { selectHasTranscript, selectNoteOfSession, type NoteRow } from './progress-notes.sql.js'
import { recordNoteChange } from './record-note-change.js'

/** The first writing, once there is a transcript. Null: it was started before, or the note has already failed. */
export async function startWriting(
  tx: Tx,
  context: ChangeContext,
  sessionId: SessionId,
): Promise<string | null> {
  const [found] = await tx.run(selectNoteOfSession(tx.tenant, sessionId))
  if (found === undefined) throw new Error('a session has no note')
  const note = await getLockedNote(tx, found.noteId)
  if (note.status !== 'generating' || note.activeGenerationId !== null) return null
  return requestGeneration(tx, context, note, { kind: 'generation', userInstructions: null })
}

/**
 * Writes the note again from the transcript, with another template if one is given: the session's changes with the text, so
 * that a failure leaves both as they were. Else with the newest version of its own. A first writing that failed may be tried
 * again so.
 */
export async function regenerateNote(
  tx: Tx,
  context: ChangeContext,
  noteId: NoteId,
  chosen: NoteTemplate | null = null,
): Promise<NoteRow> {
  const note = await getLockedNote(tx, noteId)
  requireUnlocked(note)
  const [transcript] = await tx.run(selectHasTranscript(tx.tenant, note.sessionId))
  if (transcript?.has !== true) throw refuse.conflict('transcript_missing', 'Session has no transcript')
  requireRoomForVersion(note)
  const template = await findNextTemplate(tx, note, chosen)
  await addGeneration(tx, context, note, { kind: 'regeneration', userInstructions: null, template })
  await recordNoteChange(tx, context, 'progressNote.regenerate', note)
  return getNote(tx, noteId)
}

/**
 * After its texts were struck. As the first writing, and not as a regeneration: there is no text that anybody is kept from meanwhile, so it waits as
 * long for an engine, and what else is made of the session comes also if it fails.
 */
export async function writeAnew(tx: Tx, context: ChangeContext, note: NoteRow): Promise<void> {
  const template = await findNextTemplate(tx, note, null)
  await addGeneration(tx, context, note, { kind: 'generation', userInstructions: null, template })
  await recordNoteChange(tx, context, 'progressNote.regenerate', note)
}

/** Null: the one that it has. */
async function findNextTemplate(
  tx: Tx,
  note: NoteRow,
  chosen: NoteTemplate | null,
): Promise<NoteTemplate | null> {
  const now = templateFor(note)
  const next = chosen ?? (await findUsableTemplate(tx, note.clinicianId, now.id)) ?? now
  return next.id === now.id && next.version === now.version ? null : next
}

/** Changes the note as the instructions say. */
export async function magicEditNote(
  tx: Tx,
  context: ChangeContext,
  noteId: NoteId,
  userInstructions: string,
): Promise<NoteRow> {
  const note = await getLockedNote(tx, noteId)
  requireUnlocked(note)
  requireWritten(note)
  await requestGeneration(tx, context, note, { kind: 'magic_edit', userInstructions })
  await recordNoteChange(tx, context, 'progressNote.magicEdit', note)
  return getNote(tx, noteId)
}

async function requestGeneration(
  tx: Tx,
  context: ChangeContext,
  note: NoteRow,
  asked: AskedGeneration,
): Promise<string> {
  requireRoomForVersion(note)
  return addGeneration(tx, context, note, asked)
}

interface AskedGeneration {
  kind: GenerationKind
  userInstructions: string | null
  template?: NoteTemplate | null
}

/** The pending row says what to write, and is the note's fence until it has ended. */
async function addGeneration(
  tx: Tx,
  { ring }: ChangeContext,
  note: NoteRow,
  { kind, userInstructions, template = null }: AskedGeneration,
): Promise<string> {
  const generationId = newId()
  const { noteId, clinicianId, progressNoteId } = note
  const sealedInstructions =
    userInstructions === null
      ? null
      : sealJson(ring.forClient(note.clientId), instructionsPlace(generationId), userInstructions)
  await tx.run(
    insertGeneration(tx.tenant, {
      generationId,
      noteId,
      clinicianId,
      kind,
      progressNoteId,
      sealedInstructions,
      template,
    }),
  )
  const activated = await tx.run(activateGeneration(tx.tenant, noteId, generationId))
  if (activated.length === 0) throw new Error('a generation was requested for a note that is not free')
  await enqueueStep(tx, 'note_wanted', generationId)
  return generationId
}
