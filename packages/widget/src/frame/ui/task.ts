import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { EngineError } from '../engine/engine.js'
import { useUi, type LateClient } from './ui-context.js'

/** What a button started: whether it is still on its way, and what became of it. */
export interface Task {
  isBusy: boolean
  /** Null unless the last run failed. */
  failure: unknown
  /** `of`: whose screen leads on, where it was left before the work failed. */
  run: (work: () => Promise<unknown>, of?: LateClient) => void
}

export function useTask(): Task {
  const isBusy = useSignal(false)
  const failure = useSignal<unknown>(null)
  const { late, getClinician } = useUi()
  const isLeft = useRef(false)
  useEffect(
    () => () => {
      isLeft.current = true
    },
    [],
  )
  const run = (work: () => Promise<unknown>, of?: LateClient): void => {
    isBusy.value = true
    failure.value = null
    const clinicianId = getClinician()?.id
    work()
      .catch((error: unknown) => {
        failure.value = error
        // Who has signed out has ended it themselves.
        const isSignedOut = error instanceof EngineError && error.status === 401
        if (isLeft.current && clinicianId !== undefined && !isSignedOut)
          late.value = { clinicianId, error, of }
      })
      .finally(() => {
        isBusy.value = false
      })
  }
  return { isBusy: isBusy.value, failure: failure.value, run }
}
