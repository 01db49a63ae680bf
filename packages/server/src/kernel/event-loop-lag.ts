import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Fine enough for what a caller would feel, and cheap. */
const resolutionMs = 20

interface Lag {
  /** The latest that the event loop was since the last time that this was asked, in milliseconds. */
  take(): number
  stop(): void
}

export function watchLag(): Lag {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  return {
    take: () => {
      // What it measures has the resolution in it; before the first measure there is none.
      const lagMs = delays.max === 0 ? 0 : Math.max(0, delays.max / 1e6 - resolutionMs)
      delays.reset()
      return Math.round(lagMs)
    },
    stop: () => void delays.disable(),
  }
}
