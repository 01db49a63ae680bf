/** For the mechanics of local models: a llama of random weights. It writes nonsense, but as a real one does. */

const embeddingLength = 32
const headCount = 4
const feedForwardLength = 64
const alignment = 32

const kinds = { uint32: 4, float32: 6, string: 8, array: 9, int32: 5 } as const

type Value =
  | { kind: 'uint32'; value: number }
  | { kind: 'float32'; value: number }
  | { kind: 'string'; value: string }
  | { kind: 'array'; of: 'string' | 'float32' | 'int32'; values: readonly (string | number)[] }

export interface TinyGguf {
  /** What the file says that it was made for. */
  contextTokens?: number
  /** One of its own: the runtime compares it with all that it knows, which takes two seconds of each start. */
  hasTemplate?: boolean
}

/** The same bytes each time. */
export function makeTinyGguf({ contextTokens = 4_096, hasTemplate = false }: TinyGguf = {}): Buffer {
  const vocabulary = makeVocabulary()
  const fields: Record<string, Value> = {
    'general.architecture': text('llama'),
    'general.name': text('tiny'),
    'general.file_type': count(0),
    'llama.context_length': count(contextTokens),
    'llama.embedding_length': count(embeddingLength),
    'llama.block_count': count(1),
    'llama.feed_forward_length': count(feedForwardLength),
    'llama.attention.head_count': count(headCount),
    'llama.attention.head_count_kv': count(headCount),
    'llama.rope.dimension_count': count(embeddingLength / headCount),
    'llama.attention.layer_norm_rms_epsilon': { kind: 'float32', value: 1e-5 },
    'llama.vocab_size': count(vocabulary.length),
    'tokenizer.ggml.model': text('llama'),
    'tokenizer.ggml.tokens': {
      kind: 'array',
      of: 'string',
      values: vocabulary.map(({ token }) => token),
    },
    'tokenizer.ggml.scores': { kind: 'array', of: 'float32', values: vocabulary.map((_, index) => -index) },
    'tokenizer.ggml.token_type': { kind: 'array', of: 'int32', values: vocabulary.map(({ type }) => type) },
    'tokenizer.ggml.unknown_token_id': count(0),
    'tokenizer.ggml.bos_token_id': count(1),
    'tokenizer.ggml.eos_token_id': count(2),
    ...(hasTemplate ? { 'tokenizer.chat_template': text(chatTemplate) } : {}),
  }
  const square = [embeddingLength, embeddingLength]
  const tensors: Record<string, readonly number[]> = {
    'token_embd.weight': [embeddingLength, vocabulary.length],
    'output_norm.weight': [embeddingLength],
    'output.weight': [embeddingLength, vocabulary.length],
    'blk.0.attn_norm.weight': [embeddingLength],
    'blk.0.attn_q.weight': square,
    'blk.0.attn_k.weight': square,
    'blk.0.attn_v.weight': square,
    'blk.0.attn_output.weight': square,
    'blk.0.ffn_norm.weight': [embeddingLength],
    'blk.0.ffn_gate.weight': [embeddingLength, feedForwardLength],
    'blk.0.ffn_up.weight': [embeddingLength, feedForwardLength],
    'blk.0.ffn_down.weight': [feedForwardLength, embeddingLength],
  }
  return writeGguf(fields, tensors)
}

const chatTemplate =
  "{% for message in messages %}{{ '[' + message['role'] + '] ' + message['content'] + '\\n' }}{% endfor %}[assistant] "

const text = (value: string): Value => ({ kind: 'string', value })
const count = (value: number): Value => ({ kind: 'uint32', value })

/** Bytes, so that every text can be said, and the printable characters. */
function makeVocabulary(): { token: string; type: number }[] {
  const [normal, unknown, control, byte] = [1, 2, 3, 6] as const
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(2, '0')
  return [
    { token: '<unk>', type: unknown },
    { token: '<s>', type: control },
    { token: '</s>', type: control },
    ...Array.from({ length: 256 }, (_, value) => ({ token: `<0x${hex(value)}>`, type: byte })),
    ...Array.from({ length: 95 }, (_, index) => ({
      token: index === 0 ? '\u2581' : String.fromCharCode(32 + index),
      type: normal,
    })),
  ]
}

function writeGguf(fields: Record<string, Value>, tensors: Record<string, readonly number[]>): Buffer {
  const parts: Buffer[] = [
    Buffer.from('GGUF'),
    uint32(3),
    uint64(Object.keys(tensors).length),
    uint64(Object.keys(fields).length),
  ]
  for (const [key, value] of Object.entries(fields))
    parts.push(string(key), uint32(kinds[value.kind]), ...write(value))
  const random = makeRandom()
  const data: Buffer[] = []
  let offset = 0
  for (const [name, shape] of Object.entries(tensors)) {
    const weights = new Float32Array(shape.reduce((product, length) => product * length, 1))
    // Norms multiply: near one, or nothing comes through.
    for (let index = 0; index < weights.length; index += 1) weights[index] = shape.length === 1 ? 1 : random()
    parts.push(string(name), uint32(shape.length), ...shape.map(uint64), uint32(0), uint64(offset))
    const bytes = pad(Buffer.from(weights.buffer))
    data.push(bytes)
    offset += bytes.length
  }
  return Buffer.concat([pad(Buffer.concat(parts)), ...data])
}

function write(value: Value): Buffer[] {
  if (value.kind === 'string') return [string(value.value)]
  if (value.kind === 'uint32') return [uint32(value.value)]
  if (value.kind === 'float32') return [float32(value.value)]
  const { of, values } = value
  const items = values.map((item) => {
    if (typeof item === 'string') return string(item)
    return of === 'float32' ? float32(item) : uint32(item)
  })
  return [uint32(kinds[of]), uint64(items.length), ...items]
}

function makeRandom(): () => number {
  let state = 12_345
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state / 2 ** 32 - 0.5) * 0.6
  }
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}

function uint64(value: number): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}

function float32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeFloatLE(value)
  return buffer
}

function string(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint64(bytes.length), bytes])
}

const pad = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)])
