import { createHash } from 'node:crypto'
import { newId, type MasterKeyId } from '../ids.js'
import type { ListedErasure } from '../secrets/client-key-source.js'
import { ClientKeyTree } from '../secrets/client-key-tree.js'
import type { MasterKeys } from '../secrets/master-keys.js'
import type { SealedPlace } from '../secrets/sealing.js'

export interface KeyStoreDocument {
  storeId: string
  tree: ClientKeyTree
  erasures: readonly ListedErasure[]
}

export const newDocument = (): KeyStoreDocument => ({
  storeId: newId(),
  tree: ClientKeyTree.grow(),
  erasures: [],
})

/** Raised when an older program could not read what a newer one wrote. */
const documentFormat = 1

interface WrittenDocument {
  format: number
  storeId: string
  keys: string[]
  erasures: ListedErasure[]
  seal: { masterKeyId: MasterKeyId; value: string }
}

const placeOf = (storeId: string): SealedPlace => ({
  tenantId: '00000000-0000-0000-0000-000000000000',
  table: 'key_store',
  row: storeId,
  column: 'document',
})

const digestOf = (document: Omit<WrittenDocument, 'seal'>): Buffer =>
  createHash('sha256').update(JSON.stringify(document)).digest()

/** Signed under the master key: an entry that somebody takes off the list, or a key that they put back, is seen. */
export function writeDocument({ storeId, tree, erasures }: KeyStoreDocument, masterKeys: MasterKeys): string {
  const document = { format: documentFormat, storeId, keys: tree.write(), erasures: [...erasures] }
  const value = masterKeys.wrap(placeOf(storeId), digestOf(document)).toString('base64')
  return `${JSON.stringify({ ...document, seal: { masterKeyId: masterKeys.currentId, value } })}\n`
}

export async function readDocument(
  text: string,
  name: string,
  masterKeys: MasterKeys,
): Promise<KeyStoreDocument> {
  const { seal, ...document } = parse(text, name)
  if (document.format !== documentFormat)
    throw new Error(`${name} was written by a newer Casenote: use that version`)
  await masterKeys.know(seal.masterKeyId)
  if (!isGenuine(document, seal, masterKeys))
    throw new Error(
      `${name} was changed, or signed under master key ${seal.masterKeyId}, which is not configured: restore it from its own copy`,
    )
  return { storeId: document.storeId, tree: ClientKeyTree.read(document.keys), erasures: document.erasures }
}

function parse(text: string, name: string): WrittenDocument {
  try {
    const document = JSON.parse(text) as WrittenDocument
    if (typeof document.format === 'number' && typeof document.seal.masterKeyId === 'string') return document
  } catch {
    // Said below.
  }
  throw new Error(`${name} is damaged: restore it from its own copy`)
}

function isGenuine(
  document: Omit<WrittenDocument, 'seal'>,
  { masterKeyId, value }: WrittenDocument['seal'],
  masterKeys: MasterKeys,
): boolean {
  try {
    const digest = masterKeys.unwrap(masterKeyId, placeOf(document.storeId), Buffer.from(value, 'base64'))
    return digest.equals(digestOf(document))
  } catch {
    return false
  }
}
