import { templateLimits, type NoteTemplate, type NoteType } from '@casenote/contract'
import type { TemplateSection } from '../../engines/writer/templates/note-template.js'
import type { Statement } from '../../kernel/db/database.js'
import type { ClinicId, ClinicianId, SessionId, TemplateId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface TemplateHeadRow {
  templateId: TemplateId
  version: number
  noteType: NoteType
  title: string
  clinicId: ClinicId | null
  clinicianId: ClinicianId | null
  isDefault: boolean
  isRemoved: boolean
  createdAt: Date
}

/** With its file. */
export interface TemplateRow extends TemplateHeadRow {
  template: NoteTemplate
}

const headColumns = `t.template_id as "templateId", t.newest_version as version, t.note_type as "noteType",
    v.template ->> 'title' as title, t.clinic_id as "clinicId", t.clinician_id as "clinicianId",
    t.is_default as "isDefault", t.removed_at is not null as "isRemoved", t.created_at as "createdAt"`

/** With the newest version of each. */
const templateTables = `casenote.note_templates t
  join casenote.note_template_versions v on v.tenant_id = t.tenant_id and v.template_id = t.template_id
    and v.version = t.newest_version`

const templateView = `select ${headColumns}, v.template from ${templateTables}`

/** Those that are offered, without their files. */
export const selectTemplates = (
  tenant: TenantScope,
  { skipped, most }: { skipped: number; most: number },
): Statement<TemplateHeadRow> => ({
  name: 'select_note_templates',
  text: `select ${headColumns} from ${templateTables} where t.tenant_id = $1 and t.removed_at is null
    order by t.seq limit $3 offset $2`,
  values: [tenant.tenantId, skipped, most],
})

export const countOfferedTemplates = (tenant: TenantScope): Statement<{ total: number }> => ({
  name: 'count_offered_note_templates',
  text: 'select count(*)::int as total from casenote.note_templates where tenant_id = $1 and removed_at is null',
  values: [tenant.tenantId],
})

export const selectTemplate = (tenant: TenantScope, templateId: TemplateId): Statement<TemplateRow> => ({
  name: 'select_note_template',
  text: `${templateView} where t.tenant_id = $1 and t.template_id = $2`,
  values: [tenant.tenantId, templateId],
})

/** What a clinician can use: the tenant's, their clinic's and their own. */
const isOfClinician = `t.tenant_id = $1 and t.removed_at is null and (t.clinic_id is null and t.clinician_id is null
    or t.clinician_id = $2
    or t.clinic_id = (select c.clinic_id from casenote.clinicians c where c.tenant_id = $1 and c.clinician_id = $2))`

export type SectionHead = Pick<TemplateSection, 'key' | 'title' | 'holds'>

/** What a list shows of a file, and no more of it: bounded by how many a tenant may have. */
export const selectTemplatesOfClinician = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
): Statement<TemplateHeadRow & { sections: SectionHead[] }> => ({
  name: 'select_note_templates_of_clinician',
  text: `select ${headColumns},
      (select jsonb_agg(jsonb_build_object('key', s.one -> 'key', 'title', s.one -> 'title',
          'holds', coalesce(s.one -> 'holds', '[]')) order by s.place)
        from jsonb_array_elements(v.template -> 'sections') with ordinality s (one, place)) as sections
    from ${templateTables} where ${isOfClinician} order by t.seq limit ${templateLimits.templates}`,
  values: [tenant.tenantId, clinicianId],
})

export const selectUsableTemplate = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
  templateId: TemplateId,
): Statement<TemplateRow> => ({
  name: 'select_usable_note_template',
  text: `${templateView} where ${isOfClinician} and t.template_id = $3`,
  values: [tenant.tenantId, clinicianId, templateId],
})

/** The nearest: the clinician's own, then the clinic's, then the tenant's. */
export const selectDefaultTemplate = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
  noteType: NoteType,
): Statement<TemplateRow> => ({
  name: 'select_default_note_template',
  text: `${templateView} where ${isOfClinician} and t.is_default and t.note_type = $3
    order by t.clinician_id is null, t.clinic_id is null limit 1`,
  values: [tenant.tenantId, clinicianId, noteType],
})

export const selectTemplateVersion = (
  tenant: TenantScope,
  templateId: TemplateId,
  version: number,
): Statement<{ template: NoteTemplate }> => ({
  name: 'select_note_template_version',
  text: `select template from casenote.note_template_versions
    where tenant_id = $1 and template_id = $2 and version = $3`,
  values: [tenant.tenantId, templateId, version],
})

/** Of a tenant's additions each waits for the one before: its bounds are counted first. */
export const lockTemplates = (tenant: TenantScope): Statement => ({
  name: 'lock_note_templates',
  text: `select pg_advisory_xact_lock(hashtextextended('note_templates/' || $1::text, 0))`,
  values: [tenant.tenantId],
})

