import { startSecondsOf, type OpenChannel } from './open-channel.js'
import { findQuietestFrame, measureLevels } from './silero/find-speech.js'
import { frameLength } from './silero/silero-model.js'
import { sampleRate, type Span } from './speech-engine.js'

/** A window of 1.5 s tells where the voice changes to about a third of a second. */
const reachSeconds = 0.3
/** The gap between two words. */
const gapFrames = 3
/** No side of a cut gets shorter. */
const sideSecondsMin = 0.25

const areTouching = (one: Span, next: Span): boolean => next.startSeconds - one.endSeconds <= 0.01

/** Cuts between two voices that fall into a word move to the nearest gap: a word cut in two is heard as two wrong ones. */
export function moveCutsIntoPauses(spans: readonly Span[], channel: OpenChannel): Span[] {
  const moved = spans.map((span) => ({ ...span }))
  const levels = measureLevels(channel.samples)
  const start = startSecondsOf(channel)
  const toFrame = (seconds: number) => Math.round(((seconds - start) * sampleRate) / frameLength)
  moved.forEach((span, index) => {
    const next = moved[index + 1]
    if (!next || !areTouching(span, next)) return
    const from = Math.max(span.endSeconds - reachSeconds, span.startSeconds + sideSecondsMin)
    const to = Math.min(span.endSeconds + reachSeconds, next.endSeconds - sideSecondsMin)
    if (to <= from) return
    const frame = findQuietestFrame(levels, toFrame(from), toFrame(to), gapFrames)
    span.endSeconds = start + (frame * frameLength + frameLength / 2) / sampleRate
    next.startSeconds = span.endSeconds
  })
  return moved
}
