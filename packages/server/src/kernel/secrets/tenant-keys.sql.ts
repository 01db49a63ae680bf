import type { Statement } from '../db/database.js'
import type { MasterKeyId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import type { KeyPurpose } from './key-purpose.js'

export interface TenantKeyRow {
  purpose: KeyPurpose
  version: number
  masterKeyId: MasterKeyId
  wrappedKey: Buffer
  isRetired: boolean
}

export const selectTenantKeys = (tenant: TenantScope): Statement<TenantKeyRow> => ({
  name: 'select_tenant_keys',
  text: `select purpose, version, master_key_id as "masterKeyId", wrapped_key as "wrappedKey",
      retired_at is not null as "isRetired" from casenote.tenant_keys where tenant_id = $1`,
  values: [tenant.tenantId],
})

/** One who makes, ends or rewraps a tenant's keys and credentials at a time. */
export const lockTenantKeys = (tenant: TenantScope): Statement => ({
  text: `select pg_advisory_xact_lock(hashtextextended('tenant_keys/' || $1::text, 0))`,
  values: [tenant.tenantId],
})

/** Locks a tenant's keys beside others who only ask: whoever retires a key waits for them, or has committed before they look. */
export const shareTenantKeys = (tenant: TenantScope): Statement => ({
  text: `select pg_advisory_xact_lock_shared(hashtextextended('tenant_keys/' || $1::text, 0))`,
  values: [tenant.tenantId],
})

/** No row: it was retired, or outlived. */
export const selectLiveTokenKey = (tenant: TenantScope, version: number): Statement => ({
  name: 'select_live_token_key',
  text: `select 1 from casenote.tenant_keys
    where tenant_id = $1 and purpose = 'token' and version = $2 and retired_at is null`,
  values: [tenant.tenantId, version],
})

export const insertTenantKey = (tenant: TenantScope, row: TenantKeyRow): Statement => ({
  text: `insert into casenote.tenant_keys (tenant_id, purpose, version, master_key_id, wrapped_key)
    values ($1, $2, $3, $4, $5)`,
  values: [tenant.tenantId, row.purpose, row.version, row.masterKeyId, row.wrappedKey],
})

export const updateWrappedKey = (tenant: TenantScope, row: TenantKeyRow): Statement => ({
  text: `update casenote.tenant_keys set master_key_id = $4, wrapped_key = $5
    where tenant_id = $1 and purpose = $2 and version = $3`,
  values: [tenant.tenantId, row.purpose, row.version, row.masterKeyId, row.wrappedKey],
})

/** A token key is known for as long as what follows from it lives: a refresh token seven days. One more leaves room for wrong clocks. */
export const deleteOutlivedTokenKeys = (tenant: TenantScope): Statement => ({
  text: `delete from casenote.tenant_keys k where tenant_id = $1 and purpose = 'token' and exists (
      select from casenote.tenant_keys newer
      where newer.tenant_id = $1 and newer.purpose = 'token' and newer.version > k.version
        and newer.created_at < now() - interval '8 days')`,
  values: [tenant.tenantId],
})

/** All versions of a purpose but the newest, up to `lastVersion` where it is given. */
export const retireTenantKeys = (
  tenant: TenantScope,
  purpose: KeyPurpose,
  lastVersion: number | null,
): Statement<{ version: number }> => ({
  text: `update casenote.tenant_keys k set retired_at = now()
    where tenant_id = $1 and purpose = $2 and retired_at is null and ($3::int is null or version <= $3) and exists (
      select from casenote.tenant_keys newer
      where newer.tenant_id = $1 and newer.purpose = $2 and newer.version > k.version)
    returning version`,
  values: [tenant.tenantId, purpose, lastVersion],
})
