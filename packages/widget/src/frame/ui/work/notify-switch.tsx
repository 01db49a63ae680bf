import { attempt } from '../load.js'
import { useTexts } from '../ui-context.js'
import { notifyState, switchNotify } from './notify.js'

/** Off until somebody presses it. */
export function NotifySwitch() {
  const { work: words } = useTexts()
  const state = notifyState.value
  if (state === 'unavailable') return <p class="muted detail">{words.notify.unavailable}</p>
  return (
    <p class="detail">
      <button
        type="button"
        class="link"
        onClick={() =>
          attempt(
            () => switchNotify(state === 'off'),
            () => (notifyState.value = 'unavailable'),
          )
        }
      >
        {state === 'on' ? words.notify.stop : words.notify.start}
      </button>{' '}
      <span class="muted">{words.notify.lead}</span>
    </p>
  )
}
