import type { Statement } from '../db/database.js'
import { tenantNow } from '../db/tenant-clock.sql.js'
import type { BlobId, ClinicianId, TenantId } from '../ids.js'
import type { TenantScope } from '../tenant.js'

export const BLOB_KINDS = ['audio', 'checkpoint', 'export'] as const
export type BlobKind = (typeof BLOB_KINDS)[number]
export type BlobStatus = 'open' | 'complete' | 'deleting' | 'deleted'
export type DeletionReason = 'expired' | 'replaced' | 'requested'

export interface BlobRow {
  blobId: BlobId
  kind: BlobKind
  status: BlobStatus
  sizeBytes: number | null
  partCount: number | null
  createdAt: Date
  deletedAt: Date | null
}

export interface BlobPartRow {
  partNumber: number
  sizeBytes: number
  keyVersion: number
  storedName: string
  /** Under whose key it is, beside the tenant's. */
  sealedFor: string | null
}

const blobColumns = `blob_id as "blobId", kind, status, size_bytes as "sizeBytes", part_count as "partCount",
  created_at as "createdAt", deleted_at as "deletedAt"`

export const insertBlob = (
  tenant: TenantScope,
  blob: { blobId: BlobId; kind: BlobKind; keepDays: number; clinicianId: ClinicianId | null },
): Statement => ({
  text: `insert into casenote.blobs (tenant_id, blob_id, kind, delete_after, clinician_id)
    values ($1, $2, $3, ${tenantNow} + make_interval(days => $4), $5)`,
  values: [tenant.tenantId, blob.blobId, blob.kind, blob.keepDays, blob.clinicianId],
})

export const selectBlob = (tenant: TenantScope, blobId: BlobId): Statement<BlobRow> => ({
  name: 'select_blob',
  text: `select ${blobColumns} from casenote.blobs where tenant_id = $1 and blob_id = $2`,
  values: [tenant.tenantId, blobId],
})

/** Locked until the part's row commits, so that a deletion sees the part or the part sees the deletion. */
export const lockOpenBlob = (tenant: TenantScope, blobId: BlobId): Statement => ({
  text: `select 1 as open from casenote.blobs where tenant_id = $1 and blob_id = $2 and status = 'open' for share`,
  values: [tenant.tenantId, blobId],
})

export const insertPart = (tenant: TenantScope, blobId: BlobId, part: BlobPartRow): Statement => ({
  text: `insert into casenote.blob_parts (tenant_id, blob_id, part_number, size_bytes, key_version, stored_name, sealed_for)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict (tenant_id, blob_id, part_number) do nothing returning 1 as inserted`,
  values: [
    tenant.tenantId,
    blobId,
    part.partNumber,
    part.sizeBytes,
    part.keyVersion,
    part.storedName,
    part.sealedFor,
  ],
})

const partColumns = `part_number as "partNumber", size_bytes as "sizeBytes", key_version as "keyVersion",
  stored_name as "storedName", sealed_for as "sealedFor"`

export const selectPart = (
  tenant: TenantScope,
  blobId: BlobId,
  partNumber: number,
): Statement<BlobPartRow> => ({
  name: 'select_blob_part',
  text: `select ${partColumns} from casenote.blob_parts
    where tenant_id = $1 and blob_id = $2 and part_number = $3`,
  values: [tenant.tenantId, blobId, partNumber],
})

/** Rows that come at once are read in one turn: 2 MB of them took 50 ms. */
export const partsPerPage = 5_000

/** A page of them; `listParts` reads them all. */
export const selectParts = (tenant: TenantScope, blobId: BlobId, afterPart = 0): Statement<BlobPartRow> => ({
  name: 'select_blob_parts',
  text: `select ${partColumns} from casenote.blob_parts
    where tenant_id = $1 and blob_id = $2 and part_number > $3 order by part_number limit ${partsPerPage}`,
  values: [tenant.tenantId, blobId, afterPart],
})

export const completeOpenBlob = (
  tenant: TenantScope,
  blob: { blobId: BlobId; sizeBytes: number; partCount: number; keepDays: number },
): Statement => ({
  text: `update casenote.blobs set status = 'complete', size_bytes = $3, part_count = $4, completed_at = now(),
      delete_after = ${tenantNow} + make_interval(days => $5)
    where tenant_id = $1 and blob_id = $2 and status = 'open' returning 1 as completed`,
  values: [tenant.tenantId, blob.blobId, blob.sizeBytes, blob.partCount, blob.keepDays],
})

/** The exclusive lock that keeps out parts under way while a manifest is read. */
export const lockBlob = (tenant: TenantScope, blobId: BlobId): Statement<BlobRow> => ({
  text: `select ${blobColumns} from casenote.blobs where tenant_id = $1 and blob_id = $2 for update`,
  values: [tenant.tenantId, blobId],
})

