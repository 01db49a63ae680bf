import { useEffect, useRef } from 'preact/hooks'
import { EngineError } from '../../engine/engine.js'
import { explain } from '../load.js'
import { Button } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import { useUi } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'

/** Always in sight while a note can be edited; only trouble is said aloud, and its end. Each save would talk over what is typed. */
export function SaveIndicator() {
  const { texts: shown, announce } = useUi()
  const texts = shown.value
  const { editor } = useSession().model
  const state = editor.saveState.value
  const failure = editor.saveFailure.value
  const isOffline = failure instanceof EngineError && failure.status === 0
  const isTrouble = state === 'failed' || state === 'conflict'
  const isRefused = editor.refused.value !== null
  const wasTrouble = useRef(false)
  useEffect(() => {
    if (state === 'saved' && wasTrouble.current) announce(texts.save.saved)
    if (isTrouble || state === 'saved') wasTrouble.current = isTrouble
  }, [state])
  return (
    <div class="save-state" data-state={state} role={isTrouble && !isRefused ? 'alert' : undefined}>
      <Icon name={isTrouble ? 'warning' : state === 'saved' ? 'check' : 'refresh'} />
      <span>
        {texts.save[state]}
        {state === 'failed' && !isRefused
          ? `: ${isOffline ? texts.save.offline : explain(failure, texts)}`
          : ''}
      </span>
      {state === 'failed' ? (
        <Button icon="refresh" onClick={() => void editor.flush().catch(() => {})}>
          {texts.save.retry}
        </Button>
      ) : null}
    </div>
  )
}
