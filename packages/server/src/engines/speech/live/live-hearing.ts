import { setImmediate as nextTurn } from 'node:timers/promises'
import { compareChannels, makeChannelComparison } from '../audio/compare-channels.js'
import type { Checkpoints, ChunkResult } from '../chunk-result.js'
import { hashSound } from '../hash-sound.js'
import { hearChunk } from '../hear-chunk.js'
import { appendSamples, dropUntil, endSampleOf, samplesBetween, type OpenChannel } from '../open-channel.js'
import { lengthOfSettled, settlesAfterSeconds } from '../plan-chunks.js'
import { detectSpeech, prepareChunk } from '../prepare-chunk.js'
import { sampleRate, type AudioClip, type Span, type SpeechEngine } from '../speech-engine.js'
import type { SpeechPool } from '../speech-pool.js'
import type { VoiceModel } from '../voices/index.js'
import { PendingSound } from './pending-sound.js'
import { rememberClips } from './remember-clips.js'

export interface LiveTools {
  engine: SpeechEngine
  pool: SpeechPool
  voices: VoiceModel
  checkpoints: Checkpoints
  owner: string
  signal: AbortSignal
}

/** Words that may still change: what was heard since the last chunk that is settled. */
export interface DraftLine extends Span {
  text: string
}

/** Hears a recording while it grows. What it settles is what the whole recording would be heard as. */
export interface LiveHearing {
  /** The sound that comes next, of all channels; it is copied. */
  add(channels: readonly Float32Array[]): void
  readonly seconds: number
  /** Whether a chunk can be settled. */
  isChunkWhole(): boolean
  /** Hears the next chunk and keeps it. */
  settleChunk(): Promise<void>
  /** What is not settled yet, as well as it can be told now. */
  hearDraft(): Promise<DraftLine[]>
}

/** By now other channels say something of their own than those that were heard: it has to begin anew. */
export class ChannelsChanged extends Error {
  constructor() {
    super('other channels of the recording carry its sound')
    this.name = 'ChannelsChanged'
  }
}

/** What is being said is heard again when it has grown by this: often enough to be read, and seldom beside the rest. */
const heardAgainSeconds = 4
/** Shorter is no word yet. */
const openSecondsMin = 0.8

export function makeLiveHearing(
  channelCount: number,
  kept: readonly ChunkResult[],
  tools: LiveTools,
): LiveHearing {
  const { signal } = tools
  const engine = rememberClips(tools.engine)
  const comparison = makeChannelComparison()
  const known = [...kept]
  /** Sound of the chunk that is not settled, from its start on, of every channel. */
  const sound = Array.from({ length: channelCount }, () => new PendingSound())
  /** What the chunks before it left to be heard with it, of the channels that are heard. */
  let open: OpenChannel[] | null = null
  let index = 0
  let startSample = 0
  /** What is still being said, by its channel. */
  const spoken = new Map<number, DraftLine>()

  const chooseChannels = (): number[] => (channelCount === 1 ? [0] : compareChannels(comparison))
  const openWith = async (frames: number): Promise<OpenChannel[]> => {
    const carried = open ?? chooseChannels().map((channel) => openChannel(channel, startSample))
    const whole: OpenChannel[] = []
    for (const one of carried) {
      // A copy of a minute of each.
      await nextTurn()
      whole.push(appendSamples(one, soundOf(one.channel).subarray(0, frames)))
    }
    return whole
  }
  const soundOf = (channel: number): Float32Array => sound[channel]?.samples ?? new Float32Array(0)
  const lengthOf = (): number => sound[0]?.length ?? 0

  const hearSpan = async (channel: OpenChannel, span: Span): Promise<string> => {
    const samples = samplesBetween(channel, span.startSeconds, span.endSeconds)
    const clip: AudioClip = { ...span, channel: channel.channel, samples }
    const [heard] = await engine.recognize([clip], signal, undefined, tools.owner)
    return heard?.text ?? ''
  }
  /** Not remembered: it goes on, and is another clip next time. */
  const hearOpen = async (channel: OpenChannel, startSeconds: number): Promise<DraftLine[]> => {
    const endSeconds = endSampleOf(channel) / sampleRate
    const last = spoken.get(channel.channel)
    const before = last?.startSeconds === startSeconds ? last : undefined
    const isNew = endSeconds - (before?.endSeconds ?? startSeconds) >= heardAgainSeconds
    if (before !== undefined && !isNew) return [before]
    if (endSeconds - startSeconds < openSecondsMin) return []
    const samples = samplesBetween(channel, startSeconds, endSeconds)
    const clip: AudioClip = { startSeconds, endSeconds, channel: channel.channel, samples }
    const [heard] = await tools.engine.recognize([clip], signal, undefined, tools.owner)
    const line = { startSeconds, endSeconds, text: heard?.text ?? '' }
    spoken.set(channel.channel, line)
    return [line]
  }
  const settle = async (
    whole: readonly OpenChannel[],
    plannedSeconds: number,
    frames: number,
  ): Promise<ChunkResult> => {
    const soundHash = await hashSound(
      whole.map(({ channel }) => ({ channel, samples: soundOf(channel).subarray(0, frames) })),
    )
    const before = known[index]
    if (before !== undefined && before.soundHash === soundHash) return before
    known.length = Math.min(known.length, index)
    const prepared = await prepareChunk(whole, false, tools)
    const chunk = { index, plannedSeconds, soundHash, ...prepared }
    const result = await hearChunk(chunk, { engine, signal, owner: tools.owner })
    await tools.checkpoints.save(result)
    return result
  }

  return {
    add(channels) {
      comparison.add(channels)
      for (const [channel, samples] of channels.entries()) sound[channel]?.add(samples)
    },
    get seconds() {
      return (startSample + lengthOf()) / sampleRate
    },
    isChunkWhole: () => lengthOf() / sampleRate >= settlesAfterSeconds(index),
    async settleChunk() {
      const plannedSeconds = lengthOfSettled(index)
      const frames = plannedSeconds * sampleRate
      const chosen = chooseChannels()
      if (open !== null && open.map(({ channel }) => channel).join() !== chosen.join())
        throw new ChannelsChanged()
      const whole = await openWith(frames)
      const { nextStartSeconds } = await settle(whole, plannedSeconds, frames)
      open = whole.map((channel, at) => dropUntil(channel, nextStartSeconds[at] ?? 0))
      for (const one of sound) one.drop(frames)
      startSample += frames
      index += 1
      engine.forgetBefore(Math.min(...nextStartSeconds))
    },
    async hearDraft() {
      const now = await openWith(lengthOf())
      const detected = await detectSpeech(now, false, tools)
      const lines = await Promise.all(
        now.map(async (channel, at) => {
          const { spans = [], openFromSeconds = null } = detected[at] ?? {}
          const closed = await Promise.all(
            spans.map(async (span) => ({ ...span, text: await hearSpan(channel, span) })),
          )
          return openFromSeconds === null
            ? closed
            : [...closed, ...(await hearOpen(channel, openFromSeconds))]
        }),
      )
      return lines
        .flat()
        .filter(({ text }) => text !== '')
        .toSorted((one, other) => one.startSeconds - other.startSeconds)
    },
  }
}

const openChannel = (channel: number, startSample: number): OpenChannel => ({
  channel,
  startSample,
  samples: new Float32Array(0),
})
