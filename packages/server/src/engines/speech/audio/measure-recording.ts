import { RecordingProblem, recordingSecondsMax } from '../recording-problem.js'
import { sampleRate } from '../speech-engine.js'
import { compareChannels, makeChannelComparison } from './compare-channels.js'
import { decodeRecording, type DecodeOptions } from './decode-recording.js'

export interface MeasuredRecording {
  durationSeconds: number
  /** Those that carry something of their own, in their order. */
  channels: readonly number[]
}

const chunkSeconds = 10
/** Headers round, and codecs pad; what is missing beyond that was cut off. */
const missingSecondsMax = 2

/**
 * Decodes everything once without keeping it (300 times faster than it plays): length, damage and the relation of the
 * channels are known before the first minute is spent on words.
 */
export async function measureRecording(
  options: Omit<DecodeOptions, 'chunkSeconds'> & { declaredSeconds: number | null },
): Promise<MeasuredRecording> {
  const comparison = makeChannelComparison()
  let sampleCount = 0
  for await (const chunk of decodeRecording({ ...options, chunkSeconds })) {
    sampleCount += chunk.channels[0]?.length ?? 0
    if (sampleCount > recordingSecondsMax * sampleRate) throw new RecordingProblem('too_long')
    comparison.add(chunk.channels)
  }
  const durationSeconds = sampleCount / sampleRate
  if (sampleCount === 0) throw new RecordingProblem('no_audio')
  if (isCutOff(durationSeconds, options.declaredSeconds)) throw new RecordingProblem('truncated')
  return { durationSeconds, channels: compareChannels(comparison) }
}

/** Recorders that never return to their header leave the largest number in it: more than is allowed tells nothing. */
function isCutOff(durationSeconds: number, declaredSeconds: number | null): boolean {
  if (declaredSeconds === null || declaredSeconds > recordingSecondsMax) return false
  return durationSeconds < declaredSeconds - Math.max(missingSecondsMax, declaredSeconds * 0.01)
}
