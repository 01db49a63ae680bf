import { setImmediate as nextTurn } from 'node:timers/promises'
import { meanSquare } from './audio/compare-channels.js'
import { packVector } from './chunk-result.js'
import { moveCutsIntoPauses } from './move-cuts.js'
import { endSampleOf, samplesBetween, startSecondsOf, type OpenChannel } from './open-channel.js'
import { sampleRate, type AudioClip, type Span } from './speech-engine.js'
import type { DetectedSpeech } from './speech-messages.js'
import type { SpeechPool } from './speech-pool.js'
import type { VoiceModel, VoiceWindow } from './voices/index.js'

export interface PreparedClip extends AudioClip {
  level: number
  voices: readonly string[]
}

export interface PreparedChunk {
  clips: PreparedClip[]
  nextStartSeconds: number[]
}

/** Kept in front of what comes next, for the pad of a word that begins right there. */
const leadSeconds = 0.5

/** A minute of the densest talk has hundreds, each of which takes some hundredths of a millisecond. */
const clipsPerTurn = 50

/** Speech, cut where the voice changes. Speech that the end cuts off is left for the next chunk, so no word is cut. */
export async function prepareChunk(
  open: readonly OpenChannel[],
  isLast: boolean,
  tools: { pool: SpeechPool; voices: VoiceModel; signal: AbortSignal },
): Promise<PreparedChunk> {
  const detected = await detectSpeech(open, isLast, tools)
  const clips: PreparedClip[] = []
  for (const [index, channel] of open.entries()) {
    tools.signal.throwIfAborted()
    const speech = detected[index]?.spans ?? []
    const windows = await tools.voices.track(channel.samples, startSecondsOf(channel), speech)
    // Where each has a channel, a change of voice within one is nearly always a mistake, and costs words.
    const spans =
      open.length > 1 ? speech : moveCutsIntoPauses(await tools.voices.cut(speech, windows), channel)
    for (const [at, span] of spans.entries()) {
      if (at % clipsPerTurn === 0) await nextTurn()
      clips.push(makeClip(channel, span, windows))
    }
  }
  const nextStartSeconds = open.map((channel, index) => nextStartOf(channel, detected[index]))
  return { clips, nextStartSeconds }
}

/** Channels are looked at together, from the earliest start: a copy is only seen beside its original. */
export async function detectSpeech(
  open: readonly OpenChannel[],
  isLast: boolean,
  tools: { pool: SpeechPool; signal: AbortSignal },
): Promise<DetectedSpeech[]> {
  const start = Math.min(...open.map((channel) => channel.startSample))
  const channels = open.map((channel) => {
    if (channel.startSample === start) return channel.samples
    const aligned = new Float32Array(endSampleOf(channel) - start)
    aligned.set(channel.samples, channel.startSample - start)
    return aligned
  })
  // Copies were made in this turn, and the first of them is written down in the next.
  await nextTurn()
  const detected = await tools.pool.ask({ kind: 'detect', channels, isLast }, tools.signal)
  const shift = start / sampleRate
  return detected.map((found) => ({
    spans: found.spans.map((span) => ({
      startSeconds: span.startSeconds + shift,
      endSeconds: span.endSeconds + shift,
    })),
    openFromSeconds: found.openFromSeconds === null ? null : found.openFromSeconds + shift,
  }))
}

function nextStartOf(channel: OpenChannel, found: DetectedSpeech | undefined): number {
  if (found && found.openFromSeconds !== null) return found.openFromSeconds
  const end = endSampleOf(channel) / sampleRate
  return Math.max(end - leadSeconds, found?.spans.at(-1)?.endSeconds ?? startSecondsOf(channel))
}

function windowsWithin(span: Span, windows: readonly VoiceWindow[]): VoiceWindow[] {
  return windows.filter((window) => {
    const centre = (window.startSeconds + window.endSeconds) / 2
    return centre >= span.startSeconds && centre < span.endSeconds
  })
}

function makeClip(channel: OpenChannel, span: Span, windows: readonly VoiceWindow[]): PreparedClip {
  const samples = samplesBetween(channel, span.startSeconds, span.endSeconds)
  return {
    startSeconds: span.startSeconds,
    endSeconds: span.endSeconds,
    channel: channel.channel,
    samples,
    level: Math.round(10 * Math.log10(meanSquare(samples) + 1e-10)),
    voices: windowsWithin(span, windows).map((window) => packVector(window.vector)),
  }
}
