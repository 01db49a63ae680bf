import { useEffect, useRef } from 'preact/hooks'

/** What a key does from anywhere on the screen, but not from behind the lock. */
export function useKey(key: string, act: () => void): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.key !== key || event.repeat || document.querySelector('main[data-locked="true"]')) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
}
