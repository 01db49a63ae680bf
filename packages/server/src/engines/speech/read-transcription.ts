import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { cutRepetition } from './cut-repetition.js'
import type { RecognizedClip } from './speech-engine.js'

/** `verbose_json` as far as it is read; servers leave fields out or add some. */
const Segment = Type.Object({
  text: Type.String(),
  avg_logprob: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  no_speech_prob: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
})

const Transcription = Type.Object({
  text: Type.String(),
  segments: Type.Optional(Type.Union([Type.Array(Segment), Type.Null()])),
})

/** How sure an answer without numbers is taken to be: nobody knows. */
export const neutralConfidence = 0.5

/** Above both, Whisper's own decoder calls a segment silence (`no_speech_threshold`, `logprob_threshold`). */
const noSpeechProbMax = 0.6
const logprobMin = -1

/** Nothing that was cut off is certain. */
const loopConfidenceMax = 0.3

/** Auctioneers reach 30 letters a second; what is more was not heard but made up. */
const lettersPerSecondMax = 40
const lettersAnyway = 60

/** Whisper learned from subtitles, and writes these over silence; nobody says them in a session. */
const subtitleCredits = [
  /^\W*(?:thanks|thank you) (?:so much |very much )?for watching\W*$/i,
  /^\W*(?:please )?(?:like and )?subscribe\b/i,
  /^\W*subtitles by\b/i,
  /\bamara\.org\b/i,
]

const nothing: RecognizedClip = { text: '', confidence: 0 }

/** Null: not an answer of this protocol. */
export function readTranscription(answer: unknown, clipSeconds: number): RecognizedClip | null {
  if (!Check(Transcription, answer)) return null
  const segments = answer.segments ?? []
  const spoken = segments.filter(
    ({ no_speech_prob, avg_logprob }) =>
      (no_speech_prob ?? 0) <= noSpeechProbMax || (avg_logprob ?? 0) >= logprobMin,
  )
  const said = segments.length === 0 ? answer.text : spoken.map(({ text }) => text.trim()).join(' ')
  const { text, isLoop } = cutRepetition(said.normalize('NFC').replace(/\p{Cc}/gu, ' '))
  if (!/[\p{L}\p{N}]/u.test(text) || subtitleCredits.some((credits) => credits.test(text))) return nothing
  if (text.length > lettersAnyway + clipSeconds * lettersPerSecondMax) return nothing
  const confidence = findConfidence(spoken)
  return { text, confidence: isLoop ? Math.min(confidence, loopConfidenceMax) : confidence }
}

interface ScoredSegment {
  text: string
  avg_logprob?: number | null
  no_speech_prob?: number | null
}

/** The mean probability of a token, times that of there being speech; longer segments count for more. */
function findConfidence(segments: readonly ScoredSegment[]): number {
  let sum = 0
  let weights = 0
  for (const { text, avg_logprob, no_speech_prob } of segments) {
    if (typeof avg_logprob !== 'number') continue
    const weight = Math.max(1, text.length)
    sum += weight * toShare(Math.exp(avg_logprob)) * (1 - toShare(no_speech_prob ?? 0))
    weights += weight
  }
  return weights === 0 ? neutralConfidence : sum / weights
}

const toShare = (value: number): number => (Number.isNaN(value) ? 0 : Math.max(0, Math.min(1, value)))
