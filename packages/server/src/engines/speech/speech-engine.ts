/** 16 kHz mono samples between -1 and 1, as every engine gets them. */
export const sampleRate = 16_000

/** Seconds from the start of the recording. */
export interface Span {
  startSeconds: number
  endSeconds: number
}

/** One stretch of speech of one voice on one channel, at most 14 s. */
export interface AudioClip extends Span {
  channel: number
  samples: Float32Array
}

export interface RecognizedClip {
  /** Punctuated; empty when nothing intelligible was said, never a loop. */
  text: string
  /** 0 to 1. */
  confidence: number
}

/** A door to an engine that turns sound into words. It knows no database, no tenant and no session. */
export interface SpeechEngine {
  readonly name: 'embedded' | 'openai'
  /** What is kept on the transcript: model and version. */
  readonly model: string
  /** As many answers as clips, in their order; each is told as soon as it is heard. Throws an EngineFault; aborting ends it soon. */
  recognize(
    clips: readonly AudioClip[],
    signal: AbortSignal,
    onHeard?: (clip: AudioClip) => void,
    /** Recordings that are heard at once take turns by it. */
    owner?: string,
  ): Promise<RecognizedClip[]>
  /** The same engine for talk in another language than English; null: it is not known to it. Without it, English is all it knows. */
  forLanguage?(language: string): SpeechEngine | null
  close(): Promise<void>
}
