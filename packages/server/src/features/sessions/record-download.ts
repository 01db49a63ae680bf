import type { Database, Tx } from '../../kernel/db/database.js'
import type { DownloadState } from '../../kernel/guarded-fetch/download.js'
import type { BlobId, ClientId, SessionId } from '../../kernel/ids.js'
import { sealJson, unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectArrived, selectDownload, upsertDownload, type ArrivedRow } from './recording-downloads.sql.js'

/** What is kept of a download. How much of the file is here, its blob tells. */
export type KeptDownload = Omit<DownloadState, 'receivedBytes'>

const statePlace = (sessionId: SessionId): JsonPlace<KeptDownload> => ({
  table: 'recording_downloads',
  row: sessionId,
  column: 'sealed_state',
})

/** Null: nobody has begun to fetch the recording, or it has ended. */
export async function findDownload(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<{ blobId: BlobId | null; kept: KeptDownload } | null> {
  const [row] = await db.read(ring, selectDownload(ring, sessionId))
  if (row === undefined) return null
  return { blobId: row.blobId, kept: unsealJson(ring, statePlace(sessionId), row.sealedState) }
}

export async function recordDownload(
  tx: Tx,
  ring: TenantKeyRing,
  {
    sessionId,
    clientId,
    blobId,
    state,
  }: { sessionId: SessionId; clientId: ClientId; blobId: BlobId | null; state: DownloadState },
): Promise<void> {
  const { receivedBytes: _inTheBlob, ...kept } = state
  const sealedState = sealJson(ring.forClient(clientId), statePlace(sessionId), kept satisfies KeptDownload)
  await tx.run(upsertDownload(tx.tenant, sessionId, { blobId, sealedState }))
}

/** How much of a recording that is being fetched is here, without a gap. Null: nothing is, or it is not being fetched. */
export async function findArrived(
  db: Database,
  tenant: TenantScope,
  sessionId: SessionId,
): Promise<ArrivedRow | null> {
  const [row] = await db.read(tenant, selectArrived(tenant, sessionId))
  return row ?? null
}
