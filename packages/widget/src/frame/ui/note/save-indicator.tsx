import { EngineError } from '../../engine/engine.js'
import { explain } from '../load.js'
import { Button } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import { useTexts } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'

/** Always in sight while a note can be edited; only trouble is said aloud. */
export function SaveIndicator() {
  const texts = useTexts()
  const { editor } = useSession().model
  const state = editor.saveState.value
  const failure = editor.saveFailure.value
  const isOffline = failure instanceof EngineError && failure.status === 0
  const isTrouble = state === 'failed' || state === 'conflict'
  return (
    <div class="save-state" data-state={state} role={isTrouble ? 'alert' : 'status'}>
      <Icon name={isTrouble ? 'warning' : state === 'saved' ? 'check' : 'refresh'} />
      <span>
        {texts.save[state]}
        {state === 'failed' ? `: ${isOffline ? texts.save.offline : explain(failure, texts)}` : ''}
      </span>
      {state === 'failed' ? (
        <Button icon="refresh" onClick={() => void editor.flush().catch(() => {})}>
          {texts.save.retry}
        </Button>
      ) : null}
    </div>
  )
}
