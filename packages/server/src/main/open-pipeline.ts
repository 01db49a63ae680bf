import { makeEmbeddedEngine } from '../engines/speech/embedded-engine.js'
import { makeOpenAiSpeechEngine } from '../engines/speech/openai-engine.js'
import { makeNoteChecker } from '../engines/checker/note-checker.js'
import { openReader } from '../engines/reader/open-reader.js'
import { openSpeechPool } from '../engines/speech/speech-pool.js'
import { openVoiceModel, type VoiceModel } from '../engines/speech/voices/index.js'
import { makeGuardedAgent } from '../kernel/guarded-fetch/guarded-agent.js'
import { isTracing } from '../kernel/tracing/trace.js'
import type { PipelineParts, SpeechParts } from '../pipeline/pipeline-parts.js'
import { openBlobs } from './open-blobs.js'
import { openConfiguredDecoder, reportDecoder } from './open-decoder.js'
import { openExtractWriter, openWriter } from './open-writer.js'
import type { ServiceParts } from './parts.js'
import { traceReader, traceSpeech, traceWriter } from './telemetry/trace-engines.js'

export interface OpenPipeline {
  parts: PipelineParts
  close(): Promise<void>
}

/** The engines and the store that the configuration names. Models are loaded when the first recording comes. */
export async function openPipeline(service: ServiceParts): Promise<OpenPipeline> {
  const { config, db, keys, clock, log, watch } = service
  const blobs = await openBlobs(service)
  const speech = await openSpeech(service)
  const reader = openReader()
  const checker = makeNoteChecker()
  const writer = await openWriter(config, checker)
  const fallbackWriter =
    config.writer.fallback === 'extract' && writer.name !== 'extract' ? openExtractWriter() : null
  const agents = {
    sandbox: makeGuardedAgent({ environment: 'sandbox' }),
    production: makeGuardedAgent({ environment: 'production' }),
  }
  const close = async (): Promise<void> => {
    await Promise.all([
      writer.close(),
      fallbackWriter?.close(),
      reader.close(),
      checker.close(),
      speech.close(),
      agents.sandbox.destroy(),
      agents.production.destroy(),
    ])
  }
  const { publicUrl } = config
  const engines = traceEngines({ speech: speech.parts, reader, writer, fallbackWriter, checker })
  const isSandboxHome = (): boolean => watch.isSandboxHome()
  return { parts: { db, keys, clock, publicUrl, log, blobs, agents, isSandboxHome, ...engines }, close }
}

type Engines = Pick<PipelineParts, 'speech' | 'reader' | 'writer' | 'fallbackWriter' | 'checker'>

function traceEngines(engines: Engines): Engines {
  if (!isTracing()) return engines
  const { speech, reader, writer, fallbackWriter, checker } = engines
  return {
    speech: { ...speech, engine: traceSpeech(speech.engine) },
    reader: traceReader(reader),
    writer: traceWriter(writer),
    fallbackWriter: fallbackWriter === null ? null : traceWriter(fallbackWriter),
    checker,
  }
}

async function openSpeech({
  config,
  log,
}: ServiceParts): Promise<{ parts: SpeechParts; close(): Promise<void> }> {
  const { decoder, scratchFolder } = await openConfiguredDecoder(config)
  reportDecoder(log, decoder)
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
    decoder.close()
    await (await voices?.catch(() => null))?.close()
  }
  return { parts: { engine, pool, openVoices, decoder, scratchFolder }, close }
}