/** No row: it is deleted already, or a legal hold keeps it (`keepUnderHold`). */
export const beginDeletion = (tenant: TenantScope, blobId: BlobId, reason: DeletionReason): Statement => ({
  text: `update casenote.blobs set status = 'deleting', deletion_reason = $3, delete_after = now()
    where tenant_id = $1 and blob_id = $2 and status in ('open', 'complete')
      and not casenote.is_blob_held($1, $2) returning 1 as begun`,
  values: [tenant.tenantId, blobId, reason],
})

/** Nobody needs it any more, but a legal hold: each purge looks again, and the first after the hold removes it, whatever its tenant's days. */
export const keepUnderHold = (tenant: TenantScope, blobId: BlobId): Statement => ({
  text: `update casenote.blobs set delete_after = least(delete_after, now()), given_up_at = coalesce(given_up_at, now())
    where tenant_id = $1 and blob_id = $2 and status in ('open', 'complete')`,
  values: [tenant.tenantId, blobId],
})

export const deleteParts = (tenant: TenantScope, blobId: BlobId): Statement => ({
  text: 'delete from casenote.blob_parts where tenant_id = $1 and blob_id = $2',
  values: [tenant.tenantId, blobId],
})

export const deletePartsAfter = (
  tenant: TenantScope,
  blobId: BlobId,
  partNumber: number,
): Statement<{ storedName: string }> => ({
  text: `delete from casenote.blob_parts where tenant_id = $1 and blob_id = $2 and part_number > $3
    returning stored_name as "storedName"`,
  values: [tenant.tenantId, blobId, partNumber],
})

export const finishDeletion = (tenant: TenantScope, blobId: BlobId): Statement => ({
  text: `update casenote.blobs set status = 'deleted', deleted_at = now()
    where tenant_id = $1 and blob_id = $2 and status = 'deleting'`,
  values: [tenant.tenantId, blobId],
})

/**
 * Only what is not to be read again anyway: the days of the others are what was promised. By the real time: it is the store that is
 * waited for.
 */
export const putDeletionBehind = (tenant: TenantScope, blobId: BlobId): Statement => ({
  text: `update casenote.blobs set delete_after = now() + interval '1 hour'
    where tenant_id = $1 and blob_id = $2 and status = 'deleting'`,
  values: [tenant.tenantId, blobId],
})

export const selectDueBlobs = (tenant: TenantScope, most: number): Statement<{ blobId: BlobId }> => ({
  text: `select blob_id as "blobId" from casenote.blobs
    where tenant_id = $1 and status <> 'deleted' and delete_after <= ${tenantNow} order by delete_after limit $2`,
  values: [tenant.tenantId, most],
})

/** Of clients under a legal hold nothing goes by its age. */
export const postponeBlobsUnderHold = (tenant: TenantScope): Statement => ({
  text: 'select casenote.postpone_held_blobs($1)',
  values: [tenant.tenantId],
})

/** Recordings that are due and stay longer by what holds now: their note was signed meanwhile, or the days are others. */
export const postponeKeptAudio = (
  tenant: TenantScope,
  { endedDays, unsignedDays }: { endedDays: number; unsignedDays: number },
): Statement => ({
  text: 'select casenote.postpone_kept_audio($1, $2, $3)',
  values: [tenant.tenantId, endedDays, unsignedDays],
})

export const listTenantsWithDueBlobs = (most: number): Statement<{ tenantId: TenantId }> => ({
  text: 'select casenote.list_tenants_with_due_blobs($1) as "tenantId"',
  values: [most],
})

/** The same among sandboxes whose clock was moved, by what it shows. */
export const listBlobTenantsOfMovedClocks = (most: number): Statement<{ tenantId: TenantId }> => ({
  text: 'select casenote.list_blob_tenants_of_moved_clocks($1) as "tenantId"',
  values: [most],
})

export interface OrphanRow {
  storedName: string
  /** Nobody writes to its blob any more. */
  isSettled: boolean
}

/** Which of the names have no row. None of a tenant that is not known: that is not this database's store. */
export const selectOrphans = (
  tenant: TenantScope,
  named: { names: readonly string[]; blobIds: readonly BlobId[] },
): Statement<OrphanRow> => ({
  text: `select given.name as "storedName", coalesce(b.status <> 'open', false) as "isSettled"
    from unnest($2::text[], $3::uuid[]) as given (name, blob_id)
    left join casenote.blobs b on b.tenant_id = $1 and b.blob_id = given.blob_id
    where exists (select from casenote.tenants t where t.tenant_id = $1)
      and not exists (select from casenote.blob_parts p
        where p.tenant_id = $1 and p.blob_id = given.blob_id and p.stored_name = given.name)`,
  values: [tenant.tenantId, named.names, named.blobIds],
})

export const scheduleAudioDeletion = (keepDays: number, most: number): Statement => ({
  name: 'schedule_audio_deletion',
  text: 'select casenote.schedule_audio_deletion($1, $2) as count',
  values: [keepDays, most],
})

/** The same for sandboxes whose clock was moved, by what it showed then. */
export const scheduleAudioOfMovedClocks = (keepDays: number, most: number): Statement => ({
  name: 'schedule_audio_of_moved_clocks',
  text: 'select casenote.schedule_audio_of_moved_clocks($1, $2) as count',
  values: [keepDays, most],
})
