import { engineTexts } from '../texts/texts.js'
import { EngineError } from './engine.js'

/** What nobody foresaw says nothing to clinicians. */
export const toEngineError = (error: unknown): EngineError =>
  error instanceof EngineError ? error : new EngineError(engineTexts.failed, 0, { cause: error })
