import type { TranscriptItem } from '@casenote/contract'
import { correctTerms } from '../lexicon/correct-terms.js'
import { makeVocabularyCorrection, type SpokenTerm } from '../lexicon/correct-vocabulary.js'
import { unpackVector, type ChunkResult } from './chunk-result.js'
import { dropEchoes } from './drop-echoes.js'
import { dictatedSecondsMax, mergeTurns } from './merge-turns.js'
import { assignRoles, groupVoices } from './voices/index.js'

export interface AssembledTranscript {
  items: TranscriptItem[]
  /** Mean over the clips, 0 to 1. */
  confidence: number
}

/** Turns around an item that tell whether medication is talked about. */
const contextTurns = 4

/**
 * Voices are told over the whole recording, so this waits for the last chunk. Without a clip there are no items. `vocabulary` null: of another
 * language than English, whose words would be put right by what sounds like them in English. `isDictated`: all of it is the clinician's.
 */
export function assembleTranscript(
  chunks: readonly ChunkResult[],
  vocabulary: readonly SpokenTerm[] | null = [],
  isDictated = false,
): AssembledTranscript {
  const clips = dropEchoes(chunks.flatMap((chunk) => chunk.clips))
  const voices = isDictated
    ? []
    : groupVoices(clips.map((clip) => ({ ...clip, vectors: clip.voices.map(unpackVector) })))
  const turns = mergeTurns(
    clips.map((clip, index) => ({ ...clip, voice: voices[index] ?? 0 })),
    isDictated ? dictatedSecondsMax : undefined,
  )
  const roles = isDictated ? new Map([[0, 'clinician']]) : assignRoles(turns)
  const numbers = isDictated ? null : numberVoices(turns)
  const texts = turns.map((turn) => turn.text)
  const correctVocabulary = makeVocabularyCorrection(vocabulary ?? [])
  const corrected = texts.map((text, index) => {
    if (vocabulary === null) return { text, corrections: [] }
    const { text: known, corrections } = correctTerms(text, turnsAround(texts, index))
    // What people taught has the last word: they taught it by what they read.
    const taught = correctVocabulary(known, corrections)
    return { text: taught, corrections: corrections.filter((one) => taught.includes(one.corrected)) }
  })
  return {
    items: turns.map((turn, index) => ({
      startTime: roundTime(turn.startSeconds),
      endTime: roundTime(turn.endSeconds),
      speaker: roles.get(turn.voice) ?? `speaker_${turn.voice + 1}`,
      transcript: corrected[index]?.text ?? turn.text,
      ...(numbers === null ? {} : { voice: numbers.get(turn.voice) ?? 1 }),
      ...(isDictated ? { source: 'dictated' as const } : {}),
      ...(corrected[index]?.corrections.length ? { corrections: corrected[index].corrections } : {}),
    })),
    confidence: clips.reduce((sum, clip) => sum + clip.confidence, 0) / Math.max(1, clips.length),
  }
}

/** As `assignRoles` numbers those whom it cannot tell. Null: at most two, whom their labels tell apart. */
function numberVoices(turns: readonly { voice: number }[]): Map<number, number> | null {
  const voices = [...new Set(turns.map(({ voice }) => voice))].toSorted((a, b) => a - b)
  return voices.length <= 2 ? null : new Map(voices.map((voice, index) => [voice, index + 1]))
}

const turnsAround = (texts: readonly string[], index: number): string[] => [
  ...texts.slice(Math.max(0, index - contextTurns), index),
  ...texts.slice(index + 1, index + 1 + contextTurns),
]

const roundTime = (seconds: number): number => Math.floor(seconds * 100) / 100
