import type { AuthorizedFetch } from './authorized-fetch.js'
import { EngineError, type WidgetRequests } from './engine.js'
import { backOffMs, onOnline, waitUpTo } from './wait.js'
import { makeSessionWatch } from './watch-session.js'
import { wordAnswer } from './word-answer.js'

/** What a tab sends last outlives it: browsers allow 64 KB for that, and a character may be three bytes. */
const keepaliveLengthMax = 20_000

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
  const getTagged = async <Answer>(path: string): Promise<Tagged<Answer>> =>
    readTagged(await persist(() => authorizedFetch(path)))
  const sendTagged = async <Answer>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Tagged<Answer>> => {
    const text = JSON.stringify(body)
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const keepalive = (text ?? '').length < keepaliveLengthMax
    return readTagged(
      await authorizedFetch(path, { method, body: text, headers: { ...type, ...headers }, keepalive }),
    )
  }
  return {
    get: async <Answer>(path: string) => (await getTagged<Answer>(path)).body,
    getTagged,
    getBlob: async (path) => (await persist(() => authorizedFetch(path))).blob(),
    send: async <Answer>(...args: Parameters<WidgetRequests['send']>) =>
      (await sendTagged<Answer>(...args)).body,
    sendTagged,
    watchSession: makeSessionWatch(authorizedFetch, onSession),
    tell: onSession,
  }
}

interface Tagged<Answer> {
  body: Answer
  etag: string
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what the path answers
async function readTagged<Answer>(response: Response): Promise<Tagged<Answer>> {
  const text = await response.text()
  const body = (text === '' ? undefined : JSON.parse(text, wordAnswer)) as Answer
  return { body, etag: response.headers.get('etag') ?? '' }
}
