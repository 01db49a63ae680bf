import type { Statement } from '../db/database.js'
import type { ClientId } from '../ids.js'
import type { TenantScope } from '../tenant.js'

export interface KeptAnswerRow {
  sealedAnswer: Buffer
  clientId: ClientId | null
}

/** Locked until the transaction ends, however it ends; a process that dies loses it with its connection. */
export const claimKey = (digest: string): Statement<{ isClaimed: boolean }> => ({
  name: 'claim_idempotency_key',
  text: `select pg_try_advisory_xact_lock(hashtextextended('kept_answers/' || $1, 0)) as "isClaimed"`,
  values: [digest],
})

export const selectKeptAnswer = (tenant: TenantScope, digest: string): Statement<KeptAnswerRow> => ({
  name: 'select_kept_answer',
  text: `select sealed_answer as "sealedAnswer", client_id as "clientId" from casenote.kept_answers
    where tenant_id = $1 and key_digest = $2 and answered_at > now() - interval '24 hours'`,
  values: [tenant.tenantId, digest],
})

export const selectHasKeptAnswer = (tenant: TenantScope, digest: string): Statement => ({
  name: 'select_has_kept_answer',
  text: `select from casenote.kept_answers
    where tenant_id = $1 and key_digest = $2 and answered_at > now() - interval '24 hours'`,
  values: [tenant.tenantId, digest],
})

/** What is there already is older than its day, and nobody has purged it yet. */
export const keepAnswer = (
  tenant: TenantScope,
  row: { digest: string; clientId: ClientId | null; sealedAnswer: Buffer },
): Statement => ({
  name: 'keep_answer',
  text: `insert into casenote.kept_answers (tenant_id, key_digest, client_id, sealed_answer)
    values ($1, $2, $3, $4)
    on conflict (tenant_id, key_digest) do update
      set client_id = excluded.client_id, sealed_answer = excluded.sealed_answer, answered_at = excluded.answered_at`,
  values: [tenant.tenantId, row.digest, row.clientId, row.sealedAnswer],
})

/** How long a value is, its row knows: the answers themselves are not read. */
export const sumKeptBytes = (tenant: TenantScope): Statement<{ bytes: number }> => ({
  name: 'sum_kept_bytes',
  text: `select coalesce(sum(octet_length(sealed_answer)), 0)::bigint as bytes from casenote.kept_answers
    where tenant_id = $1`,
  values: [tenant.tenantId],
})

/** A door: retention. */
export const purgeKeptAnswers = (most: number): Statement<{ purged: number }> => ({
  name: 'purge_kept_answers',
  text: 'select casenote.purge_kept_answers($1) as purged',
  values: [most],
})
