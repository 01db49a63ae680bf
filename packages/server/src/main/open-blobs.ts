import { makeBlobStore, type BlobParts, type BlobStore } from '../kernel/blobs/index.js'
import type { Log } from '../kernel/log.js'
import { Pulse } from '../kernel/pulse.js'
import { selectInstallation } from '../kernel/secrets/installation.sql.js'
import { Vital } from '../kernel/vital.js'
import { makeFindOwner } from './erasure/seal-for-owners.js'
import type { ServiceParts } from './parts.js'

/** A recording whose note is never finalized does not stay for ever; a tenant's own days win, and the installation's where they are more. */
export const keepUnfinalizedDays = 365

export async function openBlobs({ config, db, keys, clock }: ServiceParts): Promise<BlobParts> {
  const [installation] = await db.throughDoor(selectInstallation())
  if (installation === undefined) throw new Error('the database has no installation')
  const store = makeBlobStore(config, installation.installationId, clock)
  await store.check()
  return {
    db,
    keys,
    store,
    keepDays: keepUnfinalizedDays,
    endedDays: config.audioRetentionDays,
    findOwner: makeFindOwner(db),
  }
}

/** Each try is an object put into the store, which some stores charge for: some 29,000 a day. */
const probeEveryMs = 3_000

export interface BlobPulse {
  vital: Vital
  stop(): Promise<void>
}

/** Whether the store takes what is given to it: one that is full or read-only answers, and takes nothing. */
export function startBlobPulse(store: Pick<BlobStore, 'probe'>, log: Log): BlobPulse {
  const vital = new Vital('blob store')
  const pulse = new Pulse(vital, { log, everyMs: probeEveryMs, beat: () => store.probe() })
  pulse.start()
  return { vital, stop: () => pulse.stop() }
}
