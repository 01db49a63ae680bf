import type { Statement } from '../../kernel/db/database.js'
import type { BlobId, ClientId, ErasureId } from '../../kernel/ids.js'
import type { ListedErasure } from '../../kernel/secrets/client-key-source.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { SealedTable } from '../keys/sealed-columns.js'

export interface OwnedPartRow {
  blobId: BlobId
  partNumber: number
  storedName: string
  /** Whose recording it is now. Null: nobody's any more. */
  clientId: ClientId | null
}

/** A recording of which something was struck is its session's by what was struck alone, until it is cut. */
const ownerOfBlob = `coalesce(
  (select s.client_id from casenote.sessions s where s.tenant_id = p.tenant_id and s.audio_blob_id = p.blob_id limit 1),
  (select s.client_id from casenote.uploads u join casenote.sessions s on s.tenant_id = u.tenant_id and s.session_id = u.session_id
    where u.tenant_id = p.tenant_id and u.blob_id = p.blob_id limit 1),
  (select s.client_id from casenote.recording_downloads d join casenote.sessions s on s.tenant_id = d.tenant_id and s.session_id = d.session_id
    where d.tenant_id = p.tenant_id and d.blob_id = p.blob_id limit 1),
  (select s.client_id from casenote.session_gaps g join casenote.sessions s on s.tenant_id = g.tenant_id and s.session_id = g.session_id
    where g.tenant_id = p.tenant_id and g.blob_id = p.blob_id limit 1),
  (select s.client_id from casenote.session_gaps g join casenote.sessions s on s.tenant_id = g.tenant_id and s.session_id = g.session_id
    where g.tenant_id = p.tenant_id and g.begun_blob_id = p.blob_id limit 1),
  (select e.client_id from casenote.client_exports e where e.tenant_id = p.tenant_id and e.blob_id = p.blob_id limit 1))`

/** While it is being written: it is an upload's, a download's, or made in the place of a recording of which something was struck. */
export const selectOwnerOfBlob = (
  tenant: TenantScope,
  blobId: BlobId,
): Statement<{ clientId: ClientId | null }> => ({
  name: 'select_owner_of_blob',
  text: `select ${ownerOfBlob} as "clientId" from (select $1::uuid as tenant_id, $2::uuid as blob_id) p`,
  values: [tenant.tenantId, blobId],
})

const ownedPart = `p.blob_id as "blobId", p.part_number as "partNumber", p.stored_name as "storedName", ${ownerOfBlob} as "clientId"`

/** Parts that one client's key seals, of recordings that stay: one that was recorded under the wrong client is another's now. */
export const selectPartsSealedFor = (
  tenant: TenantScope,
  {
    clientId,
    after,
    most,
  }: { clientId: ClientId; after: Pick<OwnedPartRow, 'blobId' | 'partNumber'>; most: number },
): Statement<OwnedPartRow> => ({
  text: `select ${ownedPart}
    from casenote.blob_parts p join casenote.blobs b on b.tenant_id = p.tenant_id and b.blob_id = p.blob_id
    where p.tenant_id = $1 and p.sealed_for = $2 and b.status in ('open', 'complete')
      and (p.blob_id, p.part_number) > ($3::uuid, $4::int)
    order by p.blob_id, p.part_number limit $5`,
  values: [tenant.tenantId, clientId, after.blobId, after.partNumber, most],
})

/** Parts of complete recordings that are not sealed for whose they are, behind the one that was seen last. */
export const selectPartsAstray = (
  tenant: TenantScope,
  after: Pick<OwnedPartRow, 'blobId' | 'partNumber'>,
  most: number,
): Statement<OwnedPartRow> => ({
  text: `select * from (
      select ${ownedPart}, p.sealed_for
      from casenote.blob_parts p join casenote.blobs b on b.tenant_id = p.tenant_id and b.blob_id = p.blob_id
      where p.tenant_id = $1 and b.status = 'complete' and (p.blob_id, p.part_number) > ($2::uuid, $3::int)
    ) owned where "clientId" is not null and sealed_for is distinct from "clientId"
    order by "blobId", "partNumber" limit $4`,
  values: [tenant.tenantId, after.blobId, after.partNumber, most],
})

/** No row: the blob was deleted meanwhile, or somebody else has sealed it anew. */
export const moveOwnedPart = (
  tenant: TenantScope,
  row: OwnedPartRow & { newName: string; keyVersion: number },
): Statement => ({
  text: `update casenote.blob_parts set stored_name = $5, key_version = $6, sealed_for = $7
    where tenant_id = $1 and blob_id = $2 and part_number = $3 and stored_name = $4 returning 1`,
  values: [
    tenant.tenantId,
    row.blobId,
    row.partNumber,
    row.storedName,
    row.newName,
    row.keyVersion,
    row.clientId,
  ],
})

