import { open, type FileHandle } from 'node:fs/promises'

/** What a model's file says of itself. */
export interface GgufFacts {
  architecture: string
  name: string | null
  /** What the model was made for. */
  contextTokens: number | null
  hasChatTemplate: boolean
  parameters: number
  /** What each token of a context takes, with 16 bits; null for models whose layers differ. */
  contextBytesPerToken: number | null
}

/** Why a file cannot be a model, in a sentence for the operator. */
export class GgufProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'GgufProblem'
  }
}

/** Headers are 6 to 20 MB, nearly all of it the vocabulary. */
const headerBytesMax = 128 * 1024 * 1024
const chunkBytes = 1 << 20
const fieldsMax = 10_000
const tensorsMax = 100_000
const stringBytesMax = 4 * 1024 * 1024

const sizesOfKinds: Record<number, number> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
}
const kindString = 8
const kindArray = 9

/** Block length and bytes of the tensor types in use (ggml.h); of others only the beginning is looked for. */
const blocksOfTypes: Record<number, readonly [number, number]> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  30: [1, 2],
  39: [32, 17],
}

/** Reads the header and sees whether the file is as long as it says. Throws a GgufProblem. */
export async function readGguf(path: string): Promise<GgufFacts> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    return await readHeader(new HeaderReader(file), size)
  } catch (error) {
    if (error instanceof GgufProblem || !(error instanceof RangeError)) throw error
    throw new GgufProblem('the file is damaged: its header holds impossible lengths')
  } finally {
    await file.close()
  }
}

async function readHeader(reader: HeaderReader, size: number): Promise<GgufFacts> {
  if ((await reader.bytes(4)).toString('latin1') !== 'GGUF')
    throw new GgufProblem('the file is no GGUF model')
  const version = await reader.uint32()
  if (version !== 2 && version !== 3)
    throw new GgufProblem(`the file is GGUF of version ${version}, which is not known`)
  const tensorCount = await reader.count(tensorsMax)
  const fieldCount = await reader.count(fieldsMax)
  const fields = new Map<string, string | number | null>()
  for (let index = 0; index < fieldCount; index += 1) {
    const key = await reader.string()
    fields.set(key, await reader.value(await reader.uint32()))
  }
  let parameters = 0
  let dataLength = 0
  for (let index = 0; index < tensorCount; index += 1) {
    const tensor = await reader.tensor()
    parameters += tensor.elements
    dataLength = Math.max(dataLength, tensor.end)
  }
  const alignment = Number(fields.get('general.alignment') ?? 32)
  const dataStart = Math.ceil(reader.position / alignment) * alignment
  if (Number(fields.get('split.count') ?? 1) > 1) {
    throw new GgufProblem(
      'the model is split into several files: join them with llama-gguf-split --merge first',
    )
  }
  if (tensorCount === 0) throw new GgufProblem('the file holds no weights')
  if (dataStart + dataLength > size) {
    throw new GgufProblem(
      `the file is incomplete: it has ${size} bytes of at least ${dataStart + dataLength}`,
    )
  }
  const architecture = String(fields.get('general.architecture') ?? '')
  const context = fields.get(`${architecture}.context_length`)
  const name = fields.get('general.name')
  return {
    architecture,
    name: typeof name === 'string' ? name : null,
    contextTokens: typeof context === 'number' ? context : null,
    hasChatTemplate: fields.has('tokenizer.chat_template'),
    parameters,
    contextBytesPerToken: reckonContextBytes(fields, architecture),
  }
}

function reckonContextBytes(
  fields: ReadonlyMap<string, string | number | null>,
  architecture: string,
): number | null {
  const read = (name: string): number | null => {
    const value = fields.get(`${architecture}.${name}`)
    return typeof value === 'number' ? value : null
  }
  const [layers, heads, width] = [read('block_count'), read('attention.head_count'), read('embedding_length')]
  // A list: each layer has its own.
  const hasList = fields.get(`${architecture}.attention.head_count_kv`) === null
  if (layers === null || heads === null || width === null || hasList) return null
  const keyLength = read('attention.key_length') ?? width / heads
  const valueLength = read('attention.value_length') ?? width / heads
  return layers * (read('attention.head_count_kv') ?? heads) * (keyLength + valueLength) * 2
}

class HeaderReader {
  readonly #file: FileHandle
  #chunk = Buffer.alloc(0)
  #chunkStart = 0
  position = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  async bytes(length: number): Promise<Buffer> {
    if (this.position + length > headerBytesMax) throw new GgufProblem('the header of the file is too long')
    let start = this.position - this.#chunkStart
    if (start + length > this.#chunk.length) {
      const wanted = Buffer.alloc(Math.max(chunkBytes, length))
      const { bytesRead } = await this.#file.read(wanted, 0, wanted.length, this.position)
      this.#chunk = wanted.subarray(0, bytesRead)
      this.#chunkStart = this.position
      start = 0
    }
    if (start + length > this.#chunk.length)
      throw new GgufProblem('the file is incomplete: it ends in its header')
    this.position += length
    return this.#chunk.subarray(start, start + length)
  }

  async uint32(): Promise<number> {
    return (await this.bytes(4)).readUInt32LE()
  }

  async uint64(): Promise<number> {
    return Number((await this.bytes(8)).readBigUInt64LE())
  }

  async count(most: number): Promise<number> {
    const count = await this.uint64()
    if (count > most) throw new RangeError('too many')
    return count
  }

  async string(): Promise<string> {
    return (await this.bytes(await this.count(stringBytesMax))).toString('utf8')
  }

  /** Null for what is not needed: lists and small numbers. */
  async value(kind: number): Promise<string | number | null> {
    if (kind === kindString) return this.string()
    if (kind === kindArray) return this.#skipArray()
    const size = sizesOfKinds[kind]
    if (size === undefined) throw new RangeError('unknown kind')
    const bytes = await this.bytes(size)
    if (kind === 4) return bytes.readUInt32LE()
    if (kind === 10) return Number(bytes.readBigUInt64LE())
    if (kind === 2) return bytes.readUInt16LE()
    return null
  }

  async #skipArray(): Promise<null> {
    const kind = await this.uint32()
    const length = await this.count(headerBytesMax)
    const size = sizesOfKinds[kind]
    if (size !== undefined) {
      this.#skip(length * size)
      return null
    }
    if (kind !== kindString) throw new RangeError('unknown kind')
    for (let index = 0; index < length; index += 1) this.#skip(await this.count(stringBytesMax))
    return null
  }

  #skip(length: number): void {
    if (this.position + length > headerBytesMax) throw new GgufProblem('the header of the file is too long')
    this.position += length
  }

  async tensor(): Promise<{ elements: number; end: number }> {
    await this.string()
    const dimensions = await this.uint32()
    if (dimensions > 8) throw new RangeError('too many dimensions')
    let elements = 1
    for (let index = 0; index < dimensions; index += 1) elements *= await this.uint64()
    const block = blocksOfTypes[await this.uint32()]
    const offset = await this.uint64()
    const length = block === undefined ? 1 : (elements / block[0]) * block[1]
    return { elements, end: offset + length }
  }
}
