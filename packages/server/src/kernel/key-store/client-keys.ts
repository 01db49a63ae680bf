import type { Database } from '../db/database.js'
import type { ClientKeySource, ListedErasure } from '../secrets/client-key-source.js'
import type { MasterKeys } from '../secrets/master-keys.js'
import { readDocument, writeDocument, type KeyStoreDocument } from './key-store-document.js'
import type { KeyStore } from './key-store.js'
import { lockKeyStore } from './key-store.sql.js'

const noTenant = { tenantId: '00000000-0000-0000-0000-000000000000' }

/**
 * The key store as one process knows it. What was erased elsewhere since is still derived here until the next look: what it sealed is
 * gone from the database by then.
 */
export class ClientKeys implements ClientKeySource {
  readonly #store: KeyStore
  readonly #masterKeys: MasterKeys
  #known: KeyStoreDocument

  constructor(store: KeyStore, masterKeys: MasterKeys, known: KeyStoreDocument) {
    this.#store = store
    this.#masterKeys = masterKeys
    this.#known = known
  }

  get storeId(): string {
    return this.#known.storeId
  }

  get erasures(): readonly ListedErasure[] {
    return this.#known.erasures
  }

  /** Null: it was destroyed. */
  find(tenantId: string, clientId: string): Buffer | null {
    return this.#known.tree.find(tenantId, clientId)
  }

  /** On the list, from before the first row goes: whatever happens next, no backup brings it back. */
  async list(db: Database, erasure: ListedErasure): Promise<void> {
    await this.#change(db, (known) =>
      known.erasures.some(({ erasureId }) => erasureId === erasure.erasureId)
        ? null
        : { ...known, erasures: [...known.erasures, erasure] },
    )
  }

  async destroy(db: Database, tenantId: string, clientId: string): Promise<void> {
    await this.#change(db, (known) =>
      known.tree.find(tenantId, clientId) === null
        ? null
        : { ...known, tree: known.tree.without(tenantId, clientId) },
    )
  }

  /** Under the current master key: an older one can be forgotten then. */
  async signAnew(db: Database): Promise<void> {
    await this.#change(db, (known) => ({ ...known }))
  }

  async refresh(): Promise<void> {
    this.#known = await this.#read()
  }

  /** What lies there now, as it is written: for its own copies. */
  async copy(): Promise<string> {
    await this.refresh()
    return writeDocument(this.#known, this.#masterKeys)
  }

  /** One at a time of all instances, and always from what lies in the store: a process that knew an older tree would bring a key back. */
  async #change(db: Database, make: (known: KeyStoreDocument) => KeyStoreDocument | null): Promise<void> {
    await db.write(noTenant, async (tx) => {
      await tx.run(lockKeyStore())
      const known = await this.#read()
      const changed = make(known)
      if (changed !== null) await this.#store.write(writeDocument(changed, this.#masterKeys))
      this.#known = changed ?? known
    })
  }

  async #read(): Promise<KeyStoreDocument> {
    const text = await this.#store.read()
    if (text === null) throw new Error(`the key store is gone from ${this.#store.name}`)
    const read = await readDocument(text, this.#store.name, this.#masterKeys)
    if (read.storeId !== this.storeId) throw new Error(`${this.#store.name} holds another key store now`)
    return read
  }
}
