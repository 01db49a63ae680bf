import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ownFile } from '../../kernel/own-files.js'
import { EngineFault } from '../engine-fault.js'
import type { Weights } from '../onnx-session.js'

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
  encoder: Weights
  decoder: Weights
}

/** Versions after 0.1.16 of the package no longer carry the weights. */
export function findMoonshineFiles(): MoonshineFiles {
  const folder = join(findPackageFolder('@usefulsensors/moonshine-js'), 'dist/model/base/quantized')
  return {
    encoder: {
      file: join(folder, 'encoder_model.onnx'),
      sha256: '1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751',
    },
    decoder: {
      file: join(folder, 'decoder_model_merged.onnx'),
      sha256: 'cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3',
    },
  }
}

const ownHashes = {
  'silero-sequence': '1c80d2fc2f7f28519707ebde4d866a7bec2c49b2dff5f627474d276fe42ad0f2',
  'voice-x-vector': 'dc5b1f0a113c0aa59db5a9325f2a73189ad5b14e2545142b3d6c8520b4ebb67c',
}

export const findOwnModel = (name: keyof typeof ownHashes): Weights => ({
  file: ownFile(`models/${name}.onnx`),
  sha256: ownHashes[name],
})
