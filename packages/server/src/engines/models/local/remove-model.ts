import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dropPart, isModelName, partOf } from './install-model.js'
import { changeModels, modelsFolder, readModels } from './model-store.js'

/** With what a broken download of it left. False: there is neither. A model in use is not taken away. */
export async function removeModel(dataDir: string, name: string): Promise<boolean> {
  const { installed, inUse } = await readModels(dataDir)
  const model = installed.find((one) => one.name === name)
  const wasBegun = isModelName(name) && (await dropPart(partOf(modelsFolder(dataDir), name)))
  if (model === undefined) return wasBegun
  if (inUse?.engine === 'local' && inUse.model === name) {
    throw new Error(
      `${name} is in use: choose another with "casenote model use", or none with "casenote model use none"`,
    )
  }
  await changeModels(dataDir, (models) => ({
    ...models,
    installed: models.installed.filter((one) => one.name !== name),
  }))
  await rm(join(modelsFolder(dataDir), model.file), { force: true })
  return true
}
