import { RecordingProblem } from '../recording-problem.js'
import type { Decoder } from './decoder/decoder.js'
import { isDescribed, readProbe, type ProbedRecording } from './probe-recording.js'
import { runFfmpeg, type FfmpegInput } from './run-ffmpeg.js'

/** Reading without decoding runs at thousands of times the speed of the sound; a source that is quiet for so long is stuck. */
const quietMs = 60_000

/** A report of 200 bytes twice a second. */
const limits = { outputBytesMax: 10_000_000, wallMs: 3_600_000 }

const output = '-map 0:a:0? -c copy -f null -progress pipe:1 -'.split(' ')

export interface TimedRecording extends ProbedRecording {
  /** Length by the packets of the one channel there is; null when there are more or the packets do not tell, as in a damaged file. */
  packetSeconds: number | null
}

/**
 * A recording's description and, by the times of its packets, which nothing decodes, its seconds: 0.03 s for four minutes of
 * Opus that take 0.5 s to decode. One start of the decoder for both, since that takes longer than either.
 */
export async function probeAndTime(
  decoder: Decoder,
  input: FfmpegInput,
  signal: AbortSignal,
): Promise<TimedRecording> {
  const run = runFfmpeg(decoder, input, output, limits)
  let seconds: number | null = null
  let timer = setTimeout(run.kill, quietMs)
  const take = (report: string): void => {
    clearTimeout(timer)
    timer = setTimeout(run.kill, quietMs)
    // Every report repeats it. Releases before 4.1 have only `out_time_ms`, which counts microseconds as well: they decode.
    const last = [...report.matchAll(/^out_time_us=(\d+)\n/gm)].at(-1)?.[1]
    if (last !== undefined) seconds = Number(last) / 1e6
    // Of several channels the sound tells, and the rest need not be read for their times.
    if (!describesOneChannel(run.readWords())) run.kill()
  }
  run.stdout.setEncoding('latin1').on('data', take)
  signal.addEventListener('abort', run.kill, { once: true })
  try {
    const code = await run.end
    signal.throwIfAborted()
    // It was killed before it had read enough to say anything.
    if (code === null && !isDescribed(run.readWords())) throw new RecordingProblem('too_slow')
    const probed = readProbe(run.readWords())
    const isTold = code === 0 && probed.isOneChannel && seconds !== null && seconds > 0
    return { ...probed, packetSeconds: isTold ? seconds : null }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', run.kill)
  }
}

function describesOneChannel(words: string): boolean {
  try {
    return readProbe(words).isOneChannel
  } catch {
    return true // Not described yet, or not to be read: its end tells.
  }
}
