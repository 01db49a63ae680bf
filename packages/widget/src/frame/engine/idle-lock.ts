import { effect, type ReadonlySignal } from '@preact/signals'
import { clinicianOf, type AuthState, type RecorderState } from './engine.js'

/** Often enough for minutes; by the clock, so that a device that slept is locked when it wakes. */
const lookEveryMs = 5_000

/** Other tabs of the browser are told no more often. */
const tellEveryMs = 5_000

interface Parts {
  auth: ReadonlySignal<AuthState>
  recorder: ReadonlySignal<RecorderState>
  lock: () => void
}

/** By the clock, which goes on while a device sleeps; where somebody sets that back, by the time since the page began. */
const nowMs = (): number => Math.max(Date.now(), performance.timeOrigin + performance.now())

/** Locks after the minutes that the service named without any input, in this tab or another. Not while it records. */
export function watchIdleness({ auth, recorder, lock }: Parts): void {
  let touchedAtMs = nowMs()
  let toldAtMs = 0
  const channel = new BroadcastChannel('casenote-input')
  channel.addEventListener('message', () => {
    touchedAtMs = nowMs()
  })
  const touch = (): void => {
    // What wakes a device that slept comes too late.
    look()
    touchedAtMs = nowMs()
    if (touchedAtMs - toldAtMs < tellEveryMs) return
    toldAtMs = touchedAtMs
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
    channel.postMessage('touched')
  }
  function look(): void {
    if (recorder.value.state === 'recording') touchedAtMs = nowMs()
    const { idleMinutes = Infinity } = clinicianOf(auth.value) ?? {}
    if (nowMs() - touchedAtMs >= idleMinutes * 60_000) lock()
  }
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel']) {
    addEventListener(kind, touch, { capture: true, passive: true })
  }
  document.addEventListener('visibilitychange', look)
  setInterval(look, lookEveryMs)
  let before: AuthState = auth.value
  effect(() => {
    const { value } = auth
    // Whoever signs in is there, or asked to open it. A page hands over new tokens by itself.
    const isThere = before.state === 'locked' || clinicianOf(before)?.id !== clinicianOf(value)?.id
    if (value.state === 'signedIn' && isThere) touchedAtMs = nowMs()
    before = value
  })
}
