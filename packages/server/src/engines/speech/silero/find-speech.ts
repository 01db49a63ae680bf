import { sampleRate } from '../speech-engine.js'
import { frameLength } from './silero-model.js'

/** Frames from `start` to before `end`. */
export interface FrameSpan {
  start: number
  end: number
}

export interface FoundSpeech {
  /** In order, without overlap, none longer than 12 s. */
  spans: FrameSpan[]
  /** Where speech begins that the end of the samples cuts off: to be looked at again with what follows. */
  openFrom: number | null
}

const toFrames = (seconds: number): number => Math.round((seconds * sampleRate) / frameLength)

// The publisher's thresholds, with the longer silences of a conversation.
const onProbability = 0.5
const offProbability = 0.35
const silenceFrames = toFrames(0.35)
const padFrames = toFrames(0.12)
/** Shorter than the shortest "no": a click. */
const speechFramesMin = toFrames(0.16)
/** Unsegmented, 17 of 100 words were wrong; at 12 s it is as good as it gets. */
const cutFramesMax = toFrames(12)
const cutFramesMin = toFrames(6)
/** The width over which a pause must be quiet: shorter than a pause, longer than the closure of a "t". */
const quietFrames = 7

/** `levels` are the mean squares of the frames, by which a long stretch is cut where it is quietest. */
export function findSpeech(scores: Float32Array, levels: Float32Array, isLast: boolean): FoundSpeech {
  const raw = findStretches(scores)
  const padded = raw.map((span, index) => ({
    start: Math.max(span.start - padFrames, index === 0 ? 0 : middle(raw[index - 1]?.end ?? 0, span.start)),
    end: Math.min(span.end + padFrames, middle(span.end, raw[index + 1]?.start ?? 2 * scores.length)),
  }))
  const spans = padded
    .map((span) => ({ start: span.start, end: Math.min(span.end, scores.length) }))
    .flatMap((span) => cutLongSpan(span, levels))
  const isOpen = !isLast && raw.length > 0 && (raw.at(-1)?.end ?? 0) > scores.length - silenceFrames
  const openSpan = isOpen ? spans.pop() : undefined
  return { spans, openFrom: openSpan?.start ?? null }
}

const middle = (one: number, other: number): number => Math.floor((one + other) / 2)

function findStretches(scores: Float32Array): FrameSpan[] {
  const found: FrameSpan[] = []
  let start = -1
  let lastVoiced = -1
  const end = () => {
    const span = { start, end: lastVoiced + 1 }
    // What touches the end may go on; it is judged when it is whole.
    if (span.end - span.start >= speechFramesMin || span.end === scores.length) found.push(span)
    start = -1
  }
  scores.forEach((score, frame) => {
    if (start < 0 && score >= onProbability) start = frame
    if (start >= 0 && score >= offProbability) lastVoiced = frame
    if (start >= 0 && frame - lastVoiced >= silenceFrames) end()
  })
  if (start >= 0) end()
  return found
}

function cutLongSpan(span: FrameSpan, levels: Float32Array): FrameSpan[] {
  const pieces: FrameSpan[] = []
  let start = span.start
  while (span.end - start > cutFramesMax) {
    const cut = findQuietestFrame(levels, start + cutFramesMin, start + cutFramesMax)
    pieces.push({ start, end: cut })
    start = cut
  }
  pieces.push({ start, end: span.end })
  return pieces
}

/** The middle of the quietest `width` frames between two frames. */
export function findQuietestFrame(
  levels: Float32Array,
  from: number,
  to: number,
  width: number = quietFrames,
): number {
  const half = Math.floor(width / 2)
  let best = from
  let lowest = Infinity
  for (let frame = from; frame < to; frame += 1) {
    let sum = 0
    for (let near = frame - half; near <= frame + half; near += 1) sum += levels[near] ?? 0
    if (sum < lowest) {
      lowest = sum
      best = frame
    }
  }
  return best
}

export function measureLevels(samples: Float32Array): Float32Array {
  const levels = new Float32Array(Math.ceil(samples.length / frameLength))
  for (let frame = 0; frame < levels.length; frame += 1) {
    const end = Math.min((frame + 1) * frameLength, samples.length)
    let sum = 0
    for (let index = frame * frameLength; index < end; index += 1) sum += samples[index]! * samples[index]!
    levels[frame] = sum / frameLength
  }
  return levels
}
