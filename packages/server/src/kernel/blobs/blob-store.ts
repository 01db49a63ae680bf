import type { BlobId, TenantId } from '../ids.js'

/**
 * The door to where sealed parts lie. It sees no plaintext and knows no tenant but as the first part of a name; names
 * are never used twice, so nothing is ever overwritten.
 */
export interface BlobStore {
  /** On return the object is durable and whole; after a failure or a kill it is there whole or not at all. */
  put(name: string, bytes: Buffer): Promise<void>
  /** Throws `BlobMissing` for a name that is not there. */
  get(name: string): Promise<Buffer>
  /** Quiet about what is gone already. */
  delete(name: string): Promise<void>
  /** Everything in the store, in no order, remains of broken writes included. */
  list(): AsyncIterable<StoredObject>
  /** Throws when nothing could be written: a wrong folder, bucket or key is found at the start, not by a recording. */
  check(): Promise<void>
  /** Throws when nothing can be written now, because the store is away, full or read-only. One try, within seconds. */
  probe(): Promise<void>
  /** The clock that `storedAtMs` goes by: how old something is can only be told by that. */
  readClockMs(): Promise<number>
  /** For a process that stops: whoever waits for the store is told at once, and it is asked for nothing any more. */
  abandon(): void
  close(): Promise<void>
}

export interface StoredObject {
  name: string
  storedAtMs: number
}

/** A part that its row says is there. Its name is only ids. */
export class BlobMissing extends Error {
  readonly code = 'blob_missing'

  constructor(name: string) {
    super(`the blob store has no ${name}`)
    this.name = 'BlobMissing'
  }
}

/** The store did not answer, or not with what was asked for. Worth another try later. */
export class BlobStoreFault extends Error {
  readonly code = 'blob_store_fault'
  /** For the log: whether it is full, read-only or away. */
  readonly told: string

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BlobStoreFault'
    this.told = message
  }
}

/** No attempt is at fault: whoever waited tries again, in another process. */
export const abandonedFault = (): BlobStoreFault =>
  new BlobStoreFault('the blob store is waited for no longer: the process stops')

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** tenant / blob / number-random, and what a broken write leaves. Anything else in a store is not ours. */
const storedNamePattern = new RegExp(`^(${id})/(${id})/\\d{1,6}-[0-9a-f]{16}(?:\\.new)?$`)

/** Null for a name that is not of our making. */
export function splitStoredName(name: string): { tenantId: TenantId; blobId: BlobId } | null {
  const [, tenantId, blobId] = storedNamePattern.exec(name) ?? []
  return tenantId === undefined || blobId === undefined ? null : { tenantId, blobId }
}

/** Names come from rows, still none may ever lead out of the store. */
export function requireStoredName(name: string): string {
  if (!storedNamePattern.test(name)) throw new BlobStoreFault('a name in the blob store is not one of ours')
  return name
}
