import { effect, type ReadonlySignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** Below it a room hums and nobody speaks: the recorder counts it as silence, too. */
const silentBelow = 0.16

/** 0 at silence, so that what shows it lies flat. */
export const toShown = (level: number): number => Math.max(0, (level - silentBelow) / (1 - silentBelow))

/** How far each of the columns rises with the voice; the middle ones most. */
const columns = [0.45, 0.75, 1, 0.75, 0.45]

/** The level now: upright columns beside the time, which nobody takes for the bar of an upload. */
export function VoiceLevel({ level, label }: { level: ReadonlySignal<number>; label: string }) {
  const meter = useRef<HTMLMeterElement>(null)
  const bars = useRef<HTMLSpanElement>(null)
  useEffect(
    () =>
      // Written past the renderer: twenty renderings a second would be felt on a phone.
      effect(() => {
        const shown = toShown(level.value)
        if (meter.current !== null) meter.current.value = shown
        for (const [index, bar] of Array.from(bars.current?.children ?? []).entries()) {
          ;(bar as HTMLElement).style.transform = `scaleY(${Math.max(0.1, shown * (columns[index] ?? 1))})`
        }
      }),
    [level],
  )
  return (
    <span class="voice-level" title={label}>
      <span class="voice-columns" ref={bars} aria-hidden="true">
        {columns.map((_, index) => (
          <i key={index} />
        ))}
      </span>
      <meter ref={meter} class="hidden" aria-label={label} min={0} max={1} />
    </span>
  )
}
