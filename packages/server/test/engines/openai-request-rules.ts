import type { ChatRequest, SpeechForm } from './openai-server.js'

const formFields = new Set(['model', 'response_format', 'language', 'temperature', 'prompt'])

/** What the real API refuses with 400, as far as its documentation says so. Null: a good request. */
export function findFormProblem({ fields, wav }: SpeechForm): string | null {
  const unknown = Object.keys(fields).find((name) => !formFields.has(name))
  if (unknown !== undefined) return `Unrecognized request argument supplied: ${unknown}`
  if (!fields.model) return 'you must provide a model parameter'
  if (!['json', 'text', 'srt', 'verbose_json', 'vtt'].includes(fields.response_format ?? 'json')) {
    return 'response_format is not supported'
  }
  if (fields.language !== undefined && !/^[a-z]{2}$/.test(fields.language))
    return 'language must be ISO 639-1'
  if (!(Number(fields.temperature ?? 0) >= 0 && Number(fields.temperature ?? 0) <= 1)) return 'temperature'
  return findWavProblem(wav)
}

function findWavProblem(wav: Buffer): string | null {
  if (
    wav.length < 44 ||
    wav.toString('latin1', 0, 4) !== 'RIFF' ||
    wav.toString('latin1', 8, 16) !== 'WAVEfmt '
  ) {
    return 'Invalid file format'
  }
  const isPcm16Mono = wav.readUInt16LE(20) === 1 && wav.readUInt16LE(22) === 1 && wav.readUInt16LE(34) === 16
  const isWhole = wav.readUInt32LE(4) === wav.length - 8 && wav.readUInt32LE(40) === wav.length - 44
  return isPcm16Mono && isWhole && wav.readUInt32LE(24) === 16_000 ? null : 'Audio file might be corrupted'
}

const chatParams = new Set([
  'model',
  'messages',
  'response_format',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  // Of vLLM and llama.cpp, for what an operator adds.
  'chat_template_kwargs',
  'top_p',
])

export function findChatProblem(contentType: string, chat: ChatRequest): string | null {
  if (!contentType.startsWith('application/json')) return 'content type'
  const unknown = Object.keys(chat).find((name) => !chatParams.has(name))
  if (unknown !== undefined) return `Unrecognized request argument supplied: ${unknown}`
  if (!chat.model) return 'you must provide a model parameter'
  const areMessages =
    chat.messages.length > 0 &&
    chat.messages.every(
      ({ role, content }) =>
        ['system', 'user', 'assistant'].includes(role) && typeof content === 'string' && content,
    )
  if (!areMessages) return 'messages'
  const format = chat.response_format as unknown as {
    type?: string
    json_schema?: { name?: string; strict?: boolean; schema?: unknown }
  }
  if (format?.type !== 'json_schema') return 'response_format'
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(format.json_schema?.name ?? '')) return 'json_schema.name'
  if (format.json_schema?.strict !== true) return 'this model needs strict'
  return findSchemaProblem(format.json_schema.schema, 0)
}

interface Schema {
  type?: string
  properties?: Record<string, unknown>
  required?: string[]
  additionalProperties?: unknown
  items?: unknown
  anyOf?: unknown[]
  enum?: unknown[]
}

/** "Structured outputs", supported schemas: closed objects, all required, five deep, few keywords. */
const schemaKeywords = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'enum',
  'const',
])

function findSchemaProblem(value: unknown, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return 'schema missing'
  const schema = value as Schema
  const unknown = Object.keys(schema).find((keyword) => !schemaKeywords.has(keyword))
  if (unknown !== undefined) return `'${unknown}' is not permitted`
  if (depth > 5) return 'schema too deep'
  if (depth === 0 && schema.type !== 'object') return 'the root must be an object'
  if (schema.type === 'object') {
    const names = Object.keys(schema.properties ?? {})
    if (schema.additionalProperties !== false) return "'additionalProperties' is required to be false"
    if (names.some((name) => !schema.required?.includes(name))) return "'required' must include every key"
  }
  if (schema.type === undefined && schema.anyOf === undefined) return 'schema without a type'
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])]
  if (schema.items !== undefined) inner.push(schema.items)
  const problems = inner.map((one) => findSchemaProblem(one, depth + (schema.type === 'object' ? 1 : 0)))
  return problems.find((problem) => problem !== null) ?? null
}
