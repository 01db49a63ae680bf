import type { WidgetAssessments } from '@casenote/contract'
import { useLoad } from '../load.js'
import { useUi } from '../ui-context.js'
import { AlertList } from './alert-list.js'

/** Before a session: what the client answered since the last one must not wait in a tab. */
export function ClientAlerts({ clientId }: { clientId: string }) {
  const { engine } = useUi()
  const loaded = useLoad(
    () => engine.api.get<WidgetAssessments>(`/clients/${clientId}/assessments`),
    [clientId],
  )
  const result = loaded.result.value
  // A failure is shown where assessments are asked for; here it would stand in the way of the recording.
  return result.state === 'loaded' ? <AlertList alerts={result.value.alerts} /> : null
}
