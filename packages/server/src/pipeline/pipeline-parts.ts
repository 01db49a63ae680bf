import type { Dispatcher } from 'undici'
import type { Decoder } from '../engines/speech/audio/decoder/decoder.js'
import type { SpeechEngine } from '../engines/speech/speech-engine.js'
import type { SpeechPool } from '../engines/speech/speech-pool.js'
import type { VoiceModel } from '../engines/speech/voices/index.js'
import type { NoteChecker } from '../engines/checker/note-checker.js'
import type { Reader } from '../engines/reader/reading.js'
import type { WriterEngine } from '../engines/writer/writer-engine.js'
import type { Job, SessionJob } from '../jobs/jobs.sql.js'
import type { BlobParts } from '../kernel/blobs/index.js'
import { openChange, type ChangeContext, type SealedParts } from '../kernel/change-context.js'
import type { Log } from '../kernel/log.js'
import type { Environment, TenantScope } from '../kernel/tenant.js'

/** What the steps are built from. */
export interface PipelineParts extends SealedParts {
  log: Log
  blobs: BlobParts
  /** Check every connection by the rules of the environment. */
  agents: Readonly<Record<Environment, Dispatcher>>
  isSandboxHome: () => boolean
  speech: SpeechParts
  reader: Reader
  writer: WriterEngine
  /** Writes where the writer cannot, if the operator chose so; else null. */
  fallbackWriter: WriterEngine | null
  checker: NoteChecker
}

export interface SpeechParts {
  engine: SpeechEngine
  pool: SpeechPool
  /** Loaded with the first recording. */
  openVoices: () => Promise<VoiceModel>
  decoder: Decoder
  scratchFolder: string
}

/** One step of the way from a recording to a note. Safe to run twice and to kill at any line. */
export interface Step<Claimed extends Job = SessionJob> {
  /** Ends the job in the transaction that keeps its result. */
  run(parts: PipelineParts, job: Claimed, signal: AbortSignal): Promise<void>
  /** How long it waits for an engine's server that is away. Null: as long as usual. */
  findPatienceMs?(parts: PipelineParts, job: Claimed): Promise<number | null>
  /** Called after the last attempt: ends what the step was to do as failed. */
  giveUp(parts: PipelineParts, job: Claimed, signal: AbortSignal): Promise<void>
}

export const openPipelineChange = (
  parts: Omit<SealedParts, 'db'>,
  tenant: TenantScope,
): Promise<ChangeContext> =>
  openChange(parts, tenant, { actor: { kind: 'system', id: null }, requestId: null })
