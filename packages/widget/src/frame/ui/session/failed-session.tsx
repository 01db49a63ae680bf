import type { WidgetSession } from '@casenote/contract'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Notice } from '../parts/notice.js'
import { stayPut } from '../stay-put.js'
import { useTask } from '../task.js'
import { TypeInstead } from '../typing/type-instead.js'
import { useUi } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'

/** Why there is no note, and the ways out: the likeliest first. */
export function FailedSession() {
  const ui = useUi()
  const { engine, texts, getClinician } = ui
  const { session, model } = useSession()
  const { progress, general } = texts.value
  const task = useTask()
  const { canWriteAnyway, canBeTriedAgain, triedAgainAs, client } = session
  if (triedAgainAs !== null) return <TriedAgain sessionId={triedAgainAs} />
  // What is said about a recording or a text, its own clinician says.
  const isOwn = session.clinicianId === getClinician()?.id
  const post = async (way: string): Promise<void> => {
    const goOn = stayPut(ui)
    const { sessionId } = await engine.api.send<WidgetSession>('POST', `${model.path}/${way}`)
    goOn({ name: 'session', sessionId })
  }
  const typing = (
    <TypeInstead
      clientId={client.id}
      kind={isOwn && canBeTriedAgain ? 'plain' : 'primary'}
      {...(isOwn && session.source === 'typed' ? { fromSessionId: session.sessionId } : {})}
    />
  )
  return (
    <Notice
      kind="danger"
      role="alert"
      title={progress.failedTitle}
      actions={
        <>
          {isOwn && canBeTriedAgain ? (
            <Button
              kind="primary"
              icon="refresh"
              isBusy={task.isBusy}
              onClick={() => task.run(() => post('try-again'))}
            >
              {general.retry}
            </Button>
          ) : null}
          {typing}
          {isOwn && canWriteAnyway ? (
            <Button isBusy={task.isBusy} onClick={() => task.run(() => post('write-anyway'))}>
              {progress.writeAnyway}
            </Button>
          ) : null}
          <Button icon="mic" onClick={() => engine.select(client.id)}>
            {progress.tryAnother}
          </Button>
        </>
      }
    >
      {session.failure ?? general.failed}
      <Failure error={task.failure} />
    </Notice>
  )
}

function TriedAgain({ sessionId }: { sessionId: string }) {
  const { texts, go } = useUi()
  const { progress, wrongClient } = texts.value
  return (
    <Notice
      kind="info"
      title={progress.triedAgainTitle}
      actions={<Button onClick={() => go({ name: 'session', sessionId })}>{wrongClient.openNew}</Button>}
    >
      {progress.triedAgain}
    </Notice>
  )
}
