import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Later } from '../parts/later.js'
import { useUi } from '../ui-context.js'

/** A part of its own: most sessions are opened without a look at the plan. */
const load = () => import('./plans.js')

/** On the client's page, unless the page around keeps the plan itself. Loaded only when somebody wants to know. */
export function ClientPlans({ clientId }: { clientId: string }) {
  const { engine, texts } = useUi()
  if (engine.settings.value.hideTreatmentPlan === true) return null
  return (
    <Opened title={texts.value.plans.title}>
      <Later load={load} show={({ PlanCard }) => <PlanCard clientId={clientId} />} />
    </Opened>
  )
}

/** What is asked for when somebody opens it. */
export function Opened({ title, children }: { title: string; children: ComponentChildren }) {
  const isOpen = useSignal(false)
  return (
    <details class="card client-assessments" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen.value ? children : null}
    </details>
  )
}
