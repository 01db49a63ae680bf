import type { NoteSigner } from '@casenote/contract'
import { toSigner } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClinicianId, NoteId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { applyNoteAction } from './apply-note-action.js'
import { changedMeanwhile } from './change-note.js'
import { decideSignature } from './co-signature.js'
import { lockSupervisor, updateSigned } from './co-signatures.sql.js'
import { matchesTag } from './describe-note.js'
import { getLockedNote, getNote } from './get-note.js'
import { isAwaiting, requireIdle, requireWritten } from './note-lifecycle.js'
import { insertNoteHistory, type NoteRow } from './progress-notes.sql.js'
import { recordNoteChange } from './record-note-change.js'

/** Which signature it is that something goes with. */
export interface Signature {
  /** Null: it is the first. */
  firstSignedAt: Date | null
  isLast: boolean
}

export interface Signing {
  /** The entity tag of the note that the signer has seen; null where nobody says, as by the contract. */
  ifMatch: string | null
  /** Whether the signer was told that somebody co-signs; null where nobody says. */
  expectsCoSignature: boolean | null
  /** What goes with it, or stops it. */
  settle: (signature: Signature) => Promise<void>
}

/**
 * Signs the note. The last signature asked for locks it for good; the one before it locks it for the supervisor. Where
 * it is given already nothing happens, and no second event. 409 where it is not the note that was seen.
 */
export async function finalizeNote(
  tx: Tx,
  context: ChangeContext,
  noteId: NoteId,
  { ifMatch, expectsCoSignature, settle }: Signing,
): Promise<NoteRow> {
  const note = await getLockedNote(tx, noteId)
  const signer = toSigner(context.actor)
  requireIdle(note)
  if (note.status !== 'finalized') requireWritten(note)
  const effect = decideSignature(note, signer, await findLockedSupervisor(tx, signer))
  // A caller whose answer was lost sends the same request again, with the tag that the note had before their own signature.
  const isRepeated = effect === 'none' && [note.signerId, note.coSignerId].includes(signer.id)
  if (ifMatch !== null && !isRepeated && !matchesTag(ifMatch, context.ring, note)) throw changedMeanwhile()
  if (effect === 'none') return note
  if (expectsCoSignature !== null && expectsCoSignature !== (effect === 'sign'))
    throw refuse.conflict('co_signer_changed', 'Who co-signs the note has changed since it was asked for')
  const firstSignedAt = isAwaiting(note) ? note.signedAt : null
  await settle({ firstSignedAt, isLast: effect === 'finalize' })
  await (effect === 'sign' ? sign(tx, context, note, signer.id) : finalize(tx, context, note, signer))
  return getNote(tx, noteId)
}

async function findLockedSupervisor(
  tx: Tx,
  { kind, id }: Pick<NoteSigner, 'kind' | 'id'>,
): Promise<ClinicianId | null> {
  if (kind === 'partner') return null
  const [row] = await tx.run(lockSupervisor(tx.tenant, id))
  return row?.supervisorId ?? null
}

/** The contract has no event for it: for the partner the note is not finalized. */
async function sign(tx: Tx, context: ChangeContext, note: NoteRow, clinicianId: ClinicianId): Promise<void> {
  const { noteId, progressNoteId, status } = note
  if ((await tx.run(updateSigned(tx.tenant, noteId, clinicianId))).length === 0) {
    throw new Error('a note that is free could not be signed')
  }
  const history = { action: 'sign', fromStatus: status, toStatus: status, progressNoteId }
  await tx.run(insertNoteHistory(tx.tenant, noteId, history))
  await recordNoteChange(tx, context, 'progressNote.sign', note)
}

async function finalize(
  tx: Tx,
  context: ChangeContext,
  note: NoteRow,
  signer: Pick<NoteSigner, 'kind' | 'id'>,
): Promise<void> {
  const { progressNoteId } = note
  const change = { generationId: null, progressNoteId, addedVersions: 0, signer } as const
  if (!(await applyNoteAction(tx, context, note, 'finalize', change))) {
    throw new Error('a note that is free could not be finalized')
  }
  const isSecond = isAwaiting(note) && note.signerId !== signer.id
  await recordNoteChange(tx, context, isSecond ? 'progressNote.coSign' : 'progressNote.finalize', note)
}
