import type { TranscriptItem } from '@casenote/contract'
import { correctTerms } from '../lexicon/correct-terms.js'
import { measureRecording } from './audio/measure-recording.js'
import { openInput, type OpenAudio } from './audio/open-input.js'
import { probeRecording } from './audio/probe-recording.js'
import { unpackVector, type ChunkResult } from './chunk-result.js'
import { dropEchoes } from './drop-echoes.js'
import { mergeTurns } from './merge-turns.js'
import { recognizeChunks, type RecognitionTools } from './recognize-chunks.js'
import { RecordingProblem } from './recording-problem.js'
import { assignRoles, groupVoices } from './voices/index.js'

export interface TranscriptionRequest extends RecognitionTools {
  openAudio: OpenAudio
  ffmpegPath: string
  /** For the few recordings that cannot be read through a pipe. */
  scratchFolder: string
}

export interface Transcription {
  items: TranscriptItem[]
  durationSeconds: number
  /** Mean over the clips, 0 to 1. */
  confidence: number
}

/** Turns around an item that tell whether medication is talked about. */
const contextTurns = 4

/** From bytes to a transcript. Throws a RecordingProblem, an EngineFault, what the source threw or the signal's reason. */
export async function transcribeRecording(request: TranscriptionRequest): Promise<Transcription> {
  const { ffmpegPath, signal } = request
  const audio = await openInput(request.openAudio, request.scratchFolder, signal)
  try {
    const probed = await probeRecording(ffmpegPath, audio.input, signal)
    const decoding = { ffmpegPath, input: audio.input, tracks: probed.tracks, signal }
    const declaredSeconds = probed.declaredSeconds ?? audio.declaredSeconds
    const measured = await measureRecording({ ...decoding, declaredSeconds })
    const chunks = await recognizeChunks(measured, decoding, request)
    return { ...assembleTranscript(chunks), durationSeconds: measured.durationSeconds }
  } finally {
    await audio.close()
  }
}

/** Voices are told over the whole recording, so this waits for the last chunk. */
function assembleTranscript(chunks: readonly ChunkResult[]): Omit<Transcription, 'durationSeconds'> {
  const clips = dropEchoes(chunks.flatMap((chunk) => chunk.clips))
  if (clips.length === 0) throw new RecordingProblem('no_speech')
  const voices = groupVoices(clips.map((clip) => ({ ...clip, vectors: clip.voices.map(unpackVector) })))
  const turns = mergeTurns(clips.map((clip, index) => ({ ...clip, voice: voices[index] ?? 0 })))
  const roles = assignRoles(turns)
  const texts = turns.map((turn) => turn.text)
  const corrected = texts.map((text, index) => correctTerms(text, turnsAround(texts, index)))
  return {
    items: turns.map((turn, index) => ({
      startTime: roundTime(turn.startSeconds),
      endTime: roundTime(turn.endSeconds),
      speaker: roles.get(turn.voice) ?? `speaker_${turn.voice + 1}`,
      transcript: corrected[index]?.text ?? turn.text,
      ...(corrected[index]?.corrections.length ? { corrections: corrected[index].corrections } : {}),
    })),
    confidence: clips.reduce((sum, clip) => sum + clip.confidence, 0) / clips.length,
  }
}

const turnsAround = (texts: readonly string[], index: number): string[] => [
  ...texts.slice(Math.max(0, index - contextTurns), index),
  ...texts.slice(index + 1, index + 1 + contextTurns),
]

const roundTime = (seconds: number): number => Math.floor(seconds * 100) / 100
