import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface HttpCall {
  method: string
  url: string
  headers: Record<string, string>
  /** Shared, so that handing it over costs this thread nothing. */
  body?: SharedArrayBuffer
}

export interface HttpCaller {
  /** The status and the length of the answer. Of a stream of events the first piece. */
  call(call: HttpCall): Promise<{ status: number; sizeBytes: number }>
  close(): Promise<void>
}

const script = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', async ({ id, method, url, headers, body }) => {
    try {
      const given = body === undefined ? {} : { body: Buffer.from(new Uint8Array(body)) }
      const stop = new AbortController()
      const answer = await fetch(url, { method, headers, signal: stop.signal, ...given })
      let sizeBytes = 0
      const isStream = (answer.headers.get('content-type') ?? '').startsWith('text/event-stream')
      for await (const piece of answer.body ?? []) {
        sizeBytes += piece.length
        if (isStream) break
      }
      stop.abort()
      parentPort.postMessage({ id, status: answer.status, sizeBytes })
    } catch (error) {
      parentPort.postMessage({ id, failure: String(error.cause ?? error) })
    }
  })
`

interface Reply {
  id: number
  status: number
  sizeBytes: number
  failure?: string
}

/** Whoever asks does it in a thread of their own: what they do with a body or an answer is not the server's work. */
export async function openHttpCaller(): Promise<HttpCaller> {
  const worker = new Worker(script, { eval: true })
  await once(worker, 'online')
  // One for each call under way.
  worker.setMaxListeners(0)
  let count = 0
  return {
    call: (given) =>
      new Promise((resolve, reject) => {
        const id = ++count
        const onReply = ({ failure, ...reply }: Reply): void => {
          if (reply.id !== id) return
          worker.off('message', onReply)
          if (failure === undefined) resolve(reply)
          else reject(new Error(failure))
        }
        worker.on('message', onReply)
        worker.postMessage({ id, ...given }, [])
      }),
    close: async () => void (await worker.terminate()),
  }
}

export function share(text: string): SharedArrayBuffer {
  const bytes = Buffer.from(text)
  const shared = new SharedArrayBuffer(bytes.length)
  bytes.copy(new Uint8Array(shared))
  return shared
}
