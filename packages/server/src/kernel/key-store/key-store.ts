/**
 * Where the clients' keys and the list of erasures lie: one document, apart from the database, the recordings and their backups. All
 * instances share it.
 */
export interface KeyStore {
  /** For messages. */
  readonly name: string
  /** What is another one after each write, as far as that can be told without reading: null where it cannot. */
  look(): Promise<string | null>
  /** Null: there is none yet. */
  read(): Promise<Buffer | null>
  /** All of it or nothing, and durable when this returns. What was there before is gone. */
  write(document: Buffer): Promise<void>
}

/** Some seventy thousand erased clients at 3.5 KB. */
export const documentBytesMax = 256 * 1024 * 1024

export type KeyStoreSetting =
  | { kind: 'folder'; path: string }
  | { kind: 's3'; bucket: string }
  | { kind: 'command'; words: readonly [string, ...string[]]; env: Readonly<NodeJS.ProcessEnv> }