/** As the owner: for the metric of every worker. */
export const updateUnopened = (count: number): Statement => ({
  text: 'update casenote.installation set unopened_values = $1 where unopened_values <> $1',
  values: [count],
})

export const selectUnopened = (): Statement<{ unopenedValues: number }> => ({
  text: 'select unopened_values as "unopenedValues" from casenote.installation',
  values: [],
})

/** Which tables have a column that leads to a client. */
export const selectOwnerColumns = (): Statement<{ table: string; columns: string[] }> => ({
  text: `select c.relname as table, array_agg(a.attname::text) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relnamespace = 'casenote'::regnamespace and a.attname in ('client_id', 'session_id', 'note_id', 'assignment_id', 'plan_id')
    group by c.relname`,
  values: [],
})

/** The nearest way to a client, for a row `t`. `tenants.client_id` is a credential, and seals nothing. */
const ways = [
  ['client_id', 't.client_id'],
  [
    'session_id',
    '(select s.client_id from casenote.sessions s where s.tenant_id = t.tenant_id and s.session_id = t.session_id)',
  ],
  [
    'note_id',
    `(select s.client_id from casenote.progress_notes n join casenote.sessions s on s.tenant_id = n.tenant_id and s.session_id = n.session_id
      where n.tenant_id = t.tenant_id and n.note_id = t.note_id)`,
  ],
  [
    'assignment_id',
    `(select a.client_id from casenote.assessment_assignments a
      where a.tenant_id = t.tenant_id and a.assignment_id = t.assignment_id)`,
  ],
  [
    'plan_id',
    '(select p.client_id from casenote.treatment_plans p where p.tenant_id = t.tenant_id and p.plan_id = t.plan_id)',
  ],
] as const

/** Null: what the table holds is no client's. */
export const findWayToClient = (columns: readonly string[]): string | null =>
  ways.find(([column]) => columns.includes(column))?.[1] ?? null

export interface OwnedValueRow {
  key: string[]
  sealed: Buffer
  clientId: ClientId
}

/**
 * Values that are not sealed for whose they are, in the order of their keys, behind the one that was seen last. `sealedFor`: only
 * those that this client's key seals.
 */
export const selectValuesAstray = (
  tenant: TenantScope,
  of: SealedTable,
  {
    column,
    way,
    sealedFor,
    after,
    most,
  }: {
    column: string
    way: string
    sealedFor: string | null
    after: readonly string[] | null
    most: number
  },
): Statement<OwnedValueRow> => ({
  text: `select key, sealed, "clientId" from (
      select array[${of.key.map((one) => `t.${one.column}::text`).join(', ')}] as key, t.${column} as sealed, ${way} as "clientId",
        ${of.key.map((one) => `t.${one.column}`).join(', ')}
      from casenote.${of.table} t where t.tenant_id = $1 and t.${column} is not null ${
        after === null
          ? ''
          : `and (${of.key.map((one) => `t.${one.column}`).join(', ')}) > (${of.key.map(({ type }, index) => `$${index + 4}::${type}`).join(', ')})`
      }) owned
    where "clientId" is not null and (substring(sealed from 1 for 1) = '\\x01'::bytea
      or substring(sealed from 6 for 16) is distinct from uuid_send("clientId"))
      and ($3::uuid is null or substring(sealed from 1 for 1) = '\\x02'::bytea and substring(sealed from 6 for 16) = uuid_send($3))
    order by ${of.key.map((one) => one.column).join(', ')} limit $2`,
  values: [tenant.tenantId, most, sealedFor, ...(after ?? [])],
})

/** One process at a time inserts it. */
export const lockApplying = (erasureId: ErasureId): Statement => ({
  text: 'select pg_advisory_xact_lock(hashtextextended($1, 4207))',
  values: [erasureId],
})

/** A door: of these, what this database has not carried out. */
export const listUnappliedErasures = (
  listed: readonly ListedErasure[],
  most: number,
): Statement<{ erasureId: ErasureId }> => ({
  text: 'select casenote.list_unapplied_erasures($1, $2, $3, $4, $5) as "erasureId"',
  values: [
    listed.map(({ tenantId }) => tenantId),
    listed.map(({ erasureId }) => erasureId),
    listed.map(({ kind }) => kind),
    listed.map(({ subjectId }) => subjectId),
    most,
  ],
})

/** Processes that proved within as many seconds that they are at work: they do so every two. As the owner. */
export const listRunningRoles = (seconds: number): Statement<{ role: string }> => ({
  text: `select role from casenote.pulses where beaten_at > now() - make_interval(secs => $1) order by role limit 100`,
  values: [seconds],
})
