import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Fault } from './call-service.js'
import { useConsole } from './console-state.js'

const everyMs = 5_000
/** A service in trouble is asked less and less often. */
const everyMsMost = 60_000

export interface Live<Value> {
  value: Value | null
  fault: Fault | null
  /** Asks at once: something was changed. */
  ask(): void
}

interface Latest<Value> {
  path: string
  value: Value | null
  fault: Fault | null
}

/** What a path answers, asked for again and again while somebody can see it. The last good answer stays on the screen. */
export function useLive<Value>(path: string): Live<Value> {
  const desk = useConsole()
  const [latest, setLatest] = useState<Latest<Value>>({ path, value: null, fault: null })
  const askNow = useRef(() => {})
  useEffect(() => {
    let isOver = false
    let isAsking = false
    /** Asked for while an older question was under way, whose answer may be of before. */
    let isAskedAgain = false
    let waitMs = everyMs
    let etag: string | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      clearTimeout(timer)
      isAskedAgain = isAsking
      if (isOver || isAsking || document.hidden) return
      isAsking = true
      const answered = await desk.call<Value>('GET', path, { etag })
      isAsking = false
      if (isOver) return
      if (answered.is === 'ok') {
        etag = answered.etag
        setLatest({ path, value: answered.value, fault: null })
      } else if (answered.is === 'same')
        setLatest((before) => (before.fault === null ? before : { ...before, fault: null }))
      else
        setLatest((before) => ({ path, value: before.path === path ? before.value : null, fault: answered }))
      const isWell = answered.is === 'ok' || answered.is === 'same'
      waitMs = isWell ? everyMs : Math.min(waitMs * 2, everyMsMost)
      if (answered.is !== 'signedOut') timer = setTimeout(() => void ask(), isAskedAgain ? 0 : waitMs)
    }
    const onVisible = (): void => void ask()
    askNow.current = onVisible
    document.addEventListener('visibilitychange', onVisible)
    addEventListener('online', onVisible)
    void ask()
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
      removeEventListener('online', onVisible)
    }
  }, [desk, path])
  const ask = useCallback(() => askNow.current(), [])
  // The answer of another path is not this one's.
  return latest.path === path
    ? { value: latest.value, fault: latest.fault, ask }
    : { value: null, fault: null, ask }
}
