import { effect, type ReadonlySignal } from '@preact/signals'
import type { AuthState, RecorderState } from './engine.js'

/** Often enough for minutes; by the clock, so that a device that slept is locked when it wakes. */
const lookEveryMs = 5_000

/** Other tabs of the browser are told no more often. */
const tellEveryMs = 5_000

interface Parts {
  auth: ReadonlySignal<AuthState>
  recorder: ReadonlySignal<RecorderState>
  lock: () => void
}

/** Locks after the minutes that the service named without any input, in this tab or another. Not while it records. */
export function watchIdleness({ auth, recorder, lock }: Parts): void {
  let touchedAtMs = Date.now()
  let toldAtMs = 0
  const channel = new BroadcastChannel('casenote-input')
  channel.addEventListener('message', () => {
    touchedAtMs = Date.now()
  })
  const touch = (): void => {
    // What wakes a device that slept comes too late.
    look()
    touchedAtMs = Date.now()
    if (touchedAtMs - toldAtMs < tellEveryMs) return
    toldAtMs = touchedAtMs
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
    channel.postMessage('touched')
  }
  function look(): void {
    if (recorder.value.state === 'recording') touchedAtMs = Date.now()
    const { value } = auth
    if (value.state !== 'signedIn') return
    if (Date.now() - touchedAtMs >= value.clinician.idleMinutes * 60_000) lock()
  }
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel']) {
    addEventListener(kind, touch, { capture: true, passive: true })
  }
  document.addEventListener('visibilitychange', look)
  setInterval(look, lookEveryMs)
  // Whoever signs in is there.
  effect(() => {
    if (auth.value.state === 'signedIn') touchedAtMs = Date.now()
  })
}
