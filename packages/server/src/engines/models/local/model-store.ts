import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { isErrno } from '../../../kernel/errno.js'
import { replacePrivateFile } from '../../../kernel/private-file.js'

const Measured = Type.Object({
  readTokensPerSecond: Type.Number(),
  writeTokensPerSecond: Type.Number(),
})
export type Measured = Static<typeof Measured>

const InstalledModel = Type.Object({
  name: Type.String(),
  /** Below the folder of models. */
  file: Type.String(),
  sizeBytes: Type.Integer(),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** What the hash was compared with at the first install; `nothing`: it was recorded only. */
  comparedWith: Type.Union([
    Type.Literal('operator'),
    Type.Literal('catalogue'),
    Type.Literal('hub'),
    Type.Literal('nothing'),
  ]),
  from: Type.String(),
  licence: Type.Union([Type.String(), Type.Null()]),
  /** What the model was made for. */
  contextTokens: Type.Union([Type.Integer(), Type.Null()]),
  parameters: Type.Integer(),
  installedAt: Type.String(),
})
export type InstalledModel = Static<typeof InstalledModel>

const LocalUse = Type.Object({
  engine: Type.Literal('local'),
  model: Type.String(),
  contextTokens: Type.Integer({ minimum: 1 }),
  /** Null: half of the cores. */
  threads: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  gpu: Type.Union([Type.Literal('auto'), Type.Literal('off')]),
  measured: Measured,
  chosenAt: Type.String(),
})

const ServerUse = Type.Object({
  engine: Type.Literal('openai'),
  url: Type.String(),
  model: Type.String(),
  contextTokens: Type.Integer({ minimum: 1 }),
  extraBody: Type.Record(Type.String(), Type.Unknown()),
  measured: Measured,
  chosenAt: Type.String(),
})

const Use = Type.Union([LocalUse, ServerUse])
export type Use = Static<typeof Use>

const Models = Type.Object({
  version: Type.Literal(1),
  installed: Type.Array(InstalledModel, { maxItems: 1_000 }),
  inUse: Type.Union([Use, Type.Null()]),
})
export type Models = Static<typeof Models>

export const modelsFolder = (dataDir: string): string => join(dataDir, 'models')
export const runtimeFolder = (dataDir: string): string => join(modelsFolder(dataDir), 'runtime')
const modelsFile = (dataDir: string): string => join(modelsFolder(dataDir), 'models.json')

export async function readModels(dataDir: string): Promise<Models> {
  let text: string
  try {
    text = await readFile(modelsFile(dataDir), 'utf8')
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    return { version: 1, installed: [], inUse: null }
  }
  const models = parse(text)
  if (!Check(Models, models)) {
    throw new Error(
      `${modelsFile(dataDir)} is damaged: put it right, or remove it and install the models again`,
    )
  }
  return models
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whole or not at all; commands of operators, who do not run two at once. */
export async function changeModels(dataDir: string, change: (models: Models) => Models): Promise<void> {
  const models = change(await readModels(dataDir))
  await makeModelsFolder(dataDir)
  await replacePrivateFile(modelsFile(dataDir), `${JSON.stringify(models, null, 2)}\n`)
}

export async function makeModelsFolder(dataDir: string): Promise<string> {
  const folder = modelsFolder(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

export async function findInstalled(dataDir: string, name: string): Promise<InstalledModel | null> {
  const { installed } = await readModels(dataDir)
  return installed.find((model) => model.name === name) ?? null
}
