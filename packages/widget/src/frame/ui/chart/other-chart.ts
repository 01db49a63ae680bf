import type { WidgetClient } from '@casenote/contract'
import { formatName } from '../format.js'
import { useLoad } from '../load.js'
import { useUi } from '../ui-context.js'

export interface OtherChart {
  clientId: string
  /** Null until they are read, and for one who is not the clinician's. */
  client: WidgetClient | null
  /** Whether there is an answer, be it that they are nobody's. */
  isRead: boolean
  name: string
}

/** Whom the page shows, where that is somebody else; null where it is this client, or the page named nobody. */
export function useOtherChart(clientId: string): OtherChart | null {
  const { engine, texts } = useUi()
  const shown = engine.chart.value.clientId
  const isOther = shown !== null && shown !== clientId
  const { result } = useLoad(
    async () =>
      isOther ? engine.api.get<WidgetClient>(`/clients/${encodeURIComponent(shown)}`) : Promise.resolve(null),
    [shown, isOther],
  )
  if (!isOther) return null
  const loaded = result.value.state === 'loaded' ? result.value.value : null
  // Of the one before, until the next is read: a wrong name is worse than none.
  const client = loaded?.id === shown ? loaded : null
  const isRead = client !== null || result.value.state === 'failed'
  const name = client === null ? texts.value.chart.another : formatName(client)
  return { clientId: shown, client, isRead, name }
}
