import { listUnfinishedErasures, runErasure, type ErasureParts } from '../../features/erasure/index.js'
import type { BlobStore } from '../../kernel/blobs/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { ClientKeySource } from '../../kernel/secrets/client-key-source.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import { freeOthers } from './seal-for-owners.js'

/** Erasures of one pass: each may take seconds. */
const finishedMost = 100

export const makeErasureParts = (parts: {
  db: Database
  keys: TenantKeys
  clientKeys: ClientKeySource
  store: BlobStore | null
}): ErasureParts => ({
  ...parts,
  freeOthers: async (tenant, clientId) => {
    const { db, keys, store } = parts
    if (store !== null) await freeOthers({ db, store }, await keys.get(tenant), clientId)
  },
})

/** Those that a kill cut short. One that fails holds up none behind it, and is told at the end. */
export async function finishErasures(parts: ErasureParts): Promise<number> {
  const unfinished = await parts.db.throughDoor<{ tenantId: string; erasureId: string }>(
    listUnfinishedErasures(finishedMost),
  )
  let first: unknown = null
  let finished = 0
  for (const { tenantId, erasureId } of unfinished) {
    try {
      await runErasure(parts, { tenantId }, erasureId)
      finished += 1
    } catch (error) {
      first ??= error
    }
  }
  if (first !== null) throw first
  return finished
}
