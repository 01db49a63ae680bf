import { useSignal } from '@preact/signals'

/** What a button started: whether it is still on its way, and what became of it. */
export interface Task {
  isBusy: boolean
  /** Null unless the last run failed. */
  failure: unknown
  run: (work: () => Promise<unknown>) => void
}

export function useTask(): Task {
  const isBusy = useSignal(false)
  const failure = useSignal<unknown>(null)
  const run = (work: () => Promise<unknown>): void => {
    isBusy.value = true
    failure.value = null
    work()
      .catch((error: unknown) => {
        failure.value = error
      })
      .finally(() => {
        isBusy.value = false
      })
  }
  return { isBusy: isBusy.value, failure: failure.value, run }
}
