import type { Database } from '../db/database.js'
import type { ClientId, ErasedId, ErasureId, TenantId } from '../ids.js'

/** The check constraint of `erasures` names the same. */
export type ErasureKind = 'client' | 'session' | 'transcript' | 'draft'

/** What must not come back from a backup. Ids alone. */
export interface ListedErasure {
  erasureId: ErasureId
  tenantId: TenantId
  kind: ErasureKind
  subjectId: ErasedId
  /** As a partner named it, where that is another id: of a note. */
  askedId?: string
  clientId: ClientId
  askedAt: string
  /** Signed notes may go with it. Entries of before do not say. */
  withSignedNotes?: boolean
  /** Its rows are gone: a restore carries it out whatever its own rows say. Of a client the key that is gone says so. */
  isDone?: true
  /** A second entry of the same erasure: it was refused after it had come on the list, from which nothing is taken. */
  isRefused?: true
}

/** Keys of clients, and what was erased: the key store as a process knows it (`kernel/key-store/`). */
export interface ClientKeySource {
  readonly storeId: string
  readonly erasures: readonly ListedErasure[]
  /** How much of what a store may hold there is, 0 to 1, as it was last looked at. */
  readonly fullness: number
  /** Null: it was destroyed. */
  find(tenantId: TenantId, clientId: ClientId): Buffer | null
  list(db: Database, erasure: ListedErasure): Promise<void>
  /** Nothing where it is not on the list. */
  refuse(db: Database, erasureId: ErasureId): Promise<void>
  /** Tells of what is on the list that it was carried out. */
  finish(db: Database, erasureIds: readonly ErasureId[]): Promise<void>
  destroy(db: Database, tenantId: TenantId, clientId: ClientId): Promise<void>
  signAnew(db: Database): Promise<void>
  refresh(): Promise<void>
  copy(): Promise<Buffer>
}
