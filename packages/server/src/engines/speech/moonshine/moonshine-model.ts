import llamaTokenizer from 'llama-tokenizer-js'
import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { sampleRate } from '../speech-engine.js'
import type { MoonshineFiles } from '../model-files.js'
import { openOnnxSession } from '../../onnx-session.js'

/** What the decoder said about a clip. */
export interface Hearing {
  text: string
  tokenCount: number
  /** Mean natural logarithm of the chosen tokens' probabilities. */
  meanLogProbability: number
  /** False: the decoder ran into its limit without the end token, as every loop that was seen does. */
  isEnded: boolean
}

export interface MoonshineModel {
  hear(samples: Float32Array): Promise<Hearing>
  close(): Promise<void>
}

// The shape of the base model (config.json of its publisher).
const layerCount = 8
const headCount = 8
const headSize = 52
const startToken = 1
const endToken = 2
/** The publisher's bound for English; fast talkers stay under it. */
const tokensPerSecondMax = 6.5
/** A clip of half a second can still be "Yes, I did." */
const tokensExtra = 4

export async function openMoonshine(files: MoonshineFiles, threads: number): Promise<MoonshineModel> {
  const encoder = await openOnnxSession(files.encoder, { threads, isArena: false })
  const decoder = await openOnnxSession(files.decoder, { threads, isArena: true })
  return {
    async hear(samples) {
      const encoded = await encode(encoder, samples)
      const tokenLimit = Math.floor((samples.length / sampleRate) * tokensPerSecondMax) + tokensExtra
      return await decode(decoder, encoded, tokenLimit)
    },
    async close() {
      await encoder.release()
      await decoder.release()
    },
  }
}

async function encode(encoder: InferenceSession, samples: Float32Array): Promise<Tensor> {
  const input = new Tensor('float32', samples, [1, samples.length])
  const { last_hidden_state: encoded } = await encoder.run({ input_values: input })
  if (!encoded) throw new Error('The encoder gave no state')
  return encoded
}

async function decode(decoder: InferenceSession, encoded: Tensor, tokenLimit: number): Promise<Hearing> {
  const feeds: Record<string, Tensor> = { encoder_hidden_states: encoded, ...emptyCache() }
  const tokens: number[] = []
  let logProbabilities = 0
  let last = startToken
  while (tokens.length < tokenLimit) {
    const isFirst = tokens.length === 0
    feeds['input_ids'] = new Tensor('int64', [BigInt(last)], [1, 1])
    feeds['use_cache_branch'] = new Tensor('bool', [!isFirst])
    const results = await decoder.run(feeds, isFirst ? everyOutput : laterOutputs)
    const choice = chooseToken((results['logits'] as Tensor).data as Float32Array)
    logProbabilities += choice.logProbability
    tokens.push(choice.token)
    last = choice.token
    if (last === endToken) break
    for (const name of isFirst ? cacheNames : decoderCacheNames) {
      feeds[`past_key_values.${name}`] = results[`present.${name}`] as Tensor
    }
  }
  const isEnded = last === endToken
  const text = llamaTokenizer.decode(isEnded ? tokens.slice(0, -1) : tokens, false, true)
  const tokenCount = tokens.length
  return { text: text.trim(), tokenCount, meanLogProbability: logProbabilities / tokenCount, isEnded }
}

const layers = Array.from({ length: layerCount }, (_, layer) => layer)
const decoderCacheNames = layers.flatMap((layer) => [`${layer}.decoder.key`, `${layer}.decoder.value`])
const encoderCacheNames = layers.flatMap((layer) => [`${layer}.encoder.key`, `${layer}.encoder.value`])
const cacheNames = [...decoderCacheNames, ...encoderCacheNames]
const everyOutput = ['logits', ...cacheNames.map((name) => `present.${name}`)]
/** The encoder's half of the cache is complete after the first step, and the later steps give back an empty one. */
const laterOutputs = ['logits', ...decoderCacheNames.map((name) => `present.${name}`)]

function emptyCache(): Record<string, Tensor> {
  const empty = () => new Tensor('float32', new Float32Array(0), [0, headCount, 1, headSize])
  return Object.fromEntries(cacheNames.map((name) => [`past_key_values.${name}`, empty()]))
}

function chooseToken(logits: Float32Array): { token: number; logProbability: number } {
  let token = 0
  let best = -Infinity
  for (let index = 0; index < logits.length; index += 1) {
    const logit = logits[index] ?? -Infinity
    if (logit > best) {
      best = logit
      token = index
    }
  }
  let sum = 0
  for (const logit of logits) sum += Math.exp(logit - best)
  return { token, logProbability: -Math.log(sum) }
}
