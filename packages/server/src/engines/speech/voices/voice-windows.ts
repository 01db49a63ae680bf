import type { Span } from '../speech-engine.js'

export interface VoiceWindow extends Span {
  /** 128 numbers of length 1: the cosine of two windows says how alike their voices are. */
  vector: Float32Array
}

/** The length the network's own recipe uses for diarization; shorter windows tell voices apart badly. */
export const windowSeconds = 1.5
export const windowStepSeconds = 0.25

/** Windows over each stretch of speech; the last one ends with it, and a short stretch is one window. */
export function layWindows(speech: readonly Span[]): Span[] {
  return speech.flatMap(({ startSeconds, endSeconds }) => {
    const seconds = endSeconds - startSeconds
    if (seconds <= windowSeconds) return [{ startSeconds, endSeconds }]
    const steps = Math.ceil((seconds - windowSeconds) / windowStepSeconds)
    return Array.from({ length: steps + 1 }, (_, i) => {
      const start = Math.min(startSeconds + i * windowStepSeconds, endSeconds - windowSeconds)
      return { startSeconds: start, endSeconds: start + windowSeconds }
    })
  })
}
