import { padLengthMax } from '@casenote/contract'
import { useId } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { formatClock } from '../format.js'
import { Button } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import { useUi } from '../ui-context.js'
import { useKey } from '../use-key.js'

/** No character: it works while somebody types, and disturbs nobody who dictates. */
const markKey = 'F2'

/** Words and moments that the clinician keeps while it records. */
export function RecordingPad() {
  const { engine, texts, announce, isCompact } = useUi()
  const { pad: words } = texts.value
  const { recorder } = engine
  const { text, markers } = recorder.pad.value
  const id = useId()
  const mark = (): void => {
    recorder.mark()
    const last = recorder.pad.peek().markers.at(-1)
    if (last !== undefined) announce(fill(words.marked, { time: formatClock(last.atSeconds) }))
  }
  useKey(markKey, mark)
  return (
    <section class="pad" aria-label={words.title}>
      <div class="pad-marks">
        <Button icon="flag" onClick={mark}>
          {words.mark} <kbd aria-hidden="true">{markKey}</kbd>
        </Button>
        {markers.map((marker) => {
          const time = formatClock(marker.atSeconds)
          return (
            <span key={marker.id} class="mark-chip">
              <Icon name="flag" />
              <time>{time}</time>
              <button
                type="button"
                aria-label={fill(words.unmark, { time })}
                onClick={() => recorder.unmark(marker.id)}
              >
                <Icon name="close" />
              </button>
            </span>
          )
        })}
      </div>
      <div class="field">
        <label for={id}>{words.label}</label>
        <textarea
          id={id}
          rows={isCompact.value ? 2 : 4}
          maxLength={padLengthMax}
          value={text}
          placeholder={words.placeholder}
          aria-describedby={`${id}-hint`}
          onInput={(event) => recorder.jot(event.currentTarget.value)}
        />
        <p id={`${id}-hint`} class="muted detail">
          {words.hint}
        </p>
      </div>
    </section>
  )
}
