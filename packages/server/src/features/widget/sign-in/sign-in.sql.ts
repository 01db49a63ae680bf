import type { TextLanguage } from '@casenote/contract'
import type { Statement } from '../../../kernel/db/database.js'
import { tenantNow } from '../../../kernel/db/tenant-clock.sql.js'
import type { ClinicianId, SignInId } from '../../../kernel/ids.js'
import type { TenantScope } from '../../../kernel/tenant.js'

/** Null: the mode is off. No row: no such partner, or a suspended one. */
export const selectSignInOrigins = (tenant: TenantScope): Statement<{ origins: string[] | null }> => ({
  name: 'select_sign_in_origins',
  text: `select sign_in_origins as origins from casenote.tenants
    where tenant_id = $1 and suspended_at is null`,
  values: [tenant.tenantId],
})

/** Who asks for the same address, or from the same network, at once waits: each sees what the others were given. */
export const lockAsking = (hash: Buffer): Statement => ({
  name: 'lock_sign_in_asking',
  text: 'select pg_advisory_xact_lock($1)',
  values: [hash.readBigInt64BE().toString()],
})

/** Codes of the last hour that nobody typed, and whether one was typed where this is asked from. */
export interface AskedCodes {
  ofAddressFromSource: number
  ofAddress: number
  ofSource: number
  ofTenant: number
  /** Somebody signed in from the network, with the address or with any. */
  isSourceOfAddress: boolean
  isSourceOfTenant: boolean
}

export const countAsked = (
  tenant: TenantScope,
  emailHash: Buffer,
  sourceHash: Buffer,
): Statement<AskedCodes> => ({
  name: 'count_asked_sign_ins',
  text: `select count(*) filter (where email_hash = $2 and source_hash = $3) as "ofAddressFromSource",
      count(*) filter (where email_hash = $2) as "ofAddress",
      count(*) filter (where source_hash = $3) as "ofSource", count(*) as "ofTenant",
      exists (select from casenote.sign_in_codes r where r.tenant_id = $1 and r.source_hash = $3
        and r.email_hash = $2 and r.redeemed_at is not null) as "isSourceOfAddress",
      exists (select from casenote.sign_in_codes r where r.tenant_id = $1 and r.source_hash = $3
        and r.redeemed_at is not null) as "isSourceOfTenant"
    from casenote.sign_in_codes
    where tenant_id = $1 and asked_at > now() - interval '1 hour' and redeemed_at is null`,
  values: [tenant.tenantId, emailHash, sourceHash],
})

export const selectActiveByEmail = (
  tenant: TenantScope,
  foldedEmail: string,
): Statement<{ clinicianId: ClinicianId }> => ({
  name: 'select_active_clinician_by_email',
  text: `select clinician_id as "clinicianId" from casenote.clinicians
    where tenant_id = $1 and email_folded = $2 and deactivated_at is null`,
  values: [tenant.tenantId, foldedEmail],
})

export const insertSignIn = (
  tenant: TenantScope,
  row: {
    signInId: SignInId
    clinicianId: ClinicianId | null
    emailHash: Buffer
    sourceHash: Buffer
    verifierHash: Buffer
    keyVersion: number
    lifetimeSeconds: number
    language: TextLanguage
  },
): Statement<{ expiresAt: Date }> => ({
  name: 'insert_sign_in_code',
  text: `insert into casenote.sign_in_codes
      (tenant_id, sign_in_id, clinician_id, email_hash, verifier_hash, key_version, expires_at, language,
        source_hash)
    values ($1, $2, $3, $4, $5, $6, ${tenantNow} + $7 * interval '1 second', $8, $9) returning expires_at as "expiresAt"`,
  values: [
    tenant.tenantId,
    row.signInId,
    row.clinicianId,
    row.emailHash,
    row.verifierHash,
    row.keyVersion,
    row.lifetimeSeconds,
    row.language,
    row.sourceHash,
  ],
})

/** A day after they were asked for, a month after they were redeemed: the limits look back an hour, and know networks by the latter. */
export const purgeSignIns = (most: number): Statement => ({
  name: 'purge_sign_in_codes',
  text: "select casenote.purge_sign_in_codes(now() - interval '1 day', $1) as count",
  values: [most],
})

export interface ChargedSignIn {
  clinicianId: ClinicianId | null
  verifierHash: Buffer
  keyVersion: number
  /** The hash of the mail address that asked. */
  emailHash: Buffer
  /** The clinician's address by now. */
  emailFolded: string | null
}

/** A try is taken before anything is compared; no row: used, expired, tried too often, or none of ours. */
export const chargeSignIn = (
  tenant: TenantScope,
  signInId: SignInId,
  triesMax: number,
): Statement<ChargedSignIn> => ({
  name: 'charge_sign_in_code',
  text: `update casenote.sign_in_codes c set tries = c.tries + 1
    from casenote.tenants t
    where c.tenant_id = $1 and c.sign_in_id = $2 and c.used_at is null and c.expires_at > ${tenantNow} and c.tries < $3
      and t.tenant_id = c.tenant_id and t.sign_in_origins is not null and t.suspended_at is null
    returning c.clinician_id as "clinicianId", c.verifier_hash as "verifierHash", c.key_version as "keyVersion",
      c.email_hash as "emailHash", (select k.email_folded from casenote.clinicians k
        where k.tenant_id = c.tenant_id and k.clinician_id = c.clinician_id) as "emailFolded"`,
  values: [tenant.tenantId, signInId, triesMax],
})

/** All of the clinician's: a code that was mailed earlier and is still good is nobody's any more. */
export const markUsed = (tenant: TenantScope, clinicianId: ClinicianId, signInId: SignInId): Statement => ({
  name: 'mark_sign_in_codes_used',
  text: `update casenote.sign_in_codes
    set used_at = now(), redeemed_at = case when sign_in_id = $3 then now() end
    where tenant_id = $1 and clinician_id = $2 and used_at is null and expires_at > ${tenantNow}`,
  values: [tenant.tenantId, clinicianId, signInId],
})

export interface WaitingCode {
  email: string
  keyVersion: number
  language: TextLanguage
}

export const selectWaitingCode = (tenant: TenantScope, signInId: SignInId): Statement<WaitingCode> => ({
  name: 'select_waiting_sign_in_code',
  text: `select k.email, c.key_version as "keyVersion", c.language from casenote.sign_in_codes c
    join casenote.clinicians k on k.tenant_id = c.tenant_id and k.clinician_id = c.clinician_id
    where c.tenant_id = $1 and c.sign_in_id = $2 and c.used_at is null and c.expires_at > ${tenantNow}
      and k.deactivated_at is null`,
  values: [tenant.tenantId, signInId],
})
