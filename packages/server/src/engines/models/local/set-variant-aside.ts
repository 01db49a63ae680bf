import { readdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { asideSuffix } from './runtime-files.js'

/** The runtime takes the best one it finds for the processor; without this one, the next best. False: it is not there. */
export async function setVariantAside(runtimeFolder: string, variant: string): Promise<boolean> {
  const packages = join(runtimeFolder, 'node_modules', '@node-llama-cpp')
  const entries = await readdir(packages, { recursive: true })
  const files = entries.filter((entry) => basename(entry) === variant)
  for (const file of files) await rename(join(packages, file), join(packages, file + asideSuffix))
  return files.length > 0
}
