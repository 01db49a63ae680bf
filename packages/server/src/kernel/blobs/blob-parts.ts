import type { Database, Tx } from '../db/database.js'
import type { BlobId, ClientId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import type { TenantKeys } from '../secrets/tenant-keys.js'
import type { BlobStore } from './blob-store.js'

/** What everything about blobs is built from. */
export interface BlobParts {
  db: Database
  keys: TenantKeys
  store: BlobStore
  /** Days until a blob goes: from its last part on, or from its beginning when nobody finishes it. */
  keepDays: number
  /** For how long a recording stays after its note was signed or its session failed, where its tenant has set no days. */
  endedDays: number
  /** Whose recording a blob is; null: nobody's yet. Without it parts are sealed for the tenant alone. */
  findOwner?: (tenant: TenantScope, blobId: BlobId) => Promise<ClientId | null>
}

/**
 * Run first in every transaction that changes a blob, when the right to change it can be lost meanwhile. What it throws
 * leaves the blob as it is.
 */
export type BlobGuard = (tx: Tx) => Promise<void>

export const noGuard: BlobGuard = () => Promise.resolve()

/**
 * 4 MiB: a stream costs a few of them in memory; the flushes, the row or the request that each part costs are spread
 * over enough bytes; and no more than that is sent again when an upload breaks. A tenant's key seals 2^32 parts before
 * random nonces of 96 bits become a risk (NIST SP 800-38D, 8.3): 16 PiB.
 */
export const partSizeBytesMax = 4 * 1_024 * 1_024

/** Bound into the sealed bytes: a part of another blob, or another number of this one, does not open. */
export const partPlace = (blobId: BlobId, partNumber: number) => ({
  table: 'blob_parts',
  row: `${blobId}/${partNumber}`,
  column: 'part',
})

/** What a caller did in the wrong order or about a blob that is gone. */
export class BlobStateFault extends Error {
  readonly code = 'blob_state'

  constructor(message: string) {
    super(message)
    this.name = 'BlobStateFault'
  }
}
