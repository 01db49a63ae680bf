import { makeBlobStore, type BlobParts } from '../kernel/blobs/index.js'
import { selectInstallation } from '../kernel/secrets/installation.sql.js'
import type { ServiceParts } from './parts.js'

/** A recording whose note is never finalized does not stay for ever. */
const keepUnfinalizedDays = 365

export async function openBlobs({ config, db, keys }: ServiceParts): Promise<BlobParts> {
  const [installation] = await db.throughDoor<{ installationId: string }>(selectInstallation())
  if (installation === undefined) throw new Error('the database has no installation')
  const store = makeBlobStore(config, installation.installationId)
  await store.check()
  return { db, keys, store, keepDays: keepUnfinalizedDays }
}
