import type { RecordingKeys, WidgetClinician } from '@casenote/contract'
import { signal, type ReadonlySignal } from '@preact/signals'
import { engineTexts } from '../texts/texts.js'
import { clinicianOf, type AuthState, type WidgetRequests } from './engine.js'
import { toEngineError } from './to-engine-error.js'
import { openVault, type Vault } from './recordings/vault.js'

interface Parts {
  api: WidgetRequests
  pageOrigin: string
  /** Another clinician than before, or the first one; earlier work is put away. */
  onSignedIn(vault: Vault, isSameClinician: boolean): Promise<void>
  onAuthenticationRequired(): void
  onRefused(reason: string): void
}

/** Who the widget acts for. Tokens are handed over by then; here they are put to use. */
export class SignIn {
  readonly #parts: Parts
  readonly #state = signal<AuthState>({ state: 'starting' })
  readonly auth: ReadonlySignal<AuthState> = this.#state
  /** Rises with each call of the page: an answer for an earlier one is nobody's. */
  #serial = 0
  #clinician: WidgetClinician | null = null
  #startsLocked = false
  #waiting: (() => void)[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** `startsLocked`: it was locked when the frame that knew of it went. */
  async signIn(startsLocked = false): Promise<void> {
    const serial = ++this.#serial
    this.#startsLocked = startsLocked
    if (this.#clinician === null) this.#state.value = { state: 'starting' }
    try {
      // A page may hand over tokens by itself: that does not say that anybody is there, also if somebody asks meanwhile.
      const before = this.#state.value
      const wasAsked = before.state === 'locked' && before.isAsked
      const clinician = await this.#readClinician()
      const keys = await this.#parts.api.get<RecordingKeys>('/clinician/recording-keys')
      const vault = await openVault(clinician.id, keys)
      if (serial === this.#serial) await this.#enter(clinician, vault, wasAsked, serial)
    } catch (error) {
      if (serial === this.#serial) this.#fail(error)
    }
  }

  #readClinician(): Promise<WidgetClinician> {
    const { api, pageOrigin } = this.#parts
    return api.get<WidgetClinician>(`/clinician?${new URLSearchParams({ origin: pageOrigin })}`)
  }

  async renewClinician(): Promise<void> {
    const serial = this.#serial
    const clinician = await this.#readClinician()
    const { value } = this.#state
    if (serial !== this.#serial || value.state !== 'signedIn' || value.clinician.id !== clinician.id) return
    this.#clinician = clinician
    this.#state.value = { state: 'signedIn', clinician }
  }

  async #enter(clinician: WidgetClinician, vault: Vault, wasAsked: boolean, serial: number): Promise<void> {
    const isSameClinician = this.#clinician?.id === clinician.id
    this.#clinician = clinician
    await this.#parts.onSignedIn(vault, isSameClinician)
    if (serial !== this.#serial) return
    const before = this.#state.value
    if (before.state === 'locked' && !wasAsked && isSameClinician)
      this.#state.value = { ...before, clinician }
    else if (this.#startsLocked) this.#state.value = { state: 'locked', clinician, isAsked: false }
    else this.#state.value = { state: 'signedIn', clinician }
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #fail(error: unknown): void {
    const { status, message } = toEngineError(error)
    if (status === 401) return this.requireAuthentication()
    // Without an answer nothing goes on by itself here.
    if (status === 0) return this.refuse(engineTexts.failed, true)
    this.refuse(status === 403 ? engineTexts.originRefused : message, status === 429 || status >= 500)
  }

  retry(): void {
    const { value } = this.#state
    if (value.state === 'refused' && value.canRetry) void this.signIn(this.#startsLocked)
  }

  /** The tokens are gone; what runs goes on as far as it can. */
  requireAuthentication(): void {
    if (this.#state.value.state === 'signedOut' || this.#state.value.state === 'authenticationRequired')
      return
    this.#serial += 1
    if (this.#state.value.state === 'locked') return this.#parts.onAuthenticationRequired()
    this.#state.value = { state: 'authenticationRequired', clinician: this.#clinician }
    this.#parts.onAuthenticationRequired()
  }

  /** What runs, and what is on its way, goes on behind the cover. Also where the tokens are gone: the screens are still there. */
  lock(): void {
    const { value } = this.#state
    const clinician = clinicianOf(value)
    if (clinician !== null && value.state !== 'locked')
      this.#state.value = { state: 'locked', clinician, isAsked: false }
  }

  unlock(): void {
    const { value } = this.#state
    if (value.state !== 'locked') return
    this.#state.value = { ...value, isAsked: true }
    this.#parts.onAuthenticationRequired()
  }

  refuse(reason: string, canRetry = false): void {
    this.#state.value = { state: 'refused', reason, canRetry }
    this.#parts.onRefused(reason)
  }

  /** The page had its chance to authenticate at once: nobody is signed in. */
  settle(): void {
    if (this.#serial === 0 && this.#state.value.state === 'starting') this.signOut()
  }

  signOut(): void {
    this.#serial += 1
    this.#clinician = null
    this.#state.value = { state: 'signedOut' }
  }

  whenSignedIn(): Promise<void> {
    const { state } = this.#state.value
    // Behind the cover what is on its way goes on.
    if (state === 'signedIn' || state === 'locked') return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
