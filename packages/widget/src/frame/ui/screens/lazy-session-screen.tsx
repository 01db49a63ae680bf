import { useEffect } from 'preact/hooks'
import { useLoad } from '../load.js'
import { Failure } from '../parts/failure.js'
import { PendingScreen } from '../parts/pending-screen.js'

/** A third of the frame is about what comes after a recording: it is loaded while the clinician finds their client. */
const load = () => import('../session/session-screen.js')

export function useSessionScreenSoon(): void {
  useEffect(() => {
    // Asked for again, with a message, by whoever opens a session.
    load().catch(() => {})
  }, [])
}

export function LazySessionScreen({ sessionId }: { sessionId: string }) {
  const loaded = useLoad(load, [])
  const result = loaded.result.value
  if (result.state === 'loaded') return <result.value.SessionScreen sessionId={sessionId} />
  if (result.state === 'loading') return <PendingScreen />
  return <Failure error={result.error} onRetry={loaded.again} />
}
