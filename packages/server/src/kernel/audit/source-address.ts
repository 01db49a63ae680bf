import { seal, unseal, type VersionedKey } from '../secrets/sealing.js'
import { deriveKey, type TenantKeyRing } from '../secrets/tenant-keys.js'

/** Addresses of one tenant that are sealed once and used again: some 2 MB. Beyond it they are sealed anew. */
const addressesMax = 10_000

interface Sealed {
  key: VersionedKey
  byAddress: Map<string, string>
}

/** As old as the ring that holds the key: forgotten with it. */
const sealed = new WeakMap<VersionedKey, Sealed>()

const placeOf = ({ tenantId }: TenantKeyRing) => ({ tenantId, table: 'audit', row: 'actor', column: 'from' })

const derive = (key: VersionedKey): VersionedKey => ({
  version: key.version,
  bytes: deriveKey(key, 'audit/address'),
})

/**
 * With a key that follows from the audit key, which is never retired: an entry cannot be sealed anew. One address gives the
 * same text again and again, so that the reads of a whole day cost one sealing.
 */
export function sealAddress(ring: TenantKeyRing, address: string): string {
  const newest = ring.newest('audit')
  let known = sealed.get(newest)
  if (known === undefined || known.byAddress.size >= addressesMax) {
    known = { key: derive(newest), byAddress: new Map() }
    sealed.set(newest, known)
  }
  const plain = toPlain(address)
  let text = known.byAddress.get(plain)
  if (text === undefined) {
    text = seal(known.key, placeOf(ring), Buffer.from(plain)).toString('base64url')
    known.byAddress.set(plain, text)
  }
  return text
}

/** Null: it was not sealed for this tenant, or its key is not there. */
export function unsealAddress(ring: TenantKeyRing, text: string): string | null {
  const findKey = (version: number): VersionedKey | null => {
    const key = ring.find('audit', version)
    return key === null ? null : derive(key)
  }
  try {
    return unseal(findKey, placeOf(ring), Buffer.from(text, 'base64url')).toString()
  } catch {
    return null // Whoever reports shows the entry all the same; `audit verify` says whether it was changed.
  }
}

/** A socket that takes both protocols writes IPv4 as `::ffff:192.0.2.1`. */
const mappedPrefix = '::ffff:'
const toPlain = (address: string): string =>
  address.startsWith(mappedPrefix) && address.includes('.') ? address.slice(mappedPrefix.length) : address
