import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownFile } from '../../../kernel/own-files.js'
import { EngineFault } from '../../engine-fault.js'

export interface ReaderWeights {
  model: Uint8Array
  vocabulary: string
}

interface Manifest {
  /** Says which training it was. */
  version: string
  files: Readonly<Record<string, { sha256: string; sizeBytes: number }>>
}

const modelName = 'reader-int8.onnx'
const vocabularyName = 'vocab.txt'

export const ownWeightsFolder = (): string => ownFile('models/reader')

/** Hash of the manifest.json that comes with the program: whoever replaces the weights can replace the list beside them, too. */
export const ownManifestSha256 = '747d7b63ed55ca6fd4731c3281be4eb9fea4d44077dbcff2feedbabc73519d29'

/** Which weights a folder says it holds; whether it does is seen when they are loaded. */
export function readWeightsVersion(folder: string): string {
  const manifest = parseManifest(readManifest(folder))
  const hash = manifest.files[modelName]?.sha256 ?? ''
  return `${manifest.version}-${hash.slice(0, 8)}`
}

function readManifest(folder: string): string {
  try {
    return readFileSync(join(folder, 'manifest.json'), 'utf8')
  } catch (error) {
    throw new EngineFault('unavailable', `The reader's manifest.json cannot be read${codeOf(error)}`)
  }
}

/** The manifest beside the files knows their hashes, and of our own the program knows the manifest's. Others are for evaluations. */
export async function loadWeights(
  folder: string,
  manifestSha256: string | null = folder === ownWeightsFolder() ? ownManifestSha256 : null,
): Promise<ReaderWeights> {
  const text = readManifest(folder)
  if (manifestSha256 !== null && hashOf(text) !== manifestSha256)
    throw new EngineFault('refused', "The reader's manifest.json is not the one that this program knows")
  const manifest = parseManifest(text)
  const [model, vocabulary] = await Promise.all(
    [modelName, vocabularyName].map((name) => loadFile(folder, name, manifest)),
  )
  if (model === undefined || vocabulary === undefined) throw new EngineFault('unavailable', 'No weights')
  return { model, vocabulary: new TextDecoder().decode(vocabulary) }
}

function parseManifest(text: string): Manifest {
  try {
    const manifest = JSON.parse(text) as Partial<Manifest>
    if (typeof manifest.version === 'string' && typeof manifest.files === 'object')
      return manifest as Manifest
  } catch {
    // Said below.
  }
  throw new EngineFault('refused', "The reader's manifest.json is not one")
}

async function loadFile(folder: string, name: string, manifest: Manifest): Promise<Uint8Array> {
  const wanted = manifest.files[name]?.sha256
  if (wanted === undefined)
    throw new EngineFault('refused', `The reader's manifest.json has no hash of ${name}`)
  const bytes = await readFile(join(folder, name)).catch((error: unknown) => {
    throw new EngineFault('unavailable', `The reader's ${name} cannot be read${codeOf(error)}`)
  })
  const found = hashOf(bytes)
  if (found !== wanted)
    throw new EngineFault(
      'refused',
      `The reader's ${name} is not the file its manifest.json names: sha256 ${found.slice(0, 12)}…, not ${wanted.slice(0, 12)}…`,
    )
  return bytes
}

const hashOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? `: ${code}` : ''
}
