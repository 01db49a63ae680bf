import type { Typesetter } from '../../engines/typeset/make-typesetter.js'
import type { BlobParts } from '../../kernel/blobs/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { Instruments } from '../assessments/index.js'

/** What an export is made with. */
export interface ExportParts {
  db: Database
  keys: TenantKeys
  blobs: BlobParts
  instruments: Instruments
  typesetter: Typesetter
  /** An operation of the audit log in words for people. Handed in: the words are of the operator's report. */
  wordOperation: (operation: string) => string
}

/** One file of an export. */
export interface ExportFile {
  /** The file's path from the folder of the export, with `/`. */
  path: string
  /** What the file's bytes are of, where they never change: who has them need not ask for them again. Null: made anew each time. */
  source: string | null
  /** Whether packing it would make it smaller. */
  isText: boolean
  open(): AsyncIterable<Buffer>
}
