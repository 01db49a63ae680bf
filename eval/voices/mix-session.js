// Lays spoken turns after each other as one microphone, or one a person, hears them, and keeps who spoke when.
import { sampleRate } from './synthesize.js'

/** mulberry32: the same session for the same seed. */
export function makeRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Silence at the edges of a clip belongs to nobody, and would be counted as speech. */
function trimSilence(samples) {
  const frame = 160
  let loudest = 0
  const levels = []
  for (let at = 0; at + frame <= samples.length; at += frame) {
    let sum = 0
    for (let i = at; i < at + frame; i++) sum += samples[i] * samples[i]
    levels.push(Math.sqrt(sum / frame))
    loudest = Math.max(loudest, levels.at(-1))
  }
  const first = levels.findIndex((level) => level > loudest * 0.03)
  const last = levels.findLastIndex((level) => level > loudest * 0.03)
  return samples.subarray(first * frame, (last + 1) * frame)
}

function levelTo(samples, target) {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const gain = target / Math.sqrt(sum / samples.length)
  return samples.map((sample) => sample * gain)
}

/**
 * `turns`: { speaker, samples, text }. Gaps are random; `overlapRate` of the turns begin before the last one ended.
 * With `isTwoChannel` each speaker has a channel and is heard faintly (-32 dB) on the other.
 */
export function mixSession(
  turns,
  { seed, overlapRate = 0, isTwoChannel = false, noiseLevel = 0.0015, gains = [1] },
) {
  const random = makeRandom(seed)
  const placed = []
  let cursor = 0.6
  for (const { speaker, samples, text } of turns) {
    const trimmed = trimSilence(samples)
    const seconds = trimmed.length / sampleRate
    const isOverlapping = placed.length > 0 && random() < overlapRate
    const gap = isOverlapping ? -(0.2 + random() * 0.6) : 0.12 + random() * random() * 1.4
    const startSeconds = Math.max(cursor + gap, 0)
    placed.push({ speaker, text, startSeconds, endSeconds: startSeconds + seconds, samples: trimmed })
    cursor = Math.max(cursor, startSeconds + seconds)
  }
  const length = Math.ceil((cursor + 0.8) * sampleRate)
  const speakers = [...new Set(placed.map(({ speaker }) => speaker))].toSorted((a, b) => a - b)
  const channels = (isTwoChannel ? speakers : [0]).map(() => new Float32Array(length))
  for (const { speaker, startSeconds, samples } of placed) {
    const loud = levelTo(samples, 0.07 * (gains[speaker % gains.length] ?? 1) * (0.85 + 0.3 * random()))
    const at = Math.round(startSeconds * sampleRate)
    for (const [number, channel] of channels.entries()) {
      const gain = !isTwoChannel || number === speakers.indexOf(speaker) ? 1 : 0.025
      for (let i = 0; i < loud.length; i++) channel[at + i] += loud[i] * gain
    }
  }
  for (const channel of channels) {
    let smooth = 0
    for (let i = 0; i < length; i++) {
      smooth = 0.7 * smooth + 0.3 * (random() * 2 - 1)
      channel[i] = Math.max(-1, Math.min(1, channel[i] + smooth * noiseLevel * 3))
    }
  }
  const turnsSaid = placed.map(({ speaker, text, startSeconds, endSeconds }) => ({
    speaker,
    text,
    startSeconds,
    endSeconds,
  }))
  return { channels, turns: turnsSaid }
}
