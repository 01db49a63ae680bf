import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'

export interface ServedRecording {
  url: string
  name: string
  sizeBytes: number
  close(): Promise<void>
}

/** As an EHR's file store would: under an address that nobody guesses, on the loopback address alone. */
export async function serveRecording(file: string): Promise<ServedRecording> {
  const found = await stat(file).catch(() => null)
  if (found === null || !found.isFile()) throw new Error(`there is no recording ${file}`)
  const path = `/${randomBytes(16).toString('hex')}`
  const server = createServer((request, response) => {
    if (request.url !== path) {
      response.writeHead(404).end()
      return
    }
    const headers = { 'content-type': 'application/octet-stream', 'content-length': found.size }
    response.writeHead(200, headers)
    // Cut short, the service sees that bytes are missing and asks again.
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    name: basename(file),
    sizeBytes: found.size,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
