import type { Measured } from '../../engines/models/local/model-store.js'
import type { Proof } from '../../engines/models/local/prove-model.js'
import type { FoundServer } from '../../engines/models/openai/find-servers.js'
import { reckonMinutes } from '../../engines/models/reckon-minutes.js'

export function describeMeasured(measured: Measured): string {
  const { readTokensPerSecond: read, writeTokensPerSecond: write } = measured
  return `${formatRate(read)} tokens/s read, ${formatRate(write)} written: at least ${formatMinutes(measured)} for a session of 50`
}

export function formatMinutes(measured: Measured): string {
  const minutes = reckonMinutes(measured)
  return minutes < 1 ? 'a minute' : `${Math.ceil(minutes)} minutes`
}

const formatRate = (rate: number): string => (rate < 10 ? rate.toFixed(1) : String(Math.round(rate)))

/** Enough to choose from on a screen. */
const modelsShownMax = 10

export const describeServers = (servers: readonly FoundServer[]): string[] =>
  servers.flatMap(({ name, url, models }) => [
    `${url} (the usual place of ${name})`,
    ...models.slice(0, modelsShownMax).map((model) => `  casenote model use ${url} --model ${model}`),
    ...(models.length === 0 ? ['  has no model yet'] : []),
    ...(models.length > modelsShownMax ? [`  and ${models.length - modelsShownMax} more`] : []),
  ])

export const describeProof = ({ facts, measured }: Proof): string[] => [
  `It works with ${facts.variants.join(', ') || 'the runtime'}, GPU: ${facts.gpu}; ${describeMeasured(measured)}`,
]
