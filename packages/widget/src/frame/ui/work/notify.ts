import { signal } from '@preact/signals'

/**
 * Browser notifications. A frame of another origin may not ask for them in most browsers, and phones show none without a
 * service worker: where they cannot be had, that is said (`unavailable`) and the notice in the widget stays.
 */
export type NotifyState = 'off' | 'on' | 'unavailable'

/** Only that somebody wants them; nothing of whom. */
const choiceKey = 'casenote.notify'

const readChoice = (): boolean => {
  try {
    return localStorage.getItem(choiceKey) === 'on'
  } catch {
    return false
  }
}

const keepChoice = (isWanted: boolean): void => {
  try {
    if (isWanted) localStorage.setItem(choiceKey, 'on')
    else localStorage.removeItem(choiceKey)
  } catch {
    // For as long as this page is open, then.
  }
}

const isGranted = (): boolean => 'Notification' in globalThis && Notification.permission === 'granted'

/** What a frame is told as denied from the start may still be asked for by a page of ours: it is not offered, not hidden. */
const canAsk = (): boolean => 'Notification' in globalThis && Notification.permission !== 'denied'

const toState = (): NotifyState => {
  if (isGranted() && readChoice()) return 'on'
  return canAsk() ? 'off' : 'unavailable'
}

export const notifyState = signal<NotifyState>(toState())

/** Called by a button alone: a browser asks its question where somebody has just asked for it. */
export async function switchNotify(isWanted: boolean): Promise<void> {
  if (isWanted && !isGranted()) await Notification.requestPermission().catch(() => 'denied')
  keepChoice(isWanted && isGranted())
  notifyState.value = isWanted && !isGranted() ? 'unavailable' : toState()
}

/** Nothing of a person: it stands on a lock screen, and in the system's own list. */
export function notify(
  { title, body, sessionId }: { title: string; body: string; sessionId: string },
  onOpen: () => void,
): void {
  if (notifyState.value !== 'on' || (!document.hidden && document.hasFocus())) return
  try {
    // One for each session: a second one must not take the place of the first without a sound.
    const shown = new Notification(title, { body, tag: `casenote-${sessionId}` })
    shown.addEventListener('click', () => {
      window.focus()
      onOpen()
      shown.close()
    })
  } catch {
    notifyState.value = 'unavailable'
  }
}
