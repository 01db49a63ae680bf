import { decodeRecording, type DecodedChunk } from '../engines/speech/audio/decode-recording.js'
import type { Decoder } from '../engines/speech/audio/decoder/decoder.js'
import type { AudioTrack } from '../engines/speech/audio/probe-recording.js'
import { Silence } from '../engines/speech/audio/silence-stretches.js'
import { RecordingProblem } from '../engines/speech/recording-problem.js'
import type { LiveSegment, LiveSegments } from './live-segments.js'
import { NotHeardLive } from './probe-beginning.js'

/** Decoded sound is taken in pieces of this length. */
const pieceSeconds = [1] as const

/**
 * One segment after the other, as joining them does. It ends with one that pauses: what comes of that later cannot be added to what was
 * decoded, and no other segment comes before it has its end.
 */
export async function* decodeSegments(
  decoder: Decoder,
  segments: Pick<LiveSegments, 'next'>,
  first: LiveSegment,
  signal: AbortSignal,
  silence: Silence = new Silence([]),
): AsyncGenerator<DecodedChunk> {
  for (let segment: LiveSegment | null = first; segment !== null; segment = await segments.next()) {
    const { open, tracks } = segment
    if (segment.segment !== null) silence.enter(segment.segment)
    if (countChannels(tracks) !== countChannels(first.tracks)) throw new NotHeardLive('its segments differ')
    const input = { kind: 'stream', open } as const
    try {
      for await (const piece of decodeRecording({
        decoder,
        input,
        tracks,
        chunkSeconds: pieceSeconds,
        signal,
      })) {
        silence.apply(piece.channels)
        yield piece
      }
    } catch (error) {
      // What a crash of its recorder cut off ends where its sound ends. In the middle it was the decoder that broke.
      if (!(error instanceof RecordingProblem && error.code === 'damaged' && segment.isWhole())) throw error
    }
    if (!segment.isWhole()) return
  }
}

export const countChannels = (tracks: readonly AudioTrack[]): number =>
  tracks.reduce((sum, { channelCount }) => sum + channelCount, 0)
