import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findChatProblem, findFormProblem } from './openai-request-rules.js'

/** What the next call gets instead of an honest answer. */
export type Mischief =
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown }
  | { kind: 'raw'; contentType: string; body: string | Buffer }
  /** Takes the request and never answers. */
  | { kind: 'hang' }
  /** Ends the connection: before the answer, or after so many pieces of a stream. */
  | { kind: 'reset'; afterPieces?: number }
  /** Ends the stream as if it were finished, after so many pieces. */
  | { kind: 'cut'; afterPieces: number }
  | { kind: 'say'; text: string; finishReason?: string }
  | { kind: 'refuse' }
  | { kind: 'error-event'; afterPieces: number }
  /** Goes on with the stream when it is told to. */
  | { kind: 'pause'; afterPieces: number; until: Promise<void> }
  | { kind: 'no-stream' }
  | { kind: 'answer'; body: unknown }

export interface ChatRequest {
  model: string
  messages: { role: string; content: string }[]
  response_format: { json_schema: { name: string; schema: Record<string, unknown> } }
  stream?: boolean
  max_tokens?: number
  max_completion_tokens?: number
  temperature?: number
}

export interface SpeechForm {
  fields: Record<string, string>
  wav: Buffer
}

export interface Behaviour {
  /** Null: none is asked for. */
  apiKey: string | null
  /** What the model says to a request that the protocol allows. */
  writeAsModel: (request: ChatRequest) => string
  transcribe: (form: SpeechForm) => unknown
}

/**
 * Speaks the OpenAI protocol over a real socket: it takes only what the real API takes, with its envelope of errors,
 * and streams in pieces as small as tokens. The next calls can be told to go wrong.
 */
export class OpenAiTestServer {
  readonly mischief: Mischief[] = []
  readonly chats: ChatRequest[] = []
  readonly forms: SpeechForm[] = []
  /** Why requests were refused by the rules of the protocol. */
  readonly problems: string[] = []
  readonly authorizations: (string | undefined)[] = []
  callCount = 0
  openCount = 0
  openCountMost = 0
  /** Calls whose client went away before the end. */
  abandonedCount = 0
  /** When set, every call waits for it. */
  gate: Promise<void> | null = null
  /** For servers that do not take a parameter of the request: its name. */
  unsupportedParam: keyof ChatRequest | null = null
  /** For speech servers that do not take a format, and how they say so. */
  unsupportedFormat: { format: string; error: Record<string, unknown> } | null = null
  /** For servers that tell which models they have. */
  models: readonly string[] | null = null
  readonly #behaviour: Behaviour
  readonly #server: Server

  constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error))
    })
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.callCount += 1
    this.openCount += 1
    this.openCountMost = Math.max(this.openCountMost, this.openCount)
    response.on('close', () => {
      this.openCount -= 1
      if (!response.writableFinished) this.abandonedCount += 1
    })
    const body = await readAll(request)
    await this.gate
    this.authorizations.push(request.headers.authorization)
    const mischief = this.mischief.shift() ?? null
    if (await this.#misbehave(mischief, request, response)) return
    const { apiKey } = this.#behaviour
    if (apiKey !== null && request.headers.authorization !== `Bearer ${apiKey}`) {
      // As the real one does: with a part of what was sent.
      const sent = String(request.headers.authorization).slice(-8)
      return sendError(response, 401, {
        code: 'invalid_api_key',
        message: `Incorrect API key provided: ${sent}`,
      })
    }
    if (request.method === 'POST' && request.url === '/v1/chat/completions') {
      return this.#chat(request, body, mischief, response)
    }
    if (request.method === 'POST' && request.url === '/v1/audio/transcriptions') {
      return this.#transcribe(request, body, mischief, response)
    }
    if (request.method === 'GET' && request.url === '/v1/models' && this.models !== null) {
      return sendJson(response, { object: 'list', data: this.models.map((id) => ({ id, object: 'model' })) })
    }
    sendError(response, 404, { code: null, message: `Unknown request URL: ${request.method} ${request.url}` })
  }

  /** What goes wrong before anyone looks at the request. */
  async #misbehave(
    mischief: Mischief | null,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    switch (mischief?.kind) {
      case 'status':
        response.writeHead(mischief.status, { 'content-type': 'application/json', ...mischief.headers })
        response.end(JSON.stringify(mischief.body ?? { error: { message: 'as told', type: 'server_error' } }))
        return true
      case 'raw':
        response.writeHead(200, { 'content-type': mischief.contentType })
        response.end(mischief.body)
        return true
      case 'hang':
        await once(response, 'close')
        return true
      case 'reset':
        if (mischief.afterPieces !== undefined) return false
        request.socket.destroy()
        return true
      default:
        return false
    }
  }

  async #transcribe(
    request: IncomingMessage,
    body: Buffer,
    mischief: Mischief | null,
    response: ServerResponse,
  ): Promise<void> {
    const form = await readForm(request.headers['content-type'] ?? '', body)
    const problem = form === null ? 'no multipart form' : findFormProblem(form)
    if (form === null || problem !== null) return this.#refuse(response, problem ?? '')
    if (this.unsupportedFormat !== null && form.fields.response_format === this.unsupportedFormat.format) {
      return sendError(response, 400, this.unsupportedFormat.error)
    }
    this.forms.push(form)
    sendJson(response, mischief?.kind === 'answer' ? mischief.body : this.#behaviour.transcribe(form))
  }

  async #chat(
    request: IncomingMessage,
    body: Buffer,
    mischief: Mischief | null,
    response: ServerResponse,
  ): Promise<void> {
    const chat = JSON.parse(body.toString()) as ChatRequest
    const problem = findChatProblem(request.headers['content-type'] ?? '', chat)
    if (problem !== null) return this.#refuse(response, problem)
    if (this.unsupportedParam !== null && this.unsupportedParam in chat) {
      const param = this.unsupportedParam
      return sendError(response, 400, {
        code: 'unsupported_parameter',
        param,
        message: 'Unsupported parameter',
      })
    }
    this.chats.push(chat)
    const text = mischief?.kind === 'say' ? mischief.text : this.#behaviour.writeAsModel(chat)
    const finishReason = mischief?.kind === 'say' ? (mischief.finishReason ?? 'stop') : 'stop'
    if (mischief?.kind === 'answer') return sendJson(response, mischief.body)
    if (chat.stream === true && mischief?.kind !== 'no-stream') {
      return streamChat(response, chat.model, text, finishReason, mischief)
    }
    const message =
      mischief?.kind === 'refuse'
        ? { role: 'assistant', content: null, refusal: 'I cannot help with this.' }
        : { role: 'assistant', content: text, refusal: null }
    sendJson(response, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: chat.model,
      choices: [{ index: 0, message, finish_reason: finishReason }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    })
  }

  #refuse(response: ServerResponse, problem: string): void {
    this.problems.push(problem)
    sendError(response, 400, { code: 'invalid_request_error', message: problem })
  }
}

/** In pieces of a few characters, some of which are cut within an event, as networks do. */
async function streamChat(
  response: ServerResponse,
  model: string,
  text: string,
  finishReason: string,
  mischief: Mischief | null,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const chunk = (delta: unknown, reason: string | null) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model, choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
  response.write(': keep-alive\n\n')
  response.write(chunk({ role: 'assistant', content: '' }, null))
  if (mischief?.kind === 'refuse') response.write(chunk({ refusal: 'I cannot' }, null))
  const pieces = text.match(/.{1,7}/gsu) ?? []
  for (const [index, piece] of pieces.entries()) {
    if (mischief !== null && 'afterPieces' in mischief && index === mischief.afterPieces) {
      // The bytes must be on their way before the end, or the reset takes them along.
      await new Promise((resolve) => setImmediate(resolve))
      if (mischief.kind === 'pause') await mischief.until
      if (mischief.kind === 'reset') response.socket?.resetAndDestroy()
      if (mischief.kind === 'error-event') {
        response.write(`data: ${JSON.stringify({ error: { message: text, type: 'server_error' } })}\n\n`)
      }
      if (mischief.kind === 'cut' || mischief.kind === 'error-event') response.end()
      if (mischief.kind !== 'pause') return
    }
    const bytes = Buffer.from(chunk({ content: piece }, null))
    response.write(bytes.subarray(0, index % 30))
    if (!response.write(bytes.subarray(index % 30)))
      await Promise.race([once(response, 'drain'), once(response, 'close')])
    if (response.destroyed) return
    if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  response.write(chunk({}, finishReason))
  response.end('data: [DONE]\n\n')
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function readForm(contentType: string, body: Buffer): Promise<SpeechForm | null> {
  if (!contentType.startsWith('multipart/form-data')) return null
  const data = await new Response(body, { headers: { 'content-type': contentType } }).formData()
  const file = data.get('file')
  const fields = [...data].filter(([, value]) => typeof value === 'string') as [string, string][]
  const wav =
    file === null || typeof file === 'string' ? Buffer.alloc(0) : Buffer.from(await file.arrayBuffer())
  return { fields: Object.fromEntries(fields), wav }
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function sendError(response: ServerResponse, status: number, error: Record<string, unknown>): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { type: 'invalid_request_error', param: null, ...error } }))
}
