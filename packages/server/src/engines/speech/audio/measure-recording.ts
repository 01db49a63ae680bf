import { RecordingProblem, recordingSecondsMax } from '../recording-problem.js'
import { sampleRate } from '../speech-engine.js'
import { compareChannels, makeChannelComparison } from './compare-channels.js'
import { decodeRecording, type DecodeOptions } from './decode-recording.js'
import type { TimedRecording } from './probe-and-time.js'

export interface MeasuredRecording {
  /** To a few hundredths: what is decoded decides. */
  durationSeconds: number
  /** Those that carry something of their own, in their order. */
  channels: readonly number[]
}

type MeasureOptions = Omit<DecodeOptions, 'chunkSeconds'> &
  Pick<TimedRecording, 'declaredSeconds' | 'packetSeconds'>

const chunkSeconds = [10] as const
/** Headers round, and codecs pad; what is missing beyond that was cut off. */
const missingSecondsMax = 2

/** Length, damage and the relation of the channels, before the first minute is spent on words. */
export async function measureRecording(options: MeasureOptions): Promise<MeasuredRecording> {
  const { packetSeconds: seconds } = options
  if (seconds === null) return await measureSound(options)
  if (seconds > recordingSecondsMax) throw new RecordingProblem('too_long')
  requireWhole(seconds, options.declaredSeconds)
  return { durationSeconds: seconds, channels: [0] }
}

/** Decodes everything once without keeping it: whether two channels hear the same is only told by their sound. */
async function measureSound(options: MeasureOptions): Promise<MeasuredRecording> {
  const comparison = makeChannelComparison()
  let sampleCount = 0
  for await (const chunk of decodeRecording({ ...options, chunkSeconds })) {
    sampleCount += chunk.channels[0]?.length ?? 0
    if (sampleCount > recordingSecondsMax * sampleRate) throw new RecordingProblem('too_long')
    comparison.add(chunk.channels)
  }
  requireWhole(sampleCount / sampleRate, options.declaredSeconds)
  return { durationSeconds: sampleCount / sampleRate, channels: compareChannels(comparison) }
}

/** Recorders that never return to their header leave the largest number in it: more than is allowed tells nothing. */
export function requireWhole(durationSeconds: number, declaredSeconds: number | null): void {
  if (durationSeconds === 0) throw new RecordingProblem('no_audio')
  if (declaredSeconds === null || declaredSeconds > recordingSecondsMax) return
  if (durationSeconds < declaredSeconds - Math.max(missingSecondsMax, declaredSeconds * 0.01))
    throw new RecordingProblem('truncated')
}
