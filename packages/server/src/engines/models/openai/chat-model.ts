import { EngineFault, ServerOutage } from '../../engine-fault.js'
import { jsonBody, type MakeBody, type OpenAiClient } from '../../openai-protocol/openai-client.js'
import { RejectedRequest } from '../../openai-protocol/read-failure.js'
import type { ChatEvent, ChatTask, LanguageModel } from '../language-model.js'
import { AnswerReader } from './answer-reader.js'
import { toStrictSchema } from './to-strict-schema.js'

export interface ChatModelSettings {
  model: string
  contextTokens: number
  /** Fields for each request that only some servers know, as `chat_template_kwargs` or `reasoning_effort`. */
  extraBody: Readonly<Record<string, unknown>>
}

/** What a server turned out not to take, kept for the next calls. */
interface Dialect {
  isStreaming: boolean
  hasTemperature: boolean
  tokenLimitName: 'max_tokens' | 'max_completion_tokens'
}

const path = '/chat/completions'

/** One model behind `/chat/completions`, which answers with JSON of a schema. It owns the client. */
export class ChatModel implements LanguageModel {
  readonly engine = 'openai'
  readonly model: string
  readonly contextTokens: number
  readonly #client: OpenAiClient
  readonly #extraBody: Readonly<Record<string, unknown>>
  #dialect: Dialect = { isStreaming: true, hasTemperature: true, tokenLimitName: 'max_tokens' }

  constructor(client: OpenAiClient, { model, contextTokens, extraBody }: ChatModelSettings) {
    this.#client = client
    this.model = model
    this.contextTokens = contextTokens
    this.#extraBody = extraBody
  }

  /** The whole answer. */
  async complete(task: ChatTask, signal: AbortSignal): Promise<{ text: string; isCutShort: boolean }> {
    let text = ''
    for await (const event of this.#converse(task, { isStreaming: false }, signal)) {
      if (event.kind === 'end') return { text, isCutShort: event.isCutShort }
      text += event.text
    }
    throw brokenOff()
  }

  /** The answer as it is written, or at once from a server that does not stream. The last event is the end. */
  stream(task: ChatTask, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    return this.#converse(task, { isStreaming: true }, signal)
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  /** Each change of the dialect is one more call, and there are three of them. */
  async *#converse(
    task: ChatTask,
    wish: { isStreaming: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<ChatEvent> {
    let dialect = { ...this.#dialect, isStreaming: wish.isStreaming && this.#dialect.isStreaming }
    for (;;) {
      let hasBegun = false
      try {
        for await (const event of this.#ask(task, dialect, signal)) {
          // With the first event, not the last: readers leave when they have what they need.
          if (!hasBegun) this.#remember(dialect, wish)
          hasBegun = true
          yield event
        }
        return
      } catch (error) {
        const other = error instanceof RejectedRequest && !hasBegun ? findDialect(dialect, error) : null
        if (other === null) throw error
        dialect = other
      }
    }
  }

  /** That nobody wanted a stream says nothing about the server. */
  #remember(dialect: Dialect, wish: { isStreaming: boolean }): void {
    const isStreaming = wish.isStreaming ? dialect.isStreaming : this.#dialect.isStreaming
    this.#dialect = { ...dialect, isStreaming }
  }

  async *#ask(task: ChatTask, dialect: Dialect, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const body = jsonBody(toRequest(this.model, task, dialect, this.#extraBody))
    const reader = new AnswerReader()
    for await (const answer of this.#receive(body, task.owner, dialect, signal)) {
      for (const event of readCompletion(answer)) {
        const text = event.kind === 'text' ? reader.feed(event.text) : reader.end()
        if (text !== '') yield { kind: 'text', text }
        if (event.kind === 'end') return yield event
      }
    }
    throw brokenOff()
  }

  async *#receive(
    body: MakeBody,
    owner: string | undefined,
    { isStreaming }: Dialect,
    signal: AbortSignal,
  ): AsyncGenerator {
    if (isStreaming) yield* this.#client.stream(path, body, signal, owner)
    else yield await this.#client.post(path, body, signal, owner)
  }
}

/** `extraBody` may replace how an answer is made, never what is asked, of whom, and how it comes. */
function toRequest(
  model: string,
  task: ChatTask,
  dialect: Dialect,
  extraBody: Readonly<Record<string, unknown>>,
): unknown {
  const { stream: _, ...extra } = extraBody
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name: task.name, strict: true, schema: toStrictSchema(task.schema) },
    },
    [dialect.tokenLimitName]: task.outputTokensMax,
    ...(dialect.hasTemperature ? { temperature: 0 } : {}),
    ...extra,
    model,
    messages: [
      { role: 'system', content: task.system },
      { role: 'user', content: task.user },
    ],
    ...(dialect.isStreaming ? { stream: true } : {}),
  }
}

/** OpenAI's reasoning models take neither `max_tokens` nor a temperature; some gateways do not stream. */
function findDialect(dialect: Dialect, { status, code, param }: RejectedRequest): Dialect | null {
  if (param === 'max_tokens' && dialect.tokenLimitName === 'max_tokens') {
    return { ...dialect, tokenLimitName: 'max_completion_tokens' }
  }
  if (param === 'temperature' && dialect.hasTemperature) return { ...dialect, hasTemperature: false }
  const mayBeStreaming =
    param === 'stream' || (param === null && (code === null || code === 'not_supported_error'))
  if (dialect.isStreaming && mayBeStreaming && [400, 405, 406, 422, 501].includes(status)) {
    return { ...dialect, isStreaming: false }
  }
  return null
}

interface Choice {
  finish_reason?: unknown
  message?: { content?: unknown; refusal?: unknown }
  delta?: { content?: unknown; refusal?: unknown }
}

/** A completion or a chunk of one; a last chunk with the usage has no choice. */
function* readCompletion(answer: unknown): Generator<ChatEvent> {
  const choices = (answer as { choices?: unknown } | null)?.choices
  if (!Array.isArray(choices))
    throw new EngineFault('malformed', 'the writer server answered with no choices')
  const choice = choices[0] as Choice | undefined
  if (choice === undefined) return
  const said = choice.message ?? choice.delta ?? {}
  if (typeof said.refusal === 'string' && said.refusal !== '') {
    throw new EngineFault('refused', 'the model refused to answer')
  }
  if (typeof said.content === 'string' && said.content !== '') yield { kind: 'text', text: said.content }
  const reason = choice.finish_reason
  if (reason === 'content_filter') throw new EngineFault('refused', 'a content filter ended the answer')
  if (typeof reason === 'string') yield { kind: 'end', isCutShort: reason === 'length' }
  // Small servers leave the reason out of a whole answer.
  else if (choice.message !== undefined) yield { kind: 'end', isCutShort: false }
}

const brokenOff = (): ServerOutage =>
  new ServerOutage('unavailable', 'the writer server broke off in an answer')
