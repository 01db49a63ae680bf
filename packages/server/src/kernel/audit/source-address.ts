import type { ClientId } from '../ids.js'
import { readSealedFor, seal, unseal, type ClientKey, type VersionedKey } from '../secrets/sealing.js'
import { deriveKey, type TenantKeyRing } from '../secrets/tenant-keys.js'

/** Addresses of one tenant that are sealed once and used again: some 2 MB. Beyond it they are sealed anew. */
const addressesMax = 10_000

interface Sealed {
  key: VersionedKey
  /** By the client whose alone it is, if any, and the address. */
  texts: Map<string, string>
}

/** What a report has in place of the address of a client who was erased: no address is spelled so. */
const erasedAddress = 'erased'

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
export const sealAddress = (ring: TenantKeyRing, address: string): string => sealOnce(ring, address, null)

/**
 * The address that a call by a client's own link came from: sealed under that client's key as well, where there are such keys, so that erasing the client ends it
 * wherever the log was copied to, while the chain stays whole. Undefined: the client was erased, and nobody's key is left for it.
 */
export function sealAddressOfClient(
  ring: TenantKeyRing,
  clientId: ClientId,
  address: string,
): string | undefined {
  if (!ring.hasClientKeys) return sealAddress(ring, address)
  const bytes = ring.findClientKey(clientId)
  return bytes === null ? undefined : sealOnce(ring, address, { clientId, bytes })
}

function sealOnce(ring: TenantKeyRing, address: string, clientKey: ClientKey | null): string {
  const newest = ring.newest('audit')
  let known = sealed.get(newest)
  if (known === undefined || known.texts.size >= addressesMax) {
    known = { key: derive(newest), texts: new Map() }
    sealed.set(newest, known)
  }
  const plain = toPlain(address)
  const name = clientKey === null ? ` ${plain}` : `${clientKey.clientId} ${plain}`
  let text = known.texts.get(name)
  if (text === undefined) {
    text = seal(known.key, placeOf(ring), Buffer.from(plain), clientKey).toString('base64url')
    known.texts.set(name, text)
  }
  return text
}

/** Null: it was not sealed for this tenant, or its key is not there. `erased`: it was a client's who was erased. */
export function unsealAddress(ring: TenantKeyRing, text: string): string | null {
  const findKey = (version: number): VersionedKey | null => {
    const key = ring.find('audit', version)
    return key === null ? null : derive(key)
  }
  try {
    const bytes = Buffer.from(text, 'base64url')
    const clientId = readSealedFor(bytes)
    const clientKey = clientId === null ? null : ring.findClientKey(clientId)
    if (clientId !== null && clientKey === null && ring.hasClientKeys) return erasedAddress
    return unseal(findKey, placeOf(ring), bytes, () => clientKey).toString()
  } catch {
    return null // Whoever reports shows the entry all the same; `audit verify` says whether it was changed.
  }
}

/** A socket that takes both protocols writes IPv4 as `::ffff:192.0.2.1`. */
const mappedPrefix = '::ffff:'
const toPlain = (address: string): string =>
  address.startsWith(mappedPrefix) && address.includes('.') ? address.slice(mappedPrefix.length) : address
