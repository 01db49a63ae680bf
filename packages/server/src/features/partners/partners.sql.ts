import type { CheckModes } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import type { ApiClientId, ClinicianId, TenantId } from '../../kernel/ids.js'
import type { Environment, TenantScope } from '../../kernel/tenant.js'
import { digestOf } from './partner-credentials.js'

export interface ApiKeyRow {
  tenantId: TenantId
  /** Whether the API key was rotated, or its partner is suspended. */
  isEnded: boolean
}

/** A door: whose key that is, or was. */
export const findApiKey = (hash: Buffer): Statement<ApiKeyRow> => ({
  name: 'find_api_key',
  text: 'select tenant_id as "tenantId", is_ended as "isEnded" from casenote.find_api_key($1)',
  values: [hash],
})

/** Whether a key still stands for its tenant, and the key that signed a token is not retired; null: there was no token. */
export const selectPartnerLetIn = (
  tenant: TenantScope,
  { apiKey, tokenKeyVersion }: { apiKey: string; tokenKeyVersion: number | null },
): Statement<{ hasKey: boolean; hasToken: boolean }> => ({
  name: 'select_partner_let_in',
  text: `select coalesce(casenote.find_tenant_by_api_key($2) = $1, false) as "hasKey",
      $3::int is null or exists (select from casenote.tenant_keys where tenant_id = $1 and purpose = 'token'
        and version = $3 and retired_at is null) as "hasToken"`,
  values: [tenant.tenantId, digestOf(apiKey), tokenKeyVersion],
})

export interface KeyMarkRow {
  tenantId: TenantId
  mark: string
}

/** A door: which partners there are, and the beginnings of their keys' hashes. */
export const listKeyMarks = (most: number): Statement<KeyMarkRow> => ({
  name: 'list_key_marks',
  text: 'select tenant_id as "tenantId", mark from casenote.list_key_marks($1)',
  values: [most],
})

export interface Quotas {
  storedBytes: number
  clinicianStoredBytes: number
  openUploads: number
  clinicianOpenUploads: number
}

export interface TenantRow {
  tenantId: TenantId
  name: string
  environment: Environment
  clientId: ApiClientId
  ratePerSecond: number
  burst: number
  perDay: number
  embeddingOrigins: string[] | null
  notReadyStatus: 200 | 404
  idempotency: boolean
  uniqueExternalIds: boolean
  /** What was chosen; every other check warns. */
  signingChecks: Readonly<Record<string, string>>
  /** Whether the partner may erase over the Partner API. */
  partnerErasure: boolean
  requiresConsent: boolean
  quotas: Quotas
  suspendedAt: Date | null
  /** Not by an operator: made by the start, and suspended where the sandbox is not at home. */
  suspendedAs: 'away' | null
  homeOnly: boolean
  /** For a sandbox: from which epoch on its partner tokens have not been expired on purpose. */
  tokenEpoch: number
  /** For a sandbox: whether some of its next calls are to fail. */
  hasFaults: boolean
  createdAt: Date
}

const tenantColumns = `tenant_id as "tenantId", name, environment, client_id as "clientId",
  rate_per_second as "ratePerSecond", burst, per_day as "perDay", embedding_origins as "embeddingOrigins",
  not_ready_status as "notReadyStatus", idempotency, unique_external_ids as "uniqueExternalIds",
  signing_checks as "signingChecks", partner_erasure as "partnerErasure", requires_consent as "requiresConsent",
  json_build_object('storedBytes', stored_bytes_max, 'clinicianStoredBytes', clinician_stored_bytes_max,
    'openUploads', open_uploads_max, 'clinicianOpenUploads', clinician_open_uploads_max) as quotas,
  suspended_at as "suspendedAt", suspended_as as "suspendedAs", home_only as "homeOnly", created_at as "createdAt",
  coalesce((select s.token_epoch from casenote.sandbox_settings s where s.tenant_id = tenants.tenant_id), 0) as "tokenEpoch",
  exists (select from casenote.sandbox_faults f where f.tenant_id = tenants.tenant_id and f.remaining > 0) as "hasFaults"`

export const selectTenant = (tenant: TenantScope): Statement<TenantRow> => ({
  name: 'select_tenant',
  text: `select ${tenantColumns} from casenote.tenants where tenant_id = $1`,
  values: [tenant.tenantId],
})

/** For the operator alone: as the owner it sees every tenant, as the application its own. */
export const selectAllTenants = (): Statement<TenantRow> => ({
  text: `select ${tenantColumns} from casenote.tenants order by created_at, tenant_id limit 10000`,
  values: [],
})

export type TenantStanding = Pick<TenantRow, 'tenantId' | 'environment' | 'suspendedAt' | 'createdAt'>

