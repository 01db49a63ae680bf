import { Agent, request } from 'undici'

/** A collector stands next to the service and answers within milliseconds. */
const answerWithinMs = 10_000

/** As OTLP says: those may be tried again, all others are final. */
const passing = new Set([429, 502, 503, 504])

export interface OtlpTarget {
  /** Without the path of a signal. */
  url: string
  headers: Readonly<Record<string, string>>
}

/** `later`: it may be tried again. `problem`: a status or a system's code, never what the collector said. */
export type Sent = { isTaken: true } | { isTaken: false; isWorthRetrying: boolean; problem: string }

export interface OtlpSender {
  send(signal: 'traces' | 'metrics', body: string, abort: AbortSignal): Promise<Sent>
  close(): Promise<void>
}

/** One connection at a time for each signal. Redirects are not followed: what is sent goes where the operator said. */
export function makeOtlpSender({ url, headers }: OtlpTarget): OtlpSender {
  const agent = new Agent({ connections: 2, connect: { timeout: answerWithinMs } })
  const base = url.endsWith('/') ? url.slice(0, -1) : url
  return {
    send: async (signal, body, abort) => {
      try {
        const answer = await request(`${base}/v1/${signal}`, {
          dispatcher: agent,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body,
          signal: AbortSignal.any([abort, AbortSignal.timeout(answerWithinMs)]),
        })
        // Read and thrown away; what is longer than undici reads for that costs the connection.
        await answer.body.dump()
        const { statusCode } = answer
        if (statusCode >= 200 && statusCode < 300) return { isTaken: true }
        return { isTaken: false, isWorthRetrying: passing.has(statusCode), problem: String(statusCode) }
      } catch (error) {
        const { code, name } = error as { code?: unknown; name: string }
        return { isTaken: false, isWorthRetrying: true, problem: typeof code === 'string' ? code : name }
      }
    },
    close: () => agent.destroy(),
  }
}
