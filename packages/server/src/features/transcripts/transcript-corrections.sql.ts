import type { Statement } from '../../kernel/db/database.js'
import type { ClinicianId, SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** Three hours have 1,500 turns; the check constraint names the same. */
export const correctionsMax = 2_000

/** How many corrections a transcript has had, by the highest number: those of struck lines are gone. */
export const countCorrections = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ total: number }> => ({
  name: 'count_transcript_corrections',
  text: `select coalesce(max(number), 0) as total from casenote.transcript_corrections where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

interface NewCorrection {
  number: number
  item: number
  clinicianId: ClinicianId
  sealedWords: Buffer
  /** Not now, of one that another session takes over. */
  createdAt?: Date
}

export const insertCorrection = (
  tenant: TenantScope,
  row: NewCorrection & { sessionId: SessionId },
): Statement => ({
  name: 'insert_transcript_correction',
  text: `insert into casenote.transcript_corrections
      (tenant_id, session_id, number, item, clinician_id, sealed_words, created_at)
    values ($1, $2, $3, $4, $5, $6, coalesce($7, now()))`,
  values: [
    tenant.tenantId,
    row.sessionId,
    row.number,
    row.item,
    row.clinicianId,
    row.sealedWords,
    row.createdAt ?? null,
  ],
})

/** All of a transcript, `correctionsMax` at most. */
export const selectCorrections = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<Required<NewCorrection>> => ({
  text: `select number, item, clinician_id as "clinicianId", sealed_words as "sealedWords", created_at as "createdAt"
    from casenote.transcript_corrections where tenant_id = $1 and session_id = $2 order by number`,
  values: [tenant.tenantId, sessionId],
})

/** Numbers of the lines whose words were ever put right. */
export const selectCorrectedNumbers = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ item: number }> => ({
  name: 'select_corrected_numbers',
  text: `select distinct item from casenote.transcript_corrections
    where tenant_id = $1 and session_id = $2 order by item`,
  values: [tenant.tenantId, sessionId],
})

export interface CorrectedItemRow {
  item: number
  /** The number of an item's first correction, whose words before are the recognizer's. */
  number: number
  sealedWords: Buffer
  name: string
  at: Date
}

/** At most `correctionsMax` rows: the first correction of each item, with author and moment of the last. */
export const selectCorrectedItems = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<CorrectedItemRow> => ({
  name: 'select_corrected_items',
  text: `select first.item, first.number, first.sealed_words as "sealedWords",
      c.first_name || ' ' || c.last_name as name, last.created_at as at
    from (select item, min(number) as first, max(number) as last from casenote.transcript_corrections
      where tenant_id = $1 and session_id = $2 and not exists (select from casenote.sessions s
        where s.tenant_id = $1 and s.session_id = $2 and s.failure_code = 'withdrawn') group by item) ends
    join casenote.transcript_corrections first
      on first.tenant_id = $1 and first.session_id = $2 and first.number = ends.first
    join casenote.transcript_corrections last
      on last.tenant_id = $1 and last.session_id = $2 and last.number = ends.last
    join casenote.clinicians c on c.tenant_id = $1 and c.clinician_id = last.clinician_id
    order by first.item`,
  values: [tenant.tenantId, sessionId],
})

export const deleteCorrections = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  text: 'delete from casenote.transcript_corrections where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})
