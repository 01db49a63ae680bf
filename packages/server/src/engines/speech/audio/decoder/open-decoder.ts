import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { compiledModule } from '../../../../kernel/own-files.js'
import { buildCage, type Cage, type CagedCommand } from './cage.js'
import type { Decoder } from './decoder.js'
import { cpuSecondsMax, memoryBytesMax } from './decoder-limits.js'
import { findNativeFfmpeg, type FfmpegPlaces, type NativeFfmpeg } from './find-native.js'

export interface DecoderPlaces extends FfmpegPlaces {
  /** For the few recordings that cannot be read through a pipe, and the empty folders that runs work in. */
  scratchFolder: string
  /** The script and the module, elsewhere than in the package. */
  shippedFiles?: readonly string[]
}

/**
 * Hashes of @ffmpeg/core 0.12.10 as its publisher signed it: another version is a decision, taken here. The script and the module,
 * in the order of their descriptors.
 */
const recordedHashes = [
  'b266ab5b952555881dd6310663986994a182acb2b7ff25cf10a25f7a37ac2b21',
  '9f57947a5bd530d8f00c5b3f2cb2a3492faa7e5d823315342d6a8656d0a6b7b7',
] as const

const alteredExitCode = 78

export interface OpenedDecoder extends Decoder {
  /** Null: the one that ships. */
  native: NativeFfmpeg | null
}

/** The native one only if the operator named it or a current one is installed (decision 0020). */
export async function openDecoder(places: DecoderPlaces): Promise<OpenedDecoder> {
  await removeLeftFolders(places.scratchFolder)
  const native = await findNativeFfmpeg(places)
  const cage = await buildCage(places.searchPath)
  const opened = native === null ? openShipped(cage, places) : openNative(cage, places.scratchFolder, native)
  return { ...opened, native }
}

const folderPrefix = 'decoder-'
/** With those that recordings are spilled through (`open-input.ts`). */
const leftFolders = /^(?:decoder|casenote-audio)-/
/** Longer than any run. */
const leftAfterMs = 24 * 3_600_000

/** A service that was killed leaves them: empty, but more with every kill. */
async function removeLeftFolders(scratchFolder: string): Promise<void> {
  for (const name of await readdir(scratchFolder)) {
    const folder = join(scratchFolder, name)
    if (!leftFolders.test(name)) continue
    // Another process may do the same at this moment.
    const changed = await stat(folder).catch(() => null)
    if (changed !== null && changed.mtimeMs < Date.now() - leftAfterMs)
      await rm(folder, { recursive: true, force: true })
  }
}

function openNative(cage: Cage, scratchFolder: string, { path }: NativeFfmpeg): Decoder {
  return {
    name: 'native',
    cage: cage.facts,
    nameInput: (kind) =>
      kind === 'stream'
        ? { protocol: 'pipe', address: 'pipe:0' }
        : { protocol: 'file', address: 'file:/dev/stdin' },
    start: (args, input) =>
      startCaged(cage, scratchFolder, { program: path, args, stdin: stdinOf(input), further: [] }),
    alteredExitCode: null,
    close: () => {},
  }
}

/** Files are opened by us, who may; the process that decodes is given their descriptors, and may open none. */
function openShipped(
  cage: Cage,
  { scratchFolder, shippedFiles = findShippedFiles() }: DecoderPlaces,
): Decoder {
  const descriptors = shippedFiles.map((file) => openSync(file, 'r'))
  // Node may lie in a folder that the decoder's user cannot walk into; an open file needs no path.
  const isByDescriptor = cage.facts.hasOwnUser && process.platform === 'linux'
  const program = isByDescriptor ? '/proc/self/fd/5' : process.execPath
  if (isByDescriptor) descriptors.push(openSync(process.execPath, 'r'))
  const code = readFileSync(processFile, 'utf8')
  return {
    name: 'shipped',
    cage: cage.facts,
    nameInput: (kind) =>
      kind === 'stream'
        ? { protocol: 'pipe', address: 'pipe:0' }
        : { protocol: 'file', address: 'file:/recording' },
    start(args, input) {
      const orders = {
        hashes: recordedHashes,
        input: input === 'pipe' ? 'stream' : 'file',
        memoryBytesMax,
        cpuSecondsMax,
        alteredExitCode,
        args,
      }
      const words = [...nodeOptions, '--input-type=module', '--eval', code, '--', JSON.stringify(orders)]
      return startCaged(cage, scratchFolder, {
        program,
        args: words,
        stdin: stdinOf(input),
        further: descriptors,
      })
    },
    alteredExitCode,
    close: () => descriptors.forEach((descriptor) => closeSync(descriptor)),
  }
}

function findShippedFiles(): string[] {
  const require = createRequire(import.meta.url)
  return ['@ffmpeg/core', '@ffmpeg/core/wasm'].map((name) => require.resolve(name))
}

/** By itself, since it is given to Node as text. */
const processFile = compiledModule('engines/speech/audio/decoder/decoder-process.js')

const nodeOptions = [
  // No file, no process, no thread, no native code. Called so until Node 22.
  process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
  '--disallow-code-generation-from-strings',
  '--no-addons',
  '--no-warnings',
  // Beside the main thread one for the compiler: more would take cores from others.
  '--v8-pool-size=1',
  '--max-old-space-size=64',
]

const stdinOf = (input: 'pipe' | { descriptor: number }): 'pipe' | number =>
  input === 'pipe' ? 'pipe' : input.descriptor

interface CagedStart {
  program: string
  args: readonly string[]
  stdin: 'pipe' | number
  /** From descriptor 3 on. */
  further: readonly number[]
}

function makeEmptyFolder(scratchFolder: string, { release }: Pick<CagedCommand, 'release'>): string {
  try {
    const folder = mkdtempSync(join(scratchFolder, folderPrefix))
    // To be looked into by whom it is for, to be written to by nobody.
    chmodSync(folder, 0o555)
    return folder
  } catch (error) {
    release()
    throw error
  }
}

function startCaged(cage: Cage, scratchFolder: string, start: CagedStart): ChildProcess {
  const command = cage.enclose(start.program, start.args)
  const folder = makeEmptyFolder(scratchFolder, command)
  const user =
    command.setsUserItself && command.userId !== null ? { uid: command.userId, gid: command.userId } : {}
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true })
    command.release()
  }
  try {
    const child = spawn(command.file, command.args, {
      // Nothing of ours is there to be read.
      env: {},
      cwd: folder,
      // A group of its own, which is ended whole.
      detached: true,
      stdio: [start.stdin, 'pipe', 'pipe', ...start.further],
      ...user,
    })
    child.once('close', remove)
    // A signal that fails is an error as well, of one that still runs.
    child.once('error', () => child.pid === undefined && remove())
    return child
  } catch (error) {
    remove()
    throw error
  }
}
