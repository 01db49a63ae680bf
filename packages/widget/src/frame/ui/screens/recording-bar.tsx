import { fill } from '../../texts/fill.js'
import { formatClock } from '../format.js'
import { Button } from '../parts/button.js'
import { useUi } from '../ui-context.js'
import { SoundTroubles } from './sound-troubles.js'

/** A recording that runs while something else is shown. */
export function RecordingBar() {
  const { engine, texts, go } = useUi()
  const state = engine.recorder.state.value
  if (!('recordingId' in state)) return null
  const { recording, dictating } = texts.value
  return (
    <>
      <div class="recording-bar" data-state={state.state}>
        <span class="record-dot" aria-hidden="true" />
        <span class="grow">
          {fill(
            state.isDictated && state.state === 'recording'
              ? dictating.about
              : recording.stateOf[state.state],
            { name: state.clientLabel },
          )}{' '}
          · {formatClock(state.seconds)}
        </span>
        <Button onClick={() => go({ name: 'recording' })}>{recording.backTo}</Button>
      </div>
      <SoundTroubles recording={state} />
    </>
  )
}
