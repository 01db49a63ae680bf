import type { Client } from '@casenote/contract'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { ExportFile, ExportParts } from './export-parts.js'
import type { ExportedRecording, WrittenPdf } from './exported-session.js'
import type { KnownNames } from './known-names.js'

/** What is known of the person before any file is written, and what the files tell of themselves on the way. */
export interface ExportContext {
  parts: ExportParts
  tenant: TenantScope
  ring: TenantKeyRing
  client: Client
  names: KnownNames
  /** What is known of each session that was written, by its id. */
  facts: Map<string, SessionFacts>
  /** Told how many sessions are done, each time that the files of one are listed. */
  onSession: (done: number) => void
}

/** What the bundle needs to know of the files that were written before it. */
export interface SessionFacts {
  path: string
  pdf: WrittenPdf | null
  recording: ExportedRecording | null
  /** The store has lost it, or from some part on. */
  isRecordingMissing: boolean
  isEditedByHand: boolean
}

export const textFile = (path: string, open: () => AsyncIterable<Buffer>): ExportFile => ({
  path,
  source: null,
  isText: true,
  open,
})

export async function* inOnePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes)
}
