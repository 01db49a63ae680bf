import type { RecognizedClip, Span } from './speech-engine.js'

/** What a speech process is asked for, and what it answers; samples travel as they are. */
export type SpeechRequest =
  | { kind: 'detect'; channels: readonly Float32Array[]; isLast: boolean }
  | { kind: 'hear'; samples: Float32Array }

/** Seconds from the start of the samples. */
export interface DetectedSpeech {
  spans: Span[]
  /** Where speech begins that the end of the samples cuts off. */
  openFromSeconds: number | null
}

export interface SpeechAnswers {
  detect: DetectedSpeech[]
  hear: RecognizedClip
}

export type SpeechReply =
  | { answer: SpeechAnswers[SpeechRequest['kind']] }
  | {
      /** A class and a code, or a message of ours: nothing of the session. */
      error: string
    }

/** Sent once, when the process is ready for its first request. */
export const readyMessage = 'ready'
