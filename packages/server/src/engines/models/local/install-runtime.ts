import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { findUnfinishedName } from '../../../kernel/private-file.js'
import { runtimePackage } from './llama-runtime.js'
import { hashRuntimeFiles, type RuntimeFiles } from './runtime-files.js'
import { chooseRuntimePackages, type RuntimeGpu } from './runtime-packages.js'

/** The one that was tried. A later one is tried before it stands here. */
const runtimeVersion = '3.22.1'

const RuntimeRecord = Type.Object({
  version: Type.String(),
  packages: Type.Array(Type.String()),
  gpu: Type.Union([Type.Literal('none'), Type.Literal('cuda'), Type.Literal('vulkan')]),
  installedAt: Type.String(),
  /** None: fetched by a version that kept no hashes. */
  files: Type.Optional(Type.Record(Type.String(), Type.String({ pattern: '^[0-9a-f]{64}$' }))),
})
type RuntimeRecord = Static<typeof RuntimeRecord> & { files: RuntimeFiles }

/** 85 MB take 15 s, CUDA's gigabyte some minutes. */
const npmTimeoutMs = 1_800_000
const npmOutputMax = 65_536

/** Null: none, an unfinished one, one of another version, or one without the hashes of its files. */
export async function findRuntime(folder: string): Promise<RuntimeRecord | null> {
  const record = await readRecord(folder)
  if (record?.version !== runtimeVersion || record.files === undefined) return null
  return { ...record, files: record.files }
}

/** The hashes that its files had when it was fetched. Null: it was fetched by a version that kept none; undefined: there is none. */
export async function findRuntimeFiles(folder: string): Promise<RuntimeFiles | null | undefined> {
  const record = await readRecord(folder)
  return record === null ? undefined : (record.files ?? null)
}

async function readRecord(folder: string): Promise<Static<typeof RuntimeRecord> | null> {
  try {
    const record: unknown = JSON.parse(await readFile(join(folder, 'runtime.json'), 'utf8'))
    return Check(RuntimeRecord, record) ? record : null
  } catch {
    return null
  }
}

/** For which GPU the one that lies there was fetched, whatever its version. Null: there is none. */
export async function findRuntimeGpu(folder: string): Promise<RuntimeGpu | null> {
  const record = await readRecord(folder)
  return record?.gpu ?? null
}

/** By its process's number: as an earlier version called it. */
const isUnfinished = (name: string, runtime: string): boolean =>
  findUnfinishedName(name) === runtime ||
  (name.startsWith(`${runtime}.`) && /^\.\d+\.new$/.test(name.slice(runtime.length)))

/** What a killed `installRuntime` left, a gigabyte perhaps. The caller has the folder's lock. An npm that outlived it gives up when its files are gone. */
export async function clearRuntimeRemains(folder: string): Promise<void> {
  for (const name of await readdir(dirname(folder)))
    if (isUnfinished(name, basename(folder)))
      await rm(join(dirname(folder), name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

/** Fetches node-llama-cpp and the packages that fit, without their scripts: one of them would compile for nine minutes. */
export async function installRuntime(folder: string, gpu: RuntimeGpu): Promise<RuntimeRecord> {
  // Process ids are equal in containers that share a folder.
  const work = `${folder}.${randomBytes(8).toString('hex')}.new`
  await mkdir(work, { recursive: true, mode: 0o700 })
  try {
    // So that npm takes this folder and none above it for the project.
    await writeFile(join(work, 'package.json'), '{"private":true}\n')
    const main = `${runtimePackage}@${runtimeVersion}`
    const offered: unknown = JSON.parse(await npm(work, ['view', main, 'optionalDependencies', '--json']))
    if (!Check(Type.Record(Type.String(), Type.String()), offered)) {
      throw new Error(`the registry does not say what ${main} consists of`)
    }
    const packages = [main, ...chooseRuntimePackages(offered, process, gpu)]
    const flags = [
      '--ignore-scripts',
      '--no-save',
      '--omit=optional',
      '--omit=dev',
      '--no-audit',
      '--no-fund',
    ]
    await npm(work, ['install', ...flags, '--prefix', work, ...packages])
    const files = await hashRuntimeFiles(work)
    const record = { version: runtimeVersion, packages, gpu, installedAt: new Date().toISOString(), files }
    await writeFile(join(work, 'runtime.json'), `${JSON.stringify(record, null, 2)}\n`)
    await rm(folder, { recursive: true, force: true })
    await rename(work, folder)
    return record
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** What it prints. With the operator's own settings of npm (registry, proxy), without our secrets. */
async function npm(folder: string, args: readonly string[]): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(CASENOTE_|DATABASE_URL$|npm_config_(local_)?prefix$)/.test(name),
    ),
  )
  const script = await findNpm()
  const [command, first] = script === null ? ['npm', []] : [process.execPath, [script]]
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: npmTimeoutMs,
    })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (output[name].length < npmOutputMax) output[name] += text
      })
    }
    child.on('error', (error) => reject(new Error('npm cannot be run', { cause: error })))
    child.on('close', (code) => {
      if (code === 0) return resolve(output.stdout)
      const lines = output.stderr.split('\n').filter((line) => /^npm (error|ERR!)/.test(line))
      reject(new Error(`npm ${args[0]} failed:\n${lines.slice(0, 10).join('\n')}`))
    })
  })
}

/** Beside node, where its installers put it. Null: by its name. */
async function findNpm(): Promise<string | null> {
  const file = join(dirname(dirname(process.execPath)), 'lib/node_modules/npm/bin/npm-cli.js')
  return access(file).then(
    () => file,
    () => null,
  )
}
