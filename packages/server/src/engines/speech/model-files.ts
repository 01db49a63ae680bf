import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EngineFault } from '../engine-fault.js'

/** Where a package's folder is, whatever its `exports` let in: it hides the weights behind them. */
function findPackageFolder(name: string): string {
  const require = createRequire(import.meta.url)
  for (const folder of require.resolve.paths(name) ?? []) {
    const manifest = join(folder, name, 'package.json')
    try {
      return dirname(require.resolve(manifest))
    } catch {
      // Not below this folder; the next one up may have it.
    }
  }
  throw new EngineFault('unavailable', `The package ${name} is not installed`)
}

export interface MoonshineFiles {
  encoder: string
  decoder: string
}

/** Versions after 0.1.16 of the package no longer carry the weights. */
export function findMoonshineFiles(): MoonshineFiles {
  const folder = join(findPackageFolder('@usefulsensors/moonshine-js'), 'dist/model/base/quantized')
  return { encoder: join(folder, 'encoder_model.onnx'), decoder: join(folder, 'decoder_model_merged.onnx') }
}

/** In `packages/server/models`, seen from `src/…` as well as from `dist/…`. */
export const findOwnModel = (name: 'silero-sequence' | 'voice-x-vector'): string =>
  fileURLToPath(new URL(`../../../models/${name}.onnx`, import.meta.url))
