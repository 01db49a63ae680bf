/** What a frame that the page moves, and so loads anew, still knows of its own sign-in. It signs nobody in by itself. */
export interface KeptSignIn {
  email: string
  partnerId: string
  /** A code that was mailed, and the secret that it is bound to; worth nothing without the code. */
  asked?: { signInId: string; verifier: string; untilMs: number }
  /** Of the pair that a code gave. */
  handle?: string
}

const place = 'casenote-own-sign-in'

/** In this tab and below this page's site alone. Null also where embedded pages may store nothing. */
export function readSignIn(): KeptSignIn | null {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? 'null') as KeptSignIn | null
  } catch {
    return null
  }
}

export function keepSignIn(kept: KeptSignIn | null): void {
  try {
    if (kept === null) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(kept))
  } catch {
    // Then it lasts for as long as the frame.
  }
}
