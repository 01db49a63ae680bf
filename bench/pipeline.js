// From a recording to a transcript, against the bare engine on the very clips that were recognized, in the same run: what
// decoding, voice activity, voices and the rest add; then two recordings side by side. Besides the clock the processor time
// of all processes is compared, which says the same on a busy machine. BENCH_REPEATS=48 makes three hours of the sample.
import { closeSync, createReadStream, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDecoder } from '../packages/server/dist/engines/speech/audio/decoder/open-decoder.js'
import { makeEmbeddedEngine } from '../packages/server/dist/engines/speech/embedded-engine.js'
import { openSpeechPool } from '../packages/server/dist/engines/speech/speech-pool.js'
import { transcribeRecording } from '../packages/server/dist/engines/speech/transcribe-recording.js'
import { openVoiceModel } from '../packages/server/dist/engines/speech/voices/index.js'
import { makeAudio } from '../packages/server/test/support/make-audio.mjs'
import { reportOverhead } from './pipeline-overhead.js'
import { readProcessorSeconds, watchMemory } from './process-tree.js'

/** Whole and bare by turns: one run differs from the next by a tenth. */
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const repeats = Number(process.env.BENCH_REPEATS ?? 1)
const sample = fileURLToPath(new URL('../packages/server/samples/medication-management.ogg', import.meta.url))
const say = (line) => process.stdout.write(`${line}\n`)
const never = new AbortController().signal

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), 'casenote-bench-'))
  const decoder = await openDecoder({
    configuredPath: process.env.CASENOTE_FFMPEG ?? null,
    searchPath: process.env.PATH ?? '',
    scratchFolder: folder,
  })
  say(`decoder: ${decoder.native?.version ?? decoder.name}`)
  const recording = repeats === 1 ? sample : repeatSample(folder)
  const pool = openSpeechPool()
  const voices = await openVoiceModel()
  const engine = makeEmbeddedEngine(pool)
  const kept = makeClipFile(join(folder, 'clips'))
  const transcribe = (used) =>
    transcribeRecording({
      openAudio: () => createReadStream(recording),
      decoder,
      scratchFolder: folder,
      engine: used,
      pool,
      voices,
      checkpoints: { load: async () => [], save: async () => {} },
      onProgress: () => {},
      signal: never,
    })
  try {
    await warmUp(engine)
    const memory = watchMemory()
    const recorder = {
      ...engine,
      /** @param {Parameters<typeof engine.recognize>} given */
      recognize: (...given) => (kept.add(given[0]), engine.recognize(...given)),
    }
    const whole = await measure(() => transcribe(recorder))
    const most = memory.stop()
    whole.processor -= most.processorSeconds
    say(
      `memory of all processes ${Math.round(most.proportional / 1e6)} MB (goal 1000), ` +
        `${Math.round(most.resident / 1e6)} MB with shared pages counted in each`,
    )
    const clipCount = kept.count
    const pairs = [{ whole, bare: await measure(() => kept.recognizeAll(engine)) }]
    while (pairs.length < rounds)
      pairs.push({
        whole: await measure(() => transcribe(engine)),
        bare: await measure(() => kept.recognizeAll(engine)),
      })
    const [{ bare }] = pairs
    const { durationSeconds } = whole.result
    say(
      `${durationSeconds.toFixed(0)} s of audio, ${clipCount} clips, ` +
        `processor time ${whole.processor.toFixed(1)} s, bare engine ${bare.processor.toFixed(1)} s`,
    )
    say(
      `real-time factor ${perSecond(whole, durationSeconds)}, bare engine ${perSecond(bare, durationSeconds)}`,
    )
    say(`ratio ${compareAll(pairs, 1)} (median of ${rounds}; goal 1.15)`)
    const besides = []
    while (besides.length < rounds)
      besides.push({
        whole: await measure(() => Promise.all([transcribe(engine), transcribe(engine)])),
        bare: await measure(() => kept.recognizeAll(engine)),
      })
    say(`two recordings side by side: ${compareAll(besides, 2)} of their bare engine times (goal 1.1)`)
  } finally {
    kept.close()
    await engine.close()
    await voices.close()
    decoder.close()
    rmSync(folder, { recursive: true })
  }
  await reportOverhead(say)
}

const perSecond = ({ seconds }, durationSeconds) => (seconds / durationSeconds).toFixed(3)
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
function compareAll(pairs, times) {
  const ratio = (pick) => median(pairs.map(({ whole, bare }) => pick(whole) / pick(bare) / times)).toFixed(2)
  return `${ratio(({ seconds }) => seconds)}, by processor time ${ratio(({ processor }) => processor)}`
}

/** Both processes have their models, as after the first recording of a day. */
async function warmUp(engine) {
  const clip = { startSeconds: 0, endSeconds: 1, channel: 0, samples: new Float32Array(16_000) }
  await engine.recognize([clip, clip, clip, clip], never)
}

async function measure(work) {
  const processorBefore = readProcessorSeconds()
  const startedAt = performance.now()
  const result = await work()
  return {
    result,
    seconds: (performance.now() - startedAt) / 1000,
    processor: readProcessorSeconds() - processorBefore,
  }
}

/** The clips that were recognized, on disk: those of three hours would be 700 MB of memory. */
function makeClipFile(path) {
  const file = openSync(path, 'w+')
  const lengths = []
  return {
    get count() {
      return lengths.length
    },
    add(clips) {
      for (const { samples } of clips) {
        lengths.push(samples.length)
        writeSync(file, samples)
      }
    },
    /** As many at a time as two chunks have. */
    async recognizeAll(engine) {
      let position = 0
      for (let from = 0; from < lengths.length; from += 60) {
        const clips = lengths.slice(from, from + 60).map((length) => {
          const samples = new Float32Array(length)
          readSync(file, samples, 0, samples.byteLength, position)
          position += samples.byteLength
          return { startSeconds: 0, endSeconds: 0, channel: 0, samples }
        })
        await engine.recognize(clips, never)
      }
    },
    close: () => closeSync(file),
  }
}

function repeatSample(folder) {
  const file = join(folder, 'long.ogg')
  const input = ['-stream_loop', String(repeats - 1), '-i', sample]
  makeAudio([...input, '-c', 'copy', file])
  return file
}
