import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import type { ClientId, ErasedId, ErasureId, TenantId } from '../../kernel/ids.js'
import { deriveKey, type TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { ErasureRow } from './erasure.sql.js'

/** What a receipt says: ids, times and how many recordings. */
interface ReceiptText {
  what: 'casenote erasure receipt'
  erasureId: ErasureId
  partnerId: TenantId
  kind: string
  subjectId: ErasedId
  clientId: ClientId
  askedBy: string
  askedAt: string
  doneAt: string
  recordings: number
  /** The client's own key was destroyed with it: what backups still hold of the client opens for nobody. */
  isKeyDestroyed: boolean
  /** Where a partner asked: the id by which it knows it. Last, as the Partner API writes what may be missing. */
  askedId?: string
}

export interface Receipt {
  statement: ReceiptText
  keyVersion: number
  /** Ed25519, of the statement as `JSON.stringify` writes it. PEM of the public key: compare it with the one that was published. */
  publicKey: string
  signature: string
}

/** RFC 8410: what stands before a seed in PKCS #8. */
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Made of the tenant's audit key, which no backup shows and no rotation loses: old versions stay as long as what they signed. */
function signingKey(ring: TenantKeyRing, version: number): KeyObject {
  const key = ring.find('audit', version)
  if (key === null) throw new Error(`the tenant has no audit key ${version}`)
  const seed = deriveKey(key, 'erasure receipts')
  return createPrivateKey({ key: Buffer.concat([seedPrefix, seed]), format: 'der', type: 'pkcs8' })
}

const toPem = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()

export const readReceiptKey = (ring: TenantKeyRing): string =>
  toPem(signingKey(ring, ring.newest('audit').version))

export function signReceipt(
  ring: TenantKeyRing,
  row: ErasureRow,
  { doneAt, isKeyDestroyed }: { doneAt: Date; isKeyDestroyed: boolean },
): Receipt {
  const { version } = ring.newest('audit')
  const key = signingKey(ring, version)
  const statement: ReceiptText = {
    what: 'casenote erasure receipt',
    erasureId: row.erasureId,
    partnerId: ring.tenantId,
    kind: row.kind,
    subjectId: row.subjectId,
    clientId: row.clientId,
    askedBy: row.askedBy,
    askedAt: row.askedAt.toISOString(),
    doneAt: doneAt.toISOString(),
    recordings: row.blobIds.length,
    isKeyDestroyed,
    ...(row.askedId === null ? {} : { askedId: row.askedId }),
  }
  const signature = sign(null, Buffer.from(JSON.stringify(statement)), key).toString('base64')
  return { statement, keyVersion: version, publicKey: toPem(key), signature }
}

/** Without a database. `publicKey`: one that the reader has from elsewhere; the receipt's own proves only that it is whole. */
export function isReceiptGenuine(receipt: Receipt, publicKey: string = receipt.publicKey): boolean {
  try {
    const key = createPublicKey(publicKey)
    if (key.asymmetricKeyType !== 'ed25519') return false
    return verify(
      null,
      Buffer.from(JSON.stringify(receipt.statement)),
      key,
      Buffer.from(receipt.signature, 'base64'),
    )
  } catch {
    return false
  }
}
