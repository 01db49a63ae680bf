import type { RecognizedClip, Span } from './speech-engine.js'

/** What a speech process is asked for; samples travel as they are. */
export type SpeechRequest =
  | { kind: 'detect'; channels: readonly Float32Array[]; isLast: boolean }
  | { kind: 'hear'; samples: Float32Array }

/** What is sent to a process: the channels of a `detect` come before it, one by one. */
export type SpeechMessage =
  | { kind: 'channel'; samples: Float32Array }
  | { kind: 'detect'; isLast: boolean }
  | Extract<SpeechRequest, { kind: 'hear' }>

/** Writing a minute of eight channels down took 22 ms, and 61 on a slower machine; one of them takes an eighth. */
export const toSpeechMessages = (request: SpeechRequest): SpeechMessage[] =>
  request.kind === 'hear'
    ? [request]
    : [
        ...request.channels.map((samples) => ({ kind: 'channel' as const, samples })),
        { kind: 'detect', isLast: request.isLast },
      ]

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
