import { createSecretKey, type KeyObject } from 'node:crypto'
import type { VersionedKey } from '../secrets/sealing.js'
import { deriveKey, type TenantKeyRing } from '../secrets/tenant-keys.js'

/** One version of a tenant's audit key, as the keys that entries and checkpoints are proven with. */
export interface AuditKey {
  version: number
  entries: KeyObject
  checkpoints: KeyObject
}

/** As old as the ring that holds the key: forgotten with it. */
const derived = new WeakMap<VersionedKey, AuditKey>()

export const newestAuditKey = (ring: TenantKeyRing): AuditKey => toAuditKey(ring.newest('audit'))

export function findAuditKey(ring: TenantKeyRing, version: number): AuditKey | null {
  const key = ring.find('audit', version)
  return key === null ? null : toAuditKey(key)
}

function toAuditKey(key: VersionedKey): AuditKey {
  let auditKey = derived.get(key)
  if (auditKey === undefined) {
    auditKey = {
      version: key.version,
      entries: createSecretKey(deriveKey(key, 'audit/entry')),
      checkpoints: createSecretKey(deriveKey(key, 'audit/checkpoint')),
    }
    derived.set(key, auditKey)
  }
  return auditKey
}
