// From a recording to a transcript, against the bare engine on the very clips that were recognized, in the same run: what
// decoding, voice activity, voices and the rest add. BENCH_REPEATS=48 makes three hours of the sample.
import { execFileSync } from 'node:child_process'
import { createReadStream, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFfmpeg } from '../packages/server/dist/engines/speech/audio/find-ffmpeg.js'
import { makeEmbeddedEngine } from '../packages/server/dist/engines/speech/embedded-engine.js'
import { openSpeechPool } from '../packages/server/dist/engines/speech/speech-pool.js'
import { transcribeRecording } from '../packages/server/dist/engines/speech/transcribe-recording.js'
import { openVoiceModel } from '../packages/server/dist/engines/speech/voices/index.js'
import { reportOverhead } from './pipeline-overhead.js'

const repeats = Number(process.env.BENCH_REPEATS ?? 1)
const sample = fileURLToPath(new URL('../packages/server/samples/medication-management.ogg', import.meta.url))
const say = (line) => process.stdout.write(`${line}\n`)

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), 'casenote-bench-'))
  const { path: ffmpegPath } = await findFfmpeg({ configuredPath: null, searchPath: process.env.PATH ?? '' })
  const recording = repeats === 1 ? sample : repeatSample(ffmpegPath, folder)
  const pool = openSpeechPool()
  const voices = await openVoiceModel()
  const engine = makeEmbeddedEngine(pool)
  const never = new AbortController().signal
  try {
    await engine.recognize(
      [{ startSeconds: 0, endSeconds: 1, channel: 0, samples: new Float32Array(16_000) }],
      never,
    )
    const clips = []
    const memory = watchMemory()
    const startedAt = performance.now()
    const { durationSeconds } = await transcribeRecording({
      openAudio: () => createReadStream(recording),
      ffmpegPath,
      scratchFolder: folder,
      engine: {
        ...engine,
        recognize: (some, signal) => {
          clips.push(...some.map((clip) => ({ ...clip, samples: clip.samples.slice() })))
          return engine.recognize(some, signal)
        },
      },
      pool,
      voices,
      checkpoints: { load: async () => [], save: async () => {} },
      onProgress: () => {},
      signal: never,
    })
    const whole = (performance.now() - startedAt) / 1000
    const mostBytes = memory.stop()
    const bareAt = performance.now()
    await engine.recognize(clips, never)
    const bare = (performance.now() - bareAt) / 1000
    say(`${durationSeconds.toFixed(0)} s of audio, ${clips.length} clips`)
    say(
      `real-time factor ${(whole / durationSeconds).toFixed(3)}, bare engine ${(bare / durationSeconds).toFixed(3)}`,
    )
    say(`ratio ${(whole / bare).toFixed(2)} (goal 1.15)`)
    say(
      `memory of all processes, the kept clips of this bench included: ${Math.round(mostBytes / 1e6)} MB (goal 1000)`,
    )
  } finally {
    await engine.close()
    await voices.close()
    rmSync(folder, { recursive: true })
  }
  await reportOverhead(say)
}

function repeatSample(ffmpegPath, folder) {
  const file = join(folder, 'long.ogg')
  execFileSync(ffmpegPath, [
    '-v',
    'error',
    '-stream_loop',
    String(repeats - 1),
    '-i',
    sample,
    '-c',
    'copy',
    file,
  ])
  return file
}

/** Resident memory of this process and its children, at its highest. */
function watchMemory() {
  let most = 0
  const look = () => {
    const own = [process.pid, ...childrenOf(process.pid)]
    most = Math.max(
      most,
      own.reduce((sum, pid) => sum + residentBytes(pid), 0),
    )
  }
  const timer = setInterval(look, 500)
  return {
    stop: () => {
      clearInterval(timer)
      return most
    },
  }
}

const childrenOf = (parent) =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && readStatus(name, 'PPid') === parent)

const residentBytes = (pid) => readStatus(pid, 'VmRSS') * 1024

/** 0 for a process that has just ended. */
function readStatus(pid, field) {
  try {
    return Number(
      new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0,
    )
  } catch {
    return 0
  }
}
