import { readCatalogue, type CatalogueModel } from '../../engines/models/local/catalogue.js'
import { findSource, installModel, isModelName, listBegun } from '../../engines/models/local/install-model.js'
import {
  clearRuntimeRemains,
  findRuntime,
  findRuntimeGpu,
  installRuntime,
} from '../../engines/models/local/install-runtime.js'
import {
  makeModelsFolder,
  readModels,
  runtimeFolder,
  type InstalledModel,
  type Models,
} from '../../engines/models/local/model-store.js'
import { proveModel, type Proof } from '../../engines/models/local/prove-model.js'
import { removeModel } from '../../engines/models/local/remove-model.js'
import { toSettings, usualContextTokens } from '../../engines/models/model-choice.js'
import { findServers, usualPlaces, type ServerPlace } from '../../engines/models/openai/find-servers.js'
import { readConfig } from '../../kernel/config.js'
import { formatTable, print } from '../commands/print.js'
import { DataFolderBusy, lockDataFolder, type DataFolderLock } from '../embedded-postgres/index.js'
import { ProgressBar } from '../terminal/progress-bar.js'
import { waitForSignal } from '../terminal/wait-for-signal.js'
import { describeMeasured, describeProof, describeServers } from './describe-model.js'

export async function listModels(isJson: boolean): Promise<void> {
  const { dataDir, writer } = readConfig(process.env)
  const models = await readModels(dataDir)
  const catalogue = readCatalogue()
  const begun = await listBegun(dataDir)
  print(isJson, { ...models, begun, catalogue }, [
    ...describeUse(models, writer.engine !== 'chosen'),
    '',
    ...describeInstalled(models),
    ...begun.map(
      (name) =>
        `Begun and not finished: ${name}. "model install" goes on with it, "model remove ${name}" clears it.`,
    ),
    '',
    ...describeCatalogue(catalogue),
  ])
}

function describeUse({ inUse }: Models, isOverruled: boolean): string[] {
  const overruled = isOverruled ? ['CASENOTE_WRITER_ENGINE is set, and wins over what is chosen here.'] : []
  if (inUse === null) return ['No model is in use: notes are extracts of what was said.', ...overruled]
  const where = inUse.engine === 'local' ? 'on this machine' : `at ${inUse.url}`
  return [`In use: ${inUse.model} ${where}, ${describeMeasured(inUse.measured)}`, ...overruled]
}

function describeInstalled({ installed }: Models): string[] {
  if (installed.length === 0) return ['Nothing is installed.']
  const rows = installed.map(({ name, sizeBytes, parameters, contextTokens, licence, sha256 }) => [
    name,
    `${(sizeBytes / 1e9).toFixed(1)} GB`,
    `${(parameters / 1e9).toFixed(1)}B`,
    contextTokens === null ? '-' : String(contextTokens),
    licence ?? 'see its source',
    sha256.slice(0, 12),
  ])
  return formatTable(['installed', 'size', 'weights', 'context', 'licence', 'sha256'], rows)
}

function describeCatalogue(catalogue: readonly CatalogueModel[]): string[] {
  const rows = catalogue.map((entry) => [
    entry.name,
    `${entry.sizeGb.toFixed(1)} GB`,
    `${entry.parametersBillion}B`,
    `${entry.memoryGb} GB`,
    String(entry.contextTokens),
    entry.licence,
    entry.confirmed ? 'yes' : 'no',
  ])
  return [
    ...formatTable(['catalogue', 'size', 'weights', 'memory', 'context', 'licence', 'confirmed'], rows),
    '',
    'Not confirmed: nobody here has fetched it, and it has no hash; the first install records one.',
  ]
}

/** All places are asked: Casenote itself, if it runs at one of them, gives no list of models, and is not among the answers. */
export async function findModels(
  isJson: boolean,
  places: readonly ServerPlace[] = usualPlaces,
): Promise<void> {
  const servers = await findServers({ places })
  const none =
    'No model server answers on this machine at its usual port (Ollama, llama.cpp, LM Studio, vLLM).'
  print(isJson, servers, servers.length === 0 ? [none] : describeServers(servers))
}

export interface InstallOptions {
  name?: string
  hub?: string
  sha256?: string
  gpu: 'none' | 'cuda' | 'vulkan'
}

