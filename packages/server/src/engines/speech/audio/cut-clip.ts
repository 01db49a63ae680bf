import { RecordingProblem } from '../recording-problem.js'
import { sampleRate } from '../speech-engine.js'
import { openInput, type OpenAudio } from './open-input.js'
import { probeRecording } from './probe-recording.js'
import { runFfmpeg } from './run-ffmpeg.js'
import { makeWavHeader } from './wav-header.js'

export interface ClipRequest {
  openAudio: OpenAudio
  ffmpegPath: string
  scratchFolder: string
  fromSeconds: number
  seconds: number
  signal: AbortSignal
}

/**
 * A stretch of a recording as WAV, mono, 16 kHz; null: the recording ends before it. ffmpeg is told to seek before it
 * decodes: through a pipe it then reads on without decoding, and the last half minute of an hour of Opus takes 0.3 s
 * instead of 10 s. Where a format cannot be sought in, it decodes from the start and gives the same sound.
 */
export async function cutClip(request: ClipRequest): Promise<Buffer | null> {
  const { ffmpegPath, fromSeconds, seconds, signal } = request
  const audio = await openInput(request.openAudio, request.scratchFolder, signal)
  try {
    const { tracks } = await probeRecording(ffmpegPath, audio.input, signal)
    const mix = tracks.length === 1 ? [] : ['-filter_complex', `amix=inputs=${tracks.length}`]
    const map = tracks.length === 1 ? ['-map', `0:${tracks[0]?.stream ?? 0}`] : []
    const form = `-t ${seconds} -ac 1 -ar ${sampleRate} -c:a pcm_s16le -f s16le pipe:1`.split(' ')
    const run = runFfmpeg(ffmpegPath, audio.input, [...mix, ...map, ...form], ['-ss', String(fromSeconds)])
    signal.addEventListener('abort', run.kill, { once: true })
    const pieces: Buffer[] = []
    for await (const piece of run.stdout) pieces.push(piece as Buffer)
    signal.throwIfAborted()
    const sound = Buffer.concat(pieces)
    const code = await run.end
    if (sound.length > 0) {
      const format = { rateHz: sampleRate, channelCount: 1, dataBytes: sound.length }
      return Buffer.concat([makeWavHeader(format), sound])
    }
    if (code === 0) return null
    throw new RecordingProblem('damaged')
  } finally {
    await audio.close()
  }
}
