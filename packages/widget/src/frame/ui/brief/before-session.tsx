import { useSignal } from '@preact/signals'
import { useLoad } from '../load.js'
import { Failure } from '../parts/failure.js'
import { Pending } from '../parts/pending.js'
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
        {isOpen.value ? <LoadedBrief clientId={clientId} /> : null}
      </details>
    </>
  )
}

function LoadedBrief({ clientId }: { clientId: string }) {
  const loaded = useLoad(load, [])
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  return <result.value.ClientBrief clientId={clientId} />
}
