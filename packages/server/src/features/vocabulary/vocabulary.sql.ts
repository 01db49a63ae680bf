import type { Statement } from '../../kernel/db/database.js'
import type { ClinicId, ClinicianId, TermId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** How many terms a clinician may have, and a clinic besides: every word of a recording is compared with all of them. */
export const termsMax = 300

export interface TermRow {
  termId: TermId
  clinicianId: ClinicianId | null
  sealedTerm: Buffer
}

const ofClinician = `from casenote.vocabulary_terms t
    join casenote.clinicians c on c.tenant_id = t.tenant_id and c.clinic_id = t.clinic_id and c.clinician_id = $2
    where t.tenant_id = $1 and (t.clinician_id is null or t.clinician_id = $2)`

/** The clinician's own and their clinic's. */
export const selectTerms = (tenant: TenantScope, clinicianId: ClinicianId): Statement<TermRow> => ({
  name: 'select_vocabulary_terms',
  text: `select t.term_id as "termId", t.clinician_id as "clinicianId", t.sealed_term as "sealedTerm"
    ${ofClinician} order by t.created_at, t.term_id limit ${2 * termsMax}`,
  values: [tenant.tenantId, clinicianId],
})

export const selectClinicOf = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
): Statement<{ clinicId: ClinicId }> => ({
  name: 'select_clinic_for_vocabulary',
  text: `select clinic_id as "clinicId" from casenote.clinicians where tenant_id = $1 and clinician_id = $2`,
  values: [tenant.tenantId, clinicianId],
})

/** Locks a clinic's vocabulary: of several additions each waits for the one before, since its bound is counted and its term read first. */
export const lockVocabulary = (clinicId: ClinicId): Statement => ({
  name: 'lock_vocabulary',
  text: `select pg_advisory_xact_lock(hashtextextended('vocabulary/' || $1::text, 0))`,
  values: [clinicId],
})

export const insertTerm = (
  tenant: TenantScope,
  row: { termId: TermId; clinicId: ClinicId; clinicianId: ClinicianId | null; sealedTerm: Buffer },
): Statement => ({
  name: 'insert_vocabulary_term',
  text: `insert into casenote.vocabulary_terms (tenant_id, term_id, clinic_id, clinician_id, sealed_term)
    values ($1, $2, $3, $4, $5)`,
  values: [tenant.tenantId, row.termId, row.clinicId, row.clinicianId, row.sealedTerm],
})

export const updateTerm = (tenant: TenantScope, termId: TermId, sealedTerm: Buffer): Statement => ({
  name: 'update_vocabulary_term',
  text: 'update casenote.vocabulary_terms set sealed_term = $3 where tenant_id = $1 and term_id = $2',
  values: [tenant.tenantId, termId, sealedTerm],
})

/** Deletes a term of the clinician, or of their clinic. */
export const deleteTerm = (tenant: TenantScope, clinicianId: ClinicianId, termId: TermId): Statement => ({
  name: 'delete_vocabulary_term',
  text: `delete from casenote.vocabulary_terms d
    where d.tenant_id = $1 and d.term_id = $3 and exists (select ${ofClinician} and t.term_id = $3) returning 1`,
  values: [tenant.tenantId, clinicianId, termId],
})
