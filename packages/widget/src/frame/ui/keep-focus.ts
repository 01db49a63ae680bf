/** Whoever moves the focus themselves as a screen changes has done it by then. */
const settleMs = 100

/**
 * Where what has the focus goes (a button that was pressed, a failure that is tried again), browsers give the focus to nobody: who works by keyboard
 * would begin at the top of the page, and a screen reader say nothing. It stays with the nearest that is left around it.
 */
export function keepFocus(): () => void {
  let around: Element[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const remember = ({ target }: FocusEvent): void => {
    around = []
    for (let at = target as Element | null; at !== null; at = at.parentElement) around.push(at)
  }
  const move = (): void => {
    const left = around.find(({ isConnected }) => isConnected)
    if (left === around[0] || document.activeElement !== document.body || !document.hasFocus()) return
    // All of it is another screen by now: that begins with its heading.
    const isWhole = left === undefined || left.matches('body, main, .screen')
    const place = isWhole ? document.querySelector('h1') : (left.querySelector(':scope > summary') ?? left)
    if (place === null) return
    if (!place.hasAttribute('tabindex') && place.tagName !== 'SUMMARY') place.setAttribute('tabindex', '-1')
    ;(place as HTMLElement).focus({ preventScroll: !isWhole })
  }
  const observer = new MutationObserver(() => {
    if (around[0]?.isConnected !== false) return
    clearTimeout(timer)
    timer = setTimeout(move, settleMs)
  })
  document.addEventListener('focusin', remember)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    clearTimeout(timer)
    document.removeEventListener('focusin', remember)
    observer.disconnect()
  }
}
