import type { WidgetClient } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { Later } from '../parts/later.js'
import { useTexts } from '../ui-context.js'

/** A part of its own: most clients agreed long ago, by a word. */
const load = () => import('./consents.js')

interface ClientConsentsProps {
  clientId: string
  onChange: (client: WidgetClient) => void
}

/** Who agreed, and how else somebody can. Loaded only when somebody wants to know. */
export function ClientConsents(props: ClientConsentsProps) {
  const { consents: words } = useTexts()
  const isOpen = useSignal(false)
  return (
    <details class="card client-assessments" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{words.title}</summary>
      {isOpen.value ? <Later load={load} show={({ ConsentList }) => <ConsentList {...props} />} /> : null}
    </details>
  )
}
