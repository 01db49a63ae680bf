import { makeEmbeddedEngine } from '../engines/speech/embedded-engine.js'
import { makeOpenAiSpeechEngine } from '../engines/speech/openai-engine.js'
import { openSpeechPool } from '../engines/speech/speech-pool.js'
import { openVoiceModel, type VoiceModel } from '../engines/speech/voices/index.js'
import { makeEmbeddedWriter } from '../engines/writer/embedded/embedded-writer.js'
import { makeOpenAiWriter } from '../engines/writer/openai/openai-writer.js'
import { makeGuardedAgent } from '../kernel/guarded-fetch/guarded-agent.js'
import type { PipelineParts, SpeechParts } from '../pipeline/pipeline-parts.js'
import { openBlobs } from './open-blobs.js'
import { openDecoder } from './open-decoder.js'
import type { ServiceParts } from './parts.js'

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

async function openSpeech({
  config,
  log,
}: ServiceParts): Promise<{ parts: SpeechParts; close(): Promise<void> }> {
  const decoder = await openDecoder(config)
  if (decoder.isBundled) {
    log.warn(
      'recordings are decoded with the old ffmpeg of the packages: install one, or set CASENOTE_FFMPEG',
    )
  }
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
  const { ffmpegPath, scratchFolder } = decoder
  return { parts: { engine, pool, openVoices, ffmpegPath, scratchFolder }, close }
}
