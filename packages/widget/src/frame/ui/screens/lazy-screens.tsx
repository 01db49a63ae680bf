import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { OtherSideState, SendingRecording } from '../../engine/engine.js'
import { useLoad } from '../load.js'
import { Failure } from '../parts/failure.js'
import { PendingScreen } from '../parts/pending-screen.js'

/** A third of the frame is about what comes after a recording: it is loaded while the clinician finds their client. */
const load = () => import('../loaded-later.js')

export function useSessionScreenSoon(): void {
  useEffect(() => {
    // Asked for again, with a message, by whoever opens a session.
    load().catch(() => {})
  }, [])
}

export const LazySessionScreen = ({ sessionId }: { sessionId: string }) => (
  <Later show={({ SessionScreen }) => <SessionScreen sessionId={sessionId} />} />
)

export const LazyTypingScreen = (of: { clientId: string; fromSessionId?: string; isDictated?: boolean }) => (
  <Later show={({ TypingScreen }) => <TypingScreen {...of} />} />
)

export const LazyRefusedRecording = ({ recording }: { recording: SendingRecording }) => (
  <Later show={({ RefusedRecording }) => <RefusedRecording recording={recording} />} />
)

export const LazyLiveLines = (of: { sessionId: string }) => (
  <Later show={({ LiveLines }) => <LiveLines {...of} />} />
)

export const LazyOffRecord = (of: { seconds: number; sessionId: string | null }) => (
  <Later show={({ OffRecord }) => <OffRecord {...of} />} />
)

export const LazyOtherSide = (of: { state: OtherSideState }) => (
  <Later show={({ OtherSideOffer }) => <OtherSideOffer {...of} />} />
)

function Later({ show }: { show: (loaded: Awaited<ReturnType<typeof load>>) => JSX.Element }) {
  const loaded = useLoad(load, [])
  const result = loaded.result.value
  if (result.state === 'loaded') return show(result.value)
  if (result.state === 'loading') return <PendingScreen />
  return <Failure error={result.error} onRetry={loaded.again} />
}
