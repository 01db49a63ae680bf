import type { Span } from '../speech-engine.js'
import { findNearest, meanDirection, type VoiceVector } from './cluster-vectors.js'
import { findVoices } from './find-voices.js'

/** A stretch of speech of one voice, with the vectors of the windows in it. */
export interface VoicedClip extends Span {
  channel: number
  vectors: readonly Float32Array[]
}

/**
 * The voice of each clip, numbered from 0 in the order of their first words, over a whole recording. A person has one
 * channel: voices of different channels are never taken for one.
 */
export function groupVoices(clips: readonly VoicedClip[]): number[] {
  const local = clips.map(() => '')
  const channels = new Set(clips.map((clip) => clip.channel))
  for (const channel of channels) {
    const indexes = clips.flatMap((clip, i) => (clip.channel === channel ? [i] : []))
    const own = indexes.map((i) => clips[i]!)
    const voices = groupChannel(own, channels.size === 1)
    for (const [i, index] of indexes.entries()) local[index] = `${channel}:${voices[i]}`
  }
  return numberByFirstWords(clips, local)
}

function numberByFirstWords(clips: readonly VoicedClip[], names: readonly string[]): number[] {
  const order = clips.map((_, i) => i).toSorted((a, b) => clips[a]!.startSeconds - clips[b]!.startSeconds)
  const numbers = new Map<string, number>()
  for (const i of order) if (!numbers.has(names[i]!)) numbers.set(names[i]!, numbers.size)
  return names.map((name) => numbers.get(name)!)
}

function groupChannel(clips: readonly VoicedClip[], isShared: boolean): number[] {
  const voices = findVoices(clips.flatMap(spreadVectors), isShared)
  if (voices.length === 0) return clips.map(() => 0)
  // A clip too short for a window goes on with the voice before it.
  let last = 0
  return clips.map(({ vectors }) => {
    if (vectors.length === 0) return last
    const mean = meanDirection(vectors.map((vector) => ({ vector, weight: 1 })))
    return (last = findNearest(mean, voices))
  })
}

function spreadVectors({ vectors, startSeconds, endSeconds }: VoicedClip): VoiceVector[] {
  const weight = (endSeconds - startSeconds) / vectors.length
  return vectors.map((vector, i) => ({ vector, weight, startSeconds: startSeconds + i * weight }))
}
