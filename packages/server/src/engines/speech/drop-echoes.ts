import type { ClipResult } from './chunk-result.js'

/** What one says to the other in the same second differs; a copy that came through shares most of its words. */
const sharedWordsMin = 0.7
/** "Okay" and "okay" at once are two people. */
const echoWordsMin = 3

/** Leaves out the quieter of two clips that say the same at the same time on two channels. */
export function dropEchoes(clips: readonly ClipResult[]): ClipResult[] {
  return clips.filter((clip) => !clips.some((other) => isEcho(clip, other)))
}

function isEcho(clip: ClipResult, other: ClipResult): boolean {
  if (clip.channel === other.channel || clip.level >= other.level) return false
  const overlap =
    Math.min(clip.endSeconds, other.endSeconds) - Math.max(clip.startSeconds, other.startSeconds)
  if (overlap < (clip.endSeconds - clip.startSeconds) / 2) return false
  const words = wordsOf(clip.text)
  if (words.length < echoWordsMin) return false
  const heard = new Set(wordsOf(other.text))
  return words.filter((word) => heard.has(word)).length >= words.length * sharedWordsMin
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
