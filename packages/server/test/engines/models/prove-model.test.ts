import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ModelSettings } from '../../../src/engines/models/local/model-messages.js'
import { proveModel } from '../../../src/engines/models/local/prove-model.js'
import { makeTinyGguf } from '../../support/tiny-gguf.js'

/** Stands in for node-llama-cpp: takes the first of its variants, some of which end the process in a long batch. */
const runtimeScript = `
import { readdirSync } from 'node:fs'
const bins = new URL('../../@node-llama-cpp/linux-x64/bins/linux-x64/', import.meta.url)
const variant = readdirSync(bins).filter((name) => name.endsWith('.so')).sort()[0] ?? 'libggml-cpu-elsewhere-ill.so'
process.report.getReport = () => ({ sharedObjects: ['/x/' + variant] })
const sequence = {
  nextTokenIndex: 0,
  async adaptStateToTokens() {},
  async clearHistory() {},
  async evaluateWithoutGeneratingNewTokens(tokens) {
    if (tokens.length >= 500 && variant.includes('ill')) {
      process.kill(process.pid, 'SIGILL')
      await new Promise(() => setTimeout(() => {}, 60_000))
    }
  },
  async *evaluate() {
    for (const character of '{"text":"hello"}') yield character.charCodeAt(0)
    yield 0
  },
}
const text = (parts) => ({ values: parts, tokenize: () => [...parts.map(String).join('')].map((one) => one.charCodeAt(0)) })
const model = {
  tokenizer: null,
  trainContextSize: 100_000,
  isEogToken: (token) => token === 0,
  detokenize: (tokens) => String.fromCharCode(...tokens),
  createContext: async () => ({ contextSize: 100_000, getSequence: () => sequence }),
}
export const getLlama = async () => ({ gpu: false, loadModel: async () => model, createGrammar: async () => ({}) })
export const resolveChatWrapper = () => ({
  generateContextState: ({ chatHistory }) => ({ contextText: chatHistory.map(({ text }) => text ?? '').join(' ') }),
})
export const LlamaText = text
export class LlamaGrammarEvaluationState {}
`

let folder: string
let settings: ModelSettings

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casenote-prove-model-'))
  const file = join(folder, 'any.gguf')
  await writeFile(file, makeTinyGguf({ contextTokens: 8_192 }))
  const sha256 = createHash('sha256')
    .update(makeTinyGguf({ contextTokens: 8_192 }))
    .digest('hex')
  settings = {
    runtimeFolder: folder,
    name: 'any',
    file,
    sha256,
    contextTokens: 8_192,
    threads: 1,
    gpu: 'auto',
  }
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function writeRuntime(variants: readonly string[]): Promise<string> {
  const modules = join(folder, 'node_modules')
  const bins = join(modules, '@node-llama-cpp/linux-x64/bins/linux-x64')
  await mkdir(join(modules, 'node-llama-cpp/dist'), { recursive: true })
  await mkdir(bins, { recursive: true })
  await writeFile(join(modules, 'node-llama-cpp/package.json'), '{"type":"module"}')
  await writeFile(join(modules, 'node-llama-cpp/dist/index.js'), runtimeScript)
  for (const variant of variants) await writeFile(join(bins, variant), '')
  return bins
}

describe('a variant that ends the process with SIGILL', () => {
  it('is set aside, and the next one is tried', async () => {
    const bins = await writeRuntime(['libggml-cpu-a-ill.so', 'libggml-cpu-b-ill.so', 'libggml-cpu-c.so'])
    const told: string[] = []
    const proof = await proveModel(settings, { onVariantSetAside: (variant) => told.push(variant) })
    expect(proof.setAside).toEqual(['libggml-cpu-a-ill.so', 'libggml-cpu-b-ill.so'])
    expect(told).toEqual(proof.setAside)
    expect(proof.facts.variants).toEqual(['libggml-cpu-c.so'])
    expect((await readdir(bins)).toSorted()).toEqual([
      'libggml-cpu-a-ill.so.refused',
      'libggml-cpu-b-ill.so.refused',
      'libggml-cpu-c.so',
    ])
  })

  it('is told where there is no other', async () => {
    await writeRuntime([])
    await expect(proveModel(settings)).rejects.toMatchObject({
      kind: 'refused',
      signal: 'SIGILL',
      message: expect.stringContaining('uses instructions that this machine refuses') as string,
    })
  })
})
