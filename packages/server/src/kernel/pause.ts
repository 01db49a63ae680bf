/** Waits, or returns at once when `until` aborts: what waits must not delay a process that stops. */
export function pause(ms: number, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms)
    function finish(): void {
      clearTimeout(timer)
      until.removeEventListener('abort', finish)
      resolve()
    }
    until.addEventListener('abort', finish)
    if (until.aborted) finish()
  })
}
