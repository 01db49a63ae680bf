import { once } from 'node:events'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Server } from '../blobs/s3-server.js'

/** Before an S3 server: passes everything on, is away, lets nobody write, or takes connections and says nothing. */
export class StoreDoor {
  state: 'open' | 'away' | 'read-only' | 'silent' = 'open'
  /** Paths of parts that somebody brings and that are not answered. */
  readonly unanswered: string[] = []
  readonly #server: Server

  constructor(upstream: string) {
    this.#server = createServer((request, response) => {
      const { method, headers, url = '' } = request
      if (this.state === 'silent') {
        if (method === 'PUT' && !url.endsWith('/probe')) this.unanswered.push(url)
        request.resume()
        return
      }
      if (this.state === 'away') {
        request.socket.destroy()
        return
      }
      if (this.state === 'read-only' && method !== 'GET' && method !== 'HEAD') {
        response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
        return
      }
      const onward = forward(upstream, { method, headers, path: url }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      onward.on('error', () => response.destroy())
      request.pipe(onward)
    })
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** Of a process whose recordings lie in that bucket, by the way of `endpoint`. */
export const storeSettings = (
  { bucket, credentials }: Pick<S3Server, 'bucket' | 'credentials'>,
  endpoint: string,
): Record<string, string> => ({
  CASENOTE_BLOB_STORE: 's3',
  CASENOTE_S3_ENDPOINT: endpoint,
  CASENOTE_S3_BUCKET: bucket,
  CASENOTE_S3_REGION: credentials.region,
  CASENOTE_S3_ACCESS_KEY_ID: credentials.accessKeyId,
  CASENOTE_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
})
