import { findInstalled, readModels } from '../../engines/models/local/model-store.js'
import {
  readModelChoice,
  toSettings,
  usualContextTokens,
  type ModelChoice,
} from '../../engines/models/model-choice.js'
import { listServerModels } from '../../engines/models/openai/find-servers.js'
import { toBaseUrl } from '../../engines/openai-protocol/openai-client.js'
import type { Config } from '../../kernel/config.js'
import { readWriterChoice } from '../open-writer.js'

type Server = Extract<ModelChoice, { engine: 'openai' }>

/** Enough to choose from on a screen. */
const namesShownMax = 20

/** The one in use, null for quotes; or one by its name, which stays out of use. */
export async function findModelToProve(
  config: Pick<Config, 'writer' | 'dataDir'>,
  name: string | null,
): Promise<ModelChoice | null> {
  if (name === null) return readWriterChoice(config)
  const local = await findLocal(config.dataDir, name)
  if (local !== null) return local
  const server = await findServer(config)
  const models = server === null ? [] : await listServerModels(toBaseUrl(server.url), config.writer.apiKey)
  // A server that does not tell its models is asked for this one: it refuses what it has not.
  if (server !== null && (models === null || models.includes(name))) return { ...server, model: name }
  throw new Error(await describeUnknown(config.dataDir, name, models ?? []))
}

/** As it is in use, if it is; else as `model use` would take it without options. */
async function findLocal(dataDir: string, name: string): Promise<ModelChoice | null> {
  const model = await findInstalled(dataDir, name)
  if (model === null) return null
  const { inUse } = await readModels(dataDir)
  if (inUse?.engine === 'local' && inUse.model === name) return readModelChoice(dataDir)
  const contextTokens = Math.min(usualContextTokens, model.contextTokens ?? usualContextTokens)
  return {
    engine: 'local',
    settings: toSettings(dataDir, model, { contextTokens, threads: null, gpu: 'auto' }),
  }
}

async function findServer({ writer, dataDir }: Pick<Config, 'writer' | 'dataDir'>): Promise<Server | null> {
  if (writer.engine === 'openai') return writer
  const { inUse } = await readModels(dataDir)
  return inUse?.engine === 'openai' ? inUse : null
}

async function describeUnknown(dataDir: string, name: string, served: readonly string[]): Promise<string> {
  const { installed } = await readModels(dataDir)
  const names = [...installed.map((model) => model.name), ...served]
  const shown = names.slice(0, namesShownMax).join(', ')
  const more = names.length > namesShownMax ? ` and ${names.length - namesShownMax} more` : ''
  return names.length === 0
    ? `there is no model ${name}: none is installed, and no server in use has one; see docs/models.md`
    : `there is no model ${name}; there are ${shown}${more}`
}
