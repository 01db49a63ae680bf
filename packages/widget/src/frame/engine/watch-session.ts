import type { WidgetSession } from '@casenote/contract'
import { EngineError, type WidgetRequests } from './engine.js'
import type { AuthorizedFetch } from './authorized-fetch.js'
import { backOffMs, onOnline, waitUpTo } from './wait.js'
import { wordAnswer } from './word-answer.js'

/** The service sends a comment every 15 s: who hears nothing for this long has lost the line. */
const silenceMs = 40_000

interface Listener {
  hear(session: WidgetSession): void
  /** It never comes: it is not ours, or not any more. */
  onLost(): void
}

interface Watched {
  listeners: Set<Listener>
  latest: WidgetSession | null
  stopping: AbortController
}

/** One stream for each session, whoever watches it. `onSession` hears all of them. */
export function makeSessionWatch(
  authorizedFetch: AuthorizedFetch,
  onSession: (session: WidgetSession, before: WidgetSession | null) => void,
): WidgetRequests['watchSession'] {
  const watched = new Map<string, Watched>()

  function open(sessionId: string): Watched {
    const stopping = new AbortController()
    const one: Watched = { listeners: new Set(), latest: null, stopping }
    watched.set(sessionId, one)
    const hear = (session: WidgetSession): void => {
      const before = one.latest
      one.latest = session
      for (const listener of one.listeners) listener.hear(session)
      onSession(session, before)
    }
    // One that ended by itself does not stand in the way of the next who asks.
    void follow(authorizedFetch, sessionId, hear, stopping.signal).finally(() => {
      if (watched.get(sessionId) === one) watched.delete(sessionId)
      if (!stopping.signal.aborted) for (const listener of one.listeners) listener.onLost()
    })
    return one
  }

  return (sessionId, listener, onLost = () => {}) => {
    const one = watched.get(sessionId) ?? open(sessionId)
    // Each watch its own function: the same one given twice is two watches.
    const own: Listener = { hear: (session) => listener(session), onLost: () => onLost() }
    one.listeners.add(own)
    if (one.latest !== null) own.hear(one.latest)
    return {
      stop: () => {
        one.listeners.delete(own)
        if (one.listeners.size > 0 || watched.get(sessionId) !== one) return
        watched.delete(sessionId)
        one.stopping.abort()
      },
    }
  }
}

/** Reconnects until it is stopped: a stream ends with its access token, or with the service. */
async function follow(
  authorizedFetch: AuthorizedFetch,
  sessionId: string,
  hear: (session: WidgetSession) => void,
  stopped: AbortSignal,
): Promise<void> {
  for (let failures = 0; !stopped.aborted; failures += 1) {
    try {
      await readStream(authorizedFetch, sessionId, stopped, (session) => {
        failures = 0
        hear(session)
      })
    } catch (error) {
      // A session that is not ours, or was thrown away, never comes.
      if (error instanceof EngineError && (error.status === 404 || error.status === 403)) return
    }
    if (!stopped.aborted) await waitUpTo(backOffMs(failures), onOnline)
  }
}

/** `EventSource` sends no `Authorization` header, so the stream is read by hand. */
async function readStream(
  authorizedFetch: AuthorizedFetch,
  sessionId: string,
  stopped: AbortSignal,
  hear: (session: WidgetSession) => void,
): Promise<void> {
  const ending = new AbortController()
  const end = (): void => ending.abort()
  let timer = setTimeout(end, silenceMs)
  stopped.addEventListener('abort', end)
  try {
    const response = await authorizedFetch(`/sessions/${sessionId}/events`, {
      headers: { accept: 'text/event-stream' },
      signal: ending.signal,
    })
    if (response.body === null) return
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(end, silenceMs)
      const blocks = (text + value).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = /^data: ?(.*)$/m.exec(block)?.[1]
        if (data !== undefined && block.includes('event: session'))
          hear(JSON.parse(data, wordAnswer) as WidgetSession)
      }
    }
  } finally {
    clearTimeout(timer)
    stopped.removeEventListener('abort', end)
  }
}
