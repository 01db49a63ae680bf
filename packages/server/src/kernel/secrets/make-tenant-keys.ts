import { recordChange, type ChangeSource } from '../audit/index.js'
import type { Database, Tx } from '../db/database.js'
import { operator } from '../operator.js'
import type { TenantScope } from '../tenant.js'
import { KEY_PURPOSES, type KeyPurpose } from './key-purpose.js'
import type { MasterKeys } from './master-keys.js'
import { newTenantKey, TenantKeyRing, unwrapTenantKeys, wrappedKeyPlace } from './tenant-keys.js'
import {
  deleteOutlivedTokenKeys,
  insertTenantKey,
  lockTenantKeys,
  retireTenantKeys,
  selectTenantKeys,
  updateWrappedKey,
  type TenantKeyRow,
} from './tenant-keys.sql.js'

/** The first version of every key of a new tenant. */
export function makeTenantKeyRing(
  masterKeys: MasterKeys,
  tenant: TenantScope,
): { ring: TenantKeyRing; wrapped: TenantKeyRow[] } {
  const keys = KEY_PURPOSES.map((purpose) => ({
    purpose,
    version: 1,
    bytes: newTenantKey(),
    isRetired: false,
  }))
  return {
    ring: new TenantKeyRing(tenant.tenantId, keys, masterKeys.clientKeys),
    wrapped: keys.map((key) => wrapTenantKey(masterKeys, tenant, key)),
  }
}

function wrapTenantKey(
  masterKeys: MasterKeys,
  tenant: TenantScope,
  key: { purpose: KeyPurpose; version: number; bytes: Buffer },
  masterKeyId = masterKeys.currentId,
): TenantKeyRow {
  const { purpose, version, bytes } = key
  const place = wrappedKeyPlace(tenant.tenantId, purpose, version)
  const wrappedKey = masterKeys.wrap(place, bytes, masterKeyId)
  return { purpose, version, masterKeyId, wrappedKey, isRetired: false }
}

/**
 * A new version for what is sealed or signed from now on. Older versions stay: they open what they sealed, and tokens
 * that they signed stay good until they expire.
 */
export async function rotateTenantKey(
  db: Database,
  masterKeys: MasterKeys,
  tenant: TenantScope,
  purpose: KeyPurpose,
  by: ChangeSource = operator,
): Promise<number> {
  return db.write(tenant, (tx) => addTenantKey(tx, masterKeys, purpose, by))
}

/**
 * Wrapped as the version before it, and not with the current master key: a process may hold one that others do not know yet, or one
 * that a rotation is about to forget. Rewrapping moves all of a tenant's keys at once.
 */
export async function addTenantKey(
  tx: Tx,
  masterKeys: MasterKeys,
  purpose: KeyPurpose,
  by: ChangeSource,
): Promise<number> {
  const { tenant } = tx
  await tx.run(lockTenantKeys(tenant))
  const rows = await tx.run(selectTenantKeys(tenant))
  if (!rows.every(({ masterKeyId }) => masterKeys.has(masterKeyId))) await masterKeys.refresh()
  const { version: before } = unwrapTenantKeys(masterKeys, tenant.tenantId, rows).newest(purpose)
  const newest = rows.find((row) => row.purpose === purpose && row.version === before)
  const version = before + 1
  const key = { purpose, version, bytes: newTenantKey() }
  await tx.run(insertTenantKey(tenant, wrapTenantKey(masterKeys, tenant, key, newest?.masterKeyId)))
  if (purpose === 'token') await tx.run(deleteOutlivedTokenKeys(tenant))
  await recordChange(tx, { ...by, operation: 'key.rotate', subjects: [tenant.tenantId] })
  return version
}

/**
 * Ends every token that was signed so far, a thief's included, and every refresh token that follows from a renewal: the partner
 * authenticates again, and so do browsers, but for those that never renewed.
 */
export async function endTokens(tx: Tx, masterKeys: MasterKeys, by: ChangeSource = operator): Promise<void> {
  await addTenantKey(tx, masterKeys, 'token', by)
  await retireOlderKeys(tx, 'token', by)
}

/** All keys of a purpose but the newest, up to `lastVersion` where it is given; gives their versions. Without a newer one there is none to retire. */
export async function retireOlderKeys(
  tx: Tx,
  purpose: 'data' | 'token',
  by: ChangeSource = operator,
  lastVersion: number | null = null,
): Promise<number[]> {
  await tx.run(lockTenantKeys(tx.tenant))
  const retired = await tx.run(retireTenantKeys(tx.tenant, purpose, lastVersion))
  if (retired.length === 0) return []
  await recordChange(tx, { ...by, operation: 'key.retire', subjects: [tx.tenant.tenantId] })
  return retired.map(({ version }) => version)
}

/** Wraps a tenant's keys with the current master key. No row of data is touched. */
export async function rewrapTenantKeys(
  db: Database,
  masterKeys: MasterKeys,
  tenant: TenantScope,
): Promise<number> {
  return db.write(tenant, async (tx) => {
    await tx.run(lockTenantKeys(tenant))
    const rows = await tx.run(selectTenantKeys(tenant))
    const stale = rows.filter((row) => row.masterKeyId !== masterKeys.currentId)
    for (const { purpose, version, masterKeyId, wrappedKey } of stale) {
      const bytes = masterKeys.unwrap(
        masterKeyId,
        wrappedKeyPlace(tenant.tenantId, purpose, version),
        wrappedKey,
      )
      await tx.run(updateWrappedKey(tenant, wrapTenantKey(masterKeys, tenant, { purpose, version, bytes })))
    }
    if (stale.length > 0)
      await recordChange(tx, { ...operator, operation: 'key.rewrap', subjects: [tenant.tenantId] })
    return stale.length
  })
}
