import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { hexToId, type ClientId, type TenantId } from '../ids.js'

/** Where a ciphertext stands. It is authenticated with it, so a copy in another row, column or tenant does not open. */
export interface SealedPlace {
  tenantId: TenantId
  table: string
  row: string
  column: string
}

export interface VersionedKey {
  version: number
  bytes: Buffer
}

/** Nothing opens it any more: it is damaged, or not where it was sealed, or its client's key is gone. Never that a key of the tenant lacks. */
export class SealLost extends Error {
  override name = 'SealLost'
}

/** A client's own key, which is needed beside the tenant's. */
export interface ClientKey {
  clientId: ClientId
  bytes: Buffer
}

/**
 * format (1) · key version (4, big endian) · nonce (12) · ciphertext · tag (16). AES-256-GCM. What is sealed for one client alone has
 * another format, and the client's id (16) before the nonce.
 */
const formats = { tenant: 1, client: 2 } as const
const versionBytes = 5
const clientIdBytes = 16
const nonceBytes = 12
const tagBytes = 16

export function seal(
  key: VersionedKey,
  place: SealedPlace,
  plaintext: Buffer,
  clientKey: ClientKey | null = null,
): Buffer {
  const header = Buffer.alloc(versionBytes)
  header.writeUInt8(clientKey === null ? formats.tenant : formats.client, 0)
  header.writeUInt32BE(key.version, 1)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', bytesOf(key, clientKey), nonce)
  cipher.setAAD(placeBytes(place))
  const ownerBytes = clientKey === null ? [] : [idToBytes(clientKey.clientId)]
  return Buffer.concat([
    header,
    ...ownerBytes,
    nonce,
    cipher.update(plaintext),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

/** Whose alone a sealed value is; null: it is the tenant's. */
export const readSealedFor = (sealed: Buffer): string | null =>
  sealed[0] === formats.client ? bytesToId(sealed.subarray(versionBytes, versionBytes + clientIdBytes)) : null

export function unseal(
  findKey: (version: number) => VersionedKey | null,
  place: SealedPlace,
  sealed: Buffer,
  findClientKey: (clientId: ClientId) => Buffer | null = () => null,
): Buffer {
  const format = sealed[0]
  const nonceAt = versionBytes + (format === formats.client ? clientIdBytes : 0)
  const isKnown = format === formats.tenant || format === formats.client
  if (!isKnown || sealed.length < nonceAt + nonceBytes + tagBytes) {
    throw new Error('a sealed value has an unknown format')
  }
  const version = sealed.readUInt32BE(1)
  const key = findKey(version)
  if (key === null) throw new Error(`a sealed value needs key version ${version}, which is not there`)
  const clientId = readSealedFor(sealed)
  const clientBytes = clientId === null ? null : findClientKey(clientId)
  if (clientId !== null && clientBytes === null)
    throw new SealLost("a sealed value needs a client's key, which is gone")
  const clientKey = clientId === null || clientBytes === null ? null : { clientId, bytes: clientBytes }
  const headerBytes = nonceAt + nonceBytes
  const decipher = createDecipheriv(
    'aes-256-gcm',
    bytesOf(key, clientKey),
    sealed.subarray(nonceAt, headerBytes),
    { authTagLength: tagBytes },
  )
  decipher.setAAD(placeBytes(place))
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  const body = sealed.subarray(headerBytes, sealed.length - tagBytes)
  const opened = decipher.update(body)
  try {
    // It only looks at the tag: nothing is left to come out of a stream cipher, and a copy of 4 MB takes a millisecond.
    decipher.final()
    return opened
  } catch (error) {
    throw new SealLost('a sealed value does not open', { cause: error })
  }
}

/** Both are needed: the key store alone opens nothing, and neither does a backup with its master key. */
const bytesOf = (key: VersionedKey, clientKey: ClientKey | null): Buffer =>
  clientKey === null
    ? key.bytes
    : createHmac('sha256', key.bytes)
        .update(`casenote client ${clientKey.clientId}/`)
        .update(clientKey.bytes)
        .digest()

const idToBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')
const bytesToId = (bytes: Buffer): string => hexToId(bytes.toString('hex'))

/** JSON keeps the four parts apart whatever they contain. */
const placeBytes = ({ tenantId, table, row, column }: SealedPlace): Buffer =>
  Buffer.from(JSON.stringify([tenantId, table, row, column]))
