import { stat } from 'node:fs/promises'
import { EngineFault } from '../../engine-fault.js'
import { fingerprintFile, hashFile } from './hash-file.js'
import { findRuntimeFiles } from './install-runtime.js'
import {
  listVariants,
  loadRuntime,
  type ChatWrapper,
  type ContextSequence,
  type Llama,
  type LlamaModel,
  type LlamaRuntime,
} from './llama-runtime.js'
import type { ModelSettings, ProcessFacts } from './model-messages.js'
import { GgufProblem, readGguf } from './read-gguf.js'
import { requireRecordedFiles } from './runtime-files.js'

export interface OpenModel {
  runtime: LlamaRuntime
  llama: Llama
  model: LlamaModel
  wrapper: ChatWrapper
  sequence: ContextSequence
  contextTokens: number
  facts: ProcessFacts
}

/** Between two of them a process can be told to stop; larger ones were no faster on processors. */
export const batchTokens = 512

/** Lines of llama.cpp that say what is wrong with a file; they are written before any prompt was seen. */
const logLinesMax = 20

/** Every failure is a refusal in one plain sentence: another try would end the same way. */
export async function openModel(
  settings: ModelSettings,
  knownFingerprint: string | null,
  onLoading: (variants: readonly string[]) => void,
): Promise<OpenModel> {
  const fingerprint = await checkFile(settings, knownFingerprint)
  // Before the runtime is loaded, which takes seconds, where it is known that there is no GPU.
  if (settings.gpu === 'off') await checkMemory(settings)
  await checkRuntime(settings)
  const runtime = await loadRuntime(settings.runtimeFolder).catch(() => {
    throw notInstalled()
  })
  const logLines: string[] = []
  try {
    const llama = await runtime.getLlama({
      gpu: settings.gpu === 'auto' ? 'auto' : false,
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      maxThreads: settings.threads,
      logLevel: 'error',
      logger: (_, message) => {
        if (logLines.length < logLinesMax) logLines.push(message)
      },
    })
    onLoading(listVariants())
    if (settings.gpu !== 'off' && llama.gpu === false) await checkMemory(settings)
    return await load(runtime, llama, settings, fingerprint)
  } catch (error) {
    throw error instanceof EngineFault ? error : nameFailure(settings, error, logLines)
  }
}

const notInstalled = (): EngineFault =>
  new EngineFault(
    'refused',
    'the runtime for local models is not installed here: run "casenote model install"',
  )

/** Once in a process, before anything of the runtime runs: what is loaded was read by then. */
async function checkRuntime({ runtimeFolder }: ModelSettings): Promise<void> {
  const files = await findRuntimeFiles(runtimeFolder)
  if (files === undefined) throw notInstalled()
  if (files === null) {
    throw new EngineFault(
      'refused',
      'the runtime for local models was fetched by a version of Casenote that kept no hashes of its files: run "casenote model verify", which fetches it anew',
    )
  }
  await requireRecordedFiles(runtimeFolder, files)
}

async function checkFile({ name, file, sha256 }: ModelSettings, known: string | null): Promise<string> {
  const fingerprint = await fingerprintFile(file).catch(() => null)
  if (fingerprint === null) {
    throw new EngineFault('refused', `the file of the model ${name} is not there: install it again`)
  }
  if (fingerprint === known) return fingerprint
  if ((await hashFile(file)) !== sha256) {
    throw new EngineFault(
      'refused',
      `the file of the model ${name} is not the one that was installed (its hash differs): it is not loaded`,
    )
  }
  return fingerprint
}

/**
 * Before anything is loaded: the runtime's own check comes so late that a context too large had taken all memory of the
 * machine by then. With a GPU the runtime reckons itself how much goes where.
 */
async function checkMemory({ name, file, contextTokens }: ModelSettings): Promise<void> {
  const { size } = await stat(file)
  const facts = await readGguf(file).catch((error: unknown) => {
    throw error instanceof GgufProblem ? damaged(name) : error
  })
  const tokens = Math.min(contextTokens, facts.contextTokens ?? contextTokens)
  const needed = size + tokens * (facts.contextBytesPerToken ?? 0)
  const free = process.availableMemory()
  if (free > 0 && needed > free) {
    throw lacksMemory(name, `${toGb(needed)} GB with a context of ${tokens} tokens; ${toGb(free)} are free`)
  }
}

const lacksMemory = (name: string, figures: string): EngineFault =>
  new EngineFault('refused', `there is not enough memory for the model ${name} (${figures})`)

const damaged = (name: string): EngineFault =>
  new EngineFault('refused', `the file of the model ${name} is damaged or incomplete: install it again`)

const toGb = (bytes: number): string => (bytes / 1e9).toFixed(1)

async function load(
  runtime: LlamaRuntime,
  llama: Llama,
  settings: ModelSettings,
  fingerprint: string,
): Promise<OpenModel> {
  const gpuLayers = { fitContext: { contextSize: settings.contextTokens } }
  const model = await llama.loadModel({ modelPath: settings.file, gpuLayers })
  const contextSize = Math.min(settings.contextTokens, model.trainContextSize)
  const context = await model.createContext({
    contextSize,
    threads: settings.threads,
    batchSize: Math.min(batchTokens, contextSize),
    // Models with a sliding window would otherwise read the whole transcript again for each task.
    swaFullCache: true,
  })
  // Thoughts before an answer are forbidden by the grammar; the template must not promise them.
  const wrapper = runtime.resolveChatWrapper(model, {
    warningLogs: false,
    customWrapperSettings: {
      qwen: { thoughts: 'discourage' },
      jinjaTemplate: { reasoning: false },
      gemma4: { reasoning: false },
      harmony: { reasoningEffort: 'low' },
      seed: { thinkingBudget: 0 },
    },
  })
  const gpu = llama.gpu === false ? 'none' : llama.gpu
  const facts = { gpu, variants: listVariants(), contextTokens: contextSize, fingerprint }
  const sequence = context.getSequence()
  return { runtime, llama, model, wrapper, sequence, contextTokens: contextSize, facts }
}

/** The runtime's own words may hold paths, and are for people who know it. */
function nameFailure(
  { name, contextTokens }: ModelSettings,
  error: unknown,
  logLines: readonly string[],
): EngineFault {
  const type = error instanceof Error ? error.constructor.name : ''
  const said = `${error instanceof Error ? error.message : ''}\n${logLines.join('\n')}`
  if (
    type === 'InsufficientMemoryError' ||
    /failed to allocate|out of memory|unable to allocate/i.test(said)
  ) {
    return lacksMemory(name, `with a context of ${contextTokens} tokens`)
  }
  if (type === 'NoBinaryFoundError') {
    return new EngineFault(
      'refused',
      'the runtime for local models has no part that fits this machine: run "casenote model install"',
    )
  }
  if (
    /corrupted|incomplete|file bounds|unexpectedly reached end|failed to read|out of range|truncated/i.test(
      said,
    )
  ) {
    return damaged(name)
  }
  if (/unknown model architecture/i.test(said)) {
    return new EngineFault('refused', `the runtime does not know the kind of model that ${name} is`)
  }
  return new EngineFault(
    'refused',
    `the model ${name} cannot be loaded: its file is damaged or of an unknown kind`,
  )
}
