import type { AuthorizedFetch } from './authorized-fetch.js'
import { EngineError, type WidgetRequests } from './engine.js'
import { backOffMs, onOnline, waitUpTo } from './wait.js'
import { makeSessionWatch } from './watch-session.js'

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
