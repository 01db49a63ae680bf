/** A service that does not answer for so long has lost the call. */
const timeoutMs = 20_000

/** What went wrong, in words for the screen. */
export type Fault =
  | { is: 'signedOut'; message: string }
  /** `code`: of the service's catalogue of errors; a proxy's answer has none. */
  | { is: 'refused'; status: number; code: string | null; message: string }
  /** No answer came. */
  | { is: 'away'; message: string }

export type Answered<Value> =
  | { is: 'ok'; value: Value; etag: string | null }
  /** As it was when its tag was given. */
  | { is: 'same' }
  | Fault

interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  etag?: string | null
  /** Nobody did anything: it does not keep the session open. */
  isByItself?: boolean
}

const awayMessage = 'The service does not answer. It is asked again by itself.'

export async function callService<Value>({
  method,
  path,
  body,
  etag,
  isByItself = false,
}: Call): Promise<Answered<Value>> {
  try {
    const response = await fetch(`/console/api${path}`, {
      method,
      headers: {
        ...(method === 'GET' ? {} : { 'x-casenote-console': '1' }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(isByItself ? { 'x-casenote-by-itself': '1' } : {}),
        ...(etag == null ? {} : { 'if-none-match': etag }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      cache: 'no-store',
      credentials: 'same-origin',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status === 304) return { is: 'same' }
    if (!response.ok) return await readFault(response)
    const value = (response.status === 204 ? null : await response.json()) as Value
    return { is: 'ok', value, etag: response.headers.get('etag') }
  } catch {
    return { is: 'away', message: awayMessage } // No connection, cut off, or too slow: all the same to the reader.
  }
}

async function readFault(response: Response): Promise<Fault> {
  const { status } = response
  const said = await readBody(response)
  const message = said.message ?? wordStatus(status)
  if (status === 401) return { is: 'signedOut', message }
  return { is: 'refused', status, code: response.headers.get('casenote-error-code'), message }
}

async function readBody(response: Response): Promise<{ message?: string }> {
  try {
    return (await response.json()) as { message?: string }
  } catch {
    return {} // A proxy's own page, say.
  }
}

function wordStatus(status: number): string {
  if (status === 404) return 'There is no such thing here.'
  if (status === 429) return 'Too many calls. Wait a little and try again.'
  return status >= 500 ? 'The service has a fault. Try again.' : 'The service does not take that.'
}
