import { skippedBefore, type AskedPage, type NoteSigner } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import type { ClientId, ClinicianId, NoteId, SessionId, SignerId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** What the signatures of a note `n` are, beside its head: whose is awaited, and why it was given back last. */
export const coSignatureColumns = `n.signed_at as "signedAt", n.co_signed_by_kind as "coSignerKind",
    n.co_signed_by_id as "coSignerId",
    case when n.co_signed_by_kind = 'clinician' then
      (select c.first_name || ' ' || c.last_name from casenote.clinicians c
        where c.tenant_id = n.tenant_id and c.clinician_id = n.co_signed_by_id) end as "coSignerName",
    o.clinician_id as "supervisorId", o.first_name || ' ' || o.last_name as "supervisorName",
    o.deactivated_at is null as "isSupervisorActive",
    coalesce(r.number, 0) as "returnsCount", r.returned_by_id as "returnedById",
    r.first_name || ' ' || r.last_name as "returnedByName", r.sealed_reason as "sealedReturnReason",
    r.returned_at as "returnedAt"`

export interface CoSignatureRow {
  signedAt: Date | null
  coSignerKind: NoteSigner['kind'] | null
  coSignerId: SignerId | null
  coSignerName: string | null
  /** The signer's supervisor as of now, while the note waits. */
  supervisorId: ClinicianId | null
  supervisorName: string | null
  isSupervisorActive: boolean
  returnsCount: number
  returnedById: string | null
  returnedByName: string | null
  sealedReturnReason: Buffer | null
  returnedAt: Date | null
}

/** The supervisor is not kept with the note: who is named later takes over what waits. */
export const coSignatureTables = `left join casenote.clinicians f on f.tenant_id = n.tenant_id
    and f.clinician_id = n.signed_by_id and n.status <> 'finalized'
  left join casenote.clinicians o on o.tenant_id = f.tenant_id and o.clinician_id = f.supervisor_id
  left join lateral (select e.number, e.returned_by_id, b.first_name, b.last_name, e.sealed_reason, e.returned_at
    from casenote.note_returns e
    join casenote.clinicians b on b.tenant_id = e.tenant_id and b.clinician_id = e.returned_by_id
    where e.tenant_id = n.tenant_id and e.note_id = n.note_id order by e.number desc limit 1) r on true`

/** Whether a clinician reads the session of the note `p` because its co-signature is theirs, to be given or given. */
export const coSigns = (clinician: string): string => `(p.co_signed_by_id = ${clinician}
  or (p.status <> 'finalized' and exists (select from casenote.clinicians u where u.tenant_id = p.tenant_id
    and u.clinician_id = p.signed_by_id and u.supervisor_id = ${clinician})))`

export const lockSupervisor = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
): Statement<{ supervisorId: ClinicianId | null }> => ({
  name: 'lock_supervisor',
  text: `select supervisor_id as "supervisorId" from casenote.clinicians
    where tenant_id = $1 and clinician_id = $2 for share`,
  values: [tenant.tenantId, clinicianId],
})

/** Compare and set: what is free and not signed. The status stays: for the contract it is not finalized. */
export const updateSigned = (tenant: TenantScope, noteId: NoteId, clinicianId: ClinicianId): Statement => ({
  name: 'update_note_signed',
  text: `update casenote.progress_notes set signed_by_kind = 'clinician', signed_by_id = $3, signed_at = now()
    where tenant_id = $1 and note_id = $2 and status in ('generated', 'regenerated')
      and active_generation_id is null and signed_by_id is null returning status`,
  values: [tenant.tenantId, noteId, clinicianId],
})

export const updateReturned = (tenant: TenantScope, noteId: NoteId): Statement => ({
  name: 'update_note_returned',
  text: `update casenote.progress_notes set signed_by_kind = null, signed_by_id = null, signed_at = null
    where tenant_id = $1 and note_id = $2 and status <> 'finalized' and signed_by_id is not null
    returning status`,
  values: [tenant.tenantId, noteId],
})

export interface NoteReturnRow {
  number: number
  returnedById: string
  returnedByName: string
  sealedReason: Buffer
  returnedAt: Date
}

/** All of a note, oldest first: at most `noteReturnsMax`. */
export const selectReturns = (tenant: TenantScope, noteId: NoteId): Statement<NoteReturnRow> => ({
  text: `select e.number, e.returned_by_id as "returnedById", b.first_name || ' ' || b.last_name as "returnedByName",
      e.sealed_reason as "sealedReason", e.returned_at as "returnedAt"
    from casenote.note_returns e
    join casenote.clinicians b on b.tenant_id = e.tenant_id and b.clinician_id = e.returned_by_id
    where e.tenant_id = $1 and e.note_id = $2 order by e.number`,
  values: [tenant.tenantId, noteId],
})

export const insertReturn = (
  tenant: TenantScope,
  row: { noteId: NoteId; number: number; clinicianId: ClinicianId; sealedReason: Buffer },
): Statement => ({
  name: 'insert_note_return',
  text: `insert into casenote.note_returns (tenant_id, note_id, number, returned_by_id, sealed_reason)
    values ($1, $2, $3, $4, $5)`,
  values: [tenant.tenantId, row.noteId, row.number, row.clinicianId, row.sealedReason],
})

/** The sessions whose notes wait for this clinician, the longest waiting first, and how many there are. */
export const selectWaiting = (
  tenant: TenantScope,
  { supervisorId, page }: { supervisorId: ClinicianId; page: AskedPage },
): [Statement<{ sessionId: SessionId }>, Statement<{ total: number }>] => {
  const from = `from casenote.clinicians u
    join casenote.progress_notes p on p.tenant_id = u.tenant_id and p.signed_by_id = u.clinician_id
      and p.status <> 'finalized'
    where u.tenant_id = $1 and u.supervisor_id = $2`
  const values = [tenant.tenantId, supervisorId]
  return [
    {
      ...namedForPage('select_waiting_for_co_signature', page),
      text: `select p.session_id as "sessionId" ${from}
        order by p.signed_at, p.note_id limit ${page.size} offset $3`,
      values: [...values, skippedBefore(page)],
    },
    { name: 'count_waiting_for_co_signature', text: `select count(*) as total ${from}`, values },
  ]
}

/** Whether a note of this client waits for them. */
export const selectIsWaiting = (
  tenant: TenantScope,
  { clientId, supervisorId }: { clientId: ClientId; supervisorId: ClinicianId },
): Statement<{ isWaiting: boolean }> => ({
  name: 'select_is_waiting_for_co_signature',
  text: `select exists (select from casenote.sessions s
    join casenote.progress_notes p on p.tenant_id = s.tenant_id and p.session_id = s.session_id
    join casenote.clinicians u on u.tenant_id = p.tenant_id and u.clinician_id = p.signed_by_id
    where s.tenant_id = $1 and s.client_id = $2 and p.status <> 'finalized'
      and u.supervisor_id = $3) as "isWaiting"`,
  values: [tenant.tenantId, clientId, supervisorId],
})
