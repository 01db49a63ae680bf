import { join } from 'node:path'
import { usualThreads } from './local/model-host.js'
import type { ModelSettings } from './local/model-messages.js'
import { modelsFolder, readModels, runtimeFolder, type InstalledModel } from './local/model-store.js'

/** A session's transcript, the rules around it and an answer; more takes memory that few sessions need. */
export const usualContextTokens = 24_576

/** What `casenote model use` has chosen, ready to be opened. */
export type ModelChoice =
  | { engine: 'local'; settings: ModelSettings }
  | {
      engine: 'openai'
      url: string
      model: string
      contextTokens: number
      extraBody: Readonly<Record<string, unknown>>
    }

/** Null: none was chosen. What the environment says wins over it; that is the caller's to see. */
export async function readModelChoice(dataDir: string): Promise<ModelChoice | null> {
  const { inUse, installed } = await readModels(dataDir)
  if (inUse === null) return null
  if (inUse.engine === 'openai') {
    const { url, model, contextTokens, extraBody } = inUse
    return { engine: 'openai', url, model, contextTokens, extraBody }
  }
  const model = installed.find(({ name }) => name === inUse.model)
  if (model === undefined) {
    throw new Error(
      `the model ${inUse.model} is chosen and not installed: run "casenote model install" or "use"`,
    )
  }
  return { engine: 'local', settings: toSettings(dataDir, model, inUse) }
}

export function toSettings(
  dataDir: string,
  { name, file, sha256 }: Pick<InstalledModel, 'name' | 'file' | 'sha256'>,
  options: { contextTokens: number; threads: number | null; gpu: 'auto' | 'off' },
): ModelSettings {
  return {
    runtimeFolder: runtimeFolder(dataDir),
    name,
    file: join(modelsFolder(dataDir), file),
    sha256,
    contextTokens: options.contextTokens,
    threads: options.threads ?? usualThreads(),
    gpu: options.gpu,
  }
}
