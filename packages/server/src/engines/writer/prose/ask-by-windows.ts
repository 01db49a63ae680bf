/** So many of the calls that a server or the local model takes at once are one session's: others have notes to write, too. */
const windowsAtOnce = 2

/** One question for each window, a few at once; the answers in their order. The first fault ends the others. */
export async function askByWindows<Window, Answer>(
  windows: readonly Window[],
  ask: (window: Window, signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer[]> {
  const failure = new AbortController()
  const either = AbortSignal.any([signal, failure.signal])
  const answers = new Map<Window, Answer>()
  const waiting = windows.values()
  const askInTurn = async (): Promise<void> => {
    for (const window of waiting) {
      either.throwIfAborted()
      answers.set(window, await ask(window, either))
    }
  }
  const runs = Array.from({ length: windowsAtOnce }, askInTurn)
  try {
    await Promise.all(runs)
    return windows.map((window) => answers.get(window) as Answer)
  } finally {
    failure.abort()
    await Promise.allSettled(runs)
  }
}