export async function install(text: string, options: InstallOptions): Promise<void> {
  const { dataDir } = readConfig(process.env)
  const { source, entry, usualName } = await findSource(text, readCatalogue(), options.hub ?? null)
  const name = options.name ?? usualName
  if (!isModelName(name))
    throw new Error('give it a name of small letters, digits, ".", "_" and "-" with --name')
  const signal = waitForSignal()
  const model = await changingModels(dataDir, async () => {
    const installed = await withBar((bar) =>
      installModel(
        dataDir,
        { source, name, entry, sha256: options.sha256 ?? null },
        {
          signal,
          onStep: (step, fraction) => bar.show(`${step} ${name}`, fraction ?? 0),
        },
      ),
    )
    print(false, null, describeHash(installed))
    await prepareRuntime(dataDir, options.gpu)
    return installed
  })
  const proof = await prove(dataDir, model, signal)
  print(false, null, [...describeProof(proof), '', `To let it write notes: casenote model use ${name}`])
}

function describeHash({ name, sha256, comparedWith }: InstalledModel): string[] {
  const compared = {
    operator: 'It is the one you gave.',
    catalogue: 'It is the one in the catalogue.',
    hub: 'It is the one that the hub names; it was recorded.',
    nothing: 'There was nothing to compare it with: it was recorded, and must be the same from now on.',
  } as const
  return [`${name} is in the data folder. SHA-256 ${sha256}`, compared[comparedWith]]
}

/** One command at a time: what lies there half done is then a dead one's, and is cleared. */
async function changingModels<T>(dataDir: string, change: () => Promise<T>): Promise<T> {
  const lock = await lockModels(await makeModelsFolder(dataDir))
  try {
    await clearRuntimeRemains(runtimeFolder(dataDir))
    return await change()
  } finally {
    await lock.release()
  }
}

async function lockModels(folder: string): Promise<DataFolderLock> {
  try {
    return await lockDataFolder(folder, { command: 'model' })
  } catch (error) {
    if (error instanceof DataFolderBusy)
      throw new Error(`another command changes the models (pid ${error.pid ?? 'unknown'}): wait for it`, {
        cause: error,
      })
    throw error
  }
}

/** What lies there is kept when it fits: on a machine without a network it was copied. */
async function prepareRuntime(dataDir: string, gpu: InstallOptions['gpu']): Promise<void> {
  const folder = runtimeFolder(dataDir)
  const found = await findRuntime(folder)
  if (found !== null && (gpu === 'none' || found.gpu === gpu)) return
  print(false, null, ['Fetching the runtime …'])
  const { packages } = await installRuntime(folder, gpu)
  print(false, null, [`The runtime is ${packages.join(', ')}`])
}

function prove(dataDir: string, model: InstalledModel, signal: AbortSignal): Promise<Proof> {
  const contextTokens = Math.min(usualContextTokens, model.contextTokens ?? usualContextTokens)
  const settings = toSettings(dataDir, model, { contextTokens, threads: null, gpu: 'auto' })
  print(false, null, ['Loading it and letting it write, twice …'])
  return proveModel(settings, {
    signal,
    onVariantSetAside: (variant) =>
      print(false, null, [
        `${variant} ended the process on this machine: it was set aside, the next one is tried`,
      ]),
  })
}

export async function verify(name: string | null): Promise<void> {
  const { dataDir } = readConfig(process.env)
  const { installed } = await readModels(dataDir)
  const chosen = name === null ? installed : installed.filter((model) => model.name === name)
  if (chosen.length === 0)
    throw new Error(name === null ? 'nothing is installed' : `${name} is not installed`)
  // A newer version of the runtime is fetched for the GPU that the older one was for.
  await changingModels(dataDir, async () =>
    prepareRuntime(dataDir, (await findRuntimeGpu(runtimeFolder(dataDir))) ?? 'none'),
  )
  const signal = waitForSignal()
  for (const model of chosen) {
    try {
      // The process hashes the file before it loads it.
      const proof = await prove(dataDir, model, signal)
      print(false, null, [`${model.name}: the hash is right.`, ...describeProof(proof)])
    } catch (error) {
      signal.throwIfAborted()
      process.exitCode = 1
      process.stderr.write(`${model.name}: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
}

export async function remove(name: string): Promise<void> {
  const { dataDir } = readConfig(process.env)
  if (!(await changingModels(dataDir, () => removeModel(dataDir, name))))
    throw new Error(`${name} is not installed`)
  print(false, null, [`${name} was removed`])
}

async function withBar<T>(work: (bar: ProgressBar) => Promise<T>): Promise<T> {
  const bar = new ProgressBar(process.stdout, process.env)
  try {
    return await work(bar)
  } finally {
    bar.end()
  }
}
