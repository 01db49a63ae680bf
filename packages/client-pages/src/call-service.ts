import type { TextLanguage } from '@casenote/contract'

/** A mobile network that does not answer for so long has lost the request. */
const timeoutMs = 15_000

export type Answered<Value> =
  | { is: 'ok'; value: Value }
  /** The birth date is asked for (again). */
  | { is: 'shut' }
  | { is: 'tooMany' }
  /** The service does not take it, and will not take it next time. */
  | { is: 'refused' }
  /** No answer, or one that says "later". Asking again is safe for every call of ours. */
  | { is: 'away' }

export interface Call {
  method: 'GET' | 'POST'
  path: string
  bearer?: string | null
  body?: unknown
  /** What the person picked to read; else the service goes by their record and the browser. */
  language?: TextLanguage | null
}

export async function callService<Value>({
  method,
  path,
  bearer,
  body,
  language,
}: Call): Promise<Answered<Value>> {
  try {
    const response = await fetch(`/pages/v1${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(bearer == null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(language == null ? {} : { 'casenote-language': language }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.ok) return { is: 'ok', value: (await response.json()) as Value }
    return { is: wordStatus(response.status) }
  } catch {
    return { is: 'away' } // No connection, cut off, or too slow: all the same to the reader.
  }
}

function wordStatus(status: number): 'shut' | 'tooMany' | 'refused' | 'away' {
  if (status === 401 || status === 403) return 'shut'
  if (status === 429) return 'tooMany'
  return status >= 500 ? 'away' : 'refused'
}
