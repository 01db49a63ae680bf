import { decodeRecording, type DecodeOptions } from './audio/decode-recording.js'
import type { MeasuredRecording } from './audio/measure-recording.js'
import { continuableChunks, type Checkpoints, type ChunkResult } from './chunk-result.js'
import { appendSamples, dropUntil, endSampleOf, type OpenChannel } from './open-channel.js'
import { prepareChunk, type PreparedChunk } from './prepare-chunk.js'
import { sampleRate, type SpeechEngine } from './speech-engine.js'
import type { SpeechPool } from './speech-pool.js'
import type { VoiceModel } from './voices/index.js'

/** What a kill can cost, and what is in memory: 4 MB a channel, some four times over. */
const usualChunkSeconds = 60

export interface RecognitionTools {
  engine: SpeechEngine
  /** Finds the speech, for whichever engine hears it. */
  pool: SpeechPool
  voices: VoiceModel
  checkpoints: Checkpoints
  /** Chunks of another length cannot be continued. */
  chunkSeconds?: number
  onProgress(fraction: number): void
  signal: AbortSignal
}

/** All chunks of a recording: those that were kept, and the others as they are heard, each kept at once. */
export async function recognizeChunks(
  recording: MeasuredRecording,
  decoding: Omit<DecodeOptions, 'chunkSeconds'>,
  tools: RecognitionTools,
): Promise<ChunkResult[]> {
  const { engine, chunkSeconds = usualChunkSeconds } = tools
  const results = continuableChunks(await tools.checkpoints.load(), engine.model, recording.channels.length)
  const sampleCount = Math.round(recording.durationSeconds * sampleRate)
  let open: OpenChannel[] = recording.channels.map((channel) => ({
    channel,
    startSample: 0,
    samples: new Float32Array(0),
  }))
  let index = 0
  // While one chunk is heard the next one is prepared.
  let hearing: Promise<void> = Promise.resolve()
  const keep = async (number: number, prepared: PreparedChunk) => {
    const result = await hearChunk(number, prepared, tools)
    await tools.checkpoints.save(result)
    results.push(result)
    tools.onProgress(Math.min(1, ((number + 1) * chunkSeconds) / recording.durationSeconds))
  }
  for await (const chunk of decodeRecording({ ...decoding, chunkSeconds })) {
    open = open.map((channel) =>
      appendSamples(channel, chunk.channels[channel.channel] ?? new Float32Array(0)),
    )
    const known = results[index]
    if (known && known.index === index) {
      open = dropAllUntil(open, known.nextStartSeconds)
    } else {
      const isLast = open.every((channel) => endSampleOf(channel) >= sampleCount)
      const prepared = await prepareChunk(open, isLast, tools)
      open = dropAllUntil(open, prepared.nextStartSeconds)
      await hearing
      hearing = keep(index, prepared)
      // It is awaited a chunk later; until then its failure must not pass for one that nobody handles.
      hearing.catch(() => undefined)
    }
    index += 1
  }
  await hearing
  return results
}

const dropAllUntil = (open: readonly OpenChannel[], seconds: readonly number[]): OpenChannel[] =>
  open.map((channel, index) => dropUntil(channel, seconds[index] ?? 0))

async function hearChunk(
  index: number,
  prepared: PreparedChunk,
  tools: RecognitionTools,
): Promise<ChunkResult> {
  const heard = await tools.engine.recognize(prepared.clips, tools.signal)
  const clips = prepared.clips.flatMap(({ samples: _samples, ...clip }, position) => {
    const { text, confidence } = heard[position] ?? { text: '', confidence: 0 }
    return text === '' ? [] : [{ ...clip, text, confidence }]
  })
  return { index, model: tools.engine.model, nextStartSeconds: prepared.nextStartSeconds, clips }
}
