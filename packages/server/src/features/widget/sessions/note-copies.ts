import type { CorrectedClient, NoteCopy } from '@casenote/contract'
import type { Database, Tx } from '../../../kernel/db/database.js'
import type { ClinicianId } from '../../../kernel/ids.js'
import type { TenantScope } from '../../../kernel/tenant.js'
import { selectNoteIds, type NoteRow } from '../../progress-notes/index.js'
import { insertNoteCopy, selectNoteCopies } from './note-copies.sql.js'

/** Gives whose chart it was; null where the page did not say, or named nobody whom we know. */
export async function recordCopy(
  tx: Tx,
  { noteId, progressNoteId }: NoteRow,
  { clinicianId, to, chartClientId = null }: NoteCopy & { clinicianId: ClinicianId },
): Promise<string | null> {
  const [copied] = await tx.run(
    insertNoteCopy(tx.tenant, { noteId, progressNoteId, clinicianId, to, chartClientId }),
  )
  return copied?.chartClientId ?? null
}

/** All that a partner may have of a withdrawn session. */
export async function describeWithdrawn(
  db: Database,
  tenant: TenantScope,
  { noteId, sessionId, sessionExternalId, clientId }: NoteRow,
): Promise<CorrectedClient['withdrawn']> {
  const [ids, copies] = await db.read(tenant, selectNoteIds(tenant, noteId), selectNoteCopies(tenant, noteId))
  return {
    sessionId,
    sessionExternalId,
    clientId,
    progressNoteIds: ids.map(({ progressNoteId }) => progressNoteId),
    copies: copies.map(({ copiedAt, ...copy }) => ({ ...copy, copiedAt: copiedAt.toISOString() })),
  }
}
