import { hkdfSync, randomBytes } from 'node:crypto'
import type { Database } from '../db/database.js'
import { DirectoryCache, type DirectoryWatch } from '../directory-cache.js'
import type { ClientId, TenantId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import type { KeyPurpose } from './key-purpose.js'
import type { MasterKeys } from './master-keys.js'
import type { ClientKeySource } from './client-key-source.js'
import {
  readSealedFor,
  seal,
  SealLost,
  unseal,
  type ClientKey,
  type SealedPlace,
  type VersionedKey,
} from './sealing.js'
import { selectTenantKeys, type TenantKeyRow } from './tenant-keys.sql.js'

interface RingKey extends VersionedKey {
  purpose: KeyPurpose
  isRetired: boolean
}

/** A tenant's unwrapped keys, as one instance holds them between two changes of the directory. */
export class TenantKeyRing {
  readonly #keys: ReadonlyMap<string, RingKey>
  readonly #newest: ReadonlyMap<KeyPurpose, VersionedKey>

  readonly #clientKeys: ClientKeySource | null
  readonly #clientId: ClientId | null

  constructor(
    readonly tenantId: TenantId,
    keys: readonly RingKey[],
    clientKeys: ClientKeySource | null = null,
    clientId: ClientId | null = null,
  ) {
    this.#clientKeys = clientKeys
    this.#clientId = clientId
    this.#keys = new Map(keys.map((key) => [`${key.purpose}/${key.version}`, key]))
    this.#newest = new Map(keys.toSorted((a, b) => a.version - b.version).map((key) => [key.purpose, key]))
  }

  /** False for a tenant that does not exist: its ring is empty. */
  has(purpose: KeyPurpose): boolean {
    return this.#newest.has(purpose)
  }

  newest(purpose: KeyPurpose): VersionedKey {
    const key = this.#newest.get(purpose)
    if (key === undefined) throw new Error(`tenant ${this.tenantId} has no ${purpose} key`)
    return key
  }

  find(purpose: KeyPurpose, version: number): VersionedKey | null {
    return this.#keys.get(`${purpose}/${version}`) ?? null
  }

  /** Whatever a token key signed ends with it. A data key still opens what it sealed. */
  isRetired(purpose: KeyPurpose, version: number): boolean {
    return this.#keys.get(`${purpose}/${version}`)?.isRetired ?? false
  }

  /** Seals for one client alone from here on, where there are such keys. Opens whatever this one opens. */
  forClient(clientId: ClientId): TenantKeyRing {
    if (this.#clientKeys === null) return this
    return new TenantKeyRing(this.tenantId, [...this.#keys.values()], this.#clientKeys, clientId)
  }

  /** Whether what is sealed for a client alone can be told from the rest. */
  get hasClientKeys(): boolean {
    return this.#clientKeys !== null
  }

  /** For what is sealed with another key than the data key. Null: it was destroyed, or there are no such keys. */
  findClientKey(clientId: ClientId): Buffer | null {
    return this.#clientKeys?.find(this.tenantId, clientId) ?? null
  }

  seal(place: Omit<SealedPlace, 'tenantId'>, plaintext: Buffer): Buffer {
    const clientKey = this.#clientId === null ? null : this.#getClientKey(this.#clientId)
    return seal(this.newest('data'), { ...place, tenantId: this.tenantId }, plaintext, clientKey)
  }

  unseal(place: Omit<SealedPlace, 'tenantId'>, sealed: Buffer): Buffer {
    const findKey = (version: number): VersionedKey | null => this.find('data', version)
    return unseal(findKey, { ...place, tenantId: this.tenantId }, sealed, (clientId) =>
      this.findClientKey(clientId),
    )
  }

  /** Seals a value anew with the newest key, for whomever it was sealed. */
  reseal(place: Omit<SealedPlace, 'tenantId'>, sealed: Buffer): Buffer {
    const clientId = readSealedFor(sealed)
    const ring = clientId === null ? this : this.forClient(clientId)
    return ring.seal(place, this.unseal(place, sealed))
  }

  #getClientKey(clientId: ClientId): ClientKey {
    const bytes = this.findClientKey(clientId)
    if (bytes === null) throw new SealLost('the key of a client is gone: the client was erased')
    return { clientId, bytes }
  }
}

/** Different uses of one key never share bytes: a clinician's token cannot be read as a partner's. */
export function deriveKey(key: VersionedKey, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key.bytes, '', `casenote/${use}`, 32))
}

/** How the wrapped key is bound to its place, in `tenant_keys` and during a rewrap. */
export const wrappedKeyPlace = (tenantId: TenantId, purpose: KeyPurpose, version: number): SealedPlace => ({
  tenantId,
  table: 'tenant_keys',
  row: `${purpose}/${version}`,
  column: 'wrapped_key',
})

export function unwrapTenantKeys(
  masterKeys: MasterKeys,
  tenantId: TenantId,
  rows: readonly TenantKeyRow[],
): TenantKeyRing {
  const keys = rows.map(({ purpose, version, masterKeyId, wrappedKey, isRetired }) => ({
    purpose,
    version,
    isRetired,
    bytes: masterKeys.unwrap(masterKeyId, wrappedKeyPlace(tenantId, purpose, version), wrappedKey),
  }))
  return new TenantKeyRing(tenantId, keys, masterKeys.clientKeys)
}

export const newTenantKey = (): Buffer => randomBytes(32)

export interface TenantKeys {
  /**
   * As of the last poll of the directory, at most a few seconds ago. An unknown tenant has an empty ring. `guard` decides
   * whether to ask the database for a tenant that only a guess may have named.
   */
  get(tenant: TenantScope, guard?: LoadGuard): TenantKeyRing | Promise<TenantKeyRing>
}

export type LoadGuard = <Result>(load: () => Promise<Result | null>) => Promise<Result | null>

export function makeTenantKeys(db: Database, masterKeys: MasterKeys, watch: DirectoryWatch): TenantKeys {
  const cache = new DirectoryCache<TenantKeyRing>(watch)
  // An empty ring is not kept: whoever makes up tenants must not push out the rings of those that there are.
  const load = async (tenant: TenantScope): Promise<TenantKeyRing | null> => {
    const ring = await readTenantKeys(db, masterKeys, tenant)
    return ring.has('token') ? ring : null
  }
  return {
    get: (tenant, guard = (work) => work()) => {
      const found = cache.get(tenant.tenantId, () => guard(() => load(tenant)))
      if (!(found instanceof Promise)) return found
      return found.then((ring) => ring ?? new TenantKeyRing(tenant.tenantId, []))
    },
  }
}

/** Past every cache, for a command. */
export async function readTenantKeys(
  db: Database,
  masterKeys: MasterKeys,
  tenant: TenantScope,
): Promise<TenantKeyRing> {
  const rows = await db.read(tenant, selectTenantKeys(tenant))
  // A rotation elsewhere has wrapped them anew, and its key is known only to where keys come from.
  for (const { masterKeyId } of rows) await masterKeys.know(masterKeyId)
  return unwrapTenantKeys(masterKeys, tenant.tenantId, rows)
}
