import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Below, a second column would leave neither enough room. */
const wide = matchMedia('(min-width: 700px)')

/** Whether there is room beside the text. */
export function useWide(): boolean {
  const isWide = useSignal(wide.matches)
  useEffect(() => {
    const follow = (): void => {
      isWide.value = wide.matches
    }
    wide.addEventListener('change', follow)
    return () => wide.removeEventListener('change', follow)
  }, [])
  return isWide.value
}
