import { useLoad } from '../load.js'
import { Failure } from '../parts/failure.js'
import { Pending } from '../parts/pending.js'

/** With the session's screen, which is loaded as soon as the first screen stands. */
const load = () => import('../session/session-screen.js')

export function LazyWorkList({ name }: { name: string }) {
  const loaded = useLoad(load, [])
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  return <result.value.WorkList name={name} />
}

export function LazyClientAssessments({ clientId }: { clientId: string }) {
  const { result } = useLoad(load, [])
  return result.value.state === 'loaded' ? <result.value.value.ClientAssessments clientId={clientId} /> : null
}

/** What cannot be loaded is asked for again, with a message, by the screens that need it. */
export function LazyReadyNotices() {
  const { result } = useLoad(load, [])
  return result.value.state === 'loaded' ? <result.value.value.ReadyNotices /> : null
}
