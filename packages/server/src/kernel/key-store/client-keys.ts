import type { Database } from '../db/database.js'
import type { ClientId, ErasureId, TenantId } from '../ids.js'
import type { ClientKeySource, ListedErasure } from '../secrets/client-key-source.js'
import type { MasterKeys } from '../secrets/master-keys.js'
import type { DocumentChange } from './document-desk.js'
import { changeDocument, readDocument, type KeyStoreDocument } from './key-store-document.js'
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
  /** How large what `#known` was read from or written as is. */
  #bytes = 0
  /** Which one that is, by its seal, and how it looked from outside. Null: nobody knows. */
  #mark: string | null = null
  #look: string | null = null
  /** Looks that were begun, and the newest of which something is known: one that was overtaken says nothing. */
  #begun = 0
  #newest = 0

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
    return this.#bytes / this.#bytesMax
  }

  /** Null: it was destroyed. */
  find(tenantId: TenantId, clientId: ClientId): Buffer | null {
    return this.#known.tree.find(tenantId, clientId)
  }

  /** On the list, from before the first row goes: whatever happens next, no backup brings it back. */
  async list(db: Database, erasure: ListedErasure): Promise<void> {
    await this.#change(db, { kind: 'list', erasure })
  }

  async refuse(db: Database, erasureId: ErasureId): Promise<void> {
    await this.#change(db, { kind: 'refuse', erasureId })
  }

  async finish(db: Database, erasureIds: readonly ErasureId[]): Promise<void> {
    await this.#change(db, { kind: 'finish', erasureIds })
  }

  async destroy(db: Database, tenantId: TenantId, clientId: ClientId): Promise<void> {
    await this.#change(db, { kind: 'destroy', tenantId, clientId })
  }

  /** Under the current master key: an older one can be forgotten then. */
  async signAnew(db: Database): Promise<void> {
    await this.#change(db, { kind: 'sign' })
  }

  /** One that is as it was is not read again: it may be megabytes, and `erasures` stays the same list. */
  async refresh(): Promise<void> {
    const turn = (this.#begun += 1)
    const look = await this.#store.look()
    if (look !== null && look === this.#look) return
    const bytes = await this.#read()
    const [mark, length] = [markOf(bytes), bytes.length]
    const known =
      mark === this.#mark ? this.#known : await readDocument(bytes, this.#store.name, this.#masterKeys)
    this.#require(known)
    if (turn < this.#newest) return
    this.#keep(turn, { known, mark, length, look })
  }

  /** What lies there now, as it is written: for its own copies. */
  async copy(): Promise<Buffer> {
    const read = await this.#read()
    const { known, written } = await changeDocument(read, this.#store.name, this.#masterKeys, {
      kind: 'sign',
    })
    this.#require(known)
    if (written === null) throw new Error('a copy of the key store was not written')
    return written
  }

  /**
   * One at a time of all instances, and always from what lies in the store, which is read whatever it looks like: a process that knew an
   * older tree would bring a key back.
   */
  async #change(db: Database, change: DocumentChange): Promise<void> {
    await db.write(noTenant, async (tx) => {
      await tx.run(lockKeyStore())
      const bytes = await this.#read()
      let [mark, length] = [markOf(bytes), bytes.length]
      const { known, written } = await changeDocument(bytes, this.#store.name, this.#masterKeys, change)
      this.#require(known)
      if (written !== null) {
        if (written.length > this.#bytesMax)
          throw new Error(
            `${this.#store.name} would be larger than ${this.#bytesMax} bytes, and could not be read again`,
          )
        // A store that is slow may have taken as long as a transaction may stand still: whoever writes must still have the lock, and for long
        // enough again.
        await tx.run(lockKeyStore())
        ;[mark, length] = [markOf(written), written.length]
        await this.#store.write(written)
      }
      // The same list for whoever looks whether it is another one.
      const same = mark === this.#mark ? this.#known : known
      this.#keep((this.#begun += 1), { known: same, mark, length, look: null })
    })
  }

  #keep(
    turn: number,
    {
      known,
      mark,
      length,
      look,
    }: { known: KeyStoreDocument; mark: string; length: number; look: string | null },
  ): void {
    this.#newest = turn
    this.#known = known
    this.#mark = mark
    this.#bytes = length
    this.#look = look
  }

  async #read(): Promise<Buffer> {
    const bytes = await this.#store.read()
    if (bytes === null) throw new Error(`the key store is gone from ${this.#store.name}`)
    return bytes
  }

  #require(known: KeyStoreDocument): void {
    if (known.storeId !== this.storeId) throw new Error(`${this.#store.name} holds another key store now`)
  }
}

/** A seal comes last, and is another one each time: it is made with random bytes. */
const sealBytesMost = 256

const markOf = (bytes: Buffer): string =>
  `${bytes.length} ${bytes.subarray(Math.max(0, bytes.length - sealBytesMost)).toString('latin1')}`
