import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Where a ciphertext stands. It is authenticated with it, so a copy in another row, column or tenant does not open. */
export interface SealedPlace {
  tenantId: string
  table: string
  row: string
  column: string
}

export interface VersionedKey {
  version: number
  bytes: Buffer
}

/** format (1) · key version (4, big endian) · nonce (12) · ciphertext · tag (16). AES-256-GCM. */
const formatByte = 1
const headerBytes = 17
const tagBytes = 16

export function seal(key: VersionedKey, place: SealedPlace, plaintext: Buffer): Buffer {
  const header = Buffer.alloc(5)
  header.writeUInt8(formatByte, 0)
  header.writeUInt32BE(key.version, 1)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce)
  cipher.setAAD(placeBytes(place))
  return Buffer.concat([header, nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

export function unseal(
  findKey: (version: number) => VersionedKey | null,
  place: SealedPlace,
  sealed: Buffer,
): Buffer {
  if (sealed.length < headerBytes + tagBytes || sealed.readUInt8(0) !== formatByte) {
    throw new Error('a sealed value has an unknown format')
  }
  const version = sealed.readUInt32BE(1)
  const key = findKey(version)
  if (key === null) throw new Error(`a sealed value needs key version ${version}, which is not there`)
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, sealed.subarray(5, headerBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(placeBytes(place))
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  const body = sealed.subarray(headerBytes, sealed.length - tagBytes)
  return Buffer.concat([decipher.update(body), decipher.final()])
}

/** JSON keeps the four parts apart whatever they contain. */
const placeBytes = ({ tenantId, table, row, column }: SealedPlace): Buffer =>
  Buffer.from(JSON.stringify([tenantId, table, row, column]))
