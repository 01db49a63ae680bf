import type { TranscriptItem } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { formatClock } from '../format.js'
import { Button } from '../parts/button.js'
import { useTexts } from '../ui-context.js'
import { playbackRates } from '../open-session/clip-player.js'
import { useSession } from '../open-session/session-context.js'

/** As far as people go back for a word. */
const skipSeconds = 10

/** Plays, pauses, goes to any place and at any speed. What is heard is marked in the lines above. */
export function PlayerBar({ items }: { items: readonly TranscriptItem[] }) {
  const { transcript: words, locale } = useTexts()
  const { player } = useSession()
  // The end of the last words: what is behind them is silence.
  const total = Math.ceil(items.at(-1)?.endTime ?? 0)
  const position = Math.min(player.position.value ?? 0, total)
  // What plays on meanwhile does not take the handle out of the hand.
  const dragged = useSignal<number | null>(null)
  const isPlaying = player.isPlaying.value
  const go = (seconds: number): void => player.play(Math.max(0, Math.min(seconds, total)))
  const drop = (): void => {
    dragged.value = null
  }
  /** Once, by whichever comes first: not every browser tells of a change where the handle is let go where it was taken up. */
  const letGo = (): void => {
    const to = dragged.peek()
    drop()
    if (to !== null) go(to)
  }
  const clock = formatClock(dragged.value ?? position)
  return (
    <div class="player" role="group" aria-label={words.player}>
      <Button
        kind="primary"
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? words.pause : words.play}
        isBusy={player.isLoading.value}
        onClick={() => (isPlaying ? player.pause() : player.play(position))}
      />
      <Button
        kind="quiet"
        icon="history"
        label={fill(words.skipBack, { seconds: skipSeconds })}
        onClick={() => go(position - skipSeconds)}
      />
      <input
        type="range"
        min={0}
        max={total}
        step={1}
        value={dragged.value ?? Math.floor(position)}
        aria-label={words.position}
        aria-valuetext={fill(words.positionOf, { position: clock, total: formatClock(total) })}
        onInput={(event) => (dragged.value = Number(event.currentTarget.value))}
        onChange={letGo}
        onPointerUp={letGo}
        onPointerCancel={drop}
      />
      <span class="player-time" aria-hidden="true">
        {clock} / {formatClock(total)}
      </span>
      <select
        aria-label={words.speed}
        value={String(player.rate.value)}
        onChange={(event) => player.setRate(Number(event.currentTarget.value))}
      >
        {playbackRates.map((rate) => (
          <option key={rate} value={String(rate)}>
            {rate.toLocaleString(locale)}×
          </option>
        ))}
      </select>
    </div>
  )
}
