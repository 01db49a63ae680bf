import { newId } from '../ids.js'
import type { ListedErasure } from '../secrets/client-key-source.js'
import { ClientKeyTree } from '../secrets/client-key-tree.js'
import type { MasterKeys } from '../secrets/master-keys.js'
import type { SealedPlace } from '../secrets/sealing.js'
import {
  documentFormat,
  DocumentDesk,
  type DocumentChange,
  type OpenedDocument,
  type WrittenSeal,
} from './document-desk.js'
import { withDesk, type OpenDesk } from './open-desk.js'

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

/** Entries of one turn: a millisecond or two. */
const entriesMost = 500

const placeOf = (storeId: string): SealedPlace => ({
  tenantId: '00000000-0000-0000-0000-000000000000',
  table: 'key_store',
  row: storeId,
  column: 'document',
})

/** Signed under the master key: an entry that somebody takes off the list, or a key that they put back, is seen. */
const sign = (storeId: string, digest: Uint8Array, masterKeys: MasterKeys): WrittenSeal => ({
  value: masterKeys.wrap(placeOf(storeId), Buffer.from(digest)).toString('base64'),
  masterKeyId: masterKeys.currentId,
})

/** A new one, which is small. */
export function writeDocument({ storeId, tree, erasures }: KeyStoreDocument, masterKeys: MasterKeys): Buffer {
  const desk = new DocumentDesk()
  desk.begin(storeId, tree, erasures)
  return desk.write(sign(storeId, desk.digest(), masterKeys))
}

/** Proved to be ours. The bytes may be gone afterwards. */
export const readDocument = (
  bytes: Buffer,
  name: string,
  masterKeys: MasterKeys,
): Promise<KeyStoreDocument> =>
  withDesk(bytes, async (desk, opened) => {
    const { storeId } = await requireGenuine(opened, name, masterKeys)
    return takeDocument(desk, storeId)
  })

/** What it is afterwards, and how that is written: null where nothing was to be changed. */
export const changeDocument = (
  bytes: Buffer,
  name: string,
  masterKeys: MasterKeys,
  change: DocumentChange,
): Promise<{ known: KeyStoreDocument; written: Buffer | null }> =>
  withDesk(bytes, async (desk, opened) => {
    const { storeId } = await requireGenuine(opened, name, masterKeys)
    const digest = await desk.change(change)
    const written = digest === null ? null : await desk.write(sign(storeId, digest, masterKeys))
    return { known: await takeDocument(desk, storeId), written }
  })

async function takeDocument(desk: OpenDesk, storeId: string): Promise<KeyStoreDocument> {
  const erasures: ListedErasure[] = []
  for (;;) {
    const page = await desk.page(erasures.length, entriesMost)
    erasures.push(...page)
    if (page.length < entriesMost) break
  }
  return { storeId, tree: new ClientKeyTree(await desk.pack()), erasures }
}

async function requireGenuine(
  opened: OpenedDocument | null,
  name: string,
  masterKeys: MasterKeys,
): Promise<OpenedDocument> {
  if (opened === null) throw new Error(`${name} is damaged: restore it from its own copy`)
  if (opened.format !== documentFormat)
    throw new Error(`${name} was written by a newer Casenote: use that version`)
  const { masterKeyId } = opened.seal
  await masterKeys.know(masterKeyId)
  if (!isGenuine(opened, masterKeys))
    throw new Error(
      `${name} was changed, or signed under master key ${masterKeyId}, which is not configured: restore it from its own copy`,
    )
  return opened
}

function isGenuine({ storeId, seal, digest }: OpenedDocument, masterKeys: MasterKeys): boolean {
  try {
    return masterKeys
      .unwrap(seal.masterKeyId, placeOf(storeId), Buffer.from(seal.value, 'base64'))
      .equals(digest)
  } catch {
    return false
  }
}
