import { randomBytes } from 'node:crypto'
import { homeLanguage } from '@casenote/contract'
import { EngineFault } from '../engine-fault.js'
import { OpenAiClient, type CallBody, type CallLimits } from '../openai-protocol/openai-client.js'
import { RejectedRequest } from '../openai-protocol/read-failure.js'
import { encodeWav } from './encode-wav.js'
import { readTranscription } from './read-transcription.js'
import { sampleRate, type AudioClip, type RecognizedClip, type SpeechEngine } from './speech-engine.js'

export interface OpenAiSpeechSettings {
  url: string
  model: string
  apiKey: string | null
  /** That its operator says it knows, beside English. */
  languages?: readonly string[]
}

const usualLimits = {
  // 14 s of sound; on two cores Whisper base takes twice as long as the sound, and others may be before it.
  timeoutMs: 120_000,
  // One GPU is full with two; more would only wait there instead of here.
  concurrencyMax: 2,
} as const

type AnswerFormat = 'verbose_json' | 'json'

/** Any server with `/v1/audio/transcriptions`. */
export function makeOpenAiSpeechEngine(
  settings: OpenAiSpeechSettings,
  limits: Partial<CallLimits> = {},
): SpeechEngine {
  const { concurrencyMax, ...others } = { ...usualLimits, ...limits }
  const server = { name: 'speech server', url: settings.url, apiKey: settings.apiKey }
  const client = new OpenAiClient(server, { concurrencyMax, ...others })
  let format: AnswerFormat = 'verbose_json'

  const ask = async (
    clip: SpokenClip,
    wanted: AnswerFormat,
    signal: AbortSignal,
    owner?: string,
  ): Promise<unknown> => {
    const makeBody = () => encodeForm(settings.model, wanted, clip)
    try {
      const answer = await client.post('/audio/transcriptions', makeBody, signal, owner)
      format = wanted
      return answer
    } catch (error) {
      if (wanted === 'json' || !mayBeFormat(error)) throw error
      return ask(clip, 'json', signal, owner)
    }
  }
  const recognizeOne = async (
    clip: SpokenClip,
    signal: AbortSignal,
    owner?: string,
  ): Promise<RecognizedClip> => {
    if (clip.samples.length === 0) return { text: '', confidence: 0 }
    const answer = await ask(clip, format, signal, owner)
    const recognized = readTranscription(answer, clip.samples.length / sampleRate)
    if (recognized !== null) return recognized
    throw new EngineFault('malformed', 'the speech server answered with no transcription')
  }
  const hear = (language: string): Pick<SpeechEngine, 'name' | 'model' | 'recognize' | 'close'> => ({
    name: 'openai',
    model: settings.model,
    recognize: (clips, signal, onHeard, owner) =>
      recognizeAll(clips, concurrencyMax, signal, async (clip, either) => {
        const { samples } = clip
        const recognized = await recognizeOne({ samples, language }, either, owner)
        onHeard?.(clip)
        return recognized
      }),
    close: () => client.close(),
  })
  return {
    ...hear(homeLanguage),
    forLanguage: (language) => (settings.languages?.includes(language) === true ? hear(language) : null),
  }
}

interface SpokenClip extends Pick<AudioClip, 'samples'> {
  language: string
}

/** OpenAI's gpt-4o models and older servers have no verbose answer; the latter do not say in a field what they miss. */
const mayBeFormat = (error: unknown): boolean =>
  error instanceof RejectedRequest &&
  [400, 422].includes(error.status) &&
  (error.param === 'response_format' || (error.param === null && error.code === null))

/** Lanes, not one promise for each clip: three hours have thousands. The first failure ends all lanes. */
async function recognizeAll(
  clips: readonly AudioClip[],
  laneCount: number,
  signal: AbortSignal,
  recognizeOne: (clip: AudioClip, signal: AbortSignal) => Promise<RecognizedClip>,
): Promise<RecognizedClip[]> {
  signal.throwIfAborted()
  const failure = new AbortController()
  const either = AbortSignal.any([signal, failure.signal])
  const results: RecognizedClip[] = []
  const next = clips.entries()
  const runLane = async (): Promise<void> => {
    for (const [index, clip] of next) results[index] = await recognizeOne(clip, either)
  }
  const lanes = Array.from({ length: Math.min(laneCount, clips.length) }, runLane)
  try {
    await Promise.all(lanes)
    return results
  } finally {
    failure.abort()
    await Promise.allSettled(lanes)
  }
}

/** multipart/form-data by hand, so that its length is known: servers exist that refuse a form sent in chunks. */
function encodeForm(model: string, format: AnswerFormat, { samples, language }: SpokenClip): CallBody {
  const boundary = `casenote-${randomBytes(16).toString('hex')}`
  const fields = { model, response_format: format, language, temperature: '0' }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `${parts.join('')}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="clip.wav"\r\ncontent-type: audio/wav\r\n\r\n`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([
      Buffer.from(head),
      encodeWav(samples, sampleRate),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  }
}
