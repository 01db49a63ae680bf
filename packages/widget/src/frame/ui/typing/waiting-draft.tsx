import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { useUi } from '../ui-context.js'
import { hasDraft, typedPlace } from '../open-session/draft-rows.js'

/** What was begun about a client and not sent is in sight where the next session would begin. */
export function WaitingDraft({ clientId }: { clientId: string }) {
  const { engine, texts, go } = useUi()
  const { typing } = texts.value
  const { result } = useLoad(() => hasDraft(engine, typedPlace(clientId)), [clientId])
  if (result.value.state !== 'loaded' || !result.value.value) return null
  return (
    <Notice
      kind="info"
      icon="edit"
      title={typing.waitingTitle}
      actions={
        <Button kind="primary" onClick={() => go({ name: 'typing', clientId })}>
          {typing.goOn}
        </Button>
      }
    >
      {typing.waiting}
    </Notice>
  )
}
