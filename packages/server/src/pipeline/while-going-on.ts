import { pause } from '../kernel/pause.js'

/** What is worked on may end while nobody waits for news of it: within this it is noticed. */
const lookEveryMs = 1_000

/**
 * Breaks off what is done about something that has ended, whatever it is waiting for: nothing of it would be kept. That is no failure, and
 * what the breaking off throws is none.
 */
export async function whileGoingOn(
  isGoingOn: () => Promise<boolean>,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
  everyMs = lookEveryMs,
): Promise<void> {
  const ended = new AbortController()
  const finished = new AbortController()
  const either = AbortSignal.any([signal, finished.signal])
  const watch = async (): Promise<void> => {
    for (;;) {
      await pause(everyMs, either)
      if (either.aborted) return
      if (await isGoingOn()) continue
      ended.abort()
      return
    }
  }
  const watching = watch()
  // Thrown below, when the work has ended.
  watching.catch(() => ended.abort())
  try {
    await work(AbortSignal.any([signal, ended.signal]))
  } catch (error) {
    if (signal.aborted || !ended.signal.aborted) throw error
  } finally {
    finished.abort()
  }
  await watching
}
