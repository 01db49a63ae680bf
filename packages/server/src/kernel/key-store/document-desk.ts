import { createHash } from 'node:crypto'
import type { ClientId, ErasureId, MasterKeyId, TenantId } from '../ids.js'
import type { ListedErasure } from '../secrets/client-key-source.js'
import { ClientKeyTree, type PackedTree } from '../secrets/client-key-tree.js'

export interface WrittenSeal {
  masterKeyId: MasterKeyId
  value: string
}

/** As it is written, but for its seal. */
interface WrittenDocument {
  format: number
  storeId: string
  keys: string[]
  erasures: ListedErasure[]
}

/** Raised when an older program could not read what a newer one wrote. */
export const documentFormat = 1

export type DocumentChange =
  | { kind: 'list'; erasure: ListedErasure }
  | { kind: 'refuse'; erasureId: ErasureId }
  | { kind: 'finish'; erasureIds: readonly ErasureId[] }
  | { kind: 'destroy'; tenantId: TenantId; clientId: ClientId }
  /** As it is, under the current master key. */
  | { kind: 'sign' }

/** What is looked at before anything of it is believed: whoever has the master key compares the digest with the sealed one. */
export interface OpenedDocument {
  format: number
  storeId: string
  seal: WrittenSeal
  digest: Uint8Array
}

/**
 * A key store's document while it is read and changed: parsed, digested, written. It knows no master key and no store, so it can be in
 * a thread (`document-thread.ts`): a document of megabytes would block the loop for a second.
 */
export class DocumentDesk {
  #document: WrittenDocument = { format: documentFormat, storeId: '', keys: [], erasures: [] }
  #tree: ClientKeyTree | null = null
  /** Without its seal; null: not written since the last change. */
  #text: string | null = null

  /** One that is new, and not sealed yet. */
  begin(storeId: string, tree: ClientKeyTree, erasures: readonly ListedErasure[]): void {
    this.#document = { format: documentFormat, storeId, keys: tree.write(), erasures: [...erasures] }
    this.#text = null
  }

  /** Null: it is damaged. */
  open(bytes: Uint8Array): OpenedDocument | null {
    try {
      const { seal, ...document } = JSON.parse(
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(),
      ) as WrittenDocument & { seal: WrittenSeal }
      if (typeof document.format !== 'number' || typeof seal.masterKeyId !== 'string') return null
      this.#document = document
      this.#text = null
      return { format: document.format, storeId: document.storeId, seal, digest: this.digest() }
    } catch {
      return null
    }
  }

  digest(): Uint8Array {
    return createHash('sha256').update(this.#write()).digest()
  }

  /** False: there is nothing to be changed. */
  change(change: DocumentChange): boolean {
    const changed = this.#make(change)
    if (changed === null) return false
    this.#document = { ...this.#document, ...changed }
    this.#text = null
    return true
  }

  write(seal: WrittenSeal): Buffer<ArrayBuffer> {
    return Buffer.from(`${this.#write().slice(0, -1)},"seal":${JSON.stringify(seal)}}\n`)
  }

  /** So many of the list, from one on: thousands at once are not handed over in one turn. */
  page(from: number, most: number): readonly ListedErasure[] {
    return this.#document.erasures.slice(from, from + most)
  }

  pack(): PackedTree {
    return this.#getTree().packed
  }

  #write(): string {
    return (this.#text ??= JSON.stringify(this.#document))
  }

  #getTree(): ClientKeyTree {
    return (this.#tree ??= ClientKeyTree.read(this.#document.keys))
  }

  #make(change: DocumentChange): Partial<WrittenDocument> | null {
    const { erasures } = this.#document
    switch (change.kind) {
      case 'list': {
        const { erasure } = change
        const isListed = erasures.some(({ erasureId }) => erasureId === erasure.erasureId)
        return isListed ? null : { erasures: [...erasures, erasure] }
      }
      case 'refuse': {
        const entries = erasures.filter(({ erasureId }) => erasureId === change.erasureId)
        const [listed] = entries
        if (listed === undefined || entries.some(({ isRefused }) => isRefused === true)) return null
        return { erasures: [...erasures, { ...listed, isRefused: true }] }
      }
      case 'finish': {
        const done = new Set(change.erasureIds)
        const isNew = ({ erasureId, isDone, isRefused }: ListedErasure): boolean =>
          done.has(erasureId) && isDone !== true && isRefused !== true
        if (!erasures.some(isNew)) return null
        return { erasures: erasures.map((one) => (isNew(one) ? { ...one, isDone: true } : one)) }
      }
      case 'destroy': {
        const tree = this.#getTree()
        const without = tree.without(change.tenantId, change.clientId)
        if (without === tree) return null
        this.#tree = without
        return { keys: without.write() }
      }
      default:
        return {}
    }
  }
}
