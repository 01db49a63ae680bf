import type { ChatEvent, ChatTask, LanguageModel } from '../language-model.js'
import { EngineFault } from '../../engine-fault.js'
import { ModelHost, type HostLimits } from './model-host.js'
import type { ModelSettings } from './model-messages.js'
import { schemaToGrammar } from './schema-to-grammar.js'

/** A GGUF file in a process of its own, which is started with the first task and ends when there was none for a while. */
export class LocalModel implements LanguageModel {
  readonly engine = 'local'
  readonly model: string
  readonly contextTokens: number
  readonly #host: ModelHost

  constructor(settings: ModelSettings, limits: Partial<HostLimits> = {}) {
    this.model = `${settings.name} sha256:${settings.sha256.slice(0, 12)}`
    this.contextTokens = settings.contextTokens
    this.#host = new ModelHost(settings, limits)
  }

  get processId(): number | null {
    return this.#host.processId
  }

  async complete(task: ChatTask, signal: AbortSignal): Promise<{ text: string; isCutShort: boolean }> {
    let text = ''
    for await (const event of this.stream(task, signal)) {
      if (event.kind === 'end') return { text, isCutShort: event.isCutShort }
      text += event.text
    }
    throw new EngineFault('unavailable', 'the local model broke off in an answer')
  }

  async *stream(task: ChatTask, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const { system, user, schema, outputTokensMax, owner } = task
    const grammar = schemaToGrammar(schema)
    const asked = { system, user, grammar, outputTokensMax }
    for await (const event of this.#host.generate(asked, signal, owner)) {
      yield event.kind === 'end' ? { kind: 'end', isCutShort: event.isCutShort } : event
    }
  }

  close(): Promise<void> {
    return this.#host.close()
  }
}
