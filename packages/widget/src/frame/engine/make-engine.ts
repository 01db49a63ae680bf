import { effect, signal } from '@preact/signals'
import type {
  EventDetail,
  HandedTokens,
  NoteContext,
  ToFrame,
  WidgetEvent,
  WidgetSettings,
} from '../../protocol.js'
import { engineTexts, pageTexts } from '../texts/texts.js'
import type { PageConnection } from './connect-page.js'
import type { Engine, OwnSignIn, Selection } from './engine.js'
import { makeTurns } from './in-turn.js'
import { watchIdleness } from './idle-lock.js'
import { dropDeadLineages, makeLineages } from './lineages.js'
import { makeAuthorizedFetch } from './authorized-fetch.js'
import { makeRequests } from './make-requests.js'
import type { Store } from './open-store.js'
import { keepLocked, keepSignIn, readLocked, readSignIn } from './kept-sign-in.js'
import { foldAddress, makeOwnSignIn, readEmail } from './own-sign-in.js'
import {
  explainPolicy,
  readClinicianId,
  readTokens,
  warnUnknownEvent,
  readOptions,
  warnUnknownSettings,
} from './read-page-input.js'
import { isForbidden } from './recordings/is-forbidden.js'
import { makeRecorder } from './recordings/make-recorder.js'
import { makeRecordingStore } from './recordings/recording-store.js'
import type { Vault } from './recordings/vault.js'
import { makeSessionNews } from './session-news.js'
import { SignIn } from './sign-in.js'
import { makeTokens } from './tokens.js'

/** Pages mint tokens before they call `authenticate`; a flash of "not signed in" in the meantime helps nobody. */
const callWithinMs = 1_500

/** A newer version waits for this one in another tab: how often it is looked whether it still records, and how long screens that go seal for. */
const lookEveryMs = 1_000
const sealedWithinMs = 1_000

