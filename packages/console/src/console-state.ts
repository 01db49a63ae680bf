import { computed, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ConsoleLinkOpened, ConsoleMe } from '@casenote/contract'
import { callService, type Answered } from './call-service.js'
import { readEnrolment, rememberEnrolment, takeLinkToken } from './enrolment-memory.js'
import { OPERATOR_SCREENS, OWN_SCREENS, readPlace, toHash, type Place, type Screen } from './place.js'

export type Gate =
  | { is: 'loading' }
  | { is: 'closed' }
  | { is: 'signIn'; message: string | null }
  | { is: 'enrol'; userName: string }
  | { is: 'badLink'; message: string }
  | { is: 'trouble'; message: string }
  | { is: 'in'; me: ConsoleMe }

interface Given {
  body?: unknown
  etag?: string | null
}

/** As long as the service lets a console rest. What the screens ask by themselves is no sign of a person. */
const restMs = 30 * 60_000

/** Who is there and where they are. */
export class Console {
  readonly gate = signal<Gate>({ is: 'loading' })
  readonly place = signal<Place>(readPlace(location.hash))
  /** When the service last answered, and whether it does now. */
  readonly heardAt = signal<Date | null>(null)
  readonly isAway = signal(false)
  readonly isHelpOpen = signal(false)
  readonly me = computed(() => (this.gate.value.is === 'in' ? this.gate.value.me : null))
  /** Why signing out failed: whoever wanted to go must know that they are still signed in. */
  readonly stillIn = signal<string | null>(null)
  /** Somebody is asked to show once more that it is them; told whether they did. */
  readonly confirming = signal<((isConfirmed: boolean) => void) | null>(null)
  /** Since the last call of a screen. */
  #hasStirred = true
  #rest: ReturnType<typeof setTimeout> | null = null
  #filters = new Map<Screen, Place['filters']>()

  constructor() {
    // What was to be confirmed is out of sight, and the next one here may be somebody else: it must not go on.
    const giveUp = (): void => this.confirming.value?.(false)
    this.place.subscribe(giveUp)
    this.gate.subscribe(({ is }) => is !== 'in' && giveUp())
  }

  async load(): Promise<void> {
    const token = takeLinkToken()
    if (token !== null) return this.#openLink(token)
    const userName = readEnrolment()
    if (userName !== null) {
      this.gate.value = { is: 'enrol', userName }
      return
    }
    await this.enter(null)
  }

  /** Asks who is signed in. `message`: why they are asked to sign in, where they are not. */
  async enter(message: string | null): Promise<void> {
    const answered = await callService<ConsoleMe>({ method: 'GET', path: '/me' })
    if (answered.is === 'ok') this.#welcome(answered.value)
    else if (answered.is === 'signedOut') this.gate.value = { is: 'signIn', message }
    // Without a user there is no such route: to the admin port that is a 404, to the public one, as the contract has it, a 403.
    else if (answered.is === 'refused' && [403, 404].includes(answered.status))
      this.gate.value = { is: 'closed' }
    else if (answered.is !== 'same') this.gate.value = { is: 'trouble', message: answered.message }
  }

