import { useEffect } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Notice } from '../parts/notice.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'
import { useSession } from '../session/session-context.js'

/** How the last magic edit or rewriting ended, and the way back. */
export function RewriteOutcomeNotice() {
  const { texts, announce } = useUi()
  const { rewriter } = useSession().model
  const { note, magic, general } = texts.value
  const { isBusy, failure, run } = useTask()
  const outcome = rewriter.outcome.value
  useEffect(() => {
    if (outcome.kind === 'changed') announce(note.changed)
  }, [outcome.kind])
  if (outcome.kind === 'failed') {
    return (
      <Notice
        kind="warning"
        role="alert"
        title={magic.failedTitle}
        actions={<Button onClick={rewriter.dismiss}>{general.close}</Button>}
      >
        {outcome.reason ?? magic.failedUnknown}
      </Notice>
    )
  }
  if (outcome.kind !== 'changed') return null
  const undo = async (version: number): Promise<void> => {
    await rewriter.restore(version)
    announce(note.undone)
  }
  const { before } = outcome
  return (
    <Notice
      kind="good"
      title={note.changed}
      actions={
        <>
          {before === null ? null : (
            <Button icon="history" isBusy={isBusy} onClick={() => run(() => undo(before))}>
              {note.undo}
            </Button>
          )}
          <Button kind="quiet" onClick={rewriter.dismiss}>
            {general.close}
          </Button>
        </>
      }
    >
      {failure === null ? undefined : <Failure error={failure} />}
    </Notice>
  )
}
