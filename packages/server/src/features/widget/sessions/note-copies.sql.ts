import type { NoteCopy } from '@casenote/contract'
import type { Statement } from '../../../kernel/db/database.js'
import type { ClientId, ClinicianId, NoteId, ProgressNoteId } from '../../../kernel/ids.js'
import type { TenantScope } from '../../../kernel/tenant.js'

/** What the page says of its chart is its word: a client who is not the tenant's is nobody. */
export const insertNoteCopy = (
  tenant: TenantScope,
  row: {
    noteId: NoteId
    progressNoteId: ProgressNoteId
    clinicianId: ClinicianId
    to: NoteCopy['to']
    chartClientId: ClientId | null
  },
): Statement<{ chartClientId: ClientId | null }> => ({
  name: 'insert_note_copy',
  text: `insert into casenote.note_copies
      (tenant_id, note_id, progress_note_id, clinician_id, copied_to, chart_client_id)
    values ($1, $2, $3, $4, $5,
      (select c.client_id from casenote.clients c where c.tenant_id = $1 and c.client_id = $6))
    returning chart_client_id as "chartClientId"`,
  values: [tenant.tenantId, row.noteId, row.progressNoteId, row.clinicianId, row.to, row.chartClientId],
})

export interface NoteCopyRow {
  progressNoteId: ProgressNoteId
  to: NoteCopy['to']
  chartClientId: ClientId | null
  copiedAt: Date
}

export const selectNoteCopies = (tenant: TenantScope, noteId: NoteId): Statement<NoteCopyRow> => ({
  name: 'select_note_copies',
  text: `select progress_note_id as "progressNoteId", copied_to as "to", chart_client_id as "chartClientId",
      copied_at as "copiedAt"
    from casenote.note_copies where tenant_id = $1 and note_id = $2 order by seq desc limit 100`,
  values: [tenant.tenantId, noteId],
})
