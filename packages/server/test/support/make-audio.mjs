// Test audio by the ffmpeg of the packages, which is WebAssembly and behaves the same on every machine: in this process, on
// files of a memory of its own. Not how recordings are decoded; what is given to it here is ours.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { createContext, runInContext } from 'node:vm'

const require = createRequire(import.meta.url)
let prepared = null

function prepare() {
  // Of its 32 MB little is used: what is not called need not be compiled.
  setFlagsFromString('--wasm-lazy-compilation')
  setFlagsFromString('--wasm-lazy-validation')
  const world = createContext({
    self: { location: { href: '' } },
    performance: { now: () => performance.now() },
    WebAssembly,
    TextDecoder,
    console,
  })
  runInContext(readFileSync(require.resolve('@ffmpeg/core'), 'utf8'), world)
  return {
    world,
    compiled: new WebAssembly.Module(readFileSync(require.resolve('@ffmpeg/core/wasm'))),
  }
}

/** A fresh one for each call: ffmpeg leaves its memory as it is when it ends. */
function openCore() {
  prepared ??= prepare()
  const { world, compiled } = prepared
  const core = {
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(compiled, imports)
      done(instance)
      return instance.exports
    },
  }
  world.createFFmpegCore(core).catch(() => {})
  return core
}

/** What these arguments write to their last one, `pipe:1` or an absolute path, which is written as a file then. */
export function makeAudio(args, input = Buffer.alloc(0)) {
  const core = openCore()
  const { FS } = core
  const words = []
  core.setLogger(({ message }) => words.push(message))
  const pieces = []
  let position = 0
  const noSeek = () => {
    throw new FS.ErrnoError(70)
  }
  FS.streams[0].stream_ops = {
    llseek: noSeek,
    read(_stream, memory, offset, length) {
      const count = Math.min(length, input.length - position)
      memory.set(input.subarray(position, position + count), offset)
      position += count
      return count
    },
  }
  FS.streams[1].stream_ops = {
    llseek: noSeek,
    write(_stream, memory, offset, length) {
      pieces.push(Buffer.from(memory.slice(offset, offset + length).buffer))
      return length
    },
  }
  const files = args.filter((word, index) => isAbsolute(word) && args[index - 1] === '-i')
  const results = args.filter((word, index) => isAbsolute(word) && args[index - 1] !== '-i')
  for (const path of [...files, ...results]) FS.mkdirTree(dirname(path))
  for (const path of files) FS.writeFile(path, readFileSync(path))
  core.DEFAULT_ARGS.splice(0, core.DEFAULT_ARGS.length, 'ffmpeg')
  const code = core.exec('-hide_banner', '-nostdin', '-nostats', '-y', ...args)
  if (code !== 0) throw new Error(`no test audio (${code}):\n${words.slice(-8).join('\n')}`)
  for (const path of results) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, FS.readFile(path))
  }
  return Buffer.concat(pieces)
}
