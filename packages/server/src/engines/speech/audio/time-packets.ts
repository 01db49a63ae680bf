import type { DecodeOptions } from './decode-recording.js'
import { runFfmpeg } from './run-ffmpeg.js'

/** Reading without decoding runs at thousands of times the speed of the sound; a source that is quiet for so long is stuck. */
const quietMs = 60_000

/** A report of 200 bytes twice a second. */
const limits = { outputBytesMax: 10_000_000, wallMs: 3_600_000 }

/**
 * The seconds of a track by the times of its packets, which nothing decodes: 0.03 s for four minutes of Opus that take 0.5 s
 * to decode. Null when they do not tell, as in a damaged file.
 */
export async function timePackets(
  options: Pick<DecodeOptions, 'decoder' | 'input' | 'tracks' | 'signal'>,
): Promise<number | null> {
  const output = `-map 0:${options.tracks[0]?.stream} -c copy -f null -progress pipe:1 -`
  const run = runFfmpeg(options.decoder, options.input, output.split(' '), limits)
  options.signal.addEventListener('abort', run.kill, { once: true })
  let seconds: number | null = null
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(run.kill, quietMs)
  }
  wait()
  run.stdout.setEncoding('latin1').on('data', (words: string) => {
    wait()
    // Every report repeats it. Releases before 4.1 have only `out_time_ms`, which counts microseconds as well: they decode.
    const last = [...words.matchAll(/^out_time_us=(\d+)\n/gm)].at(-1)?.[1]
    if (last !== undefined) seconds = Number(last) / 1e6
  })
  try {
    const code = await run.end
    options.signal.throwIfAborted()
    return code === 0 && seconds !== null && seconds > 0 ? seconds : null
  } finally {
    clearTimeout(timer)
    options.signal.removeEventListener('abort', run.kill)
  }
}
