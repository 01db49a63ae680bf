/** Only that somebody hides them; nothing of whom. */
const choiceKey = 'casenote.liveLines'

export function readShown(): boolean {
  try {
    return localStorage.getItem(choiceKey) !== 'hidden'
  } catch {
    return true
  }
}

export function keepShown(isShown: boolean): void {
  try {
    if (isShown) localStorage.removeItem(choiceKey)
    else localStorage.setItem(choiceKey, 'hidden')
  } catch {
    // For as long as this page is open, then.
  }
}
