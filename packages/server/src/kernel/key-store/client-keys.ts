import type { Database } from '../db/database.js'
import type { ClientId, ErasureId, TenantId } from '../ids.js'
import type { ClientKeySource, ListedErasure } from '../secrets/client-key-source.js'
import type { MasterKeys } from '../secrets/master-keys.js'
import { readDocument, writeDocument, type KeyStoreDocument } from './key-store-document.js'
import { documentBytesMax, type KeyStore } from './key-store.js'
import { lockKeyStore } from './key-store.sql.js'

const noTenant = { tenantId: '00000000-0000-0000-0000-000000000000' }

/**
 * The key store as one process knows it. What was erased elsewhere since is still derived here until the next look: what it sealed is
 * gone from the database by then.
 */
export class ClientKeys implements ClientKeySource {
  readonly #store: KeyStore
  readonly #masterKeys: MasterKeys
  readonly #bytesMax: number
  #known: KeyStoreDocument
  /** What `#known` was read from or written as. Null: nobody knows. */
  #text: string | null = null

  constructor(store: KeyStore, masterKeys: MasterKeys, known: KeyStoreDocument, bytesMax = documentBytesMax) {
    this.#bytesMax = bytesMax
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

  get fullness(): number {
    return Buffer.byteLength(this.#text ?? '') / this.#bytesMax
  }

  /** Null: it was destroyed. */
  find(tenantId: TenantId, clientId: ClientId): Buffer | null {
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

  async refuse(db: Database, erasureId: ErasureId): Promise<void> {
    await this.#change(db, (known) => {
      const entries = known.erasures.filter((one) => one.erasureId === erasureId)
      const [listed] = entries
      if (listed === undefined || entries.some(({ isRefused }) => isRefused === true)) return null
      return { ...known, erasures: [...known.erasures, { ...listed, isRefused: true }] }
    })
  }

  async finish(db: Database, erasureIds: readonly ErasureId[]): Promise<void> {
    const done = new Set(erasureIds)
    const isNew = ({ erasureId, isDone, isRefused }: ListedErasure): boolean =>
      done.has(erasureId) && isDone !== true && isRefused !== true
    await this.#change(db, (known) =>
      known.erasures.some(isNew)
        ? { ...known, erasures: known.erasures.map((one) => (isNew(one) ? { ...one, isDone: true } : one)) }
        : null,
    )
  }

  async destroy(db: Database, tenantId: TenantId, clientId: ClientId): Promise<void> {
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

  /** One that is as it was is not read again: it may be megabytes, and `erasures` stays the same list. */
  async refresh(): Promise<void> {
    const { known, text } = await this.#read()
    this.#known = known
    this.#text = text
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
      const read = await this.#read()
      const changed = make(read.known)
      const text = changed === null ? read.text : writeDocument(changed, this.#masterKeys)
      if (Buffer.byteLength(text) > this.#bytesMax)
        throw new Error(
          `${this.#store.name} would be larger than ${this.#bytesMax} bytes, and could not be read again`,
        )
      if (changed !== null) await this.#store.write(text)
      this.#known = changed ?? read.known
      this.#text = text
    })
  }

  async #read(): Promise<{ known: KeyStoreDocument; text: string }> {
    const text = await this.#store.read()
    if (text === null) throw new Error(`the key store is gone from ${this.#store.name}`)
    if (text === this.#text) return { known: this.#known, text }
    const known = await readDocument(text, this.#store.name, this.#masterKeys)
    if (known.storeId !== this.storeId) throw new Error(`${this.#store.name} holds another key store now`)
    return { known, text }
  }
}
