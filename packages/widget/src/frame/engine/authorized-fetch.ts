import { engineTexts } from '../texts/texts.js'
import { EngineError } from './engine.js'
import type { Tokens } from './tokens.js'
import { waitUpTo } from './wait.js'
import { wordServer } from './word-answer.js'

/** A slow line moves a megabyte in this time; who waits longer waits for nothing. */
const requestTimeoutMs = 45_000

/** How often a request is put off: who is still refused then is shown it, or goes on at their own pace. */
const putOffMost = 3

/** As the service asks for; where it does not say so in seconds, or too many of them, one that loses nothing. */
const readPauseMs = ({ headers }: Response): number =>
  Math.min(15, Number(headers.get('retry-after')) || 1) * 1000

/**
 * A request with an access token: renewed and repeated once after a 401, put off after a 429, of which nothing was
 * done. Refused answers are thrown.
 */
export type AuthorizedFetch = (path: string, init?: RequestInit) => Promise<Response>

/** `onRefused`: not even a renewed token was taken. `onServed`: an answer came, at that time by the service's clock. */
export function makeAuthorizedFetch(
  tokens: Tokens,
  onRefused: () => void,
  onServed: (atMs: number) => void,
): AuthorizedFetch {
  const attempt = async (path: string, init: RequestInit, accessToken: string): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${accessToken}`)
    try {
      const signal = init.signal ?? AbortSignal.timeout(requestTimeoutMs)
      // `path` begins with a slash and stays below the frame's folder.
      return await fetch(`.${path}`, { ...init, headers, signal, cache: 'no-store' })
    } catch (cause) {
      // Only who tries again by itself may say so: the screens have the words for it.
      throw new EngineError('', 0, { cause })
    }
  }
  return async (path, init = {}) => {
    const accessToken = await tokens.getAccessToken()
    let response = await attempt(path, init, accessToken)
    for (let times = 0; response.status === 429 && times < putOffMost; times += 1) {
      await waitUpTo(readPauseMs(response) * (1 + Math.random()))
      response = await attempt(path, init, accessToken)
    }
    if (response.status === 401) {
      response = await attempt(path, init, await tokens.replaceAccessToken(accessToken))
      if (response.status === 401) onRefused()
    }
    const atMs = Date.parse(response.headers.get('date') ?? '')
    if (atMs > 0) onServed(atMs)
    if (!response.ok) throw await readRefusal(response)
    return response
  }
}

/** The service's own words where it refused; nobody is shown what a proxy in between has to say. */
async function readRefusal(cause: Response): Promise<EngineError> {
  const { status } = cause
  if (isAway(status)) return new EngineError('', 0)
  let wording = engineTexts.failed
  try {
    const { message } = ((await cause.json()) as { error: { message: string | { message: string[] } } }).error
    if (status < 500) wording = wordServer(typeof message === 'string' ? message : message.message.join('. '))
  } catch {}
  return new EngineError(wording, status, { cause }, cause.headers.get('casenote-error-code'))
}

/** Answers of a proxy whose service is restarting. */
const isAway = (status: number): boolean => status >= 502 && status <= 504