export const countTemplates = (
  tenant: TenantScope,
  templateId: TemplateId,
): Statement<{ others: number; kept: number; versions: number }> => ({
  name: 'count_note_templates',
  text: `select (select count(*)::int from casenote.note_templates
      where tenant_id = $1 and removed_at is null and template_id <> $2) as others,
    (select count(*)::int from casenote.note_templates where tenant_id = $1 and template_id <> $2) as kept,
    (select count(*)::int from casenote.note_template_versions where tenant_id = $1 and template_id = $2) as versions`,
  values: [tenant.tenantId, templateId],
})

export interface TemplatePlace {
  clinicId: ClinicId | null
  clinicianId: ClinicianId | null
  isDefault: boolean
}

/** Before another one takes its place. */
export const clearDefault = (tenant: TenantScope, noteType: NoteType, place: TemplatePlace): Statement => ({
  name: 'clear_default_note_template',
  text: `update casenote.note_templates set is_default = false
    where tenant_id = $1 and note_type = $2 and is_default
      and clinic_id is not distinct from $3::uuid and clinician_id is not distinct from $4::uuid`,
  values: [tenant.tenantId, noteType, place.clinicId, place.clinicianId],
})

export const upsertTemplate = (
  tenant: TenantScope,
  { id, version, noteType }: NoteTemplate,
  place: TemplatePlace,
): Statement => ({
  name: 'upsert_note_template',
  text: `insert into casenote.note_templates
      (tenant_id, template_id, note_type, newest_version, clinic_id, clinician_id, is_default)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (tenant_id, template_id) do update set note_type = excluded.note_type,
      newest_version = excluded.newest_version, clinic_id = excluded.clinic_id,
      clinician_id = excluded.clinician_id, is_default = excluded.is_default, removed_at = null`,
  values: [tenant.tenantId, id, noteType, version, place.clinicId, place.clinicianId, place.isDefault],
})

export const insertTemplateVersion = (tenant: TenantScope, template: NoteTemplate): Statement => ({
  name: 'insert_note_template_version',
  text: `insert into casenote.note_template_versions (tenant_id, template_id, version, template)
    values ($1, $2, $3, $4)`,
  values: [tenant.tenantId, template.id, template.version, JSON.stringify(template)],
})

export const removeTemplateRow = (tenant: TenantScope, templateId: TemplateId): Statement => ({
  name: 'remove_note_template',
  text: `update casenote.note_templates set removed_at = now(), is_default = false
    where tenant_id = $1 and template_id = $2 and removed_at is null returning 1`,
  values: [tenant.tenantId, templateId],
})

/** Whether they are the tenant's; null where none is named. */
export const selectOwners = (
  tenant: TenantScope,
  { clinicId, clinicianId }: Pick<TemplatePlace, 'clinicId' | 'clinicianId'>,
): Statement<{ hasClinic: boolean; hasClinician: boolean }> => ({
  name: 'select_note_template_owners',
  text: `select $2::uuid is null or exists (select from casenote.clinics
        where tenant_id = $1 and clinic_id = $2) as "hasClinic",
      $3::uuid is null or exists (select from casenote.clinicians
        where tenant_id = $1 and clinician_id = $3) as "hasClinician"`,
  values: [tenant.tenantId, clinicId, clinicianId],
})

export interface PreferencesRow {
  sealedPreferences: Buffer
}

export const selectWritingPreferences = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
): Statement<PreferencesRow> => ({
  name: 'select_writing_preferences',
  text: `select sealed_preferences as "sealedPreferences" from casenote.writing_preferences
    where tenant_id = $1 and clinician_id = $2`,
  values: [tenant.tenantId, clinicianId],
})

export const upsertWritingPreferences = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
  sealedPreferences: Buffer,
): Statement => ({
  name: 'upsert_writing_preferences',
  text: `insert into casenote.writing_preferences (tenant_id, clinician_id, sealed_preferences) values ($1, $2, $3)
    on conflict (tenant_id, clinician_id) do update set sealed_preferences = excluded.sealed_preferences,
      changed_at = now()`,
  values: [tenant.tenantId, clinicianId, sealedPreferences],
})

/** Whose note it is, for what it may be written with. */
export interface TemplateUser {
  clinicianId: ClinicianId
  prescriber: boolean
  defaultNoteType: NoteType | null
}

export const selectClinicianOfSession = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<TemplateUser> => ({
  name: 'select_clinician_of_session',
  text: `select c.clinician_id as "clinicianId", c.prescriber, c.default_note_type as "defaultNoteType"
    from casenote.sessions s
    join casenote.clinicians c on c.tenant_id = s.tenant_id and c.clinician_id = s.clinician_id
    where s.tenant_id = $1 and s.session_id = $2`,
  values: [tenant.tenantId, sessionId],
})
