import { useSignal, type ReadonlySignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { EngineError } from '../engine/engine.js'
import type { Texts } from '../texts/texts.js'

export type Loaded<Value> =
  { state: 'loading' } | { state: 'loaded'; value: Value } | { state: 'failed'; error: unknown }

export interface Load<Value> {
  result: ReadonlySignal<Loaded<Value>>
  again: () => void
  /** Reads again behind what is shown, which stays where that fails. */
  renew: () => Promise<void>
}

/** Loads on mounting and whenever `keys` change; an answer that comes after the next question is dropped. */
export function useLoad<Value>(load: () => Promise<Value>, keys: readonly unknown[]): Load<Value> {
  const result = useSignal<Loaded<Value>>({ state: 'loading' })
  const round = useSignal(0)
  // Who renews later asks as the screen asks by then.
  const latest = useRef(load)
  latest.current = load
  const loads = useRef(0)
  useEffect(() => {
    let isCurrent = true
    loads.current += 1
    result.value = { state: 'loading' }
    attempt(
      async () => {
        const value = await load()
        if (isCurrent) result.value = { state: 'loaded', value }
      },
      (error) => {
        if (isCurrent) result.value = { state: 'failed', error }
      },
    )
    return () => {
      isCurrent = false
    }
  }, [...keys, round.value])
  return {
    result,
    again: () => {
      round.value += 1
    },
    renew: async () => {
      const asked = loads.current
      try {
        const value = await latest.current()
        if (asked === loads.current && result.peek().state === 'loaded')
          result.value = { state: 'loaded', value }
      } catch {
        // What is shown stays.
      }
    },
  }
}

/** What a screen shows of a failure. Only an `EngineError` speaks to clinicians. */
export function explain(error: unknown, texts: Texts): string {
  if (!(error instanceof EngineError)) return texts.general.failed
  if (error.message !== '') return error.message
  return error.status === 0 ? texts.general.noAnswer : texts.general.failed
}

/** For event handlers: runs, and shows what failed. */
export function attempt(work: () => Promise<unknown>, onFailure: (error: unknown) => void): void {
  work().catch(onFailure)
}

/** One look at a time: one without an answer goes on until there is one, and who asks meanwhile gets one more after it. */
export function makeLook(look: () => Promise<unknown>): () => void {
  let isLooking = false
  let isAsked = false
  const run = (): void => {
    isAsked = isLooking
    if (isLooking) return
    isLooking = true
    look()
      .catch(() => {})
      .finally(() => {
        isLooking = false
        if (isAsked) run()
      })
  }
  return run
}
