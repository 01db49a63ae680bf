import type { TranscriptItem } from '@casenote/contract'
import type { SpokenTerm } from '../lexicon/correct-vocabulary.js'
import type { Decoder } from './audio/decoder/decoder.js'
import { measureRecording, requireWhole } from './audio/measure-recording.js'
import { openInput } from './audio/open-input.js'
import type { OpenAudio } from './audio/run-ffmpeg.js'
import { probeAndTime } from './audio/probe-and-time.js'
import { makeAssembly } from './make-assembly.js'
import { isNotUnderstood, measureUnderstood } from './is-not-understood.js'
import { recognizeChunks, type RecognitionTools } from './recognize-chunks.js'
import { RecordingProblem } from './recording-problem.js'

export interface TranscriptionRequest extends Omit<RecognitionTools, 'onAllPrepared'> {
  openAudio: OpenAudio
  decoder: Decoder
  /** For the few recordings that cannot be read through a pipe. */
  scratchFolder: string
  /** Names and medicines as they are written here. Null: no English is spoken, and nothing is put right by what is English. */
  vocabulary?: readonly SpokenTerm[] | null
  /** Only the clinician is heard, who tells of a session: no voices are told apart. */
  isDictated?: boolean
  /** A clinician's word for it: whatever was heard is taken. */
  isKnownLanguage?: boolean
  /** Their record says that they speak another language than English. */
  isOtherExpected?: boolean
}

export interface Transcription {
  items: TranscriptItem[]
  durationSeconds: number
  /** Mean over the clips, 0 to 1. */
  confidence: number
}

/** From bytes to a transcript. Throws a RecordingProblem, an EngineFault, what the source threw or the signal's reason. */
export async function transcribeRecording(request: TranscriptionRequest): Promise<Transcription> {
  const { decoder, signal } = request
  const audio = await openInput(request.openAudio, request.scratchFolder, signal)
  const assembly = makeAssembly(signal)
  try {
    const timed = await probeAndTime(decoder, audio.input, signal)
    const decoding = { decoder, input: audio.input, tracks: timed.tracks, signal }
    const declaredSeconds = timed.declaredSeconds ?? audio.declaredSeconds
    const { packetSeconds } = timed
    const measured = await measureRecording({ ...decoding, declaredSeconds, packetSeconds })
    const { chunks, durationSeconds } = await recognizeChunks(measured, decoding, {
      ...request,
      onAllPrepared: () => assembly.start(),
    })
    requireWhole(durationSeconds, declaredSeconds)
    const { isKnownLanguage = false, isOtherExpected = false, isDictated = false, vocabulary = [] } = request
    const heard = measureUnderstood(chunks)
    if (!isKnownLanguage && isNotUnderstood(heard, durationSeconds, { isOtherExpected }))
      throw new RecordingProblem('not_understood')
    if (chunks.every((chunk) => chunk.clips.length === 0)) throw new RecordingProblem('no_speech')
    return {
      ...(await assembly.assemble(chunks, { vocabulary, isDictated })),
      durationSeconds,
    }
  } finally {
    await assembly.close()
    await audio.close()
  }
}
