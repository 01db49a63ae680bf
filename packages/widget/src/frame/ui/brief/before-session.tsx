import { useSignal } from '@preact/signals'
import { Later } from '../parts/later.js'
import { WaitingDraft } from '../typing/waiting-draft.js'
import { useTexts } from '../ui-context.js'

const load = () => import('./client-brief.js')

/** Where the next session begins: what was begun and not sent, and what there is to know. */
export function BeforeSession({ clientId, isArchived }: { clientId: string; isArchived: boolean }) {
  const { brief: words } = useTexts()
  const isOpen = useSignal(false)
  return (
    <>
      {isArchived ? null : <WaitingDraft clientId={clientId} />}
      {/* Closed at first, and not read before somebody wants to know: the client may see the screen. */}
      <details class="card client-brief" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>{words.title}</summary>
        {isOpen.value ? (
          <Later load={load} show={({ ClientBrief }) => <ClientBrief clientId={clientId} />} />
        ) : null}
      </details>
    </>
  )
}
