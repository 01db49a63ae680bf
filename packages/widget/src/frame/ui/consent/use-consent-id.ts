import { useRef } from 'preact/hooks'
import { EngineError } from '../../engine/engine.js'

interface ConsentId {
  consentId?: string
}

/** Nothing where the page is not secure: browsers make none up there. */
const newConsentId = (): ConsentId => (isSecureContext ? { consentId: crypto.randomUUID() } : {})

/** A server that failed may have kept it all the same. */
const isAnswer = (error: unknown): boolean =>
  error instanceof EngineError && error.status > 0 && error.status < 500

/** Sent again because the answer was lost, it is the same consent. Whatever was answered, what is sent next is another one. */
export function useConsentId(): <Answer>(send: (known: ConsentId) => Promise<Answer>) => Promise<Answer> {
  const known = useRef(newConsentId())
  return async (send) => {
    try {
      const answer = await send(known.current)
      known.current = newConsentId()
      return answer
    } catch (error) {
      if (isAnswer(error)) known.current = newConsentId()
      throw error
    }
  }
}