  async #openLink(token: string): Promise<void> {
    const answered = await callService<ConsoleLinkOpened>({
      method: 'POST',
      path: '/link',
      body: { token },
    })
    if (answered.is === 'ok') {
      rememberEnrolment(answered.value.userName)
      this.gate.value = { is: 'enrol', userName: answered.value.userName }
    } else if (answered.is !== 'same') this.gate.value = { is: 'badLink', message: answered.message }
  }

  /** The first screen of somebody who came to none, and theirs alone. */
  #welcome(me: ConsoleMe): void {
    rememberEnrolment(null)
    const place = this.place.value
    const isTheirs = me.tenants.some(({ id }) => id === place.tenantId)
    const isOperators = OPERATOR_SCREENS.some((screen) => screen === place.screen)
    const isOwn = OWN_SCREENS.some((screen) => screen === place.screen)
    if (!isTheirs && !isOwn && !(isOperators && me.kind === 'operator')) {
      const tenantId = me.tenantId ?? me.tenants[0]?.id ?? null
      this.go(tenantId === null ? { screen: 'tenants' } : { tenantId, screen: 'overview' })
    }
    this.gate.value = { is: 'in', me }
    this.stir()
  }

  /** Every call of a signed-in screen. What needs a fresh sign-in asks for one, and then goes on. */
  async call<Value>(method: 'GET' | 'POST', path: string, given: Given = {}): Promise<Answered<Value>> {
    const answered = await this.#callOnce<Value>(method, path, given)
    const needsFresh = answered.is === 'refused' && answered.code === 'console_confirm_first'
    return needsFresh && (await this.#confirm()) ? this.#callOnce<Value>(method, path, given) : answered
  }

  #confirm(): Promise<boolean> {
    this.confirming.value?.(false)
    return new Promise((resolve) => {
      const end = (isConfirmed: boolean): void => {
        if (this.confirming.value === end) this.confirming.value = null
        resolve(isConfirmed)
      }
      this.confirming.value = end
    })
  }

  async #callOnce<Value>(
    method: 'GET' | 'POST',
    path: string,
    { body, etag = null }: Given,
  ): Promise<Answered<Value>> {
    const isByItself = method === 'GET' && !this.#hasStirred
    this.#hasStirred = false
    const answered = await callService<Value>({ method, path, body, etag, isByItself })
    this.isAway.value = answered.is === 'away'
    if (answered.is !== 'away') this.heardAt.value = new Date()
    if (answered.is === 'signedOut' && this.gate.value.is === 'in')
      this.gate.value = { is: 'signIn', message: 'You were signed out. Sign in again.' }
    return answered
  }

  go({
    tenantId = this.place.value.tenantId,
    screen,
    id = null,
    filters = {},
  }: Partial<Place> & { screen: Screen }): void {
    location.hash = toHash({ tenantId, screen, id, filters })
    this.arrive()
  }

  filter(filters: Readonly<Record<string, string>>): void {
    const place = { ...this.place.value, filters: { ...this.place.value.filters, ...filters } }
    history.replaceState(null, '', toHash(place))
    this.arrive()
  }

  /** Where the address bar says. */
  arrive(): void {
    const place = readPlace(location.hash)
    if (place.tenantId !== this.place.value.tenantId) this.#filters.clear()
    if (place.id === null) this.#filters.set(place.screen, place.filters)
    this.place.value = place
  }

  /** With which a list was last seen: who looked at one of its rows goes back to the same list. */
  filtersOf(screen: Screen): Place['filters'] {
    return this.#filters.get(screen) ?? {}
  }

  /** A person is there. */
  stir(): void {
    this.#hasStirred = true
    if (this.#rest !== null) clearTimeout(this.#rest)
    this.#rest = setTimeout(
      () => void this.signOut('You were signed out after half an hour of rest.'),
      restMs,
    )
  }

  async signOut(message: string | null = null): Promise<void> {
    if (this.gate.value.is !== 'in') return
    const answered = await callService({ method: 'POST', path: '/sign-out' })
    const isOut = answered.is === 'ok' || answered.is === 'signedOut'
    this.stillIn.value = isOut ? null : 'You are still signed in: the service did not sign you out.'
    if (isOut) this.gate.value = { is: 'signIn', message }
  }
}

export const ConsoleContext = createContext<Console | null>(null)

export function useConsole(): Console {
  const found = useContext(ConsoleContext)
  if (found === null) throw new Error('a screen stands outside of the console')
  return found
}

/** The path of the tenant that is looked at. */
export function useTenantPath(): string {
  const { tenantId } = useConsole().place.value
  if (tenantId === null) throw new Error('a screen of a tenant stands where there is none')
  return `/tenants/${tenantId}`
}
