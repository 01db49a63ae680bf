import { useEffect, useRef } from 'preact/hooks'
import { useRefresh } from '../use-refresh.js'
import { useSession } from '../open-session/session-context.js'

/** Words that are put right, or a note written anew, have this made again: within seconds, and nobody tells when. */
const madeWithinMs = 20_000

/** Reads again what is made of a session beside its note: after the note changed, and when the clinician looks again. */
export function useRenewal(renew: () => Promise<void>): void {
  const { etag } = useSession().session.note
  const first = useRef(etag)
  useRefresh(renew)
  useEffect(() => {
    if (first.current === etag) return undefined
    first.current = ''
    void renew()
    const timer = setTimeout(() => void renew(), madeWithinMs)
    return () => clearTimeout(timer)
  }, [etag])
}