/** The same tenants without their settings, which cost the loop of whoever lists ten thousand twice as much as all the rest. */
export const selectTenantStandings = (): Statement<TenantStanding> => ({
  text: `select tenant_id as "tenantId", environment, suspended_at as "suspendedAt", created_at as "createdAt"
    from casenote.tenants order by created_at, tenant_id limit 10000`,
  values: [],
})

/** A page of the ids of all tenants. Only the owner sees them. */
export const selectTenantIds = (after: string, most: number): Statement<{ tenantId: TenantId }> => ({
  text: 'select tenant_id as "tenantId" from casenote.tenants where tenant_id > $1 order by tenant_id limit $2',
  values: [after, most],
})

export interface HomeOnlyPartner {
  partnerId: TenantId
  isBesideProduction: boolean
}

/** A door: whether the sandbox is at home, for every process; suspends or resumes the partners that the start made. */
export const settleSandbox = (isHome: boolean): Statement<HomeOnlyPartner> => ({
  text: `select tenant_id as "partnerId", is_beside_production as "isBesideProduction"
    from casenote.settle_sandbox($1)`,
  values: [isHome],
})

export interface ClientSecretRow {
  secretId: string
  sealedSecret: Buffer
  createdAt: Date
  expiresAt: Date | null
}

/** Newest first. At most two are alive: a rotation retires all but the one before it. */
export const selectClientSecrets = (tenant: TenantScope): Statement<ClientSecretRow> => ({
  name: 'select_client_secrets',
  text: `select secret_id as "secretId", sealed_secret as "sealedSecret", created_at as "createdAt",
      expires_at as "expiresAt"
    from casenote.client_secrets
    where tenant_id = $1 and (expires_at is null or expires_at > now())
    order by expires_at is null desc, created_at desc`,
  values: [tenant.tenantId],
})

export const insertTenant = (
  tenant: TenantScope,
  row: { name: string; environment: Environment; clientId: ApiClientId; homeOnly?: boolean },
): Statement => ({
  text: `insert into casenote.tenants (tenant_id, name, environment, client_id, home_only, embedding_origins)
    values ($1, $2, $3, $4, $5, case when $3 = 'sandbox' then null else '{}'::text[] end)`,
  values: [tenant.tenantId, row.name, row.environment, row.clientId, row.homeOnly ?? false],
})

export const insertApiKey = (tenant: TenantScope, keyHash: Buffer): Statement => ({
  text: 'insert into casenote.api_keys (tenant_id, key_hash) values ($1, $2)',
  values: [tenant.tenantId, keyHash],
})

export const revokeApiKeys = (tenant: TenantScope): Statement => ({
  text: 'update casenote.api_keys set revoked_at = now() where tenant_id = $1 and revoked_at is null',
  values: [tenant.tenantId],
})

/** Nobody asks any more whose it was. */
export const deleteOutlivedApiKeys = (tenant: TenantScope): Statement => ({
  text: `delete from casenote.api_keys where tenant_id = $1 and revoked_at < now() - interval '90 days'`,
  values: [tenant.tenantId],
})

/** How often credentials were rotated in the last hour, and the seconds until the first of these is older. */
export const countRotations = (tenant: TenantScope): Statement<{ count: number; waitSeconds: number }> => ({
  text: `select count(*)::int, coalesce(ceil(extract(epoch from min(at) + interval '1 hour' - now())), 1)::int as "waitSeconds"
    from casenote.key_rotations where tenant_id = $1 and at > now() - interval '1 hour'`,
  values: [tenant.tenantId],
})

export const insertRotation = (tenant: TenantScope): Statement => ({
  text: `with gone as (
      delete from casenote.key_rotations where tenant_id = $1 and at <= now() - interval '1 hour'
    ) insert into casenote.key_rotations (tenant_id) values ($1)`,
  values: [tenant.tenantId],
})

export const insertClientSecret = (
  tenant: TenantScope,
  secretId: string,
  sealedSecret: Buffer,
): Statement => ({
  text: 'insert into casenote.client_secrets (tenant_id, secret_id, sealed_secret) values ($1, $2, $3)',
  values: [tenant.tenantId, secretId, sealedSecret],
})

/** The newest stays good for 24 hours (ruling 8) or ends now, too; one that a rotation had retired before ends now. */
export const retireClientSecrets = (tenant: TenantScope, isAtOnce: boolean): Statement => ({
  text: `update casenote.client_secrets
    set expires_at = case when expires_at is null and not $2 then now() + interval '24 hours' else now() end
    where tenant_id = $1 and (expires_at is null or expires_at > now())`,
  values: [tenant.tenantId, isAtOnce],
})

/** Ends the secrets that a rotation has retired and that would go on for some hours. */
export const endOlderSecrets = (tenant: TenantScope): Statement<{ secretId: string }> => ({
  text: `update casenote.client_secrets set expires_at = now()
    where tenant_id = $1 and expires_at > now() returning secret_id as "secretId"`,
  values: [tenant.tenantId],
})

