import type { WidgetClinician } from '@casenote/contract'
import { signal, type Signal } from '@preact/signals'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
// oxlint-disable-next-line import/no-unassigned-import -- what follows asks for a page when it is loaded
import '../../page-stand-in.js'
import type { AuthState, RecorderState, WidgetRequests } from '../../../src/frame/engine/engine.js'
import { watchIdleness } from '../../../src/frame/engine/idle-lock.js'
import { SignIn } from '../../../src/frame/engine/sign-in.js'

const clinician = { id: 'ada', idleMinutes: 15 } as WidgetClinician
const minutesMs = 60_000

const watch = (auth: Signal<AuthState>): void =>
  watchIdleness({
    auth,
    recorder: signal<RecorderState>({ state: 'idle' }),
    lock: () => {
      auth.value = { state: 'locked', clinician, isAsked: false }
    },
  })

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('BroadcastChannel', class extends EventTarget {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('locks also where the tokens are gone and nobody hands over new ones', async () => {
  const auth = signal<AuthState>({ state: 'signedIn', clinician })
  watch(auth)
  auth.value = { state: 'authenticationRequired', clinician }
  await vi.advanceTimersByTimeAsync(16 * minutesMs)
  expect(auth.value.state).toBe('locked')
})

it('locks nobody who never signed in', async () => {
  const auth = signal<AuthState>({ state: 'starting' })
  watch(auth)
  auth.value = { state: 'authenticationRequired', clinician: null }
  await vi.advanceTimersByTimeAsync(60 * minutesMs)
  expect(auth.value.state).toBe('authenticationRequired')
})

it('takes a page that authenticates by itself every few minutes for no input', async () => {
  const auth = signal<AuthState>({ state: 'signedIn', clinician })
  watch(auth)
  for (let minutes = 0; minutes < 12; minutes += 4) {
    await vi.advanceTimersByTimeAsync(4 * minutesMs)
    auth.value = { state: 'authenticationRequired', clinician }
    auth.value = { state: 'signedIn', clinician: { ...clinician } }
  }
  await vi.advanceTimersByTimeAsync(4 * minutesMs)
  expect(auth.value.state).toBe('locked')
})

it.each<[string, AuthState]>([
  ['another clinician', { state: 'signedIn', clinician: { ...clinician, id: 'bo' } }],
  ['who asked to open it', { state: 'signedIn', clinician }],
])('begins anew with %s', async (_who, next) => {
  const auth = signal<AuthState>({ state: 'signedIn', clinician })
  watch(auth)
  await vi.advanceTimersByTimeAsync(14 * minutesMs)
  auth.value = { state: 'locked', clinician, isAsked: true }
  auth.value = next
  await vi.advanceTimersByTimeAsync(14 * minutesMs)
  expect(auth.value.state).toBe('signedIn')
})

it('is opened by nobody but who asks, also where it was locked without tokens', async () => {
  const asked: string[] = []
  const signIn = new SignIn({
    api: {
      get: async (path: string) =>
        path.startsWith('/clinician?') ? clinician : { keys: [{ version: 1, key: btoa('k'.repeat(32)) }] },
    } as unknown as WidgetRequests,
    pageOrigin: 'https://page.test',
    onSignedIn: async () => {},
    onAuthenticationRequired: () => asked.push('asked'),
    onRefused: (reason) => asked.push(reason),
  })
  const stateOf = (): string => signIn.auth.value.state
  await signIn.signIn()
  signIn.requireAuthentication()
  signIn.lock()
  expect([stateOf(), asked]).toEqual(['locked', ['asked']])
  await signIn.signIn()
  expect(stateOf()).toBe('locked')
  signIn.unlock()
  await signIn.signIn()
  expect([stateOf(), asked.length]).toEqual(['signedIn', 2])
})
