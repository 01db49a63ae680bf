/** What a frame that the page moves, and so loads anew, still knows of its own sign-in. It signs nobody in by itself. */
export interface KeptSignIn {
  email: string
  partnerId: string
  /** A code that was mailed, and the secret that it is bound to; worth nothing without the code. */
  asked?: { signInId: string; verifier: string; untilMs: number }
  /** Handle of the pair that a code gave. */
  handle?: string
}

const place = 'casenote-own-sign-in'

const lockedPlace = 'casenote-locked'

/** In this tab and below this page's site alone. Null also where embedded pages may store nothing. */
export const readSignIn = (): KeptSignIn | null => read(place) as KeptSignIn | null

export const keepSignIn = (kept: KeptSignIn | null): void => keep(place, kept)

/** The handle of the pair behind the lock: a frame that is loaded anew comes up locked, too. */
export const readLocked = (): unknown => read(lockedPlace)

export const keepLocked = (handle: string | null): void => keep(lockedPlace, handle)

function read(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function keep(key: string, kept: unknown): void {
  try {
    if (kept === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // Then it lasts for as long as the frame.
  }
}
