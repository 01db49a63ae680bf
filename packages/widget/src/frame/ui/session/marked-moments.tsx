import type { SessionPad, TranscriptItem } from '@casenote/contract'
import { fill } from '../../texts/fill.js'
import { formatClock } from '../format.js'
import { useLoad } from '../load.js'
import { Icon } from '../parts/icon.js'
import { useTexts, useUi } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'

/** Null until it is loaded, or where it cannot be: the transcript is read all the same. */
export function usePad(): SessionPad | null {
  const { engine } = useUi()
  const { model } = useSession()
  const { result } = useLoad(() => engine.api.get<SessionPad>(`${model.path}/pad`), [model.path])
  return result.value.state === 'loaded' ? result.value.value : null
}

/** The line in which each marker stands: the last one that had begun. A long one may hold several. */
export function placeMarkers(
  items: readonly TranscriptItem[],
  pad: SessionPad | null,
): Map<number, number[]> {
  const placed = new Map<number, number[]>()
  const inTime = (pad?.markers ?? []).toSorted((a, b) => a.atSeconds - b.atSeconds)
  for (const { atSeconds } of inTime) {
    const line = Math.max(
      0,
      items.findLastIndex(({ startTime }) => startTime <= atSeconds),
    )
    placed.set(line, [...(placed.get(line) ?? []), atSeconds])
  }
  return placed
}

/** Ways to what was marked, and what was jotted down beside it. */
export function MarkedMoments({ pad, marked }: { pad: SessionPad; marked: ReadonlyMap<number, number[]> }) {
  const { pad: words } = useTexts()
  if (marked.size === 0 && pad.text.trim() === '') return null
  return (
    <section class="marked-moments">
      {marked.size === 0 ? null : (
        <nav class="pad-marks" aria-label={words.markedTitle}>
          <span class="muted detail">{words.markedTitle}</span>
          {[...marked].flatMap(([line, times]) =>
            times.map((atSeconds, index) => (
              <button key={`${line} ${index}`} type="button" class="mark-chip" onClick={() => jumpTo(line)}>
                <Icon name="flag" />
                {formatClock(atSeconds)}
              </button>
            )),
          )}
        </nav>
      )}
      {pad.text.trim() === '' ? null : (
        <details class="jotted">
          <summary>{words.jottedTitle}</summary>
          <p>{pad.text}</p>
        </details>
      )}
    </section>
  )
}

/** Where there is no transcript that it could stand beside: the words are the clinician's own, and may be all there is. */
export function KeptPad() {
  const { pad: words } = useTexts()
  const pad = usePad()
  if (pad === null || (pad.text.trim() === '' && pad.markers.length === 0)) return null
  const times = pad.markers.map(({ atSeconds }) => atSeconds).toSorted((a, b) => a - b)
  return (
    <section class="card stack">
      <h2>{words.jottedTitle}</h2>
      {pad.text.trim() === '' ? null : <p class="kept-pad">{pad.text}</p>}
      {times.length === 0 ? null : (
        <p class="muted detail">
          {words.markedTitle} {times.map(formatClock).join(', ')}
        </p>
      )}
    </section>
  )
}

export const MarkedLine = ({ times }: { times: readonly number[] }) => {
  const { pad: words } = useTexts()
  return (
    <p class="marked-line">
      <Icon name="flag" />
      {fill(words.markedLine, { time: times.map(formatClock).join(', ') })}
    </p>
  )
}

function jumpTo(line: number): void {
  const wanted = document.querySelectorAll<HTMLElement>('.lines > li')[line]
  wanted?.scrollIntoView({ block: 'center' })
  const target = wanted?.querySelector<HTMLElement>('button') ?? wanted
  target?.focus({ preventScroll: true })
}
