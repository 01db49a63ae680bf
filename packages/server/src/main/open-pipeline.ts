import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg } from '../engines/speech/audio/find-ffmpeg.js'
import { makeEmbeddedEngine } from '../engines/speech/embedded-engine.js'
import { makeOpenAiSpeechEngine } from '../engines/speech/openai-engine.js'
import { openSpeechPool } from '../engines/speech/speech-pool.js'
import { openVoiceModel, type VoiceModel } from '../engines/speech/voices/index.js'
import { makeEmbeddedWriter } from '../engines/writer/embedded/embedded-writer.js'
import { makeOpenAiWriter } from '../engines/writer/openai/openai-writer.js'
import { makeBlobStore, type BlobParts } from '../kernel/blobs/index.js'
import { makeGuardedAgent } from '../kernel/guarded-fetch/guarded-agent.js'
import { selectInstallation } from '../kernel/secrets/installation.sql.js'
import type { PipelineParts, SpeechParts } from '../pipeline/pipeline-parts.js'
import type { ServiceParts } from './parts.js'

/** A recording whose note is never finalized does not stay for ever. */
const keepUnfinalizedDays = 365

export interface OpenPipeline {
  parts: PipelineParts
  close(): Promise<void>
}

/** The engines and the store that the configuration names. Models are loaded when the first recording comes. */
export async function openPipeline(service: ServiceParts): Promise<OpenPipeline> {
  const { config, db, keys, clock, log } = service
  const blobs = await openBlobs(service)
  const speech = await openSpeech(service)
  const writer = config.writer.engine === 'openai' ? makeOpenAiWriter(config.writer) : makeEmbeddedWriter()
  const agents = {
    sandbox: makeGuardedAgent({ environment: 'sandbox' }),
    production: makeGuardedAgent({ environment: 'production' }),
  }
  const close = async (): Promise<void> => {
    await Promise.all([writer.close(), speech.close(), agents.sandbox.destroy(), agents.production.destroy()])
  }
  const { publicUrl } = config
  return { parts: { db, keys, clock, publicUrl, log, blobs, agents, speech: speech.parts, writer }, close }
}

export async function openBlobs({ config, db, keys }: ServiceParts): Promise<BlobParts> {
  const [installation] = await db.throughDoor<{ installationId: string }>(selectInstallation())
  if (installation === undefined) throw new Error('the database has no installation')
  const store = makeBlobStore(config, installation.installationId)
  await store.check()
  return { db, keys, store, keepDays: keepUnfinalizedDays }
}

async function openSpeech({
  config,
  log,
}: ServiceParts): Promise<{ parts: SpeechParts; close(): Promise<void> }> {
  const ffmpeg = await findFfmpeg({ configuredPath: config.ffmpegPath, searchPath: config.searchPath })
  if (ffmpeg.origin === 'bundled') {
    log.warn(
      'recordings are decoded with the old ffmpeg of the packages: install one, or set CASENOTE_FFMPEG',
    )
  }
  const scratchFolder = join(config.dataDir, 'scratch')
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 })
  const pool = openSpeechPool()
  const engine =
    config.speech.engine === 'openai' ? makeOpenAiSpeechEngine(config.speech) : makeEmbeddedEngine(pool)
  let voices: Promise<VoiceModel> | null = null
  const openVoices = (): Promise<VoiceModel> => {
    voices ??= openVoiceModel().catch((error: unknown) => {
      voices = null // The next recording tries again.
      throw error
    })
    return voices
  }
  const close = async (): Promise<void> => {
    await engine.close()
    await pool.close()
    await (await voices?.catch(() => null))?.close()
  }
  return { parts: { engine, pool, openVoices, ffmpegPath: ffmpeg.path, scratchFolder }, close }
}
