import {
  skippedBefore,
  type AskedPage,
  type ConsentMethod,
  type ConsentRelation,
  type ConsentSaidTo,
  type ConsentState,
  type TextLanguage,
  type TextOwner,
} from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import type { ClientId, ClinicianId, ConsentId, SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { hasGuardianRefused, recordingConsentDuring, recordingConsentOf } from '../clients/index.js'
import { textOwner } from './consent-texts.sql.js'

/** Who says that it was so: `clinicianId` where it was a clinician, and then alone. */
export interface Sayer {
  saidTo: ConsentSaidTo
  clinicianId: ClinicianId | null
}

export interface WordRow extends Sayer {
  consentId: ConsentId
  clientId: ClientId
  relation: ConsentRelation
  method: ConsentMethod
  textVersion: string
  textId: string | null
  language: TextLanguage | null
  sealedPerson: Buffer | null
  isGiven: boolean
  /** Which consent is taken back; null: the word gives, or takes back all that the client had given. */
  withdraws: string | null
}

/** The time is that of the row, not of its transaction, which may have waited for a session that was being opened. */
export const insertWord = (tenant: TenantScope, row: WordRow): Statement => ({
  name: 'insert_recording_consent',
  text: `insert into casenote.recording_consents (tenant_id, client_id, clinician_id, text_version, is_given, consent_id,
      relation, method, said_to, sealed_person, language, text_id, withdraws, recorded_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, clock_timestamp())`,
  values: [
    tenant.tenantId,
    row.clientId,
    row.clinicianId,
    row.textVersion,
    row.isGiven,
    row.consentId,
    row.relation,
    row.method,
    row.saidTo,
    row.sealedPerson,
    row.language,
    row.textId,
    row.withdraws,
  ],
})

/** A word of the client, or of who speaks for them. */
const ofClient = `relation in ('self', 'guardian')`

export interface ConsentStateRow {
  state: ConsentState
}

export const selectConsentState = (tenant: TenantScope, clientId: ClientId): Statement<ConsentStateRow> => ({
  name: 'select_consent_state',
  text: `select ${recordingConsentOf('$1', '$2')} as state`,
  values: [tenant.tenantId, clientId],
})

/** For the recording of a session. */
export const selectConsentDuring = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<ConsentStateRow> => ({
  name: 'select_consent_during',
  text: `select ${recordingConsentDuring('s')} as state from casenote.sessions s where s.tenant_id = $1 and s.session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

export interface ConsentedRow {
  clientId: ClientId
  recordedAt: Date
}

/** Since when it holds, for those for whom it does. */
export const selectConsented = (
  tenant: TenantScope,
  clientIds: readonly ClientId[],
): Statement<ConsentedRow> => ({
  name: 'select_recording_consents',
  text: `select w.client_id as "clientId", c.recorded_at as "recordedAt"
    from unnest($2::uuid[]) as w (client_id)
    cross join lateral (select r.is_given, r.recorded_at from casenote.recording_consents r
      where r.tenant_id = $1 and r.client_id = w.client_id and (not r.is_given or r.${ofClient})
      order by r.seq desc limit 1) c
    where c.is_given and not ${hasGuardianRefused('$1', 'w.client_id')}`,
  values: [tenant.tenantId, clientIds],
})

export interface ConsentRow extends Sayer {
  consentId: ConsentId
  clientId: ClientId
  relation: ConsentRelation
  method: ConsentMethod
  textVersion: string
  textId: string | null
  /** Null: it is ours, or nobody knows the text. */
  ownText: Exclude<TextOwner, 'casenote'> | null
  language: TextLanguage | null
  sealedPerson: Buffer | null
  recordedAt: Date
  withdrawnAt: Date | null
  withdrawnTo: ConsentSaidTo | null
  withdrawnClinicianId: ClinicianId | null
}

const consentColumns = `g.consent_id as "consentId", g.client_id as "clientId", g.relation, g.method, g.text_version as "textVersion",
  g.text_id as "textId",
  (select ${textOwner} from casenote.consent_texts t
    where t.tenant_id = g.tenant_id and t.text_id = g.text_id) as "ownText",
  g.language, g.sealed_person as "sealedPerson", g.said_to as "saidTo", g.clinician_id as "clinicianId",
  g.recorded_at as "recordedAt", w.recorded_at as "withdrawnAt", w.said_to as "withdrawnTo", w.clinician_id as "withdrawnClinicianId"`

/** Each word that gave, with the first one that took it back. */
const consentTables = `casenote.recording_consents g
  left join lateral (select x.recorded_at, x.said_to, x.clinician_id from casenote.recording_consents x
    where x.tenant_id = g.tenant_id and x.client_id = g.client_id and not x.is_given and x.seq > g.seq
      and (x.withdraws = g.consent_id or x.withdraws is null and g.${ofClient}) order by x.seq limit 1) w on true`

export const selectConsent = (
  tenant: TenantScope,
  clientId: ClientId,
  consentId: ConsentId,
): Statement<ConsentRow> => ({
  name: 'select_consent',
  text: `select ${consentColumns} from ${consentTables}
    where g.tenant_id = $1 and g.client_id = $2 and g.consent_id = $3 and g.is_given`,
  values: [tenant.tenantId, clientId, consentId],
})

/** Whose consent has this id, of all clients. */
export const selectClientOfConsent = (
  tenant: TenantScope,
  consentId: ConsentId,
): Statement<{ clientId: ClientId }> => ({
  name: 'select_client_of_consent',
  text: 'select client_id as "clientId" from casenote.recording_consents where tenant_id = $1 and consent_id = $2',
  values: [tenant.tenantId, consentId],
})

/** How often somebody said no to what nobody had agreed to, and whether that is the newest word, to the same text. */
export const selectRefusals = (
  tenant: TenantScope,
  clientId: ClientId,
  textVersion: string,
): Statement<{ total: number; isNewest: boolean }> => ({
  name: 'select_refusals',
  text: `select count(*)::int as total, coalesce((select not n.is_given and n.withdraws is null and n.text_version = $3
      from casenote.recording_consents n where n.tenant_id = $1 and n.client_id = $2 order by n.seq desc limit 1), false) as "isNewest"
    from casenote.recording_consents r
    where r.tenant_id = $1 and r.client_id = $2 and not r.is_given and r.withdraws is null`,
  values: [tenant.tenantId, clientId, textVersion],
})

export const selectConsents = (
  tenant: TenantScope,
  clientId: ClientId,
  page: AskedPage,
): Statement<ConsentRow> => ({
  ...namedForPage('select_consents', page),
  text: `select ${consentColumns} from ${consentTables}
    where g.tenant_id = $1 and g.client_id = $2 and g.is_given order by g.seq limit ${page.size} offset $3`,
  values: [tenant.tenantId, clientId, skippedBefore(page)],
})

export const countConsents = (tenant: TenantScope, clientId: ClientId): Statement<{ total: number }> => ({
  name: 'count_consents',
  text: `select count(*) as total from casenote.recording_consents
    where tenant_id = $1 and client_id = $2 and is_given`,
  values: [tenant.tenantId, clientId],
})

/** `isOwn`: only the client's, or of who speaks for them. */
export const selectNewestConsents = (
  tenant: TenantScope,
  clientId: ClientId,
  { most, isOwn }: { most: number; isOwn: boolean },
): Statement<ConsentRow> => ({
  name: 'select_newest_consents',
  text: `select ${consentColumns} from ${consentTables}
    where g.tenant_id = $1 and g.client_id = $2 and g.is_given and (not $4::boolean or g.${ofClient}) order by g.seq desc limit $3`,
  values: [tenant.tenantId, clientId, most, isOwn],
})

/** What stands of the client's, or of who speaks for them: at most `most`, oldest first. */
export const selectStandingConsents = (
  tenant: TenantScope,
  clientId: ClientId,
  most: number,
): Statement<ConsentRow> => ({
  name: 'select_standing_consents',
  text: `select ${consentColumns} from ${consentTables}
    where g.tenant_id = $1 and g.client_id = $2 and g.is_given and g.${ofClient} and w.recorded_at is null
    order by g.seq limit $3`,
  values: [tenant.tenantId, clientId, most],
})

/** Every word about it, oldest first; nobody changes their mind more often. */
export const selectConsentHistory = (
  tenant: TenantScope,
  clientId: ClientId,
): Statement<WordRow & { recordedAt: Date }> => ({
  text: `select consent_id as "consentId", client_id as "clientId", clinician_id as "clinicianId", said_to as "saidTo",
      text_version as "textVersion", text_id as "textId", language, relation, method, sealed_person as "sealedPerson",
      is_given as "isGiven", withdraws, recorded_at as "recordedAt"
    from casenote.recording_consents where tenant_id = $1 and client_id = $2 order by seq limit 10000`,
  values: [tenant.tenantId, clientId],
})

export const selectRequiresConsent = (tenant: TenantScope): Statement<{ requiresConsent: boolean }> => ({
  name: 'select_requires_consent',
  text: 'select requires_consent as "requiresConsent" from casenote.tenants where tenant_id = $1',
  values: [tenant.tenantId],
})
