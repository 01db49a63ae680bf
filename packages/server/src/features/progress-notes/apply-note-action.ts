import { toSessionPayload } from '@casenote/contract'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { GenerationId, ProgressNoteId } from '../../kernel/ids.js'
import { recordEvent } from '../../kernel/outbox/index.js'
import type { NoteSigner } from '@casenote/contract'
import { NOTE_TRANSITIONS, type NoteAction } from './note-lifecycle.js'
import { insertNoteHistory, updateNoteStatus, type NoteRow } from './progress-notes.sql.js'

/**
 * The one way to change a note's status: compare and set behind the fence, with the history row and the event. False:
 * the note is in no status that this action starts from, or not in the hands of this generation; nothing was changed.
 */
export async function applyNoteAction(
  tx: Tx,
  context: Pick<ChangeContext, 'publicUrl' | 'nowMs'>,
  note: NoteRow,
  action: NoteAction,
  change: {
    generationId: GenerationId | null
    progressNoteId: ProgressNoteId
    addedVersions: 0 | 1
    signer?: Pick<NoteSigner, 'kind' | 'id'> | null
  },
): Promise<boolean> {
  const { from, to, event } = NOTE_TRANSITIONS[action]
  const { progressNoteId, signer = null } = change
  const [changed] = await tx.run(updateNoteStatus(tx.tenant, note.noteId, { from, to, ...change, signer }))
  if (changed === undefined) return false
  tx.announce('casenote_sessions')
  const { fromStatus } = changed
  await tx.run(
    insertNoteHistory(tx.tenant, note.noteId, { action, fromStatus, toStatus: to, progressNoteId }),
  )
  if (event === null) return true
  const payload = {
    ...toSessionPayload(note),
    progressNoteId,
    progressNoteUrl: `${context.publicUrl}/v2/sessions/${note.sessionId}/progress-note`,
    organization: note.organizationId,
  }
  // The contract's own deduplication key.
  const onceKey = `${event}/${progressNoteId}`
  await recordEvent(tx, { eventType: event, payload, onceKey, nowMs: context.nowMs })
  return true
}
