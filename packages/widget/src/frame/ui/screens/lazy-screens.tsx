import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { OtherSideState, OwnSignIn } from '../../engine/engine.js'
import { Later } from '../parts/later.js'
import { PendingScreen } from '../parts/pending-screen.js'

/** A third of the frame is about what comes after a recording: it is loaded while the clinician finds their client. */
const load = () => import('../loaded-later.js')

export function useSessionScreenSoon(): void {
  useEffect(() => {
    let stop = (): void => {}
    // Asked for again, with a message, by whoever opens a session.
    load().then(
      ({ keepFocus }) => (stop = keepFocus()),
      () => {},
    )
    return () => stop()
  }, [])
}

export const LazySessionScreen = ({ sessionId }: { sessionId: string }) => (
  <OfSession show={({ SessionScreen }) => <SessionScreen sessionId={sessionId} />} />
)

export const LazyTypingScreen = (of: { clientId: string; fromSessionId?: string; isDictated?: boolean }) => (
  <OfSession show={({ TypingScreen }) => <TypingScreen {...of} />} />
)

export const LazyLiveLines = (of: { sessionId: string }) => (
  <OfSession show={({ LiveLines }) => <LiveLines {...of} />} />
)

export const LazyOffRecord = (of: { seconds: number; sessionId: string | null }) => (
  <OfSession show={({ OffRecord }) => <OffRecord {...of} />} />
)

export const LazyOtherSide = (of: { state: OtherSideState }) => (
  <OfSession show={({ OtherSideOffer }) => <OtherSideOffer {...of} />} />
)

export const LazyCodeForm = (of: { signIn: OwnSignIn }) => (
  <Later load={load} show={({ CodeForm }) => <CodeForm {...of} />} />
)

/** What is left on this device of recordings: cut short, or on its way. */
export const LazyLeftRecordings = (of: { clientId?: string }) => (
  <Later
    load={load}
    pending={null}
    show={({ UnfinishedRecordings, SendingRecordings }) => (
      <>
        <UnfinishedRecordings />
        <SendingRecordings {...of} />
      </>
    )}
  />
)

const OfSession = ({ show }: { show: (parts: Awaited<ReturnType<typeof load>>) => JSX.Element }) => (
  <Later load={load} pending={<PendingScreen />} show={show} />
)
