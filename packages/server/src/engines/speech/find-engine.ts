import type { SpeechEngine } from './speech-engine.js'

/** The engine for what is spoken; `language` null: English. Null: the engine of this worker does not know it. */
export const findEngine = (engine: SpeechEngine, language: string | null): SpeechEngine | null =>
  language === null ? engine : (engine.forLanguage?.(language) ?? null)