export const deleteExpiredSecrets = (tenant: TenantScope): Statement => ({
  text: 'delete from casenote.client_secrets where tenant_id = $1 and expires_at <= now()',
  values: [tenant.tenantId],
})

/** Suspends a partner or lets it in again. From here on it is the operator's word: one that was away stays suspended when the sandbox comes home. */
export const updateSuspension = (tenant: TenantScope, isSuspended: boolean): Statement => ({
  text: `update casenote.tenants
    set suspended_at = case when $2 then coalesce(suspended_at, now()) end, suspended_as = null
    where tenant_id = $1 returning 1`,
  values: [tenant.tenantId, isSuspended],
})

export const updateLimits = (
  tenant: TenantScope,
  limits: { ratePerSecond: number | null; burst: number | null; perDay: number | null },
): Statement => ({
  text: `update casenote.tenants set rate_per_second = coalesce($2, rate_per_second),
      burst = coalesce($3, burst), per_day = coalesce($4, per_day)
    where tenant_id = $1 returning 1`,
  values: [tenant.tenantId, limits.ratePerSecond, limits.burst, limits.perDay],
})

export const updateQuotas = (tenant: TenantScope, quotas: Partial<Quotas>): Statement => ({
  text: `update casenote.tenants set stored_bytes_max = coalesce($2, stored_bytes_max),
      clinician_stored_bytes_max = coalesce($3, clinician_stored_bytes_max),
      open_uploads_max = coalesce($4, open_uploads_max),
      clinician_open_uploads_max = coalesce($5, clinician_open_uploads_max)
    where tenant_id = $1 returning 1`,
  values: [
    tenant.tenantId,
    quotas.storedBytes,
    quotas.clinicianStoredBytes,
    quotas.openUploads,
    quotas.clinicianOpenUploads,
  ],
})

export interface NothingTwice {
  idempotency?: boolean | undefined
  uniqueExternalIds?: boolean | undefined
}

export interface Usage {
  tenantId: TenantId
  storedBytes: number
  openUploads: number
}

/** For the operator alone, as all tenants. */
export const selectAllUsage = (): Statement<Usage> => ({
  text: `select tenant_id as "tenantId", stored_bytes as "storedBytes", open_uploads as "openUploads"
    from casenote.tenant_usage limit 10000`,
  values: [],
})

/** The clinicians of a tenant who use the most. */
export interface ClinicianUsage {
  clinicianId: ClinicianId
  storedBytes: number
  openUploads: number
}

export const selectMostUsing = (tenant: TenantScope, most: number): Statement<ClinicianUsage> => ({
  text: `select clinician_id as "clinicianId", stored_bytes as "storedBytes", open_uploads as "openUploads"
    from casenote.clinician_usage where tenant_id = $1 order by stored_bytes desc, clinician_id limit $2`,
  values: [tenant.tenantId, most],
})

export const updateEmbeddingOrigins = (tenant: TenantScope, origins: string[] | null): Statement => ({
  text: 'update casenote.tenants set embedding_origins = $2 where tenant_id = $1 returning 1',
  values: [tenant.tenantId, origins],
})

/** Null: off. */
export const updateSignInOrigins = (tenant: TenantScope, origins: string[] | null): Statement => ({
  text: 'update casenote.tenants set sign_in_origins = $2 where tenant_id = $1 returning 1',
  values: [tenant.tenantId, origins],
})

export const updateNotReadyStatus = (tenant: TenantScope, status: 200 | 404): Statement => ({
  text: 'update casenote.tenants set not_ready_status = $2 where tenant_id = $1 returning 1',
  values: [tenant.tenantId, status],
})

/** Undefined: as it is. */
export const updateNothingTwice = (
  tenant: TenantScope,
  { idempotency, uniqueExternalIds }: NothingTwice,
): Statement => ({
  text: `update casenote.tenants set idempotency = coalesce($2, idempotency),
      unique_external_ids = coalesce($3, unique_external_ids)
    where tenant_id = $1 returning 1`,
  values: [tenant.tenantId, idempotency ?? null, uniqueExternalIds ?? null],
})

export const updatePartnerErasure = (tenant: TenantScope, isAllowed: boolean): Statement => ({
  text: 'update casenote.tenants set partner_erasure = $2 where tenant_id = $1 returning 1',
  values: [tenant.tenantId, isAllowed],
})

/** What is not named stays as it is. */
export const updateSigningChecks = (tenant: TenantScope, modes: Partial<CheckModes>): Statement => ({
  text: 'update casenote.tenants set signing_checks = signing_checks || $2::jsonb where tenant_id = $1 returning 1',
  values: [tenant.tenantId, JSON.stringify(modes)],
})

export const updateRequiresConsent = (tenant: TenantScope, isRequired: boolean): Statement => ({
  text: 'update casenote.tenants set requires_consent = $2 where tenant_id = $1 returning 1',
  values: [tenant.tenantId, isRequired],
})
