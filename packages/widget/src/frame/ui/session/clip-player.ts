import { computed, signal, type ReadonlySignal } from '@preact/signals'
import type { WidgetRequests } from '../../engine/engine.js'

/** The service cuts at most 60 s at a time; 30 s are 1 MB, and begin to play after one of our round trips. */
const clipSeconds = 30

/** Plays a recording from any second, clip after clip. */
export interface ClipPlayer {
  /** Seconds from the start of the recording; null: nothing plays. */
  position: ReadonlySignal<number | null>
  isLoading: ReadonlySignal<boolean>
  failure: ReadonlySignal<unknown>
  /** To `untilSeconds`, else to the end of the recording. */
  play: (fromSeconds: number, untilSeconds?: number) => void
  stop: () => void
}

export function makeClipPlayer(api: WidgetRequests, sessionPath: string): ClipPlayer {
  const audio = new Audio()
  const clipStart = signal<number | null>(null)
  const elapsed = signal(0)
  const isLoading = signal(false)
  const failure = signal<unknown>(null)
  let round = 0
  let until = Infinity

  const release = (): void => {
    audio.pause()
    if (audio.src !== '') URL.revokeObjectURL(audio.src)
    audio.removeAttribute('src')
  }
  const stop = (): void => {
    round += 1
    release()
    clipStart.value = null
    isLoading.value = false
  }
  const load = async (fromSeconds: number): Promise<void> => {
    round += 1
    const own = round
    isLoading.value = true
    failure.value = null
    clipStart.value = fromSeconds
    elapsed.value = 0
    try {
      const from = fromSeconds.toFixed(2)
      const clip = await api.getBlob(`${sessionPath}/audio?from=${from}&seconds=${clipSeconds}`)
      if (own !== round) return
      release()
      audio.src = URL.createObjectURL(clip)
      await audio.play()
    } catch (error) {
      if (own !== round) return
      stop()
      failure.value = error
    } finally {
      if (own === round) isLoading.value = false
    }
  }
  audio.addEventListener('timeupdate', () => {
    elapsed.value = audio.currentTime
    if ((clipStart.value ?? 0) + audio.currentTime >= until) stop()
  })
  audio.addEventListener('ended', () => {
    const start = clipStart.value
    // A clip shorter than asked for is the end of the recording.
    if (start === null || audio.duration < clipSeconds - 0.5) stop()
    else void load(start + audio.duration)
  })
  return {
    position: computed(() => (clipStart.value === null ? null : clipStart.value + elapsed.value)),
    isLoading,
    failure,
    play: (fromSeconds, untilSeconds = Infinity) => {
      until = untilSeconds
      void load(fromSeconds)
    },
    stop,
  }
}
