import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What of node-llama-cpp is used. The package is not a dependency: `casenote model install` fetches it. */

export type Token = number & { readonly __token?: never }

export interface LlamaText {
  readonly values: readonly unknown[]
  /** Words of people are never read as control tokens: only what the template marks as such is. */
  tokenize(tokenizer: unknown, options?: 'trimLeadingSpace'): Token[]
}

interface ContextState {
  contextText: LlamaText
  noPrefixTrigger?: { type: string; inject: LlamaText }
}

export interface ChatWrapper {
  generateContextState(options: {
    chatHistory: readonly (
      { type: 'system' | 'user'; text: string } | { type: 'model'; response: readonly string[] }
    )[]
  }): ContextState
}

export interface ContextSequence {
  readonly nextTokenIndex: number
  adaptStateToTokens(tokens: Token[], allowShift: boolean): Promise<void>
  clearHistory(): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: Token[]): Promise<void>
  evaluate(
    tokens: Token[],
    options: { temperature: number; grammarEvaluationState: unknown; yieldEogToken: true },
  ): AsyncGenerator<Token>
}

interface LlamaContext {
  readonly contextSize: number
  getSequence(): ContextSequence
}

export interface LlamaModel {
  readonly tokenizer: unknown
  readonly trainContextSize: number
  isEogToken(token: Token): boolean
  detokenize(tokens: readonly Token[], specialTokens: boolean, lastTokens?: readonly Token[]): string
  createContext(options: {
    contextSize: number
    threads: number
    batchSize: number
    swaFullCache: boolean
  }): Promise<LlamaContext>
}

export interface Llama {
  /** `cuda`, `vulkan`, `metal`, or false. */
  readonly gpu: string | false
  loadModel(options: { modelPath: string; gpuLayers: unknown }): Promise<LlamaModel>
  createGrammar(options: { grammar: string }): Promise<unknown>
}

export interface LlamaRuntime {
  getLlama(options: {
    gpu: 'auto' | false
    build: 'never'
    skipDownload: true
    progressLogs: false
    maxThreads: number
    logLevel: 'error'
    logger: (level: string, message: string) => void
  }): Promise<Llama>
  resolveChatWrapper(model: LlamaModel, options: unknown): ChatWrapper
  LlamaText(parts: readonly LlamaText[]): LlamaText
  LlamaGrammarEvaluationState: new (options: { model: LlamaModel; grammar: unknown }) => unknown
}

export const runtimePackage = 'node-llama-cpp'

/** Fails where it is not installed. */
export async function loadRuntime(runtimeFolder: string): Promise<LlamaRuntime> {
  const entry = join(runtimeFolder, 'node_modules', runtimePackage, 'dist', 'index.js')
  return (await import(pathToFileURL(entry).href)) as LlamaRuntime
}

/** The libraries that do the work, as `libggml-cpu-haswell.so`: which one was taken is told nowhere else. */
export function listVariants(): string[] {
  const report = process.report.getReport() as unknown as { sharedObjects?: unknown }
  const objects = Array.isArray(report.sharedObjects) ? report.sharedObjects : []
  return objects
    .filter((path): path is string => typeof path === 'string')
    .map((path) => path.split(/[/\\]/).at(-1) ?? '')
    .filter((name) => /ggml-(cpu|cuda|vulkan|metal)/.test(name))
}
