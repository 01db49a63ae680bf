import type { TSchema } from 'typebox'

export interface ChatTask {
  /** The name of the schema; servers want letters, digits, `_` and `-`. */
  name: string
  system: string
  user: string
  schema: TSchema
  outputTokensMax: number
  /** For whom: where tasks wait, owners take turns. */
  owner?: string
}

export type ChatEvent = { kind: 'text'; text: string } | { kind: 'end'; isCutShort: boolean }

/** A language model that answers with JSON of a schema. Throws an EngineFault. */
export interface LanguageModel {
  readonly engine: 'openai' | 'local'
  /** The model's name as the server calls it, or the name and digest of the file. */
  readonly model: string
  /** Prompt and answer together. */
  readonly contextTokens: number
  /** The whole answer. */
  complete(task: ChatTask, signal: AbortSignal): Promise<{ text: string; isCutShort: boolean }>
  /** The answer as it is written. The last event is the end. */
  stream(task: ChatTask, signal: AbortSignal): AsyncGenerator<ChatEvent>
  close(): Promise<void>
}