/** Everything below the screens, wired. `store` is null where the browser keeps nothing. */
export function makeEngine(page: PageConnection, store: Store | null): Engine {
  const settings = signal<WidgetSettings>({})
  const canCopy = signal(false)
  const isOpen = signal(true)
  const ownSignIn = signal<OwnSignIn | null>(null)
  const selection = signal<Selection>({ clientId: null, options: {}, serial: 0 })
  const chart = signal<Selection>({ clientId: null, options: {}, serial: 0 })
  const raise = (event: WidgetEvent, detail: EventDetail, of: NoteContext | null = null): void =>
    page.send({ type: 'event', event, detail, of })
  /** Those that the page has not answered yet. */
  const copies = new Map<number, (isTaken: boolean) => void>()
  let lastCopyId = 0
  let answersCopies = false

  /** Rises with each logout: what the page had called before is nobody's any more. */
  let era = 0
  const inTurn = makeTurns(() => era)

  /** The address whose code began the present session; null: there is none, or tokens began it. */
  let begunBy: { address: string; handle: string } | null = null

  /** Handle of the pair in use. */
  let handle: string | null = null

  let vault: Vault | null = null

  /** A newer version has what is kept in this browser: this frame has to be loaded anew. */
  let isOutdated = false
  const tokens = makeTokens({
    lineages: makeLineages(store),
    onGone: () => signIn.requireAuthentication(),
  })
  let servedAtMs: number | null = null
  const authorizedFetch = makeAuthorizedFetch(
    tokens,
    () => signIn.requireAuthentication(),
    (atMs) => (servedAtMs = atMs),
  )
  const api = makeRequests(authorizedFetch, makeSessionNews(raise))
  const recorder = makeRecorder({
    recordings: store === null ? null : makeRecordingStore(store),
    authorizedFetch,
    whenSignedIn: () => signIn.whenSignedIn(),
    raise,
    open: () => page.send({ type: 'open' }),
    onSent: watchToItsEnd,
  })
  const signIn = new SignIn({
    api,
    pageOrigin: page.origin,
    onSignedIn: async (signedIn, isSameClinician) => {
      if (!isSameClinician) recorder.signOut()
      vault = signedIn
      await recorder.signIn(signedIn)
    },
    onAuthenticationRequired: () => raise('authenticationRequired', {}),
    onRefused: (message) => raise('error', { code: 'refused', message }),
  })

  /** So that the page hears of the note even when nobody looks at the session. */
  function watchToItsEnd(sessionId: string): void {
    const watch = api.watchSession(sessionId, ({ stage }) => {
      if (stage === 'done' || stage === 'failed') queueMicrotask(() => watch.stop())
    })
  }

  function select(clientId: string | null, options: Selection['options'] = {}): void {
    selection.value = { clientId, options, serial: selection.value.serial + 1 }
  }

  /** A recording stays in sight, and the clinician decides when to leave it. */
  function followPage(): void {
    const recording = recorder.state.value
    const { clientId, options } = chart.value
    if (!('recordingId' in recording) || recording.clientId === clientId) select(clientId, options)
  }

  /** What a frame is told that is loaded anew: not what the page called last. */
  function sayWho(): void {
    if (handle !== null) page.send({ type: 'authenticated', handle })
  }

  /** The page knows who it is for and has no tokens: the clinician signs in here (decision 0030). */
  function offerSignIn(email: string): void {
    const partnerId = new URLSearchParams(location.search).get('partner')
    if (partnerId === null) {
      raise('error', { code: 'signIn', message: pageTexts.noPartner })
      return signIn.refuse(engineTexts.badHandOver)
    }
    const address = foldAddress(email)
    // The same one said again: a code that was asked for is good only where the secret is that asked for it.
    const isSaidAgain = ownSignIn.value !== null && foldAddress(ownSignIn.value.email) === address
    if (!isSaidAgain) ownSignIn.value = makeSignInOf(email, partnerId)
    // Who is signed in by this address stays so: a page may say it again. Anybody else leaves, also who came with tokens.
    const auth = signIn.auth.value
    if (begunBy?.address !== address || (auth.state === 'refused' && !auth.canRetry)) leave()
    else sayWho()
  }

  function makeSignInOf(email: string, partnerId: string): OwnSignIn {
    // In turn with what the page calls: who was logged out or replaced while the code was on its way is not signed in.
    const onTokens = (pair: HandedTokens): Promise<unknown> =>
      inTurn(
        () => (isCurrent() ? enter(pair, { email, partnerId }) : revokeUnused(pair)),
        () => revokeUnused(pair),
      )
    const isCurrent = (): boolean => ownSignIn.value === own
    const own: OwnSignIn = makeOwnSignIn({ email, partnerId, pageOrigin: page.origin, onTokens, isCurrent })
    return own
  }

  async function authenticate(given: unknown, clinicianId: string | null): Promise<void> {
    const email = readEmail(given)
    if (email !== null) return offerSignIn(email)
    const handed = readTokens(given)
    if (typeof handed === 'string') {
      raise('error', { code: 'tokens', message: handed })
      // Who is signed in stays so: a slip of the page must not cost a clinician their work.
      if (signIn.auth.value.state !== 'signedIn') signIn.refuse(engineTexts.badHandOver)
      return sayWho()
    }
    if (clinicianId !== null && readClinicianId(handed) !== clinicianId) {
      // Never put to use: whoever is signed in, or records, goes on with their own.
      if (vault === null) return signIn.refuse(engineTexts.otherClinician)
      raise('error', { code: 'refused', message: engineTexts.otherClinician })
      return sayWho()
    }
    // What the page says last counts: a code that is still on its way is for nobody.
    forgetOwnSignIn()
    await enter(handed)
  }

  /** Another clinician than before: nothing of the first goes out with these tokens. */
  async function putAway(): Promise<void> {
    recorder.signOut()
    signIn.signOut()
    vault = null
    // What their screens still save as they go is sent with their own.
    await new Promise((resolve) => setTimeout(resolve))
  }

  async function enter(
    handed: HandedTokens,
    own: { email: string; partnerId: string } | null = null,
  ): Promise<void> {
    if (isOutdated) return refuseOutdated()
    const before = era
    const id = readClinicianId(handed)
    if (vault !== null && id !== null && id !== vault.clinicianId) await putAway()
    const adopted = await tokens.adopt(handed)
    if (before !== era) return endTokens()
    handle = adopted
    begunBy = own === null ? null : { address: foldAddress(own.email), handle: adopted }
    if (own !== null) keepSignIn({ ...own, handle: adopted })
    page.send({ type: 'authenticated', handle: adopted })
    void signIn.signIn()
  }

  async function resume(resumed: string): Promise<void> {
    const before = era
    const isKnown = await tokens.resume(resumed)
    if (before !== era) return endTokens()
    handle = resumed
    const own = readSignIn()
    // Begun by a code before the frame was loaded anew: the next one is offered here as well.
    if (own?.handle === resumed) {
      ownSignIn.value = makeSignInOf(own.email, own.partnerId)
      begunBy = { address: foldAddress(own.email), handle: resumed }
    }
    if (isKnown) void signIn.signIn(readLocked() === resumed)
    else signIn.requireAuthentication()
  }

  /** The recording of this tab is ended, and what the screens keep is sealed, before the newer version changes how it is kept. */
  function giveWay(letGo: () => void): void {
    const looking = setInterval(() => {
      if (recorder.isBusy()) return
      clearInterval(looking)
      isOutdated = true
      recorder.signOut()
      refuseOutdated()
      setTimeout(letGo, sealedWithinMs)
    }, lookEveryMs)
  }

  const refuseOutdated = (): void => signIn.refuse(engineTexts.newerTab, true)

  function forgetOwnSignIn(): void {
    ownSignIn.value = null
    keepSignIn(null)
  }

  function endTokens(): void {
    for (const ended of tokens.end()) void revoke(ended)
  }

  function leave(): void {
    endTokens()
    recorder.signOut()
    signIn.signOut()
    vault = null
    handle = null
    begunBy = null
    keepLocked(null)
  }

  /** Nothing is waited for, neither the network nor the disk: pages leave right after. */
  function logOut(): void {
    era += 1
    leave()
    forgetOwnSignIn()
    select(null)
    chart.value = selection.value
  }

  let isFirst = true
  function hearSettings(message: Extract<ToFrame, { type: 'settings' }>): void {
    settings.value = message.settings
    canCopy.value = message.canCopy
    answersCopies = message.answersCopies === true
    if (isFirst) {
      warnUnknownSettings(message.settings)
      if (isForbidden('microphone')) raise('error', { code: 'microphoneBlocked', message: explainPolicy() })
    }
    isFirst = false
  }

  function hear(message: ToFrame): void {
    switch (message.type) {
      case 'settings':
        return hearSettings(message)
      case 'visibility':
        isOpen.value = message.isOpen
        return
      case 'on':
        return warnUnknownEvent(message.event)
      case 'selectClient':
        chart.value = {
          clientId: message.clientId || null,
          options: readOptions(message.options),
          serial: chart.value.serial + 1,
        }
        return void inTurn(followPage)
      case 'authenticate':
        return void inTurn(
          () => authenticate(message.tokens, message.clinicianId),
          () => revokeUnused(message.tokens),
        )
      case 'resume':
        return void inTurn(() => resume(message.handle))
      case 'logout':
        return logOut()
      case 'copyAnswer':
        copies.get(message.copyId)?.(message.isTaken)
        return void copies.delete(message.copyId)
    }
  }
  effect(() => {
    const { state } = signIn.auth.value
    if (state === 'locked') keepLocked(handle)
    if (state === 'signedIn') keepLocked(null)
  })
  watchIdleness({ auth: signIn.auth, recorder: recorder.state, lock: () => signIn.lock() })
  page.listen(hear)
  store?.onNewer(giveWay)
  void dropDeadLineages(store)
  raise('ready', {})
  setTimeout(() => signIn.settle(), callWithinMs)

  return {
    settings,
    canCopy,
    isOpen,
    auth: signIn.auth,
    ownSignIn,
    retrySignIn: () => (isOutdated ? location.reload() : signIn.retry()),
    renewClinician: () => signIn.renewClinician(),
    unlock: () => signIn.unlock(),
    selection,
    // What the page said of a client holds however the clinician comes to them.
    select: (clientId) => select(clientId, clientId === chart.value.clientId ? chart.value.options : {}),
    chart,
    openChart: () => select(chart.value.clientId, chart.value.options),
    api,
    recorder,
    store,
    getVault: () => vault,
    getServedAtMs: () => servedAtMs,
    raise,
    copyNote: (copied, of, chartClientId) => {
      const copyId = ++lastCopyId
      page.send({ type: 'copyNote', copyId, copied, of, chartClientId })
      return answersCopies ? new Promise((resolve) => copies.set(copyId, resolve)) : Promise.resolve(true)
    },
    close: () => page.send({ type: 'close' }),
  }
}

/** The page logged out before they were put to use. */
function revokeUnused(given: unknown): void {
  const handed = readTokens(given)
  if (typeof handed === 'string') return
  void revoke({ accessToken: handed.AccessToken, refreshToken: handed.RefreshToken })
}

/** Best effort: without a network the tokens are forgotten here and end by themselves. */
async function revoke({
  accessToken,
  refreshToken,
}: {
  accessToken: string
  refreshToken: string
}): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` }
  const body = JSON.stringify({ RefreshToken: refreshToken })
  // `keepalive`: pages often leave right after.
  await fetch('logout', { method: 'POST', headers, body, keepalive: true }).catch(() => {})
}
