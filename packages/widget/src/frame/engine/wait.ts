/** Resolves after the time, or as soon as one of the wakers calls, whichever is first. */
export function waitUpTo(timeoutMs: number, onWake?: (wake: () => void) => () => void): Promise<void> {
  return new Promise((resolve) => {
    let forget = (): void => {}
    const end = (): void => {
      clearTimeout(timer)
      forget()
      resolve()
    }
    const timer = setTimeout(end, timeoutMs)
    forget = onWake?.(end) ?? forget
  })
}

/** Half a second, doubled to at most 15 s, each ± half: a service that comes back is not run over. */
export function backOffMs(failures: number): number {
  const baseMs = Math.min(15_000, 500 * 2 ** Math.min(failures, 6))
  return baseMs * (0.5 + Math.random())
}

/** Wakes when the browser says that the network is back. */
export function onOnline(wake: () => void): () => void {
  addEventListener('online', wake)
  return () => removeEventListener('online', wake)
}
