import { computed, signal, type ReadonlySignal } from '@preact/signals'
import type { WidgetRequests } from '../../engine/engine.js'

/** The service cuts at most 60 s at a time; 30 s are 1 MB, and begin to play after one of our round trips. */
const clipSeconds = 30

export const playbackRates = [0.75, 1, 1.25, 1.5, 2] as const

/** Plays a recording from any second, clip after clip. */
export interface ClipPlayer {
  /** Seconds from the start of the recording, also while it is paused; null: nothing was played, or it ended. */
  position: ReadonlySignal<number | null>
  isPlaying: ReadonlySignal<boolean>
  isLoading: ReadonlySignal<boolean>
  failure: ReadonlySignal<unknown>
  rate: ReadonlySignal<number>
  /** To `untilSeconds`, else to the end of the recording. */
  play: (fromSeconds: number, untilSeconds?: number) => void
  pause: () => void
  stop: () => void
  setRate: (rate: number) => void
}

export function makeClipPlayer(api: WidgetRequests, sessionPath: string): ClipPlayer {
  const audio = new Audio()
  const clipStart = signal<number | null>(null)
  const elapsed = signal(0)
  const isPaused = signal(false)
  const isLoading = signal(false)
  const failure = signal<unknown>(null)
  const rate = signal(1)
  let round = 0
  let until = Infinity
  /** Fetched while the one before it plays: a pause between two clips would cut words. */
  let next: { from: number; clip: Promise<Blob> } | null = null

  const release = (): void => {
    audio.pause()
    if (audio.src !== '') URL.revokeObjectURL(audio.src)
    audio.removeAttribute('src')
  }
  const stop = (): void => {
    round += 1
    release()
    next = null
    clipStart.value = null
    isPaused.value = false
    isLoading.value = false
  }
  const fetchClip = (fromSeconds: number): Promise<Blob> => {
    const from = fromSeconds.toFixed(2)
    return api.getBlob(`${sessionPath}/audio?from=${from}&seconds=${clipSeconds}`)
  }
  const load = async (fromSeconds: number): Promise<void> => {
    round += 1
    const own = round
    isLoading.value = true
    isPaused.value = false
    failure.value = null
    clipStart.value = fromSeconds
    elapsed.value = 0
    audio.pause()
    try {
      const clip = await (next?.from === fromSeconds ? next.clip : fetchClip(fromSeconds))
      if (own !== round) return
      release()
      audio.src = URL.createObjectURL(clip)
      audio.playbackRate = rate.value
      await audio.play()
      fetchNext()
    } catch (error) {
      if (own !== round) return
      stop()
      failure.value = error
    } finally {
      if (own === round) isLoading.value = false
    }
  }
  /** A clip shorter than asked for is the end of the recording. */
  const isLast = (): boolean => audio.duration < clipSeconds - 0.5
  function fetchNext(): void {
    const from = (clipStart.value ?? 0) + audio.duration
    next = null
    if (isLast() || from >= until) return
    const clip = fetchClip(from)
    // It is told of when it is needed; nobody may need it.
    clip.catch(() => {})
    next = { from, clip }
  }
  audio.addEventListener('timeupdate', () => {
    if (isLoading.value) return
    elapsed.value = audio.currentTime
    if ((clipStart.value ?? 0) + audio.currentTime >= until) stop()
  })
  audio.addEventListener('ended', () => {
    const start = clipStart.value
    if (start === null || isLast()) stop()
    else void load(start + audio.duration)
  })
  return {
    position: computed(() => (clipStart.value === null ? null : clipStart.value + elapsed.value)),
    isPlaying: computed(() => clipStart.value !== null && !isPaused.value),
    isLoading,
    failure,
    rate,
    play: (fromSeconds, untilSeconds = Infinity) => {
      until = untilSeconds
      const start = clipStart.value
      const isHere = isPaused.value && start !== null && fromSeconds === start + elapsed.value
      if (!isHere || audio.src === '') {
        void load(fromSeconds)
        return
      }
      isPaused.value = false
      audio.play().catch((error: unknown) => {
        stop()
        failure.value = error
      })
    },
    pause: () => {
      // What is still on its way has nothing to go on with.
      if (isLoading.value) return stop()
      audio.pause()
      isPaused.value = true
    },
    stop,
    setRate: (chosen) => {
      rate.value = chosen
      audio.playbackRate = chosen
    },
  }
}
