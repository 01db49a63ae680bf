import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isErrno } from '../../../kernel/errno.js'
import { syncFolder } from '../../../kernel/private-file.js'
import type { CatalogueModel } from './catalogue.js'
import { downloadFile, markOf } from './download-file.js'
import { hashFile } from './hash-file.js'
import { changeModels, makeModelsFolder, modelsFolder, type InstalledModel } from './model-store.js'
import { readGguf } from './read-gguf.js'

export type ModelSource = { kind: 'file'; path: string } | { kind: 'address'; url: string }

export interface InstallRequest {
  source: ModelSource
  /** The name by which the model is called from now on. */
  name: string
  entry: CatalogueModel | null
  /** The hash that the operator knows the file by. */
  sha256: string | null
}

export type OnStep = (step: 'fetching' | 'hashing', fraction: number | null) => void

/** Puts a model's file into the data folder, whole and with its hash known, or not at all. */
export async function installModel(
  dataDir: string,
  { source, name, entry, sha256 }: InstallRequest,
  options: { onStep: OnStep; signal: AbortSignal },
): Promise<InstalledModel> {
  const folder = await makeModelsFolder(dataDir)
  const file = `${name}.gguf`
  const part = partOf(folder, name)
  const digest = await fetch(source, part, options)
  const { size } = await stat(part)
  let hashed = 0
  const found = await hashFile(part, (count) => {
    hashed += count
    options.onStep('hashing', hashed / size)
  })
  const known = [
    { by: 'operator' as const, hash: sha256 },
    { by: 'catalogue' as const, hash: entry?.sha256 ?? null },
    { by: 'hub' as const, hash: digest },
  ].filter(({ hash }) => hash !== null)
  const other = known.find(({ hash }) => hash !== found)
  if (other !== undefined) {
    await dropPart(part)
    throw new Error(
      `the hash of the file is ${found}, ${tellers[other.by]} ${other.hash}: it is not installed`,
    )
  }
  const facts = await readGguf(part).catch(async (error: unknown) => {
    await dropPart(part)
    throw error
  })
  await rename(part, join(folder, file))
  await dropPart(part)
  await syncFolder(folder)
  const model: InstalledModel = {
    name,
    file,
    sizeBytes: size,
    sha256: found,
    comparedWith: known[0]?.by ?? 'nothing',
    from: source.kind === 'file' ? basename(source.path) : withoutSecrets(source.url),
    licence: entry?.licence ?? null,
    contextTokens: facts.contextTokens,
    parameters: facts.parameters,
    installedAt: new Date().toISOString(),
  }
  await changeModels(dataDir, (models) => ({
    ...models,
    installed: [...models.installed.filter((one) => one.name !== name), model],
  }))
  return model
}

/** What is there already stays when the process is killed: the next install of that name goes on from it. */
export const partOf = (folder: string, name: string): string => join(folder, name + partEnding)

const partEnding = '.gguf.part'

/** Models of which a part lies there. */
export async function listBegun(dataDir: string): Promise<string[]> {
  const names = await readdir(modelsFolder(dataDir)).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  })
  return names.filter((name) => name.endsWith(partEnding)).map((name) => name.slice(0, -partEnding.length))
}

/** False: there was none. */
export async function dropPart(part: string): Promise<boolean> {
  const found = await stat(part).catch(() => null)
  await rm(part, { force: true })
  await rm(markOf(part), { force: true })
  return found !== null
}

const tellers = {
  operator: 'you said',
  catalogue: 'the catalogue says',
  hub: 'the hub says',
} as const

/** The hub's digest, if it has one. */
async function fetch(
  source: ModelSource,
  part: string,
  { onStep, signal }: { onStep: OnStep; signal: AbortSignal },
): Promise<string | null> {
  if (source.kind === 'address') {
    const onProgress = (done: number, total: number | null): void =>
      onStep('fetching', total === null ? null : done / total)
    return (await downloadFile(source.url, part, { onProgress, signal })).digest
  }
  await dropPart(part)
  const { size } = await stat(source.path)
  const reading = createReadStream(source.path, { highWaterMark: 1 << 20 })
  let done = 0
  reading.on('data', (chunk) => {
    done += chunk.length
    onStep('fetching', done / size)
  })
  await pipeline(reading, createWriteStream(part, { mode: 0o600 }), { signal })
  return null
}

/** Queries of download links hold signatures. */
function withoutSecrets(text: string): string {
  const { origin, pathname } = new URL(text)
  return origin + pathname
}

/** A file, a folder with one model in it, an address, or the name of a model of the catalogue and a hub. */
export async function findSource(
  text: string,
  catalogue: readonly CatalogueModel[],
  hub: string | null,
): Promise<Pick<InstallRequest, 'source' | 'entry'> & { usualName: string }> {
  if (/^https?:\/\//.test(text)) {
    if (!URL.canParse(text)) throw new Error(`${text} is no address`)
    const fileName = basename(new URL(text).pathname)
    return { source: { kind: 'address', url: text }, entry: null, usualName: toName(fileName) }
  }
  const entry = catalogue.find(({ name }) => name === text)
  if (entry !== undefined) {
    if (hub === null) {
      throw new Error(
        `name the hub that ${text} is fetched from with --hub https://…, or give the file or address of ${entry.repository}, ${entry.file}`,
      )
    }
    const url = `${hub.replace(/\/$/, '')}/${entry.repository}/resolve/main/${entry.file}`
    return { source: { kind: 'address', url }, entry, usualName: entry.name }
  }
  const path = await findFile(resolve(text))
  // A file that was fetched by hand, under the name that the catalogue knows.
  const same = catalogue.find(({ file }) => file === basename(path)) ?? null
  return { source: { kind: 'file', path }, entry: same, usualName: same?.name ?? toName(basename(path)) }
}

async function findFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new Error(`${path} is no file, no folder, and no model of "casenote model list"`)
  if (!found.isDirectory()) return path
  const models = (await readdir(path)).filter((name) => name.endsWith('.gguf'))
  if (models.length === 1 && models[0] !== undefined) return join(path, models[0])
  throw new Error(
    models.length === 0
      ? `${path} holds no .gguf file`
      : `${path} holds several models; name one of ${models.slice(0, 20).join(', ')}`,
  )
}

export const isModelName = (text: string): boolean => /^[a-z0-9][a-z0-9._-]{0,99}$/.test(text)

const toName = (fileName: string): string =>
  fileName
    .replace(/\.gguf$/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 100)
