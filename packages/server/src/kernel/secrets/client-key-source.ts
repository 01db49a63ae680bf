import type { Database } from '../db/database.js'

/** The check constraint of `erasures` names the same. */
export type ErasureKind = 'client' | 'session' | 'transcript' | 'draft'

/** What must not come back from a backup. Ids alone. */
export interface ListedErasure {
  erasureId: string
  tenantId: string
  kind: ErasureKind
  subjectId: string
  clientId: string
  askedAt: string
}

/** Keys of clients, and what was erased: the key store as a process knows it (`kernel/key-store/`). */
export interface ClientKeySource {
  readonly storeId: string
  readonly erasures: readonly ListedErasure[]
  /** Null: it was destroyed. */
  find(tenantId: string, clientId: string): Buffer | null
  list(db: Database, erasure: ListedErasure): Promise<void>
  destroy(db: Database, tenantId: string, clientId: string): Promise<void>
  signAnew(db: Database): Promise<void>
  refresh(): Promise<void>
  copy(): Promise<string>
}
