import { useSignal } from '@preact/signals'
import { ClientPlans } from '../plans/lazy-plans.js'
import { useUi } from '../ui-context.js'
import { AssessmentsTab } from './assessments-tab.js'

/** On the client's page. Loaded only when somebody wants to know: it is read of a record. */
export function ClientAssessments({ clientId }: { clientId: string }) {
  const { tabs } = useUi().texts.value
  const isOpen = useSignal(false)
  return (
    <>
      <details
        class="card client-assessments"
        onToggle={(event) => (isOpen.value = event.currentTarget.open)}
      >
        <summary>{tabs.assessments}</summary>
        {isOpen.value ? <AssessmentsTab clientId={clientId} /> : null}
      </details>
      <ClientPlans clientId={clientId} />
    </>
  )
}
