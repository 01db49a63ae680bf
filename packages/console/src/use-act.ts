import { useState } from 'preact/hooks'
import type { Answered } from './call-service.js'

export interface Act {
  isBusy: boolean
  /** Why it did not go, in words. */
  problem: string | null
  /** Null: it did not go. */
  run<Value>(
    call: () => Promise<Answered<Value>>,
    words?: { signedOut: string },
  ): Promise<{ value: Value } | null>
  say(problem: string | null): void
}

/** Something that a person does: once at a time, with its trouble told where it was asked for. */
export function useAct(): Act {
  const [isBusy, setBusy] = useState(false)
  const [problem, say] = useState<string | null>(null)
  return {
    isBusy,
    problem,
    say,
    run: async (call, words) => {
      if (isBusy) return null
      setBusy(true)
      say(null)
      const answered = await call()
      setBusy(false)
      if (answered.is === 'ok') return { value: answered.value }
      if (answered.is === 'away') say('The service did not answer. Try again.')
      else if (answered.is !== 'same')
        say((answered.is === 'signedOut' && words?.signedOut) || answered.message)
      return null
    },
  }
}
