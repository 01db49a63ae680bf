import { runtimePackage } from './llama-runtime.js'

export type RuntimeGpu = 'none' | 'cuda' | 'vulkan'

const systems: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'mac', win32: 'win' }
const processors: Partial<Record<NodeJS.Architecture, string>> = { arm: 'armv7l' }

/**
 * Those of the packages that the runtime names as optional which fit this machine, with their versions. All of them are
 * 989 MB on linux x64; the one for the processor is 30 MB.
 */
export function chooseRuntimePackages(
  offered: Readonly<Record<string, string>>,
  machine: { platform: NodeJS.Platform; arch: NodeJS.Architecture },
  gpu: RuntimeGpu,
): string[] {
  const system = systems[machine.platform]
  const base = `@${runtimePackage}/${system}-${processors[machine.arch] ?? machine.arch}`
  // Metal comes with every Mac that has it.
  const plain = [base, `${base}-metal`].find((name) => name in offered)
  if (system === undefined || plain === undefined) {
    throw new Error(`there is no runtime for local models for ${machine.platform} on ${machine.arch}`)
  }
  if (gpu === 'none') return [withVersion(offered, plain)]
  const forGpu = Object.keys(offered).filter(
    (name) => name === `${base}-${gpu}` || name === `${base}-${gpu}-ext`,
  )
  if (forGpu.length === 0) {
    throw new Error(`the runtime for local models has no ${gpu} for ${machine.platform} on ${machine.arch}`)
  }
  return [plain, ...forGpu].map((name) => withVersion(offered, name))
}

const withVersion = (offered: Readonly<Record<string, string>>, name: string): string =>
  `${name}@${offered[name]}`
