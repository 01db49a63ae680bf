import type { Span } from '../speech-engine.js'
import { findVoices, rateVoices } from './find-voices.js'
import { windowStepSeconds, type VoiceWindow } from './voice-windows.js'

const stepSeconds = 0.05

/** Nobody takes the floor for less; and a shorter clip is hardly recognized. */
const turnSecondsMin = 0.4

/** What a change of voice costs in cosine-seconds: a change must be worth it. */
const changeCost = 0.06

/** Windows overlap: each stands for one step of speech. */
const stepOf = ({ startSeconds, endSeconds }: Span): number =>
  Math.min(windowStepSeconds, endSeconds - startSeconds)

/** Cuts stretches of speech where another voice begins. The pieces cover exactly what was given. */
export function cutAtVoiceChanges(speech: readonly Span[], windows: readonly VoiceWindow[]): Span[] {
  const voices = findVoices(windows.map((window) => ({ ...window, weight: stepOf(window) })))
  if (voices.length < 2) return speech.map((span) => ({ ...span }))
  const scored = windows.map((window) => ({
    window,
    likeness: rateVoices(window.vector, voices),
  }))
  let next = 0
  return speech.flatMap((span) => {
    while (next < scored.length && scored[next]!.window.endSeconds <= span.startSeconds) next++
    let end = next
    while (end < scored.length && scored[end]!.window.startSeconds < span.endSeconds) end++
    return cutSpan(span, scored.slice(next, end), voices.length)
  })
}

interface ScoredWindow {
  window: VoiceWindow
  likeness: readonly number[]
}

function cutSpan(span: Span, windows: readonly ScoredWindow[], voices: number): Span[] {
  const steps = Math.floor((span.endSeconds - span.startSeconds) / stepSeconds)
  if (steps * stepSeconds < 2 * turnSecondsMin || windows.length < 2) return [{ ...span }]
  const path = findBestPath(scoreSteps(span, steps, windows, voices), voices)
  const pieces: Span[] = []
  let startSeconds = span.startSeconds
  for (let step = 1; step < steps; step++) {
    if (path[step] === path[step - 1]) continue
    const at = span.startSeconds + step * stepSeconds
    if (at - startSeconds < turnSecondsMin || span.endSeconds - at < turnSecondsMin) continue
    pieces.push({ startSeconds, endSeconds: at })
    startSeconds = at
  }
  return [...pieces, { startSeconds, endSeconds: span.endSeconds }]
}

/** For each step and voice, the likeness of the windows around it; a window says most about its middle. */
function scoreSteps(
  span: Span,
  steps: number,
  windows: readonly ScoredWindow[],
  voices: number,
): Float64Array {
  const scores = new Float64Array(steps * voices)
  for (let step = 0; step < steps; step++) {
    const at = span.startSeconds + (step + 0.5) * stepSeconds
    let total = 0
    for (const { window, likeness } of windows) {
      const half = (window.endSeconds - window.startSeconds) / 2
      const distance = Math.abs(at - (window.startSeconds + half)) / half
      const nearness = Math.max(1e-3, 1 - distance) ** 2
      const weight = nearness * nearness
      total += weight
      for (let voice = 0; voice < voices; voice++) scores[step * voices + voice]! += weight * likeness[voice]!
    }
    for (let voice = 0; voice < voices; voice++) scores[step * voices + voice]! /= total
  }
  return scores
}

/** Viterbi: the voice of each step with the best sum of likeness, less the cost of each change. */
function findBestPath(scores: Float64Array, voices: number): number[] {
  const steps = scores.length / voices
  const cost = changeCost / stepSeconds
  const from = new Int32Array(scores.length)
  let best = Array.from(scores.subarray(0, voices))
  for (let step = 1; step < steps; step++) {
    const leader = best.indexOf(Math.max(...best))
    best = best.map((value, voice) => {
      const isStaying = value >= best[leader]! - cost
      from[step * voices + voice] = isStaying ? voice : leader
      return (isStaying ? value : best[leader]! - cost) + scores[step * voices + voice]!
    })
  }
  const path = Array.from<number>({ length: steps })
  path[steps - 1] = best.indexOf(Math.max(...best))
  for (let step = steps - 1; step > 0; step--) path[step - 1] = from[step * voices + path[step]!]!
  return path
}
