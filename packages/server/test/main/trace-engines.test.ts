import { describe, expect, it } from 'vitest'
import { traceReader, traceSpeech, traceWriter } from '../../src/main/telemetry/trace-engines.js'

/** An engine whose every act gives back what it was called with. */
const makeEcho = (acts: readonly string[]) => ({
  name: 'openai',
  model: 'm',
  version: 'v',
  versions: {},
  ...Object.fromEntries(acts.map((act) => [act, async (...given: unknown[]) => given])),
})

type Trace = (engine: unknown) => Record<string, (...given: unknown[]) => Promise<unknown>>

const request = { transcript: [], goals: [], sections: [] }
const { signal } = new AbortController()

describe('an engine whose calls are traced', () => {
  it.each([
    ['speech', traceSpeech, ['recognize', 'close'], [[], signal, () => {}, 'tenant']],
    ['reader', traceReader, ['read', 'close'], [[], signal, 'tenant']],
    ['writer', traceWriter, ['editNote', 'deriveMdm', 'summarize', 'linkGoals', 'close'], [request, signal]],
  ] as const)(
    '%s: has all acts of the one within, and hands on all that it is given',
    async (_, trace, acts, given) => {
      const traced = (trace as unknown as Trace)(makeEcho(acts))
      for (const act of acts.filter((one) => one !== 'close')) {
        const handedOn = (await traced[act]?.(...given)) as unknown[]
        expect([act, ...handedOn]).toEqual([act, ...given])
      }
      expect(traced).toHaveProperty('close')
    },
  )

  it('links no goals where the one within cannot', () => {
    expect(traceWriter(makeEcho(['close']) as never)).not.toHaveProperty('linkGoals')
  })
})
