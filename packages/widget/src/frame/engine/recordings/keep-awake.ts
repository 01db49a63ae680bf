/** Keeps the screen on: a phone that locks itself stops the microphone. Gives what lets it sleep again. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null
  let isEnded = false
  const take = async (): Promise<void> => {
    if (isEnded || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
    try {
      lock = await navigator.wakeLock.request('screen')
      if (isEnded) await lock.release()
    } catch {
      // Low battery, or the page's policy: the recording goes on while the screen stays on by itself.
    }
  }
  // The browser lets go of it whenever the tab is hidden.
  const onVisible = (): void => void take()
  document.addEventListener('visibilitychange', onVisible)
  void take()
  return () => {
    isEnded = true
    document.removeEventListener('visibilitychange', onVisible)
    void lock?.release()
  }
}
