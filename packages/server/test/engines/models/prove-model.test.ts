import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findRuntime } from '../../../src/engines/models/local/install-runtime.js'
import type { ModelSettings } from '../../../src/engines/models/local/model-messages.js'
import { hashRuntimeFiles } from '../../../src/engines/models/local/runtime-files.js'
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
  await record({ files: await hashRuntimeFiles(folder) })
  return bins
}

const record = (more: object): Promise<void> =>
  writeFile(
    join(folder, 'runtime.json'),
    JSON.stringify({ version: '3.22.1', packages: [], gpu: 'none', installedAt: '2026', ...more }),
  )

describe('the runtime’s files', () => {
  const refusal = (message: string) => ({
    kind: 'refused',
    message: expect.stringContaining(message) as string,
  })

  it('are those that were installed; one that was changed, added or taken away is named, and nothing is loaded', async () => {
    const bins = await writeRuntime(['libggml-cpu-c.so'])
    const script = join(folder, 'node_modules/node-llama-cpp/dist/index.js')
    const library = join(bins, 'libggml-cpu-c.so')
    const loaded = join(folder, 'loaded')
    const changed = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(loaded)}, '')\n`
    await writeFile(script, changed + runtimeScript)
    await expect(proveModel(settings)).rejects.toMatchObject(
      refusal('node_modules/node-llama-cpp/dist/index.js'),
    )
    expect(existsSync(loaded)).toBe(false)
    await writeFile(script, runtimeScript)
    await writeFile(library, 'another')
    await expect(proveModel(settings)).rejects.toMatchObject(
      refusal(
        'not the one that was installed: node_modules/@node-llama-cpp/linux-x64/bins/linux-x64/libggml-cpu-c.so',
      ),
    )
    await writeFile(library, '')
    await writeFile(join(bins, 'libggml-cpu-b.so'), '')
    await expect(proveModel(settings)).rejects.toMatchObject(refusal('not installed with it'))
    await rm(join(bins, 'libggml-cpu-b.so'))
    expect((await proveModel(settings)).facts.variants).toEqual(['libggml-cpu-c.so'])
    await rm(library)
    await expect(proveModel(settings)).rejects.toMatchObject(refusal('lacks a file'))
  })

  it('without recorded hashes are fetched anew, and are told apart from none', async () => {
    await writeRuntime(['libggml-cpu-c.so'])
    await record({})
    await expect(proveModel(settings)).rejects.toMatchObject(refusal('kept no hashes of its files'))
    expect(await findRuntime(folder)).toBeNull()
    await rm(join(folder, 'runtime.json'))
    await expect(proveModel(settings)).rejects.toMatchObject(refusal('is not installed here'))
  })
})

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
