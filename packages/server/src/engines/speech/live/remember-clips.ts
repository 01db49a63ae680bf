import { sampleRate, type AudioClip, type RecognizedClip, type SpeechEngine } from '../speech-engine.js'

export interface RememberingEngine extends SpeechEngine {
  /** What ends before this comes no more. */
  forgetBefore(seconds: number): void
}

/** An engine for one recording, with a memory: a clip that was heard for the draft is not heard again when its chunk is settled. */
export function rememberClips(engine: SpeechEngine): RememberingEngine {
  const heard = new Map<string, { endSeconds: number; answer: RecognizedClip }>()
  const keyOf = ({ channel, startSeconds, endSeconds }: AudioClip): string =>
    [channel, Math.round(startSeconds * sampleRate), Math.round(endSeconds * sampleRate)].join('/')
  return {
    ...engine,
    async recognize(clips, signal, onHeard, owner) {
      const others = clips.filter((clip) => !heard.has(keyOf(clip)))
      const answers = others.length === 0 ? [] : await engine.recognize(others, signal, onHeard, owner)
      for (const [at, clip] of others.entries()) {
        const answer = answers[at]
        if (answer !== undefined) heard.set(keyOf(clip), { endSeconds: clip.endSeconds, answer })
      }
      return clips.map((clip) => heard.get(keyOf(clip))?.answer ?? { text: '', confidence: 0 })
    },
    forgetBefore(seconds) {
      for (const [key, { endSeconds }] of heard) if (endSeconds <= seconds) heard.delete(key)
    },
  }
}
