import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { EngineFault } from '../../engine-fault.js'
import type { LanguageModel } from '../language-model.js'
import type { Measured } from '../local/model-store.js'
import { longText } from '../local/prove-model.js'

/** Tokenizers differ; English has 4.3 to 4.7 bytes a token. */
const bytesPerToken = 4.5

/** Short of it, a single piece would be the whole measure. */
const textLengthMin = 200

/** What a server does, network and its own queue included. Nothing of a session is sent. */
export async function measureServer(model: LanguageModel, signal: AbortSignal): Promise<Measured> {
  // A text that no server has read before: many keep what they have read.
  const user = `${randomUUID()}\nRepeat in your own words, in about 80 words:\n${longText}`
  const task = {
    name: 'measure',
    system: 'You answer with JSON.',
    user,
    schema: Type.Object({ text: Type.String() }, { additionalProperties: false }),
    outputTokensMax: 2_000,
  }
  const startedAt = performance.now()
  let firstAt: number | null = null
  let text = ''
  for await (const event of model.stream(task, signal)) {
    if (event.kind === 'end') break
    firstAt ??= performance.now()
    text += event.text
    if (text.length > 4 * textLengthMin) break
  }
  const endedAt = performance.now()
  if (firstAt === null) throw new EngineFault('malformed', 'the model wrote nothing')
  const readSeconds = Math.max((firstAt - startedAt) / 1_000, 0.001)
  // From a server that does not stream everything comes at once: then writing took the whole time.
  const isStreamed = endedAt - firstAt > 5 && text.length >= textLengthMin
  const writeSeconds = isStreamed ? (endedAt - firstAt) / 1_000 : readSeconds
  return {
    readTokensPerSecond: user.length / bytesPerToken / readSeconds,
    writeTokensPerSecond: Math.max(text.length / bytesPerToken / Math.max(writeSeconds, 0.001), 0.01),
  }
}
