import { sampleRate, type RecognizedClip } from '../speech-engine.js'
import { findQuietestFrame, measureLevels } from '../silero/find-speech.js'
import { frameLength } from '../silero/silero-model.js'
import { endSentences } from './end-sentences.js'
import { isLoop } from './find-loop.js'
import type { Hearing, MoonshineModel } from './moonshine-model.js'

/** Half of less than this holds no word. */
const halvedSecondsMin = 1
/** Chosen, not fitted: no noise or music that was tried gave a word at all, and a made-up session had a mean of 0.88. */
const confidenceMin = 0.45

/** Never keeps a loop: the clip is cut in half and heard again, and what still loops is given up. */
export async function hearClip(
  model: Pick<MoonshineModel, 'hear'>,
  samples: Float32Array,
): Promise<RecognizedClip> {
  const whole = await model.hear(samples)
  if (isSound(whole)) return judge([whole])
  if (samples.length < halvedSecondsMin * sampleRate) return judge([])
  const cut = findMiddleCut(samples)
  const halves = [await model.hear(samples.subarray(0, cut)), await model.hear(samples.subarray(cut))]
  return judge(halves.filter(isSound))
}

const isSound = (hearing: Hearing): boolean => hearing.isEnded && !isLoop(hearing.text)

function judge(hearings: readonly Hearing[]): RecognizedClip {
  const trusted = hearings.filter(
    (hearing) => hearing.text !== '' && confidenceOf([hearing]) >= confidenceMin,
  )
  if (trusted.length === 0) return { text: '', confidence: 0 }
  const text = trusted.map((hearing) => endSentences(hearing.text)).join(' ')
  return { text, confidence: confidenceOf(trusted) }
}

function confidenceOf(hearings: readonly Hearing[]): number {
  const tokens = hearings.reduce((sum, hearing) => sum + hearing.tokenCount, 0)
  const logs = hearings.reduce((sum, hearing) => sum + hearing.tokenCount * hearing.meanLogProbability, 0)
  return tokens === 0 ? 0 : Math.exp(logs / tokens)
}

function findMiddleCut(samples: Float32Array): number {
  const levels = measureLevels(samples)
  const third = Math.floor(levels.length / 3)
  return findQuietestFrame(levels, third, levels.length - third) * frameLength
}
