import type { EngineFaultKind } from '../../engine-fault.js'

/** What a model's process is opened with. */
export interface ModelSettings {
  /** Where `casenote model install` has put node-llama-cpp. */
  runtimeFolder: string
  /** For messages. */
  name: string
  file: string
  sha256: string
  /** Prompt and answer together; never more than the model was made for. */
  contextTokens: number
  threads: number
  /** `auto`: if there is one, and a package for it. */
  gpu: 'auto' | 'off'
}

export interface Figures {
  promptTokens: number
  /** Tokens of the prompt that stood there from the call before. */
  reusedTokens: number
  readMs: number
  outputTokens: number
  writeMs: number
}

export interface ProcessFacts {
  /** `cuda`, `vulkan`, `metal` or `none`. */
  gpu: string
  variants: readonly string[]
  contextTokens: number
  /** Fingerprint of the file whose hash was right. */
  fingerprint: string
}

export type ModelRequest =
  | { kind: 'open'; settings: ModelSettings; knownFingerprint: string | null }
  | { kind: 'generate'; id: number; system: string; user: string; grammar: string; outputTokensMax: number }
  | { kind: 'stop'; id: number }

export type ModelReply =
  /** The process is up; what goes wrong from here on is the model's loading. */
  | { kind: 'loading'; variants: readonly string[] }
  | { kind: 'ready'; facts: ProcessFacts }
  | { kind: 'text'; id: number; text: string }
  | { kind: 'end'; id: number; isCutShort: boolean; figures: Figures }
  | { kind: 'stopped'; id: number }
  /** Without an id: the model cannot be used, and the process ends. */
  | { kind: 'fault'; id: number | null; fault: EngineFaultKind; message: string }
