// The decoder that ships: ffmpeg compiled to WebAssembly, in a process of its own. Its text is handed to Node on the command
// line, and everything else on open descriptors, so that this process may be denied every file. It imports nothing of ours.
import { createHash } from 'node:crypto'
import { fstatSync, readSync, writeSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { createContext, runInContext } from 'node:vm'

interface WasmMemory {
  buffer: ArrayBuffer
  grow: (this: WasmMemory, pages: number) => number
}

/** What is used of it: the types of Node 20 have none. */
declare const WebAssembly: {
  Module: new (bytes: Buffer) => object
  Instance: new (compiled: object, imports: object) => { exports: object }
  Memory: { prototype: WasmMemory }
}

interface Stream {
  stream_ops: StreamOperations
}
interface StreamOperations {
  read?(stream: Stream, memory: Int8Array, offset: number, length: number, position: number): number
  write?(stream: Stream, memory: Int8Array, offset: number, length: number): number
  llseek?(stream: Stream, offset: number, whence: number): number
}
interface FileSystem {
  streams: [Stream, Stream, Stream]
  ErrnoError: new (errno: number) => Error
  createFile(parent: string, name: string, properties: object, canRead: boolean, canWrite: boolean): Stream
}
interface Core {
  FS: FileSystem
  DEFAULT_ARGS: string[]
  setLogger(logger: (line: { message: string }) => void): void
  exec(...args: string[]): number
}
type MakeCore = (options: {
  instantiateWasm(imports: object, done: (instance: object) => void): object
}) => Promise<Core>

interface Orders {
  /** SHA-256 of the script and of the module. */
  hashes: readonly [string, string]
  input: 'stream' | 'file'
  memoryBytesMax: number
  cpuSecondsMax: number
  alteredExitCode: number
  args: readonly string[]
}

const scriptDescriptor = 3
const moduleDescriptor = 4
const crashExitCode = 70
const timeExitCode = 71
/** ESPIPE, as the compiler of the module numbers errors. */
const notSeekable = 70

const orders = JSON.parse(process.argv[1] ?? '') as Orders
const say = (words: string): void => void writeSync(2, `${words}\n`)

function readChecked(descriptor: number, wanted: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(fstatSync(descriptor).size)
  let filled = 0
  while (filled < bytes.length) {
    // By position: every run reads through the same open file.
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, filled)
    if (count === 0) break
    filled += count
  }
  if (createHash('sha256').update(bytes).digest('hex') !== wanted) {
    say('The decoder is not the file whose hash was recorded')
    process.exit(orders.alteredExitCode)
  }
  return bytes
}

/** What the system's limit does where there is one. A loop that reads nothing is ended from outside. */
function checkTime(): void {
  const { user, system } = process.cpuUsage()
  if (user + system > orders.cpuSecondsMax * 1e6) process.exit(timeExitCode)
}

function boundMemory(): void {
  const pageBytes = 65_536
  const memory = WebAssembly.Memory.prototype
  const { grow } = memory
  memory.grow = function (pages) {
    if (this.buffer.byteLength + pages * pageBytes > orders.memoryBytesMax) throw new RangeError('no memory')
    return grow.call(this, pages)
  }
}

async function openCore(): Promise<Core> {
  // The module's hash says that it is valid: validating its 32 MB took 0.35 s of every start.
  setFlagsFromString('--wasm-lazy-compilation')
  setFlagsFromString('--wasm-lazy-validation')
  // What runs for a second is not worth the second compiler: at its usual 1.8 million it took a third of the processor time of
  // every run, of three minutes of sound as of six seconds.
  setFlagsFromString('--wasm-tiering-budget=100000000')
  boundMemory()
  const script = readChecked(scriptDescriptor, orders.hashes[0]).toString('utf8')
  const compiled = new WebAssembly.Module(readChecked(moduleDescriptor, orders.hashes[1]))
  // No process, no require, no sockets: the script sees what it needs.
  const world = createContext({
    self: { location: { href: '' } },
    performance: { now: () => performance.now() },
    WebAssembly,
    TextDecoder,
    console: { log: () => {}, warn: () => {}, error: () => {} },
  }) as { createFFmpegCore?: MakeCore }
  runInContext(script, world)
  const core = await world.createFFmpegCore?.({
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(compiled, imports)
      done(instance)
      return instance.exports
    },
  })
  if (core === undefined) throw new Error('The decoder gave no core')
  return core
}

/** The ends of the pipes in the place of its own standard streams, straight from and to its memory. */
function connect({ FS }: Core): void {
  const llseek = (): never => {
    throw new FS.ErrnoError(notSeekable)
  }
  FS.streams[0].stream_ops = {
    llseek,
    read(_stream, memory, offset, length) {
      checkTime()
      return readSync(0, memory, offset, length, null)
    },
  }
  FS.streams[1].stream_ops = {
    llseek,
    write(_stream, memory, offset, length) {
      let written = 0
      while (written < length) written += writeSync(1, memory, offset + written, length - written)
      return length
    },
  }
  if (orders.input !== 'file') return
  const file = FS.createFile('/', 'recording', {}, true, false)
  Object.defineProperty(file, 'usedBytes', { value: fstatSync(0).size })
  file.stream_ops = {
    ...file.stream_ops,
    read(_stream, memory, offset, length, position) {
      checkTime()
      return readSync(0, memory, offset, length, position)
    },
  }
}

try {
  const core = await openCore()
  connect(core)
  core.setLogger(({ message }) => {
    // Every end is an abort of the module; how it ended is what `exec` gives.
    if (message !== 'Aborted()') say(message)
  })
  core.DEFAULT_ARGS.splice(0, core.DEFAULT_ARGS.length, 'ffmpeg')
  process.exit(core.exec(...orders.args) & 0xff)
} catch (error) {
  // A trap of the module, or nobody who reads any more.
  say(`The decoder ended: ${error instanceof Error ? error.name : 'unknown'}`)
  process.exit(crashExitCode)
}
