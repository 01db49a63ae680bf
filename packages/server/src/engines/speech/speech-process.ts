// A process of its own, so that the models never delay the API, run with a low priority, and can be killed.
import { setPriority } from 'node:os'
import { EngineFault } from '../engine-fault.js'
import { findMoonshineFiles, findOwnModel } from './model-files.js'
import { hearClip } from './moonshine/hear-clip.js'
import { openMoonshine, type MoonshineModel } from './moonshine/moonshine-model.js'
import { findBleed } from './silero/find-bleed.js'
import { findSpeech, measureLevels, type FoundSpeech } from './silero/find-speech.js'
import { frameLength, openSilero, type SileroModel } from './silero/silero-model.js'
import { sampleRate, type RecognizedClip } from './speech-engine.js'
import { readyMessage, type DetectedSpeech, type SpeechMessage, type SpeechReply } from './speech-messages.js'

const threads = Number(process.argv[2] ?? 1)
let silero: Promise<SileroModel> | null = null
let moonshine: Promise<MoonshineModel> | null = null

/** Sound for the question that comes next, channel by channel. */
const sentChannels: Float32Array[] = []

async function answer(message: Exclude<SpeechMessage, { kind: 'channel' }>): Promise<SpeechReply> {
  const found =
    message.kind === 'detect'
      ? await detect(sentChannels.splice(0), message.isLast)
      : await hear(message.samples)
  // The models' tensors lie outside of the heap, where the collector does not see them pile up. All processes together
  // peaked at 1021 MB without this (one run) and at 958 and 962 MB with it; over ten short clips there was no difference.
  globalThis.gc?.()
  return { answer: found }
}

async function hear(samples: Float32Array): Promise<RecognizedClip> {
  moonshine ??= openMoonshine(findMoonshineFiles(), threads)
  return hearClip(await moonshine, samples)
}

async function detect(channels: readonly Float32Array[], isLast: boolean): Promise<DetectedSpeech[]> {
  silero ??= openSilero(findOwnModel('silero-sequence'))
  const model = await silero
  const found: DetectedSpeech[] = []
  for (const [index, samples] of channels.entries()) {
    const scores = await model.score(samples)
    const bleed = findBleed(
      samples,
      channels.filter((_, other) => other !== index),
    )
    const ownScores = scores.map((score, frame) => (bleed[frame] === 1 ? 0 : score))
    found.push(toSeconds(findSpeech(ownScores, measureLevels(samples), isLast), samples.length))
  }
  return found
}

function toSeconds(found: FoundSpeech, sampleCount: number): DetectedSpeech {
  const seconds = (frame: number) => Math.min(frame * frameLength, sampleCount) / sampleRate
  const spans = found.spans.map((span) => ({
    startSeconds: seconds(span.start),
    endSeconds: seconds(span.end),
  }))
  return { spans, openFromSeconds: found.openFrom === null ? null : seconds(found.openFrom) }
}

function lowerPriority(): void {
  try {
    setPriority(10)
  } catch {
    // A container may forbid it; then the API shares the cores evenly.
  }
}

/** It is logged. Other messages than ours stay here: one of a model or a parser may quote what was said. */
function nameError(error: unknown): string {
  if (error instanceof EngineFault) return error.message
  if (!(error instanceof Error)) return typeof error
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Z_0-9]{1,40}$/.test(code) ? `${error.name} ${code}` : error.name
}

async function reply(message: Parameters<typeof answer>[0]): Promise<void> {
  try {
    process.send?.(await answer(message))
  } catch (error) {
    process.send?.({ error: nameError(error) } satisfies SpeechReply)
  }
}

lowerPriority()
// Nobody is left to answer to.
process.on('disconnect', () => process.exit(0))
process.on('message', (message: SpeechMessage) => {
  if (message.kind === 'channel') sentChannels.push(message.samples)
  else void reply(message)
})
process.send?.(readyMessage)
