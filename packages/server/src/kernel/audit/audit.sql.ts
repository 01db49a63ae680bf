import type { Statement } from '../db/database.js'
import type { ActorId, TenantId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import type { ActorKind, AuditEntry } from './audit-entry.js'

interface AppendedEntries {
  writerId: string
  tenantIds: readonly TenantId[]
  seqs: readonly number[]
  keyVersions: readonly number[]
  /** Array literals. */
  subjects: readonly string[]
  bodies: readonly string[]
  /** In hex. */
  hashes: readonly string[]
  heads: readonly { tenantId: TenantId; seq: number; hash: string }[]
}

// The literals are made here, because pg would escape each element: what these hold needs no escaping, and the
// bodies, which do, travel as lines.
const toPlainArray = (values: readonly (string | number)[]): string => `{${values.join(',')}}`
const toQuotedArray = (values: readonly string[]): string => `{"${values.join('","')}"}`
const toBytesArray = (hexes: readonly string[]): string => `{\\\\x${hexes.join(',\\\\x')}}`

export const appendAuditEntries = (appended: AppendedEntries): Statement => ({
  name: 'append_audit_entries',
  text: 'select casenote.append_audit_entries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
  values: [
    appended.writerId,
    toPlainArray(appended.tenantIds),
    toPlainArray(appended.seqs),
    toPlainArray(appended.keyVersions),
    toQuotedArray(appended.subjects),
    appended.bodies.join('\n'),
    toBytesArray(appended.hashes),
    toPlainArray(appended.heads.map((head) => head.tenantId)),
    toPlainArray(appended.heads.map((head) => head.seq)),
    toBytesArray(appended.heads.map((head) => head.hash)),
  ],
})

export const insertPending = (
  tenant: TenantScope,
  entry: Omit<AuditEntry, 'subjects'>,
  subjects: string,
): Statement => ({
  name: 'insert_audit_pending',
  text: `insert into casenote.audit_pending
      (tenant_id, operation, actor_kind, actor_id, request_id, subject_ids, actor_as, actor_from)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
  values: [
    tenant.tenantId,
    entry.operation,
    entry.actor.kind,
    entry.actor.id,
    entry.requestId,
    subjects,
    entry.actor.as ?? null,
    entry.actor.from ?? null,
  ],
})

/** One statement: both happen or neither, though no tenant is set. Only the owner sees all tenants. */
export const alsoInsertPendingForAll = (
  change: Statement,
  { operation, actor, requestId }: Omit<AuditEntry, 'subjects'>,
  subjects: string,
): Statement => {
  const taken = change.values.length
  const [operationAt, kindAt, idAt, requestAt, subjectsAt, asAt] = [1, 2, 3, 4, 5, 6].map(
    (place) => `$${taken + place}`,
  )
  return {
    text: `with changed as (${change.text}), recorded as (
        insert into casenote.audit_pending
          (tenant_id, operation, actor_kind, actor_id, request_id, subject_ids, actor_as)
        select t.tenant_id, ${operationAt}, ${kindAt}, ${idAt}, ${requestAt}, ${subjectsAt}::uuid[], ${asAt}
        from casenote.tenants t where exists (select from changed)
      )
      select * from changed`,
    values: [...change.values, operation, actor.kind, actor.id, requestId, subjects, actor.as ?? null],
  }
}

export const listUnchainedTenants = (after: string, most: number): Statement<{ tenantId: TenantId }> => ({
  name: 'list_unsealed_tenants',
  text: 'select list_unsealed_tenants as "tenantId" from casenote.list_unsealed_tenants($1, $2)',
  values: [after, most],
})

/** One chainer per tenant at a time. The number keeps it apart from other uses of advisory locks. */
export const lockChaining = (tenant: TenantScope): Statement<{ isLocked: boolean }> => ({
  name: 'lock_audit_chaining',
  text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 7226432)) as "isLocked"',
  values: [tenant.tenantId],
})

export interface PendingRow {
  atMs: number
  operation: string
  actorKind: ActorKind
  actorId: ActorId | null
  actorAs: string | null
  actorFrom: string | null
  requestId: string | null
  subjects: string
  /** How many entries it stands for; null: it is one. */
  count: number | null
}

/**
 * By where the rows lie, since nobody changes one: by their ids, a table that was small when the plan was made would be compared
 * row by row with itself, which takes seconds for 5,000.
 */
export const takePending = (tenant: TenantScope, most: number): Statement<PendingRow> => ({
  name: 'take_audit_pending',
  text: `with taken as (
      delete from casenote.audit_pending where tenant_id = $1 and ctid = any(array(
        select ctid from casenote.audit_pending where tenant_id = $1 order by pending_id limit $2))
      returning *
    )
    select floor(extract(epoch from recorded_at) * 1000)::int8 as "atMs", operation, actor_kind as "actorKind",
      actor_id as "actorId", actor_as as "actorAs", actor_from as "actorFrom", request_id as "requestId",
      subject_ids::text as subjects, entry_count as count
    from taken order by pending_id`,
  values: [tenant.tenantId, most],
})

export interface HeadRow {
  writerId: string
  seq: number
  hash: string
  isCovered: boolean
}

const headColumns = `writer_id as "writerId", seq, encode(hash, 'hex') as hash, is_covered as "isCovered"`

export const selectHead = (tenant: TenantScope, writerId: string): Statement<HeadRow> => ({
  name: 'select_audit_head',
  text: `select ${headColumns} from casenote.audit_heads where tenant_id = $1 and writer_id = $2`,
  values: [tenant.tenantId, writerId],
})

export const selectUncoveredHeads = (tenant: TenantScope, most: number): Statement<HeadRow> => ({
  name: 'select_uncovered_audit_heads',
  text: `select ${headColumns} from casenote.audit_heads
    where tenant_id = $1 and not is_covered order by writer_id limit $2`,
  values: [tenant.tenantId, most],
})

/**
 * Only heads that have not moved since they were read. Locked in the writers' order, one tenant at a time, while
 * appends lock in the tenants' order: no circle.
 */
export const coverHeads = (tenant: TenantScope, heads: readonly HeadRow[]): Statement => ({
  name: 'cover_audit_heads',
  text: `update casenote.audit_heads h set is_covered = true
    from (
      select l.writer_id from casenote.audit_heads l
      join unnest($2::uuid[], $3::int8[]) as c (writer_id, seq) on l.writer_id = c.writer_id and l.seq = c.seq
      where l.tenant_id = $1 order by l.writer_id for update of l
    ) as unmoved
    where h.tenant_id = $1 and h.writer_id = unmoved.writer_id`,
  values: [
    tenant.tenantId,
    toPlainArray(heads.map((head) => head.writerId)),
    toPlainArray(heads.map((head) => head.seq)),
  ],
})

export interface NewestCheckpointRow {
  number: number
  signature: string
  /** Signature of the checkpoint that the anchor names; null: there is none of that number. */
  anchoredSignature: string | null
}

export const selectNewestCheckpoint = (
  tenant: TenantScope,
  anchoredNumber: number | null,
): Statement<NewestCheckpointRow> => ({
  name: 'select_newest_audit_checkpoint',
  text: `select c.number, encode(c.signature, 'hex') as signature,
      (select encode(a.signature, 'hex') from casenote.audit_checkpoints a
        where a.tenant_id = $1 and a.number = $2) as "anchoredSignature"
    from casenote.audit_checkpoints c where c.tenant_id = $1 order by c.number desc limit 1`,
  values: [tenant.tenantId, anchoredNumber],
})

export interface CheckpointRow {
  number: number
  keyVersion: number
  body: string
  signature: string
}

export const insertCheckpoint = (tenant: TenantScope, checkpoint: CheckpointRow): Statement => ({
  name: 'insert_audit_checkpoint',
  text: `insert into casenote.audit_checkpoints (tenant_id, number, key_version, body, signature)
    values ($1, $2, $3, $4, decode($5, 'hex'))`,
  values: [tenant.tenantId, checkpoint.number, checkpoint.keyVersion, checkpoint.body, checkpoint.signature],
})
