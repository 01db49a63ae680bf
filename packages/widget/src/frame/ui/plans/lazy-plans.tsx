import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLoad } from '../load.js'
import { hasDraft, planPlace } from '../open-session/draft-rows.js'
import { Later } from '../parts/later.js'
import { useUi } from '../ui-context.js'

/** A part of its own: most sessions are opened without a look at the plan. */
const load = () => import('./plans.js')

/** On the client's page, unless the page around keeps the plan itself. Loaded only when somebody wants to know. */
export function ClientPlans({ clientId }: { clientId: string }) {
  const { engine, texts } = useUi()
  const isOpen = useSignal(false)
  const { result } = useLoad(() => hasDraft(engine, planPlace(clientId)), [clientId, isOpen.value])
  const { plans, save } = texts.value
  if (engine.settings.value.hideTreatmentPlan === true) return null
  const isBegun = result.value.state === 'loaded' && result.value.value
  return (
    <Opened
      title={plans.title}
      onToggle={(isNow) => (isOpen.value = isNow)}
      mark={isBegun && !isOpen.value ? save.pending : null}
    >
      <Later load={load} show={({ PlanCard }) => <PlanCard clientId={clientId} />} />
    </Opened>
  )
}

interface OpenedProps {
  title: string
  /** Of what waits in it while it is closed. */
  mark?: string | null
  onToggle?: (isOpen: boolean) => void
  children: ComponentChildren
}

/** What is asked for when somebody opens it. */
export function Opened({ title, mark = null, onToggle, children }: OpenedProps) {
  const isOpen = useSignal(false)
  return (
    <details
      class="card client-assessments"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
        onToggle?.(isOpen.value)
      }}
    >
      <summary>
        {title} {mark === null ? null : <span class="chip">{mark}</span>}
      </summary>
      {isOpen.value ? children : null}
    </details>
  )
}
