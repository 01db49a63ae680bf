import { pause } from '../../../kernel/pause.js'
import { refuseWithdrawn } from '../../consents/index.js'

/** A body may come slowly: a recording must end within 5 s of a withdrawal. */
const lookEveryMs = 2_000

/** Cuts off what is received once the consent does not hold any more: what was not acknowledged by then is not taken. */
export async function whileConsented<Result>(
  holds: () => Promise<boolean>,
  cutOff: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const withdrawn = new AbortController()
  const finished = new AbortController()
  const watch = async (): Promise<void> => {
    for (;;) {
      await pause(lookEveryMs, finished.signal)
      if (finished.signal.aborted) return
      if (await holds()) continue
      withdrawn.abort(refuseWithdrawn())
      return
    }
  }
  // A look that fails says nothing: each part asks again where it is kept.
  const watching = watch().catch(() => {})
  try {
    return await work(AbortSignal.any([cutOff, withdrawn.signal]))
  } finally {
    finished.abort()
    await watching
  }
}
