import { Type } from 'typebox'
import { ModelHost, ProcessEnded, type LocalEvent } from './model-host.js'
import type { ModelSettings, ProcessFacts } from './model-messages.js'
import type { Measured } from './model-store.js'
import { schemaToGrammar } from './schema-to-grammar.js'
import { setVariantAside } from './set-variant-aside.js'

export interface Proof {
  facts: ProcessFacts
  measured: Measured
  /** Libraries of the runtime that ended the process, and are not used again. */
  setAside: readonly string[]
}

/** The runtime for linux x64 comes with fourteen variants of its library for the processor. */
const variantsMax = 16

const crashes = new Set<NodeJS.Signals>(['SIGILL', 'SIGSEGV', 'SIGFPE'])

/** A note of the length of a batch and more: the instructions that some machines refuse are only used for those. */
export const longText = [
  'The clinician asked how the week had been, and the client said that it had been quieter than the one before.',
  'They spoke about sleep, about walking in the evening, and about a letter that had come from the insurance.',
  'The client had tried the breathing exercise on four days, and found it easier in the morning than at night.',
  'They agreed to keep the exercise, to write down the hours of sleep, and to meet again in two weeks.',
  'The client asked whether the appointment could be later in the day, and the clinician offered four o’clock.',
]
  .join(' ')
  .repeat(6)

const grammar = (least: number): string =>
  schemaToGrammar(Type.Object({ text: Type.String({ minLength: least, maxLength: 400 }) }))

/**
 * A short and a long generation in a process of its own. A variant of the runtime that ends it is set aside, and the next
 * one is tried. Throws the EngineFault of a model that cannot be used.
 */
export async function proveModel(
  settings: ModelSettings,
  options: { signal?: AbortSignal; onVariantSetAside?: (variant: string) => void } = {},
): Promise<Proof> {
  const signal = options.signal ?? new AbortController().signal
  const setAside: string[] = []
  for (;;) {
    try {
      return { ...(await tryModel(settings, signal)), setAside }
    } catch (error) {
      const variant = error instanceof ProcessEnded ? findCulprit(error) : null
      const maySetAside = variant !== null && setAside.length < variantsMax
      if (!maySetAside || !(await setVariantAside(settings.runtimeFolder, variant))) throw error
      setAside.push(variant)
      options.onVariantSetAside?.(variant)
    }
  }
}

const findCulprit = ({ signal, variants }: ProcessEnded): string | null =>
  signal !== null && crashes.has(signal)
    ? (variants.find((variant) => variant.includes('ggml-cpu')) ?? null)
    : null

async function tryModel(settings: ModelSettings, signal: AbortSignal): Promise<Omit<Proof, 'setAside'>> {
  const host = new ModelHost(settings)
  try {
    const system = 'You answer with JSON.'
    // The first one also brings the weights into memory, which the figures must not count.
    await run(host, { system, user: 'Say hello.', grammar: grammar(1), outputTokensMax: 16 }, signal)
    const user = `Repeat in your own words:\n${longText}`
    const { figures, facts } = await run(
      host,
      { system, user, grammar: grammar(120), outputTokensMax: 48 },
      signal,
    )
    const readTokens = figures.promptTokens - figures.reusedTokens
    return {
      facts,
      measured: {
        readTokensPerSecond: (readTokens / figures.readMs) * 1_000,
        writeTokensPerSecond: (figures.outputTokens / figures.writeMs) * 1_000,
      },
    }
  } finally {
    await host.close()
  }
}

async function run(
  host: ModelHost,
  task: Parameters<ModelHost['generate']>[0],
  signal: AbortSignal,
): Promise<Extract<LocalEvent, { kind: 'end' }>> {
  for await (const event of host.generate(task, signal)) if (event.kind === 'end') return event
  throw new Error('a generation has an end')
}
