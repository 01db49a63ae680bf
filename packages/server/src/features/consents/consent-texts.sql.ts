import type { TextLanguage, TextOwner } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import type { ClientId, ClinicId, OrganizationId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface TextRow {
  textId: string
  /** The organization that the text is for, or whose clinic it is for. Null: all of the partner's. */
  organizationId: OrganizationId | null
  clinicId: ClinicId | null
  language: TextLanguage
  version: string
  body: string
  createdAt: Date
}

/** Whose text a row `t` is. */
export const textOwner = `case when t.clinic_id is not null then 'clinic' when t.organization_id is not null then 'organization' else 'partner' end`

const textColumns = `t.text_id as "textId", t.organization_id as "organizationId", t.clinic_id as "clinicId", t.language, t.version, t.body, t.created_at as "createdAt"`

/** That of the client's clinic before its organization's before the partner's, and of each the newest. `version` and `owner`: only that one. */
export const selectTextFor = (
  tenant: TenantScope,
  wanted: { clientId: ClientId; language: TextLanguage; version: string | null; owner: TextOwner | null },
): Statement<TextRow> => ({
  name: 'select_consent_text_for_client',
  text: `select ${textColumns} from casenote.clients c
    join casenote.clinics k on k.tenant_id = c.tenant_id and k.clinic_id = c.clinic_id
    join casenote.consent_texts t on t.tenant_id = c.tenant_id
      and (t.organization_id is null or t.organization_id = k.organization_id) and (t.clinic_id is null or t.clinic_id = k.clinic_id)
    where c.tenant_id = $1 and c.client_id = $2 and t.language = $3 and ($4::text is null or t.version = $4)
      and ($5::text is null or $5 = ${textOwner})
    order by t.clinic_id nulls last, t.organization_id nulls last, t.seq desc limit 1`,
  values: [tenant.tenantId, wanted.clientId, wanted.language, wanted.version, wanted.owner],
})

/**
 * The one with this id, if it can have been shown to the client: the partner's, their organization's, or that of any of its clinics. A
 * transfer moves a client between these, and nobody keeps where they were.
 */
export const selectShownText = (
  tenant: TenantScope,
  wanted: { clientId: ClientId; textId: string },
): Statement<TextRow> => ({
  name: 'select_consent_text_shown',
  text: `select ${textColumns} from casenote.clients c
    join casenote.clinics k on k.tenant_id = c.tenant_id and k.clinic_id = c.clinic_id
    join casenote.consent_texts t on t.tenant_id = c.tenant_id
      and (t.organization_id is null or t.organization_id = k.organization_id)
    where c.tenant_id = $1 and c.client_id = $2 and t.text_id = $3`,
  values: [tenant.tenantId, wanted.clientId, wanted.textId],
})

/** Whatever is newer by now. */
export const selectTextsById = (tenant: TenantScope, textIds: readonly string[]): Statement<TextRow> => ({
  name: 'select_consent_texts_by_id',
  text: `select ${textColumns} from casenote.consent_texts t where t.tenant_id = $1 and t.text_id = any($2)`,
  values: [tenant.tenantId, textIds],
})

/** As many as anybody looks through. */
export const selectTexts = (tenant: TenantScope, most: number): Statement<TextRow> => ({
  text: `select ${textColumns} from casenote.consent_texts t where t.tenant_id = $1 order by t.seq desc limit $2`,
  values: [tenant.tenantId, most],
})

/** No row: there is a text of this version. */
export const insertText = (tenant: TenantScope, row: Omit<TextRow, 'createdAt'>): Statement => ({
  text: `insert into casenote.consent_texts (tenant_id, text_id, organization_id, clinic_id, language, version, body)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning 1`,
  values: [
    tenant.tenantId,
    row.textId,
    row.organizationId,
    row.clinicId,
    row.language,
    row.version,
    row.body,
  ],
})

export const selectOrganizationName = (tenant: TenantScope, organizationId: OrganizationId): Statement => ({
  text: 'select name from casenote.organizations where tenant_id = $1 and organization_id = $2',
  values: [tenant.tenantId, organizationId],
})

export const selectClinicOrganization = (
  tenant: TenantScope,
  clinicId: ClinicId,
): Statement<{ organizationId: OrganizationId }> => ({
  text: 'select organization_id as "organizationId" from casenote.clinics where tenant_id = $1 and clinic_id = $2',
  values: [tenant.tenantId, clinicId],
})
