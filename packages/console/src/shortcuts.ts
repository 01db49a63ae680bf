import type { Screen } from './place.js'

/** The second key after `g`. */
export const GO_KEYS: Readonly<Record<Screen, string>> = {
  overview: 'o',
  sessions: 's',
  deliveries: 'd',
  requests: 'r',
  keys: 'k',
  usage: 'u',
  people: 'c',
  audit: 'a',
  tenants: 't',
  health: 'h',
  account: 'y',
}

/** The time between the two keys of `g s`: longer is no longer one thought. */
const pairMs = 1_500

const storageName = 'casenote-console-shortcuts'

/** Single keys can be in the way of who speaks to a computer (WCAG 2.1.4): they can be switched off. */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(storageName) !== 'off'
  } catch {
    return true
  }
}

export function setShortcuts(isOn: boolean): void {
  try {
    localStorage.setItem(storageName, isOn ? 'on' : 'off')
  } catch {
    // Storage is blocked: they stay on.
  }
}

interface Acts {
  go(screen: Screen): void
  showHelp(): void
  focusFilter(): void
  leave(): void
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea') !== null

/** Returns what stops listening. A dialog that is open has the keys to itself; Escape closes it without us. */
export function listenForShortcuts(acts: Acts): () => void {
  let wentAt = -Infinity
  const onKey = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, target, timeStamp } = event
    if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null) return
    if (key === 'Escape') return acts.leave()
    if (isTyping(target) || !areShortcutsOn()) return
    const isSecond = timeStamp - wentAt < pairMs
    wentAt = !isSecond && key === 'g' ? timeStamp : -Infinity
    const found = Object.entries(GO_KEYS).find(([, goKey]) => isSecond && goKey === key)
    if (found !== undefined) acts.go(found[0] as Screen)
    else if (key === '?') acts.showHelp()
    else if (key === '/') acts.focusFilter()
    else return
    event.preventDefault()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}
