import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { makeLook } from './load.js'
import { useUi } from './ui-context.js'

/** Each look is on record as a read of all that is listed; a widget that stays open all day looks a dozen times an hour. */
const everyMs = 300_000

/** Looks again when the clinician comes back to the screen, and every few minutes while they can see it. */
export function useRefresh(refresh: () => Promise<unknown>): void {
  const { engine } = useUi()
  const latest = useRef(refresh)
  latest.current = refresh
  useEffect(() => {
    const isSeen = (): boolean => engine.isOpen.value && engine.auth.value.state === 'signedIn'
    const look = makeLook(async () => (document.hidden || !isSeen() ? undefined : latest.current()))
    let wasSeen = true
    const stop = effect(() => {
      const isNow = isSeen()
      if (isNow && !wasSeen) queueMicrotask(look)
      wasSeen = isNow
    })
    document.addEventListener('visibilitychange', look)
    const timer = setInterval(look, everyMs)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', look)
      clearInterval(timer)
    }
  }, [])
}
