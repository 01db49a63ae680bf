import { setImmediate as nextTurn } from 'node:timers/promises'
import { decodeRecording, type DecodeOptions } from './audio/decode-recording.js'
import type { MeasuredRecording } from './audio/measure-recording.js'
import { continuableChunks, type Checkpoints, type ChunkResult } from './chunk-result.js'
import { hashSound } from './hash-sound.js'
import { makeHearingLine } from './hearing-line.js'
import { appendSamples, dropUntil, type OpenChannel } from './open-channel.js'
import { lengthOfChunk, planChunks, type ChunkSeconds } from './plan-chunks.js'
import { prepareChunk } from './prepare-chunk.js'
import { sampleRate, type SpeechEngine } from './speech-engine.js'
import type { SpeechPool } from './speech-pool.js'
import type { VoiceModel } from './voices/index.js'

export interface RecognitionTools {
  engine: SpeechEngine
  /** Finds the speech, for whichever engine hears it. */
  pool: SpeechPool
  voices: VoiceModel
  checkpoints: Checkpoints
  chunkSeconds?: ChunkSeconds
  /** Recordings that are heard at once take turns by it. */
  owner?: string
  /** Called after every clip, some times a second: what writes it down has to leave some out. */
  onProgress(fraction: number): void
  /** Nothing is left but to hear the last chunks. */
  onAllPrepared(): void
  signal: AbortSignal
}

export interface RecognizedRecording {
  chunks: ChunkResult[]
  /** The length of what was decoded. */
  durationSeconds: number
}

/** All chunks of a recording: those that were kept, and the others as they are heard, each kept at once. */
export async function recognizeChunks(
  recording: MeasuredRecording,
  decoding: Omit<DecodeOptions, 'chunkSeconds'>,
  tools: RecognitionTools,
): Promise<RecognizedRecording> {
  const { engine, chunkSeconds = planChunks(recording.durationSeconds) } = tools
  const kept = continuableChunks(await tools.checkpoints.load(), {
    model: engine.model,
    channelCount: recording.channels.length,
    chunkSeconds,
  })
  const tellHeard = makeProgress(recording.durationSeconds, tools)
  const line = makeHearingLine(tools, tellHeard)
  let open: OpenChannel[] = recording.channels.map((channel) => ({
    channel,
    startSample: 0,
    samples: new Float32Array(0),
  }))
  let sampleCount = 0
  let index = 0
  try {
    for await (const { channels, isLast } of decodeRecording({ ...decoding, chunkSeconds })) {
      const length = channels[0]?.length ?? 0
      open = await appendAll(open, channels)
      const soundHash = await hashSound(
        open.map(({ channel }) => ({ channel, samples: channels[channel] ?? new Float32Array(0) })),
      )
      dropOther(kept, index, soundHash)
      const known = kept[index]
      const prepared = known ? null : await prepareChunk(open, isLast, tools)
      const plannedSeconds = lengthOfChunk(chunkSeconds, index)
      const nextStartSeconds = known?.nextStartSeconds ?? prepared?.nextStartSeconds ?? []
      open = open.map((channel, at) => dropUntil(channel, nextStartSeconds[at] ?? 0))
      if (prepared)
        await line.add({ index, plannedSeconds, soundHash, seconds: length / sampleRate, ...prepared })
      else tellHeard(length / sampleRate)
      sampleCount += length
      index += 1
    }
    tools.onAllPrepared()
    const chunks = [...kept, ...(await line.finish())]
    return { chunks, durationSeconds: sampleCount / sampleRate }
  } finally {
    await line.settle()
  }
}

/** A turn for each channel: eight copies of a minute in one would be felt. */
async function appendAll(
  open: readonly OpenChannel[],
  added: readonly Float32Array[],
): Promise<OpenChannel[]> {
  const longer: OpenChannel[] = []
  for (const channel of open) {
    await nextTurn()
    longer.push(appendSamples(channel, added[channel.channel] ?? new Float32Array(0)))
  }
  return longer
}

/** From where on other sound was heard than the recording has: of a recording that was heard while it was sent. */
function dropOther(kept: ChunkResult[], index: number, soundHash: string): void {
  const known = kept[index]
  if (known?.soundHash !== undefined && known.soundHash !== soundHash) kept.length = index
}

function makeProgress(durationSeconds: number, tools: RecognitionTools): (seconds: number) => void {
  let heardSeconds = 0
  return (seconds) => {
    heardSeconds += seconds
    tools.onProgress(Math.min(1, heardSeconds / durationSeconds))
  }
}
