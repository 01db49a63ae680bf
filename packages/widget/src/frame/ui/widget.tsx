import { useSignalEffect } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import type { Engine } from '../engine/engine.js'
import { LateFailure } from './late-failure.js'
import { Button } from './parts/button.js'
import { Notice } from './parts/notice.js'
import { ClientScreen } from './screens/client-screen.js'
import { HomeScreen } from './screens/home-screen.js'
import { RecordingBar } from './screens/recording-bar.js'
import { RecordingScreen } from './screens/recording-screen.js'
import { LockScreen } from './screens/lock-screen.js'
import { SignInScreen } from './screens/sign-in-screen.js'
import { LazyReadyNotices } from './work/lazy-work.js'
import {
  LazyCodeForm,
  LazySessionScreen,
  LazyTypingScreen,
  useSessionScreenSoon,
} from './screens/lazy-screens.js'
// oxlint-disable-next-line import/no-unassigned-import -- a style exports nothing
import './styles/index.css'
import { useTheme } from './use-theme.js'
import { makeUi, UiProvider, useUi, type Ui } from './ui-context.js'

/** The whole user interface, on whatever engine it is given. */
export function Widget({ engine }: { engine: Engine }) {
  const ui = useMemo(() => makeUi(engine), [engine])
  useClinicianChange(ui)
  useSelection(ui)
  useTheme(engine)
  useSessionScreenSoon()
  return (
    <UiProvider value={ui}>
      <main
        class="widget"
        data-compact={ui.isCompact.value}
        data-locked={engine.auth.value.state === 'locked'}
        lang={ui.texts.value.locale}
      >
        <CloseButton />
        <Screens />
        <div class="hidden" role="status">
          <p key={ui.announcement.value.serial}>{ui.announcement.value.text}</p>
        </div>
      </main>
    </UiProvider>
  )
}

/** Of the client who is being recorded just now, the recording is what there is to see. */
function useSelection(ui: Ui): void {
  const { engine } = ui
  useSignalEffect(() => {
    const { clientId } = engine.selection.value
    const recording = engine.recorder.state.peek()
    if ('recordingId' in recording && recording.clientId === clientId) ui.go({ name: 'recording' })
    else ui.go(clientId === null ? { name: 'home' } : { name: 'client', clientId })
  })
}

/** What one clinician looked at is nothing for the next. */
function useClinicianChange(ui: Ui): void {
  const known = useRef<string | null>(null)
  useSignalEffect(() => {
    const { state } = ui.engine.auth.value
    const id = ui.getClinician()?.id ?? null
    if (state === 'signedOut' || (known.current !== null && id !== null && id !== known.current)) {
      ui.go({ name: 'home' })
    }
    known.current = state === 'signedOut' ? null : (id ?? known.current)
  })
}

function Screens() {
  const { engine, view, texts, getClinician } = useUi()
  const auth = engine.auth.value
  const own = engine.ownSignIn.value
  const isLocked = auth.state === 'locked'
  const isKnown = auth.state === 'authenticationRequired' && auth.clinician !== null
  if (auth.state !== 'signedIn' && !isLocked && !isKnown) return <SignInScreen auth={auth} />
  return (
    <>
      {isLocked ? <LockScreen isAsked={auth.isAsked} /> : null}
      {auth.state === 'authenticationRequired' ? (
        <Notice kind="warning" icon="lock" role="alert" title={texts.value.auth.requiredTitle}>
          {own === null ? texts.value.auth.required : <LazyCodeForm key={own.email} signIn={own} />}
        </Notice>
      ) : null}
      {view.value.name === 'recording' ? null : <RecordingBar />}
      <LazyReadyNotices key={getClinician()?.id} />
      {isLocked ? null : <LateFailure />}
      <CurrentScreen />
    </>
  )
}

function CurrentScreen() {
  const { view } = useUi()
  const current = view.value
  switch (current.name) {
    case 'home':
      return <HomeScreen />
    case 'client':
      return <ClientScreen key={current.clientId} clientId={current.clientId} />
    case 'recording':
      return <RecordingScreen />
    case 'typing':
      return <LazyTypingScreen key={current.clientId} {...current} />
    default:
      return <LazySessionScreen key={current.sessionId} sessionId={current.sessionId} />
  }
}

/** In a container of the page's own, or always open, there is nothing to close. */
function CloseButton() {
  const { engine, texts } = useUi()
  const { containerId, isAlwaysOpen } = engine.settings.value
  if (isAlwaysOpen === true || (containerId !== undefined && containerId !== '')) return null
  return (
    <Button
      kind="quiet"
      class="close-widget"
      icon="close"
      label={texts.value.general.closeWidget}
      onClick={() => engine.close()}
    />
  )
}
