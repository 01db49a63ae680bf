import { engineTexts } from '../texts/engine-en.js'
import { EngineError, type WidgetRequests } from './engine.js'
import type { Tokens } from './tokens.js'
import { backOffMs, onOnline, waitUpTo } from './wait.js'
import { makeSessionWatch } from './watch-session.js'

/** A slow line moves a megabyte in this time; who waits longer waits for nothing. */
const requestTimeoutMs = 45_000

/** A request with an access token: renewed and repeated once after a 401. Refused answers are thrown. */
export type AuthorizedFetch = (path: string, init?: RequestInit) => Promise<Response>

/** `onRefused`: not even a renewed token was taken. */
export function makeAuthorizedFetch(tokens: Tokens, onRefused: () => void): AuthorizedFetch {
  const attempt = async (path: string, init: RequestInit, accessToken: string): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${accessToken}`)
    try {
      const signal = init.signal ?? AbortSignal.timeout(requestTimeoutMs)
      // `path` begins with a slash and stays below the frame's folder.
      return await fetch(`.${path}`, { ...init, headers, signal, cache: 'no-store' })
    } catch (cause) {
      throw new EngineError(engineTexts.offline, 0, { cause })
    }
  }
  return async (path, init = {}) => {
    const accessToken = await tokens.getAccessToken()
    let response = await attempt(path, init, accessToken)
    if (response.status === 401) {
      response = await attempt(path, init, await tokens.replaceAccessToken(accessToken))
      if (response.status === 401) onRefused()
    }
    if (!response.ok) throw await readRefusal(response)
    return response
  }
}

/** The service's own words where it refused; nobody is shown what a proxy in between has to say. */
async function readRefusal(response: Response): Promise<EngineError> {
  const { status } = response
  if (isAway(status)) return new EngineError(engineTexts.offline, 0)
  try {
    const { error } = (await response.json()) as { error: { message: string | { message: string[] } } }
    const message = typeof error.message === 'string' ? error.message : error.message.message.join('. ')
    return new EngineError(status < 500 ? message : engineTexts.failed, status)
  } catch {
    return new EngineError(engineTexts.failed, status)
  }
}

/** Answers of a proxy whose service is restarting. */
const isAway = (status: number): boolean => status === 502 || status === 503 || status === 504

/** Repeats while there is no answer. A read may: it changes nothing. */
async function persist<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof EngineError) || error.status !== 0) throw error
      await waitUpTo(backOffMs(failures), onOnline)
    }
  }
}

export function makeRequests(
  authorizedFetch: AuthorizedFetch,
  onSession: Parameters<typeof makeSessionWatch>[1],
): WidgetRequests {
  const get = (path: string): Promise<Response> => persist(() => authorizedFetch(path))
  return {
    get: async <Answer>(path: string) => (await (await get(path)).json()) as Answer,
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as `get`: the caller knows what the path answers
    getTagged: async <Answer>(path: string) => {
      const response = await get(path)
      return { body: (await response.json()) as Answer, etag: response.headers.get('etag') ?? '' }
    },
    getBlob: async (path) => (await get(path)).blob(),
    send: async <Answer>(
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const json = body === undefined ? {} : { body: JSON.stringify(body) }
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const response = await authorizedFetch(path, { method, ...json, headers: { ...type, ...headers } })
      const text = await response.text()
      return (text === '' ? undefined : JSON.parse(text)) as Answer
    },
    watchSession: makeSessionWatch(authorizedFetch, onSession),
  }
}
